"""OpenCode's sessions: one for the main agent, and one for each sub-agent, with its parent.

Prevents a false result: a tool's part holds whole files for the display (`metadata`), which the
model never saw. Text comes from the state's `output` alone. Seen with 1.18.33.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from pydantic import JsonValue

from authoring.errors import Place, UserError
from evaluation.reading.context import MAIN, ToolOutput, ToolTable
from evaluation.transcripts.opencode_store import (
    STORE,
    OpenCodeMessage,
    OpenCodeSession,
    OpenCodeSessions,
    read_store,
)
from evaluation.transcripts.trajectory import (
    Agent,
    Evidence,
    Metrics,
    Observation,
    ObservationResult,
    ResultExtra,
    Step,
    SubagentReference,
    ToolCall,
    Trajectory,
    TrajectoryExtra,
    tool_call,
)

__all__ = ["STORE", "TOOLS", "read_opencode_session"]

TOOLS: ToolTable = {
    "read": ToolOutput(
        path_argument="filePath",
        number=re.compile(r"(?P<n>\d{1,9}): "),
        added=re.compile(
            r"\A<path>[^\n]*</path>\n<type>file</type>\n<content>\n"
            r"|\n\n\((?:End of file - total|Output capped at|Showing lines) [^\n]*\)\n</content>"
            r"(?=\n\n<system-reminder>\n|\Z)"
        ),
        # Notes that lie beside a file are shown with it, without numbers.
        heading=re.compile(r"Instructions from: (?P<path>/.*)"),
    ),
    "grep": ToolOutput(
        heading=re.compile(r"(?P<path>/.*):"),
        number=re.compile(r"  Line (?P<n>\d{1,9}): "),
    ),
    "bash": ToolOutput(
        added=re.compile(
            r"\A\.\.\.output truncated\.\.\.\n\nFull output saved to: [^\n]*\n\n"
            r"|\n\n<shell_metadata>\n.*\n</shell_metadata>\Z",
            re.DOTALL,
        )
    ),
    "glob": ToolOutput(),
    **dict.fromkeys(
        # What these give back, a model wrote.
        ("task", "todowrite", "todoread"),
        ToolOutput(credit="none"),
    ),
}
"""What each tool adds. `edit` and `write` echo what the agent wrote, so they are left out, and
count at the upper end only."""

MOST = 1 << 43
"""Of anything that is counted: milliseconds since 1970 up to the year 2248."""
INTERRUPTED = "[Tool execution was interrupted]"
"""What the model is given for a call that never came to its end."""


def read_opencode_session(native: Path) -> Trajectory:
    """The session under a folder. Raises UserError where there is none, or more than one."""
    stores = sorted(native.rglob(STORE))
    if len(stores) != 1:
        raise UserError(f"holds {len(stores)} OpenCode stores", place=Place(str(native)))
    return trajectory_of(read_store(stores[0]), stores[0])


def trajectory_of(found: OpenCodeSessions, path: Path) -> Trajectory:
    """Sessions as one trajectory, whatever they were kept in."""
    mains = [one for one in found.sessions.values() if one.parent is None and one.messages]
    if len(mains) != 1:
        raise UserError(f"holds {len(mains)} OpenCode sessions", place=Place(str(path)))
    main = mains[0]
    subagents = [one for one in found.sessions.values() if one.parent is not None]
    evidence = Evidence(
        rows=found.rows,
        unreadable=found.unreadable,
        missing=tuple(_missing(found)),
    )
    return Trajectory(
        session_id=main.id,
        trajectory_id=MAIN,
        agent=_agent(main),
        steps=_steps(main, path),
        extra=TrajectoryExtra(evidence=evidence),
        subagent_trajectories=tuple(
            Trajectory(
                trajectory_id=one.id,
                agent=_agent(one),
                steps=_steps(one, path),
                extra=TrajectoryExtra(parent=MAIN if one.parent == main.id else one.parent),
            )
            for one in subagents
            if one.messages
        )
        or None,
    )


def _missing(found: OpenCodeSessions) -> Iterator[str]:
    """Sub-agents that some thread names and nobody has; what a compaction leaves unknown."""
    for session in found.sessions.values():
        for message in session.messages:
            for part in message.parts:
                started = _started(part)
                if started is not None and started not in found.sessions:
                    yield f"session of sub-agent {started}"
        if any(message.info.get("summary") is True for message in session.messages):
            yield f"which results session {session.id} was still given after a compaction"


def _started(part: dict[str, JsonValue]) -> str | None:
    """The session that a call to a sub-agent started."""
    metadata = _object(_object(part.get("state")).get("metadata"))
    started = metadata.get("sessionId") if part.get("tool") == "task" else None
    return started if isinstance(started, str) else None


def _agent(session: OpenCodeSession) -> Agent:
    models = [model for one in session.messages if (model := _model(one)) is not None]
    return Agent(
        name="opencode",
        version=session.version,
        model_name=models[-1] if models else None,
    )


def _model(message: OpenCodeMessage) -> str | None:
    """The model as it was asked for; the session does not hold who answered."""
    model = message.info.get("modelID")
    return model if isinstance(model, str) else None


@dataclass
class _Draft:
    """One answer, while its parts are gathered."""

    texts: list[str] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    results: list[ObservationResult] = field(default_factory=list)
    usage: Metrics | None = None

    @property
    def is_empty(self) -> bool:
        return not (self.texts or self.calls or self.usage)


def _steps(session: OpenCodeSession, path: Path) -> tuple[Step, ...]:
    steps: list[Step] = []
    for message in session.messages:
        when = _time(message)
        if message.info.get("role") == "user":
            text = "\n".join(_texts(message.parts))
            if text:
                steps.append(
                    Step(step_id=len(steps) + 1, timestamp=when, source="user", message=text)
                )
        elif message.info.get("role") == "assistant" and message.info.get("summary") is not True:
            for draft in _answers(message):
                steps.append(_step(len(steps) + 1, when, _model(message), draft))
    if not steps:
        raise UserError(f"session {session.id} holds no messages", place=Place(str(path)))
    return tuple(steps)


def _answers(message: OpenCodeMessage) -> Iterator[_Draft]:
    """A message may hold several answers, each from its `step-start` on. One that failed before it
    said anything is none."""
    draft = _Draft()
    for part in message.parts:
        match part.get("type"):
            case "step-start":
                if not draft.is_empty:
                    yield draft
                draft = _Draft()
            case "text":
                draft.texts += _texts([part])
            case "tool":
                _add_call(part, draft)
            case "step-finish":
                draft.usage = _usage(_object(part.get("tokens"))) or draft.usage
    if not draft.is_empty:
        yield draft


def _add_call(part: dict[str, JsonValue], draft: _Draft) -> None:
    identity, name, state = part.get("callID"), part.get("tool"), _object(part.get("state"))
    if not isinstance(identity, str) or not isinstance(name, str):
        return
    started = _started(part)
    draft.calls.append(tool_call(identity, name, state.get("input")))
    draft.results.append(
        ObservationResult(
            source_call_id=identity,
            content=_given(state),
            subagent_trajectory_ref=(SubagentReference(trajectory_id=started),)
            if started
            else None,
            extra=_result_extra(state),
        )
    )


def _given(state: dict[str, JsonValue]) -> str:
    """What the model was given for a call."""
    metadata = _object(state.get("metadata"))
    match state.get("status"):
        case "completed":
            given = state.get("output")
        case "error":
            is_cut = metadata.get("interrupted") is True and isinstance(metadata.get("output"), str)
            given = metadata.get("output") if is_cut else state.get("error")
        case _:
            given = INTERRUPTED
    return given if isinstance(given, str) else ""


def _result_extra(state: dict[str, JsonValue]) -> ResultExtra | None:
    if state.get("status") == "error":
        return ResultExtra(status="error")
    # Given once, and cleared since: in later calls a note stands in its place.
    return ResultExtra(cleared=True) if "compacted" in _object(state.get("time")) else None


def _step(number: int, when: str | None, model: str | None, draft: _Draft) -> Step:
    return Step(
        step_id=number,
        timestamp=when,
        source="agent",
        model_name=model,
        message="\n".join(draft.texts),
        tool_calls=tuple(draft.calls) or None,
        observation=Observation(results=tuple(draft.results)) if draft.results else None,
        metrics=draft.usage,
    )


def _texts(parts: list[dict[str, JsonValue]]) -> list[str]:
    texts = (part.get("text") for part in parts if part.get("type") == "text")
    return [text for text in texts if isinstance(text, str) and text]


def _usage(tokens: dict[str, JsonValue]) -> Metrics | None:
    cache = _object(tokens.get("cache"))
    prompt = [_count(tokens.get("input")), _count(cache.get("read")), _count(cache.get("write"))]
    counted = [value for value in prompt if value is not None]
    output = _count(tokens.get("output"))
    if not counted and output is None:
        return None
    return Metrics(prompt_tokens=sum(counted) if counted else None, completion_tokens=output)


def _count(value: JsonValue) -> int | None:
    """A number that counts something; None where it is none, or more than there can be."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST:
        return None
    return value


def _time(message: OpenCodeMessage) -> str | None:
    """When the message was begun, so that the order of texts is the order of times."""
    created = _count(_object(message.info.get("time")).get("created"))
    if created is None:
        return None
    when = datetime.fromtimestamp(created / 1000, UTC)
    return when.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _object(value: JsonValue) -> dict[str, JsonValue]:
    return value if isinstance(value, dict) else {}
