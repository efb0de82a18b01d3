"""The built-in loop's session: one JSONL file, all threads in the order in which it happened."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import orjson
from pydantic import ValidationError

from authoring.errors import Place, UserError
from evaluation.reading.context import MAIN, ToolOutput, ToolTable
from evaluation.transcripts.beginnings import Beginning, any_begins, beginning_of, files_below
from evaluation.transcripts.fixed_rows import SESSION, FixedCall, FixedHead, FixedRow
from evaluation.transcripts.json_lines import Line, read_lines
from evaluation.transcripts.trajectory import (
    Agent,
    Evidence,
    Metrics,
    Observation,
    ObservationResult,
    Source,
    Step,
    StepExtra,
    SubagentReference,
    ToolCall,
    Trajectory,
    TrajectoryExtra,
    tool_call,
)

TOOLS: ToolTable = {
    "read_file": ToolOutput(path_argument="path", number=re.compile(r"(?P<n>\d{1,9})\t")),
    "search": ToolOutput(
        path_argument="path",
        path=re.compile(r"(?P<path>[^:\n]+):(?=\d{1,9}:)"),
        number=re.compile(r"(?P<n>\d{1,9}):"),
    ),
    **dict.fromkeys(("list_files", "delegate"), ToolOutput(credit="none")),
}
"""What each tool adds to file text."""


FAMILY = "fixed.session/"
KNOWN = f"{FAMILY}1"


@dataclass
class _Thread:
    """One thread's rows, with their place in the whole session."""

    parent: str | None
    rows: list[FixedRow] = field(default_factory=list)
    order: list[int] = field(default_factory=list)


def is_fixed(path: Path) -> bool:
    """Whether a file, or one of a folder's, begins as such a session, of whatever version."""
    return any_begins(path, ".jsonl", _is_fixed)


def _is_fixed(beginning: Beginning) -> bool:
    schema = beginning.rows[0].get("schema") if beginning.rows else None
    return isinstance(schema, str) and schema.startswith(FAMILY)


def read_fixed(path: Path) -> Trajectory:
    """The session in a file, or in the one of a folder that begins so. Raises UserError."""
    found = [file for file in files_below(path) if _is_fixed(beginning_of(file))]
    if len(found) != 1:
        what = f"holds {len(found)} sessions of the built-in loop"
        raise UserError(what, place=Place(str(path)), remedy="name one file")
    return _read_file(found[0])


def read_fixed_session(native: Path) -> Trajectory:
    """The session in a folder. Raises UserError where there is none, or none of this form."""
    return _read_file(native / SESSION)


def _read_file(path: Path) -> Trajectory:
    head, rows, unreadable = _read(path)
    threads: dict[str, _Thread] = {}
    for order, row in enumerate(rows, start=1):
        thread = threads.setdefault(row.thread, _Thread(row.parent))
        thread.rows.append(row)
        thread.order.append(order)
    if MAIN not in threads:
        raise UserError("holds no main thread", place=Place(str(path)))
    evidence = Evidence(rows=len(rows) + unreadable, unreadable=unreadable)
    agent = Agent(name="fixed", version=head.version, model_name=head.model)
    return Trajectory(
        trajectory_id=MAIN,
        agent=agent,
        steps=_steps(threads[MAIN]),
        extra=TrajectoryExtra(evidence=evidence),
        subagent_trajectories=tuple(
            Trajectory(
                trajectory_id=name,
                agent=agent,
                steps=_steps(thread),
                extra=TrajectoryExtra(parent=thread.parent or MAIN),
            )
            for name, thread in sorted(threads.items())
            if name != MAIN
        )
        or None,
    )


class _File(NamedTuple):
    head: FixedHead
    rows: list[FixedRow]
    unreadable: int


def _read(path: Path) -> _File:
    place = Place(str(path))
    lines = read_lines(path)
    first = next(lines, Line([], whole=False))
    schema = first.rows[0].get("schema") if first.rows else None
    if isinstance(schema, str) and schema.startswith(FAMILY) and schema != KNOWN:
        what = f"is written as {schema}, which is newer than this program knows"
        raise UserError(what, place=place, remedy="use a newer version")
    try:
        head = FixedHead.model_validate(first.rows[0] if first.rows else None)
    except ValidationError as error:
        raise UserError("is no session of the built-in loop", place=place) from error
    rows: list[FixedRow] = []
    unreadable = 0
    for line in lines:
        unreadable += not line.whole
        for row in line.rows:
            try:
                rows.append(FixedRow.model_validate(row))
            except ValidationError:
                unreadable += 1
    return _File(head, rows, unreadable)


def _steps(thread: _Thread) -> tuple[Step, ...]:
    """A step an answer, with the results that came before the next one."""
    steps: list[Step] = []
    place = 0
    while place < len(thread.rows):
        row = thread.rows[place]
        results = _following_results(thread.rows, place) if row.role == "assistant" else ()
        steps.append(_step(len(steps) + 1, thread.order[place], row, results))
        place += 1 + len(results)
    return tuple(steps)


def _following_results(rows: Sequence[FixedRow], place: int) -> tuple[FixedRow, ...]:
    end = place + 1
    while end < len(rows) and rows[end].role == "tool":
        end += 1
    return tuple(rows[place + 1 : end])


def _step(number: int, order: int, row: FixedRow, results: Sequence[FixedRow]) -> Step:
    # The session holds no times; its order says which call came first, over all threads.
    extra = StepExtra(order=order)
    if row.role != "assistant":
        source: Source = "user" if row.role == "user" else "system"
        return Step(step_id=number, source=source, message=row.text, extra=extra)
    return Step(
        step_id=number,
        source="agent",
        model_name=row.model,
        message=row.text,
        tool_calls=tuple(map(_call, row.calls or ())) or None,
        observation=Observation(results=tuple(map(_result, results))) if results else None,
        metrics=Metrics(
            prompt_tokens=row.usage.prompt_tokens,
            completion_tokens=row.usage.completion_tokens,
        )
        if row.usage
        else None,
        extra=extra,
    )


def _call(call: FixedCall) -> ToolCall:
    try:
        arguments = orjson.loads(call.arguments)
    except orjson.JSONDecodeError:
        arguments = {}
    return tool_call(call.id, call.name, arguments)


def _result(row: FixedRow) -> ObservationResult:
    started = row.subagent
    return ObservationResult(
        source_call_id=row.result_of or "",
        content=row.text,
        subagent_trajectory_ref=(SubagentReference(trajectory_id=started),) if started else None,
    )
