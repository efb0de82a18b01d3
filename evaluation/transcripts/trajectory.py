"""A session as one trajectory, in ATIF-v1.8 (Agent Trajectory Interchange Format, by Harbor).

The subset that ocb writes; every trajectory it writes is a valid ATIF-v1.8 document. Sub-agents are
embedded in `subagent_trajectories` of the root, nested or not, and named by `trajectory_id`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, JsonValue, ValidationError

from authoring.artefacts import Value


class Agent(Value):
    """Who acted."""

    name: str
    version: str
    model_name: str | None = None
    extra: dict[str, JsonValue] | None = None


class ToolCall(Value):
    """One call of a tool."""

    tool_call_id: str
    function_name: str
    arguments: dict[str, JsonValue]


def tool_call(identity: str, name: str, arguments: object) -> ToolCall:
    """A call with whatever a model wrote as its arguments; none where they cannot be kept.

    That is where they are no object, or nested so deep that nothing can hold them.
    """
    given = arguments if isinstance(arguments, dict) else {}
    try:
        return ToolCall(tool_call_id=identity, function_name=name, arguments=given)
    except ValidationError:
        return ToolCall(tool_call_id=identity, function_name=name, arguments={})


class SubagentReference(Value):
    """Which embedded trajectory a result came from."""

    trajectory_id: str


class ObservationResult(Value):
    """What a tool gave back: the model-facing text, never a display field."""

    source_call_id: str
    content: str
    subagent_trajectory_ref: tuple[SubagentReference, ...] | None = None
    extra: dict[str, JsonValue] | None = None


class Observation(Value):
    """All results of one step."""

    results: tuple[ObservationResult, ...]


class Metrics(Value):
    """Tokens of one model call."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class StepExtra(Value):
    """What ATIF has no field for."""

    order: int | None = None
    """The step's place in the whole session, over all threads, where the session has no times."""


class Evidence(Value):
    """What a reader found of a session, and what it did not."""

    rows: int
    unreadable: int
    missing: tuple[str, ...] = ()
    """In words: a sub-agent's session that some thread names and nobody has."""


class TrajectoryExtra(Value):
    """What ATIF has no field for."""

    evidence: Evidence | None = None
    """Of a whole session; None of a sub-agent's part."""
    parent: str | None = None
    """The thread that started this one; None of the main thread."""


class Step(Value):
    """One turn. An agent's step holds its calls and, once they came, their results."""

    step_id: Annotated[int, Field(ge=1)]
    timestamp: str | None = None
    source: Literal["system", "user", "agent"]
    model_name: str | None = None
    message: str
    tool_calls: tuple[ToolCall, ...] | None = None
    observation: Observation | None = None
    metrics: Metrics | None = None
    is_copied_context: bool | None = None
    """True where a fork copied it from its parent's history."""
    extra: StepExtra | None = None


class Trajectory(Value):
    """A whole session."""

    schema_version: Literal["ATIF-v1.8"] = "ATIF-v1.8"
    session_id: str | None = None
    trajectory_id: str | None = None
    """`main`, or the sub-agent's id."""
    agent: Agent
    steps: Annotated[tuple[Step, ...], Field(min_length=1)]
    extra: TrajectoryExtra | None = None
    subagent_trajectories: tuple[Trajectory, ...] | None = None
