"""A session as one trajectory, in ATIF-v1.8 (Agent Trajectory Interchange Format, by Harbor).

The subset that ocb writes; every trajectory it writes is a valid ATIF-v1.8 document. Sub-agents are
embedded in `subagent_trajectories` of the root, nested or not, and named by `trajectory_id`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, JsonValue

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
    extra: dict[str, JsonValue] | None = None


class Trajectory(Value):
    """A whole session."""

    schema_version: Literal["ATIF-v1.8"] = "ATIF-v1.8"
    session_id: str | None = None
    trajectory_id: str | None = None
    """`main`, or the sub-agent's id."""
    agent: Agent
    steps: Annotated[tuple[Step, ...], Field(min_length=1)]
    extra: dict[str, JsonValue] | None = None
    """`evidence`: rows read, unknown, unreadable, and what is missing. `parent` and `prompt` of a
    sub-agent."""
    subagent_trajectories: tuple[Trajectory, ...] | None = None
