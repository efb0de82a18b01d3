"""What `codex exec --json` prints: items as they begin and end, in one thread.

Prevents a false result: an item's `aggregated_output` is what the command printed, and nobody has
shown that the model was given all of it. So what stands in it counts at the upper end only.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import JsonValue

from authoring.errors import Place, UserError
from evaluation.reading.collector import without_collector
from evaluation.reading.context import MAIN, ToolOutput, ToolTable
from evaluation.transcripts.beginnings import Beginning, any_begins
from evaluation.transcripts.codex_rows import ids_in, object_of, text_of, texts_in
from evaluation.transcripts.json_lines import Object, read_lines
from evaluation.transcripts.streams import only_stream
from evaluation.transcripts.trajectory import (
    Agent,
    Evidence,
    Metrics,
    Observation,
    ObservationResult,
    ResultExtra,
    Step,
    ToolCall,
    Trajectory,
    TrajectoryExtra,
    tool_call,
)

COMMAND, SERVER_TOOL, SUBAGENTS = "command_execution", "mcp_tool_call", "collab_tool_call"
TOOLS: ToolTable = {
    COMMAND: ToolOutput(credit="possible"),
    SERVER_TOOL: ToolOutput(credit="possible"),
    SUBAGENTS: ToolOutput(credit="none"),
}
EVENTS = frozenset(("thread.started", "turn.started", "turn.completed", "turn.failed", "error"))
ITEM_EVENTS = frozenset(("item.started", "item.updated", "item.completed"))
ANSWERS = frozenset(("agent_message", "assistant_message"))
QUIET = frozenset(("reasoning", "file_change", "web_search", "todo_list", "error"))
"""Items that give back no text of a file."""
NOTES = ("AGENTS.md", "AGENTS.override.md")
"""Of the project: the CLI puts them into the context, and into no stream."""
INFERRED = "that the model was given what its commands printed: it counts at the upper end only"


def is_codex_exec(path: Path) -> bool:
    """Whether a file, or one of a folder's, is such a stream."""
    return any_begins(path, ".jsonl", _is_stream)


def _is_stream(beginning: Beginning) -> bool:
    return any(
        text_of(row, "type") == "thread.started" and isinstance(row.get("thread_id"), str)
        for row in beginning.rows
    )


@without_collector()
def read_codex_exec(path: Path) -> Trajectory:
    """The one stream of a file or folder. Raises UserError."""
    file = only_stream(path, _is_stream, "streams of `codex exec --json`")
    stream = _Stream()
    for line in read_lines(file, '{"type":'):
        stream.unreadable += not line.whole
        stream.rows += len(line.rows) or 1
        for row in line.rows:
            stream.take(row)
    if not stream.thread:
        raise UserError("is no stream of `codex exec --json`", place=Place(str(file)))
    return Trajectory(
        session_id=stream.thread,
        trajectory_id=MAIN,
        agent=Agent(name="codex", version="unknown"),
        steps=stream.steps(),
        extra=TrajectoryExtra(evidence=stream.evidence()),
    )


@dataclass
class _Draft:
    """What an answer asked for, until all of it has come."""

    text: str = ""
    calls: list[ToolCall] = field(default_factory=list)
    results: list[ObservationResult] = field(default_factory=list)
    open: set[str] = field(default_factory=set)
    """Items that have begun and not ended."""
    usage: Metrics | None = None


@dataclass
class _Stream:
    """The events, gathered into answers. No event says where an answer ends: one goes on while an
    item of it is under way."""

    thread: str = ""
    drafts: list[_Draft] = field(default_factory=list)
    begun: dict[str, _Draft] = field(default_factory=dict)
    """Which answer an item that has begun belongs to."""
    rows: int = 0
    unreadable: int = 0
    unknown: Counter[str] = field(default_factory=Counter)
    subagents: set[str] = field(default_factory=set)

    def take(self, row: Object) -> None:
        kind = text_of(row, "type")
        if kind == "thread.started":
            self.thread = self.thread or text_of(row, "thread_id")
        elif kind == "turn.completed" and self.drafts:
            self.drafts[-1].usage = _usage(object_of(row, "usage"))
        elif kind in ITEM_EVENTS:
            self._take_item(object_of(row, "item"), ended=kind == "item.completed")
        elif kind not in EVENTS:
            self.unknown[kind or "(none)"] += 1

    def _take_item(self, item: Object, *, ended: bool) -> None:
        kind = text_of(item, "type") or text_of(item, "item_type")
        if kind in ANSWERS:
            if ended:
                self.drafts.append(_Draft(text=text_of(item, "text")))
        elif kind in TOOLS:
            self._take_call(kind, item, ended=ended)
        elif kind not in QUIET and ended:
            self.unknown[f"item {kind}".strip()] += 1

    def _take_call(self, kind: str, item: Object, *, ended: bool) -> None:
        identity = text_of(item, "id")
        draft = self.begun.pop(identity, None)
        if draft is None:
            last = self.drafts[-1] if self.drafts else None
            goes_on = last is not None and (last.open or not last.calls)
            draft = last if last is not None and goes_on else _Draft()
            if draft is not last:
                self.drafts.append(draft)
            draft.calls.append(tool_call(identity, kind, _arguments(kind, item)))
        if not ended:
            self.begun[identity] = draft
            draft.open.add(identity)
            return
        draft.open.discard(identity)
        draft.results.append(_result(kind, identity, item))
        if kind == SUBAGENTS:
            started = ids_in(_list(item.get("receiver_thread_ids")))
            is_nameless = text_of(item, "tool") == "spawn_agent" and not started
            self.subagents |= {"without a name"} if is_nameless else started

    def steps(self) -> tuple[Step, ...]:
        return tuple(
            Step(
                step_id=number,
                source="agent",
                message=draft.text,
                tool_calls=tuple(draft.calls) or None,
                observation=Observation(results=tuple(draft.results)) if draft.results else None,
                metrics=draft.usage,
            )
            for number, draft in enumerate(self.drafts, start=1)
        )

    def evidence(self) -> Evidence:
        called = any(draft.calls for draft in self.drafts)
        missing = (f"session of sub-agent {one}: no stream holds it" for one in self.subagents)
        return Evidence(
            rows=self.rows,
            unreadable=self.unreadable,
            missing=tuple(sorted(missing)),
            unknown=dict(self.unknown),
            inferred=(INFERRED,) if called else (),
            unshown=NOTES,
        )


def _arguments(kind: str, item: Object) -> JsonValue:
    """What was asked for, under the names of the item."""
    if kind == SERVER_TOOL:
        return item.get("arguments")
    names = ("command", "tool", "prompt")
    return {name: item[name] for name in names if name in item}


def _result(kind: str, identity: str, item: Object) -> ObservationResult:
    text = text_of(item, "aggregated_output")
    if kind == SERVER_TOOL:
        text = "\n".join(texts_in(object_of(item, "result").get("content")))
    failed = text_of(item, "status") in ("failed", "declined")
    return ObservationResult(
        source_call_id=identity,
        content=text,
        extra=ResultExtra(status="error") if failed else None,
    )


def _usage(usage: Object) -> Metrics | None:
    given, written = usage.get("input_tokens"), usage.get("output_tokens")
    if not isinstance(given, int) or not isinstance(written, int):
        return None
    return Metrics(prompt_tokens=given, completion_tokens=written)


def _list(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []
