"""Codex's rows as steps: an answer's items come on rows of their own, and a compaction takes away.

Prevents two false results: a summary of the history taken for an answer of the agent, and results
that only the summariser was given taken for reading.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import orjson

from evaluation.transcripts.codex_attached import in_messages
from evaluation.transcripts.codex_rows import (
    ITEM,
    Rollout,
    Row,
    object_of,
    objects_of,
    shown_text,
    text_of,
    texts_in,
)
from evaluation.transcripts.json_lines import Object
from evaluation.transcripts.trajectory import (
    Metrics,
    Observation,
    ObservationResult,
    ResultExtra,
    Step,
    ToolCall,
    attached_result,
    tool_call,
)

NOTES = (
    "<environment_context>",
    "<user_instructions>",
    "<subagent_notification>",
    "<turn_aborted>",
    "# AGENTS.md instructions",
)
"""Beginnings of what stands under the user's name and the CLI wrote."""
RESULTS = frozenset(("function_call_output", "custom_tool_call_output", "local_shell_call_output"))


def loaded(text: str) -> Object:
    """The object of a JSON text; empty where it is none."""
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return {}
    return value if isinstance(value, dict) else {}


@dataclass
class _Draft:
    """One step while its rows are gathered: an answer's items come on rows of their own."""

    source: str
    time: str
    copied: bool
    texts: list[str] = field(default_factory=list)
    final: list[str] = field(default_factory=list)
    """Texts that are marked as the final answer."""
    calls: list[ToolCall] = field(default_factory=list)
    results: list[ObservationResult] = field(default_factory=list)
    attached: list[ObservationResult] = field(default_factory=list)
    """Files that the CLI put into the message."""
    given: list[ObservationResult] = field(default_factory=list)
    """Results that came since the answer before: this one is the first to know them."""
    model: str | None = None
    usage: Metrics | None = None

    @property
    def message(self) -> str:
        return "\n".join(text for text in self.final or self.texts if text)


@dataclass
class _Steps:
    """The steps of one thread, put together row by row."""

    drafts: list[_Draft] = field(default_factory=list)
    answer: _Draft | None = None
    """The answer that goes on; None once something else has come."""
    last: _Draft | None = None
    """The last answer."""
    pending: list[ObservationResult] = field(default_factory=list)
    """Results since the last answer."""
    standing: list[tuple[_Draft, ObservationResult]] = field(default_factory=list)
    """Results that stand in the context."""
    lapsed: list[tuple[_Draft, ObservationResult]] = field(default_factory=list)
    """Results that the next answer will be given no more."""
    called: dict[str, _Draft] = field(default_factory=dict)
    """Which answer made a call, by its id."""
    model: str | None = None
    has_answered: bool = False
    """Whether the thread itself did, beyond what it copied."""

    def take(self, row: Row, *, copied: bool) -> None:
        if row.kind == "turn_context":
            self.model = text_of(row.payload, "model") or self.model
        elif row.kind == "token_usage_record":
            self._count(object_of(row.payload, "usage"))
        elif row.kind == "compacted":
            self._compact(row.payload)
        elif row.kind == ITEM:
            self._take_item(row, copied=copied)

    def _take_item(self, row: Row, *, copied: bool) -> None:
        item = row.payload
        call = _call(item)
        if row.type in RESULTS:
            self._take_result(item)
        elif call is not None:
            draft = self._answer(row, copied=copied)
            draft.calls.append(call)
            self.called[call.tool_call_id] = draft
        elif row.type == "message" and text_of(item, "role") == "assistant":
            draft = self._answer(row, copied=copied)
            texts = draft.final if text_of(item, "phase") == "final_answer" else draft.texts
            texts.append("\n".join(texts_in(item.get("content"))))
        elif row.type in ("message", "agent_message"):
            texts = list(texts_in(item.get("content")))
            text = "\n".join(texts)
            self.answer = None
            draft = _Draft(_source(item, text), row.time, copied, [text])
            draft.attached = [attached_result(file) for file in in_messages(texts)]
            self.drafts.append(draft)

    def _answer(self, row: Row, *, copied: bool) -> _Draft:
        """The answer that an item belongs to: the one that goes on, or a new one."""
        if self.answer is None:
            self._clear()
            self.has_answered |= not copied
            self.answer = _Draft("agent", row.time, copied, model=self.model)
            self.answer.given, self.pending = self.pending, []
            self.drafts.append(self.answer)
            self.last = self.answer
        return self.answer

    def _take_result(self, item: Object) -> None:
        self.answer = None
        identity = text_of(item, "call_id")
        draft = self.called.get(identity)
        if draft is not None:
            text = shown_text(item.get("output"))
            result = ObservationResult(source_call_id=identity, content=text)
            draft.results.append(result)
            self.pending.append(result)
            self.standing.append((draft, result))

    def _count(self, usage: Object) -> None:
        """Tokens of the last answer."""
        given, written = usage.get("input_tokens"), usage.get("output_tokens")
        if self.last is not None and isinstance(given, int) and isinstance(written, int):
            self.last.usage = Metrics(prompt_tokens=given, completion_tokens=written)

    def _compact(self, payload: Object) -> None:
        """The summary is no answer of the agent's, and results that only the summariser was given
        never entered the agent's context, unless the new history holds them."""
        last = self.drafts[-1] if self.drafts else None
        unread = self.pending
        if last is not None and _is_summary(last, text_of(payload, "message")):
            self.drafts.pop()
            unread = [*last.given, *unread]
        kept = {
            text_of(item, "call_id")
            for item in objects_of(payload, "replacement_history")
            if text_of(item, "type") in RESULTS
        }
        self.pending = [result for result in unread if result.source_call_id in kept]
        self._forget(result for result in unread if result.source_call_id not in kept)
        lapsed = [one for one in self.standing if one[1].source_call_id not in kept]
        if self.has_answered:
            self.lapsed += lapsed
        else:
            # Copied, and gone before this thread was given anything.
            self._forget(result for _, result in lapsed)
        self.standing = [one for one in self.standing if one[1].source_call_id in kept]
        self.answer = None

    def _clear(self) -> None:
        """An answer begins: what a compaction took out is not before it any more."""
        lapsed = {id(result) for _, result in self.lapsed}
        for draft in {id(draft): draft for draft, _ in self.lapsed}.values():
            draft.results = [
                replace(one, extra=ResultExtra(cleared=True)) if id(one) in lapsed else one
                for one in draft.results
            ]
        self.lapsed = []

    def _forget(self, results: Iterable[ObservationResult]) -> None:
        gone = {id(result): self.called[result.source_call_id or ""] for result in results}
        for draft in {id(draft): draft for draft in gone.values()}.values():
            draft.results = [one for one in draft.results if id(one) not in gone]

    def finished(self) -> tuple[Step, ...]:
        """All steps. A result that came after the last answer was never shown to the model."""
        last = next((one for one in reversed(self.drafts) if one.source == "agent"), None)
        self._forget(
            one for one in self.pending if self.called[one.source_call_id or ""] is not last
        )
        return tuple(_step(number, draft) for number, draft in enumerate(self.drafts, start=1))


