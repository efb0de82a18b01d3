"""Codex's sessions: rollout files, one for the main agent and one for each sub-agent.

Prevents two false results. The display's rows (`event_msg`) hold outputs that are cut where the
model saw all, and whole where the model saw a part: text comes from `response_item` rows alone.
And what a fork copied from its parent's history is no reading of its own. Seen with 0.171; wrappers
of older versions are in the table of tools.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import orjson
from pydantic import JsonValue

from authoring.errors import Place, UserError
from evaluation.reading.context import MAIN
from evaluation.transcripts.codex_rows import (
    Object,
    Rollout,
    Row,
    ids_in,
    object_of,
    objects_of,
    read_rollout,
    shown_text,
    text_of,
    texts_in,
)
from evaluation.transcripts.trajectory import (
    Agent,
    Evidence,
    Metrics,
    Observation,
    ObservationResult,
    Step,
    ToolCall,
    Trajectory,
    TrajectoryExtra,
    tool_call,
)

ROLLOUTS = "rollout-*.jsonl"
NOTES = (
    "<environment_context>",
    "<user_instructions>",
    "<subagent_notification>",
    "<turn_aborted>",
    "# AGENTS.md instructions",
)
"""Beginnings of what stands under the user's name and the CLI wrote."""
RESULTS = frozenset(("function_call_output", "custom_tool_call_output", "local_shell_call_output"))


def read_codex_session(native: Path) -> Trajectory:
    """The session under a folder. Raises UserError where there is none, or more than one."""
    rollouts = [read_rollout(path) for path in sorted(native.rglob(ROLLOUTS))]
    threads = [rollout for rollout in rollouts if _has_turns(rollout)]
    mains = [rollout for rollout in threads if not rollout.parent]
    if len(mains) != 1:
        raise UserError(f"holds {len(mains)} Codex sessions", place=Place(str(native)))
    main = mains[0]
    subagents = sorted((one for one in threads if one.parent), key=lambda one: one.thread)
    known = {one.thread for one in threads}
    spawned = sorted({agent for one in threads for agent in _spawned(one)} - known)
    return Trajectory(
        session_id=main.thread or None,
        trajectory_id=MAIN,
        agent=_agent(main),
        steps=_steps(main),
        extra=TrajectoryExtra(
            evidence=Evidence(
                rows=sum(len(one.rows) for one in rollouts),
                unreadable=sum(one.unreadable for one in rollouts),
                missing=tuple(f"session of sub-agent {one}" for one in spawned),
            )
        ),
        subagent_trajectories=tuple(
            Trajectory(
                trajectory_id=one.thread,
                agent=_agent(one),
                steps=_steps(one),
                extra=TrajectoryExtra(parent=MAIN if one.parent == main.thread else one.parent),
            )
            for one in subagents
        )
        or None,
    )


def _has_turns(rollout: Rollout) -> bool:
    return any(row.kind == "response_item" for row in rollout.rows)


def _spawned(rollout: Rollout) -> frozenset[str]:
    """Sub-agents that a thread started, by its events and by what the calls gave back."""
    found: list[JsonValue] = []
    spawns: set[str] = set()
    for row in rollout.rows:
        if rollout.is_copied(row):
            continue
        if row.kind == "event_msg":
            found += _started(object_of(row.payload, "item"))
            found.append(row.payload.get("new_thread_id"))  # older versions: collab_agent_spawn_end
        elif row.type == "function_call" and text_of(row.payload, "name") == "spawn_agent":
            spawns.add(text_of(row.payload, "call_id"))
        elif row.type == "function_call_output" and text_of(row.payload, "call_id") in spawns:
            found.append(_loaded(shown_text(row.payload.get("output"))).get("agent_id"))
    return ids_in(found)


def _started(item: Object) -> list[JsonValue]:
    """Sub-agents that an event says were started: in a script too, where no item says so."""
    if text_of(item, "type") == "SubAgentActivity":
        return [item.get("agent_thread_id")]
    receivers = item.get("receiver_thread_ids")
    if text_of(item, "tool") == "spawn_agent" and isinstance(receivers, list):
        return receivers
    return []


def _agent(rollout: Rollout) -> Agent:
    versions = (text_of(meta, "cli_version") for meta in rollout.metas)
    models = [text_of(row.payload, "model") for row in rollout.rows if row.kind == "turn_context"]
    return Agent(
        name="codex",
        version=next((version for version in versions if version), "unknown"),
        model_name=next((model for model in reversed(models) if model), None),
    )


def _loaded(text: str) -> Object:
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
    pending: list[ObservationResult] = field(default_factory=list)
    """Results since the last answer."""
    called: dict[str, _Draft] = field(default_factory=dict)
    """Which answer made a call, by its id."""
    model: str | None = None

    def take(self, row: Row, *, copied: bool) -> None:
        if row.kind == "turn_context":
            self.model = text_of(row.payload, "model") or self.model
        elif row.kind == "token_usage_record":
            self._count(object_of(row.payload, "usage"))
        elif row.kind == "compacted":
            self._compact(row.payload)
        elif row.kind == "response_item":
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
            text = "\n".join(texts_in(item.get("content")))
            self.answer = None
            self.drafts.append(_Draft(_source(item, text), row.time, copied, [text]))

    def _answer(self, row: Row, *, copied: bool) -> _Draft:
        """The answer that an item belongs to: the one that goes on, or a new one."""
        if self.answer is None:
            self.answer = _Draft("agent", row.time, copied, model=self.model)
            self.answer.given, self.pending = self.pending, []
            self.drafts.append(self.answer)
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

    def _count(self, usage: Object) -> None:
        """Tokens of the last answer."""
        given, written = usage.get("input_tokens"), usage.get("output_tokens")
        answers = (draft for draft in reversed(self.drafts) if draft.source == "agent")
        draft = next(answers, None)
        if draft is not None and isinstance(given, int) and isinstance(written, int):
            draft.usage = Metrics(prompt_tokens=given, completion_tokens=written)

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
        self.answer = None

    def _forget(self, results: Iterable[ObservationResult]) -> None:
        for result in results:
            draft = self.called[result.source_call_id or ""]
            draft.results = [one for one in draft.results if one is not result]

    def finished(self) -> tuple[Step, ...]:
        """All steps. A result that came after the last answer was never shown to the model."""
        last = next((one for one in reversed(self.drafts) if one.source == "agent"), None)
        self._forget(
            one for one in self.pending if self.called[one.source_call_id or ""] is not last
        )
        return tuple(_step(number, draft) for number, draft in enumerate(self.drafts, start=1))


def _is_summary(draft: _Draft, compacted: str) -> bool:
    return draft.source == "agent" and not draft.calls and draft.message in compacted


def _steps(rollout: Rollout) -> tuple[Step, ...]:
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
            return tool_call(identity, name, _loaded(text_of(item, "arguments")))
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
