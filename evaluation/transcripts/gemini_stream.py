"""What `gemini --output-format stream-json` prints: events of the main agent alone.

Prevents a false result: a `tool_result` holds what was made for the screen, which is empty for a
file that was read. What the model was given is not in the stream, so where any tool was used that
may have shown a file, nothing is measured.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from authoring.errors import Place, UserError
from evaluation.reading.collector import without_collector
from evaluation.reading.context import MAIN, ToolOutput, ToolTable
from evaluation.transcripts import gemini_tools
from evaluation.transcripts.beginnings import Beginning, any_begins
from evaluation.transcripts.json_lines import Object, read_lines
from evaluation.transcripts.streams import only_stream
from evaluation.transcripts.trajectory import (
    Agent,
    Evidence,
    Observation,
    ObservationResult,
    ResultExtra,
    Step,
    ToolCall,
    Trajectory,
    TrajectoryExtra,
    tool_call,
)

TOOLS: ToolTable = {
    name: ToolOutput(credit="none" if tool.credit == "none" else "possible")
    for name, tool in gemini_tools.TOOLS.items()
}
"""What stands in an output was made for the screen."""
NOTES = ("GEMINI.md",)
"""Of the project: the CLI puts them into the context, and into no stream."""
SILENT = frozenset(("glob", "list_directory", "write_file", "replace", "update_topic"))
"""Tools that show no text of a file."""
QUIET = frozenset(("result", "error"))


def is_gemini_stream(path: Path) -> bool:
    """Whether a file, or one of a folder's, is such a stream."""
    return any_begins(path, ".jsonl", _is_stream)


def _is_stream(beginning: Beginning) -> bool:
    return any(
        row.get("type") == "init" and "session_id" in row and "model" in row
        for row in beginning.rows
    )


@without_collector()
def read_gemini_stream(path: Path) -> Trajectory:
    """The one stream of a file or folder. Raises UserError."""
    file = only_stream(path, _is_stream, "streams of Gemini CLI")
    stream = _Stream()
    for line in read_lines(file, '{"type":'):
        stream.unreadable += not line.whole
        stream.rows += len(line.rows) or 1
        for row in line.rows:
            stream.take(row)
    if stream.session is None:
        raise UserError("is no stream of Gemini CLI", place=Place(str(file)))
    return Trajectory(
        session_id=stream.session,
        trajectory_id=MAIN,
        agent=Agent(name="gemini-cli", version="unknown", model_name=stream.model),
        steps=stream.steps(),
        extra=TrajectoryExtra(evidence=stream.evidence()),
    )


@dataclass
class _Draft:
    """One message, until all pieces of it have come."""

    source: str
    time: str | None
    texts: list[str] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    results: list[ObservationResult] = field(default_factory=list)


@dataclass
class _Stream:
    """The events, gathered into messages."""

    session: str | None = None
    model: str | None = None
    drafts: list[_Draft] = field(default_factory=list)
    called: dict[str, _Draft] = field(default_factory=dict)
    silent: Counter[str] = field(default_factory=Counter)
    """Calls whose text is not in the stream, by tool."""
    rows: int = 0
    unreadable: int = 0
    unknown: Counter[str] = field(default_factory=Counter)

    def take(self, row: Object) -> None:
        match _text(row, "type"):
            case "init":
                self.session = _text(row, "session_id")
                self.model = _text(row, "model") or None
            case "message":
                source = "agent" if _text(row, "role") == "assistant" else "user"
                self._draft(source, row).texts.append(_text(row, "content"))
            case "tool_use":
                self._call(row)
            case "tool_result":
                self._result(row)
            case kind if kind not in QUIET:
                self.unknown[kind or "(none)"] += 1

    def _draft(self, source: str, row: Object) -> _Draft:
        """The message that goes on: an answer ends with the first result of its calls."""
        last = self.drafts[-1] if self.drafts else None
        if last is None or last.source != source or last.results or source == "user":
            last = _Draft(source, _text(row, "timestamp") or None)
            self.drafts.append(last)
        return last

    def _call(self, row: Object) -> None:
        identity, name = _text(row, "tool_id"), _text(row, "tool_name")
        draft = self._draft("agent", row)
        draft.calls.append(tool_call(identity, name, row.get("parameters")))
        self.called[identity] = draft
        if name not in SILENT:
            self.silent[name] += 1

    def _result(self, row: Object) -> None:
        identity = _text(row, "tool_id")
        draft = self.called.get(identity)
        if draft is None:
            return
        failed = _text(row, "status") == "error"
        draft.results.append(
            ObservationResult(
                source_call_id=identity,
                content=_text(row, "output"),
                extra=ResultExtra(status="error") if failed else None,
            )
        )

    def steps(self) -> tuple[Step, ...]:
        return tuple(
            Step(
                step_id=number,
                timestamp=draft.time,
                source="agent" if draft.source == "agent" else "user",
                model_name=self.model if draft.source == "agent" else None,
                message="".join(draft.texts),
                tool_calls=tuple(draft.calls) or None,
                observation=Observation(results=tuple(draft.results)) if draft.results else None,
            )
            for number, draft in enumerate(self.drafts, start=1)
        )

    def evidence(self) -> Evidence:
        missing = (
            f"what {count} calls of {name} gave the model: the stream does not hold it"
            for name, count in sorted(self.silent.items())
        )
        return Evidence(
            rows=self.rows,
            unreadable=self.unreadable,
            missing=tuple(missing),
            unknown=dict(self.unknown),
            unshown=("*",) if self._mentions() else NOTES,
        )

    def _mentions(self) -> bool:
        """Whether a prompt may name a file for the CLI to attach."""
        said = (text for draft in self.drafts if draft.source == "user" for text in draft.texts)
        return any("@" in text for text in said)


def _text(row: Object, key: str) -> str:
    value = row.get(key)
    return value if isinstance(value, str) else ""