def _is_summary(draft: _Draft, compacted: str) -> bool:
    return draft.source == "agent" and not draft.calls and draft.message in compacted


def steps_of(rollout: Rollout) -> tuple[Step, ...]:
    steps = _Steps()
    for row in rollout.rows:
        steps.take(row, copied=rollout.is_copied(row))
    return steps.finished()


def _source(item: Object, text: str) -> str:
    """Who speaks: under the user's name the CLI writes notes of its own."""
    if text_of(item, "type") == "agent_message":
        return "user" if text.startswith("Message Type: NEW_TASK") else "system"
    passed = object_of(item, "internal_chat_message_metadata_passthrough")
    kinds = passed.get("content_item_kinds")
    is_note = isinstance(kinds, list) and not any(str(kind).startswith("user.") for kind in kinds)
    if text_of(item, "role") != "user" or is_note or text.lstrip().startswith(NOTES):
        return "system"
    return "user"


def _call(item: Object) -> ToolCall | None:
    """The call of an item; None where it is none that the CLI carries out."""
    identity, name = text_of(item, "call_id"), text_of(item, "name")
    match text_of(item, "type"):
        case "function_call":
            return tool_call(identity, name, loaded(text_of(item, "arguments")))
        case "custom_tool_call":
            return tool_call(identity, name, {"input": text_of(item, "input")})
        case "local_shell_call":
            return tool_call(identity, "local_shell", item.get("action"))
        case "tool_search_call" if identity:
            return tool_call(identity, "tool_search", item.get("arguments"))
    return None


def _step(number: int, draft: _Draft) -> Step:
    copied = True if draft.copied else None
    if draft.source != "agent":
        return Step(
            step_id=number,
            timestamp=draft.time or None,
            source="user" if draft.source == "user" else "system",
            message=draft.message,
            observation=Observation(results=tuple(draft.attached)) if draft.attached else None,
            is_copied_context=copied,
        )
    return Step(
        step_id=number,
        timestamp=draft.time or None,
        source="agent",
        model_name=draft.model,
        message=draft.message,
        tool_calls=tuple(draft.calls) or None,
        observation=Observation(results=tuple(draft.results)) if draft.results else None,
        metrics=draft.usage,
        is_copied_context=copied,
    )
