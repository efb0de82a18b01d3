"""One thread of a Claude Code session, put together row by row.

Results are tied to calls by their id, never by their place: a result may stand before its call, and
is a side branch of the chain of parents where calls were made in parallel. A row that is written
again, under its own id or a new one, counts once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from evaluation.reading.turns import Turn, final_response
from evaluation.transcripts.claude_clearing import Clearing, Prompt
from evaluation.transcripts.claude_drafts import Draft, File, Result, model_of, usage_of
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
from evaluation.transcripts.claude_steps import Told, steps_of
from evaluation.transcripts.trajectory import Source, Step, tool_call

NOTES = (
    "<bash-",
    "<command-",
    "<local-command-",
    "<system-reminder>",
    "<task-notification>",
    "<user-memory-input>",
    "Caveat: The messages below were generated",
    "[Request interrupted by user",
)
"""Beginnings of what stands under the user's name and is no prompt."""
AGENT_TOOLS = frozenset(("Agent", "Task"))
AGENT_ID = re.compile(r"agentId: (a[0-9a-f]{6,32}) \(")
"""How the CLI says in a result which sub-agent it is of."""
MOST_SAME = 64
"""Texts of an answer among which one is looked for that was written again."""
_BLOCKS = """
    text thinking redacted_thinking tool_use tool_result image document server_tool_use
    tool_reference web_search_tool_result web_fetch_tool_result fallback search_result
    mcp_tool_use mcp_tool_result code_execution_tool_result container_upload
"""
BLOCKS = frozenset(_BLOCKS.split())
"""Parts of messages that are known."""


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
        self.model: str | None = None
        self.calls: dict[str, Draft] = {}
        """Which answer made a call, by its id."""
        self.workflows: set[str] = set()
        """Runs of workflows that results name."""
        self.prompt = ""
        self.rows = 0
        self.attachments = False
        self._count = count
        self._ordered = ordered
        self._place = 0
        self._drafts: list[Draft] = []
        self._answers: dict[str, Draft] = {}
        self._answered = 0
        self._last: Draft | None = None
        self._results: dict[str, list[Result]] = {}
        self._replaced: dict[str, str] = {}
        self._spawned: dict[str, str] = {}
        self._named: dict[str, str] = {}
        self._said: set[tuple[str, str]] = set()
        self._clearing = Clearing()
        self._requests = Requests()

    @property
    def compacted(self) -> bool:
        """Whether anything was taken out of the context, as far as rows say."""
        return self._clearing.compacted

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
        order = self._place if self._ordered else None
        draft = Draft(source, time if isinstance(time, str) else None, order, model)
        self._drafts.append(draft)
        return draft

    def _take_answer(self, row: Row) -> None:
        self.rows += 1
        message = object_of(row, "message")
        content = message.get("content")
        identity = text_of(message, "id")
        if self._requests.hashing:
            self._requests.take_message("assistant", identity, content)
        model = model_of(row, message)
        if model is None:
            return
        self.model = model
        identity = identity or text_of(row, "requestId")
        draft = self._answers.get(identity) if identity else None
        if draft is None:
            draft = self._draft("agent", row, model)
            self._answered += 1
            if identity:
                self._answers[identity] = draft
        self._last = draft
        if isinstance(content, str):
            content = [{"type": "text", "text": content}]
        for block in content if isinstance(content, list) else ():
            if isinstance(block, dict):
                self._take_block(block, draft)
        draft.usage = usage_of(message.get("usage")) or draft.usage
        draft.uuid = text_of(row, "uuid")
        request = row.get("requestRef")
        if isinstance(request, str):
            draft.request = request
            self._requests.answered.add(request)

    def _take_block(self, block: Row, draft: Draft) -> None:
        kind = block.get("type")
        if kind == "tool_use":
            name, call = block.get("name"), block.get("id")
            if not isinstance(name, str) or not isinstance(call, str):
                return
            if self.calls.get(call) is not draft:
                draft.calls.append(tool_call(call, name, block.get("input")))
                self.calls[call] = draft
        elif kind == "text":
            text = block.get("text")
            if isinstance(text, str) and text not in draft.texts[-MOST_SAME:]:
                draft.texts.append(text)
        else:
            self._note_block(block)

    def _note_block(self, block: Row) -> None:
        kind = kind_of(block)
        if kind not in BLOCKS:
            self._count.unknown[f"block {kind[:80]}"] += 1

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
                self._note_block(block)
        text = "\n".join(filter(None, texts)) if texts else ""
        if text and not self._is_said(row, text):
            source: Source = "system" if _is_note(row, text) else "user"
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
        display = row.get("toolUseResult", row.get("tool_use_result"))
        agent = ""
        if display is None:
            self._note_agent(call, text)
        elif isinstance(display, dict):
            agent = text_of(display, "agentId")
            if agent:
                self._spawned[call] = agent
            if "transcriptDir" in display:
                self.workflows.add(text_of(display, "runId"))
        status = status_of(text, is_error=block.get("is_error") is True)
        uuid = text_of(row, "uuid")
        result = Result(self._place, uuid, call, text, status, agent, self._answered)
        self._results.setdefault(call, []).append(result)
        self._clearing.alive.append(result)

    def _note_agent(self, call: str, text: str) -> None:
        """The sub-agent that a call started: a sub-agent's rows have no field that says so."""
        at = text.rfind("agentId: ")
        found = AGENT_ID.match(text, at) if at >= 0 else None
        if found:
            self._named[call] = found[1]

    def _take_attachment(self, row: Row) -> None:
        self.attachments = True
        attachment = object_of(row, "attachment")
        rendered = rendered_texts(row)
        found = attached(attachment, rendered)
        if found is not None:
            if not self._is_said(row, found.text):
                file = File(self._place, text_of(row, "uuid"), found.path, found.text)
                self._draft("system", row).file = file
                self._clearing.alive.append(file)
            return
        kind = kind_of(attachment)
        if kind not in NOT_FILES and kind not in FILES:
            self._count.unknown[f"attachment {kind[:80]}"] += 1
        if rendered:
            self._draft("system", row).texts.append("\n".join(rendered))

    def _take_system(self, row: Row) -> None:
        subtype = text_of(row, "subtype")
        if subtype == "compact_boundary":
            asked = self._last.calls if self._last else ()
            pending = frozenset(call.tool_call_id for call in asked)
            self._clearing.compact(row, pending, self._answered)
        elif subtype == "microcompact_boundary":
            self._clearing.clear(row)
        elif subtype.endswith("_boundary"):
            self._count.unknown[f"system {subtype[:80]}"] += 1

    def is_waiting(self) -> bool:
        """Whether its last result was given to it, and no answer has come since."""
        last = self._clearing.alive[-1] if self._clearing.alive else None
        return isinstance(last, Result) and self.calls.get(last.call) is self._last

    def agents(self) -> dict[str, str]:
        """Sub-agents that calls of this thread started, by the call."""
        named = self._named.items()
        started = {call: agent for call, agent in named if self._tool_of(call) in AGENT_TOOLS}
        return {**started, **self._spawned}

    def _tool_of(self, call: str) -> str:
        draft = self.calls.get(call)
        made = draft.calls if draft else ()
        return next((one.function_name for one in made if one.tool_call_id == call), "")

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
        return set(self._answers)

    def prompts(self) -> Iterator[str]:
        """What the user said."""
        return (draft.message for draft in self._drafts if draft.source == "user")

    def finish(self) -> Finished:
        """All steps, once every row was taken."""
        answers = [draft for draft in self._drafts if draft.source == "agent"]
        response = final_response(
            [Turn(n, draft.message, bool(draft.calls)) for n, draft in enumerate(answers)]
        )
        final = answers[response.call] if response else self._last
        held = self._requests.held(final.request) if final and final.request else None
        if held is None and final is not None:
            self._clearing.leave_branches(final.uuid)
        first = self._requests.first_row or 0
        told = Told(held, first, self._replaced, self.attachments)
        return Finished(steps_of(self._drafts, self._results, told), held)


def _is_note(row: Row, text: str) -> bool:
    """Whether the CLI speaks under the user's name."""
    return (
        row.get("isMeta") is True
        or row.get("isCompactSummary") is True
        or row.get("isSynthetic") is True
        or text_of(row.get("origin"), "kind") == "task-notification"
        or text.startswith(NOTES)
    )
