"""A session as one trajectory, whatever CLI wrote it: threads, calls, what came back, who answered.

The names are those of ATIF-v1.8 (Agent Trajectory Interchange Format, by Harbor), and `atif.py`
writes it as such. Sub-agents are embedded in `subagent_trajectories` of the root, nested or not,
and named by `trajectory_id`.

Plain slotted values: a session of 100 MB holds hundreds of thousands of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from pydantic import JsonValue

from evaluation.reading.attachments import AttachedFile
from evaluation.reading.values import value

MOST_NESTING = 200
"""Levels of a call's arguments that can be written again; a model may nest without end."""
NESTS = (dict, list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """Who acted."""

    name: str
    version: str
    model_name: str | None = None
    extra: Mapping[str, JsonValue] | None = None
    """`cwd`: the folder in which it worked, where the session says so."""


def located(folder: str) -> dict[str, JsonValue] | None:
    """What an agent's `extra` says of where it worked; None where that is not known."""
    return {"cwd": folder} if folder else None


def folder_of(trajectory: Trajectory) -> str:
    """The folder in which its agent worked; empty where the session does not say so."""
    told = (trajectory.agent.extra or {}).get("cwd")
    return told if isinstance(told, str) else ""


@value(kw_only=True)
class ToolCall:
    """One call of a tool."""

    tool_call_id: str
    function_name: str
    arguments: Mapping[str, JsonValue]


def tool_call(identity: str, name: str, arguments: object) -> ToolCall:
    """A call with whatever a model wrote as its arguments; none where they cannot be kept.

    That is where they are no object, or nested so deep that nothing can hold them.
    """
    given = arguments if isinstance(arguments, dict) and not _too_deep(arguments) else {}
    return ToolCall(tool_call_id=identity, function_name=name, arguments=given)


def _too_deep(arguments: dict[str, JsonValue]) -> bool:
    for given in arguments.values():
        if isinstance(given, NESTS):
            break
    else:
        return False
    level: list[JsonValue] = [arguments]
    for _ in range(MOST_NESTING):
        level = [
            inner
            for one in level
            for inner in (one.values() if isinstance(one, dict) else one)  # type: ignore[union-attr]
            if isinstance(inner, NESTS)
        ]
        if not level:
            return False
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class SubagentReference:
    """Which embedded trajectory a result came from."""

    trajectory_id: str


ResultStatus = Literal["whole", "error", "preview", "stub", "rejected", "never_ran"]
"""What a tool's answer is. `preview`: of an output that was kept elsewhere; `stub`: a sentence in
the place of what was shown before; `never_ran`: the call failed beside another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultExtra:
    """What ATIF has no field for."""

    status: ResultStatus = "whole"
    cleared: bool = False
    """Taken out of the context again before the final response: compacted, or cleared."""
    doubtful: bool = False
    """The model may never have been given it: upper end only."""
    attached: str | None = None
    """The file that the user or the CLI attached; no tool was called."""


@value(kw_only=True)
class ObservationResult:
    """What a tool gave back: the model-facing text, never a display field."""

    source_call_id: str | None
    """None for an attached file."""
    content: str
    subagent_trajectory_ref: tuple[SubagentReference, ...] | None = None
    extra: ResultExtra | None = None


def attached_result(file: AttachedFile) -> ObservationResult:
    """A file that no tool returned."""
    extra = ResultExtra(attached=file.path) if file.path else None
    return ObservationResult(source_call_id=None, content=file.text, extra=extra)


@value(kw_only=True)
class Observation:
    """All results of one step."""

    results: tuple[ObservationResult, ...]


@value(kw_only=True)
class Metrics:
    """Tokens of one model call."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StepExtra:
    """What ATIF has no field for."""

    order: int | None = None
    """The step's place in the whole session, over all threads, where the session has no times."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What a reader found of a session, and what it did not."""

    rows: int
    unreadable: int
    """Rows that are no JSON, or none of this format."""
    missing: tuple[str, ...] = ()
    """What is lost, in words: a sub-agent's session that some thread names and nobody has. Not
    empty: what was read cannot be measured."""
    unknown: Mapping[str, int] = field(default_factory=dict)
    """Rows of kinds that the reader does not know, by kind. They are left out."""
    inferred: tuple[str, ...] = ()
    """Facts that the session does not say and that were worked out, in words."""
    unshown: tuple[str, ...] = ()
    """Names, as patterns, of files that may have been attached to the prompt: a session of this
    kind does not hold them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrajectoryExtra:
    """What ATIF has no field for."""

    evidence: Evidence | None = None
    """Of a whole session; None of a sub-agent's part."""
    parent: str | None = None
    """The thread that started this one; None of the main thread."""
    tells_visibility: bool = False
    """Whether the session says what was taken out of the context again."""
    may_have_cleared: bool = False
    """More may have been taken out than it says: what is visible is so at the most."""


Source = Literal["system", "user", "agent"]


@value(kw_only=True)
class Step:
    """One turn, counted from 1. An agent's step holds its calls and, once they came, their results;
    a user's or the system's holds the files that were attached to it."""

    step_id: int
    timestamp: str | None = None
    source: Source
    model_name: str | None = None
    message: str
    tool_calls: tuple[ToolCall, ...] | None = None
    observation: Observation | None = None
    metrics: Metrics | None = None
    is_copied_context: bool | None = None
    """True where a fork copied it from its parent's history."""
    extra: StepExtra | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trajectory:
    """A whole session."""

    schema_version: Literal["ATIF-v1.8"] = "ATIF-v1.8"
    session_id: str | None = None
    trajectory_id: str | None = None
    """`main`, or the sub-agent's id."""
    agent: Agent
    steps: tuple[Step, ...]
    extra: TrajectoryExtra | None = None
    subagent_trajectories: tuple[Trajectory, ...] | None = None
