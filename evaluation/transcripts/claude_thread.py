"""One thread of a Claude Code session, put together row by row.

Results are tied to calls by their id, never by their place: a result may stand before its call, and
is a side branch of the chain of parents where calls were made in parallel. A row that is written
again, under its own id or a new one, counts once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from evaluation.reading.turns import Turn, latest_response
from evaluation.transcripts.claude_answers import Answers
from evaluation.transcripts.claude_clearing import NOTHING, Clearing, Prompt
from evaluation.transcripts.claude_drafts import Draft, File, Result, model_of
from evaluation.transcripts.claude_kinds import CONTINUED, is_note, note_block
from evaluation.transcripts.claude_requests import Held, Requests
from evaluation.transcripts.claude_results import (
    FILES,
    NOT_FILES,
    attached,
    joined,
    rendered_texts,
    status_of,
)
from evaluation.transcripts.claude_rows import Row, RowCount, kind_of, list_of, object_of, text_of
from evaluation.transcripts.claude_started import AGENT_TOOLS, Started
from evaluation.transcripts.claude_steps import Told, steps_of
from evaluation.transcripts.trajectory import Source, Step


@dataclass(frozen=True, slots=True)
class Finished:
    """A thread, read."""

    steps: tuple[Step, ...]
    held: Held | None
    """What its calls held, where it says so without a gap."""


class Thread:
    """The rows of one thread, put together."""

    def __init__(self, count: RowCount, *, ordered: bool = False) -> None:
        """`ordered`: steps are numbered, since rows have no times."""
        self.sessions: set[str] = set()
        self.version = ""
        self.folder = ""
        self.model: str | None = None
        self.prompt = ""
        self.rows = 0
        self.attachments = False
        self._count = count
        self._ordered = ordered
        self._place = 0
        self._drafts: list[Draft] = []
        self._answers = Answers(count)
        self._started = Started(self._answers)
        self._results: dict[str, list[Result]] = {}
        self._replaced: dict[str, str] = {}
        self._said: set[tuple[str, str]] = set()
        self._clearing = Clearing()
        self._requests = Requests()

    @property
    def calls(self) -> Mapping[str, Draft]:
        """Which answer made a call, by its id."""
        return self._answers.calls

    @property
    def workflows(self) -> Set[str]:
        """Runs of workflows that results name."""
        return self._started.workflows

    @property
    def compacted(self) -> bool:
        """Whether anything was taken out of the context, as far as rows say."""
        return self._clearing.compacted

    def rows_in_order(self) -> Iterator[str]:
        """The names of its rows."""
        return iter(self._clearing.parents)

    def boundaries(self) -> Sequence[str]:
        """Rows at which its history gave way to a summary."""
        return self._clearing.boundaries

    def gathered(self) -> Iterator[tuple[Draft, list[Result]]]:
        """What was said, and what came of it, with one result for each call."""
        for draft in self._drafts:
            found = (self._results.get(call.tool_call_id) for call in draft.calls)
            yield draft, [results[-1] for results in found if results]

    def expect_requests(self) -> None:
        """There are `api-request` rows to compare messages with."""
        self._requests.hashing = True

    def take(self, row: Row, place: int) -> None:
        """The next row; its place in the session."""
        uuid = row.get("uuid")
        if isinstance(uuid, str):
            parents = self._clearing.parents
            if uuid in parents:
                return  # written again
            parent = row.get("parentUuid") or row.get("logicalParentUuid")
            parents[uuid] = parent if isinstance(parent, str) else ""
        self._place = place
        match row.get("type"):
            case "assistant":
                self._take_answer(row)
            case "user":
                self._take_user(row)
            case "attachment":
                self._take_attachment(row)
            case "system":
                self._take_system(row)
            case _:
                self._take_record(row, place)

    def _take_record(self, row: Row, place: int) -> None:
        """A row about what the model was given."""
        match kind_of(row):
            case "content-replacement":
                for item in list_of(row, "replacements"):
                    self._replaced[text_of(item, "toolUseId")] = text_of(item, "replacement")
            case "api-request":
                self._requests.take_request(row, place)
            case "api-request-blob":
                self._requests.take_blob(row)

    def _draft(self, source: Source, row: Row, model: str | None = None) -> Draft:
        session, time = row.get("sessionId"), row.get("timestamp")
        if isinstance(session, str):
            self.sessions.add(session)
        if not self.version:
            self.version = text_of(row, "version")
        if not self.folder:
            self.folder = text_of(row, "cwd")
        order = self._place if self._ordered else None
        draft = Draft(source, time if isinstance(time, str) else None, order, model)
        self._drafts.append(draft)
        return draft

    def _take_answer(self, row: Row) -> None:
        self.rows += 1
        message = object_of(row, "message")
        identity = text_of(message, "id")
        if self._requests.hashing:
            self._requests.take_message("assistant", identity, message.get("content"))
        model = model_of(row, message)
        if model is None:
            return
        self.model = model
        identity = identity or text_of(row, "requestId")
        draft = self._answers.find(identity)
        if draft is None:
            draft = self._draft("agent", row, model)
            self._answers.enter(identity, draft)
        self._answers.take(draft, message)
        draft.uuid = text_of(row, "uuid")
        request = row.get("requestRef")
        if isinstance(request, str):
            draft.request = request
            self._requests.answered.add(request)

    def _take_user(self, row: Row) -> None:
        self.rows += 1
        content = object_of(row, "message").get("content")
        if self._requests.hashing:
            self._requests.take_message("user", "", content)
        texts: list[str] = []
        if isinstance(content, str):
            texts.append(content)
            self._note_prompt(row)
        for block in content if isinstance(content, list) else ():
            if not isinstance(block, dict):
                continue
            kind = block.get("type")
            if kind == "tool_result":
                self._take_result(row, block)
            elif kind == "text":
                texts.append(text_of(block, "text"))
            else:
                note_block(block, self._count)
        text = "\n".join(filter(None, texts)) if texts else ""
        if text and not self._is_said(row, text):
            source: Source = "system" if is_note(row, text) else "user"
            self._draft(source, row).texts.append(text)
            if source == "user" and not self.prompt:
                self.prompt = text

    def _is_said(self, row: Row, text: str) -> bool:
        """Whether it was written before: a preserved part of the history, under new ids."""
        said = (text_of(row, "timestamp"), text)
        if said[0] and said in self._said:
            return True
        self._said.add(said)
        return False

    def _note_prompt(self, row: Row) -> None:
        uuid, parent = text_of(row, "uuid"), text_of(row, "parentUuid")
        if uuid and parent and row.get("isMeta") is not True:
            self._clearing.prompts.append(Prompt(uuid, parent, self._place))

    def _take_result(self, row: Row, block: Row) -> None:
        call = block.get("tool_use_id")
        if not isinstance(call, str):
            return
        text = joined(block.get("content"))
        agent = self._started.take(row, call, text)
        status = status_of(text, is_error=block.get("is_error") is True)
        uuid = text_of(row, "uuid")
        result = Result(self._place, uuid, call, text, status, agent, self._answers.number)
        if call in self._results:
            self._results[call].append(result)
        else:
            self._results[call] = [result]
        self._clearing.alive.append(result)

    def _take_attachment(self, row: Row) -> None:
        self.attachments = True
        attachment = object_of(row, "attachment")
        rendered = rendered_texts(row)
        found = attached(attachment, rendered)
        for one in found:
            if not self._is_said(row, one.text):
                file = File(self._place, text_of(row, "uuid"), one.path, one.text)
                self._draft("system", row).file = file
                self._clearing.alive.append(file)
        if found:
            return
        kind = kind_of(attachment)
        if kind not in NOT_FILES and kind not in FILES:
            self._count.unknown[f"attachment {kind[:80]}"] += 1
        if rendered:
            self._draft("system", row).texts.append("\n".join(rendered))

    def _take_system(self, row: Row) -> None:
        subtype = text_of(row, "subtype")
        if subtype == "compact_boundary":
            last = self._answers.last
            pending = frozenset(call.tool_call_id for call in last.calls) if last else NOTHING
            self._clearing.compact(row, pending, self._answers.number)
        elif subtype == "microcompact_boundary":
            self._clearing.clear(row)
        elif subtype.endswith("_boundary"):
            self._count.unknown[f"system {subtype[:80]}"] += 1

    def is_waiting(self) -> bool:
        """Whether its last result was given to it, and no answer has come since."""
        last = self._clearing.alive[-1] if self._clearing.alive else None
        return isinstance(last, Result) and self.calls.get(last.call) is self._answers.last

    def agents(self) -> dict[str, str]:
        """Sub-agents that calls of this thread started, by the call."""
        return self._started.agents()

    def started(self) -> dict[str, str]:
        """Calls that started a sub-agent, with what it was told: those whose result is no error."""
        return {
            call.tool_call_id: text_of(dict(call.arguments), "prompt")
            for draft in self._drafts
            for call in draft.calls
            if call.function_name in AGENT_TOOLS
            and any(one.status == "whole" for one in self._results.get(call.tool_call_id, ()))
        }

    def messages(self) -> set[str]:
        """Ids of the answers."""
        return self._answers.ids()

    def is_continued(self) -> bool:
        """Whether it begins with a summary of what stands in none of its rows."""
        for draft in self._drafts:
            if draft.source == "agent":
                return False
            if draft.message.startswith(CONTINUED):
                return True
        return False

    def prompts(self) -> Iterator[str]:
        """What the user said."""
        return (draft.message for draft in self._drafts if draft.source == "user")

    def finish(self) -> Finished:
        """All steps, once every row was taken."""
        drafts = self._drafts
        response = latest_response(
            Turn(place, drafts[place].message, bool(drafts[place].calls))
            for place in range(len(drafts) - 1, -1, -1)
            if drafts[place].source == "agent"
        )
        final = drafts[response.call] if response else self._answers.last
        held = self._requests.held(final.request) if final and final.request else None
        if held is None and final is not None:
            self._clearing.leave_branches(final.uuid)
        first = self._requests.first_row or 0
        told = Told(held, first, self._replaced, self.attachments)
        return Finished(steps_of(self._drafts, self._results, told), held)
