"""Claude Code's session files: JSONL, one file for the main agent and one for each sub-agent.

Prevents the commonest false result of such readers: credit from `toolUseResult`, the field made for
the display, which holds whole files that the model never saw. Text comes from `tool_result` blocks.
Seen with 2.1.332.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import orjson
from pydantic import JsonValue

from authoring.errors import Place, UserError
from evaluation.reading.context import MAIN, ToolOutput, ToolTable
from evaluation.transcripts.output import STDOUT
from evaluation.transcripts.trajectory import (
    Agent,
    Evidence,
    Metrics,
    Observation,
    ObservationResult,
    ResultExtra,
    Source,
    Step,
    SubagentReference,
    ToolCall,
    Trajectory,
    TrajectoryExtra,
    tool_call,
)

TOOLS: ToolTable = {
    "Read": ToolOutput(path_argument="file_path", number=re.compile(r" *(?P<n>\d{1,9})[\t→]")),
    **dict.fromkeys(
        # What these give back, a model wrote.
        ("Agent", "Task", "TaskOutput", "SendMessage", "ListAgents", "Workflow", "Skill"),
        ToolOutput(credit="none"),
    ),
    "Bash": ToolOutput(),
}
"""What each tool adds. Bash adds nothing of its own; what its commands add, the engine knows. Edit
and Write echo what the agent wrote, so they are left out, and count at the upper end only."""

Row = Mapping[str, JsonValue]


@dataclass
class _Session:
    """The rows of one thread. Filled while reading."""

    agent_id: str | None
    rows: list[Row] = field(default_factory=list)


@dataclass
class _Count:
    """Rows, while files are read."""

    rows: int = 0
    unreadable: int = 0


def read_claude_session(native: Path) -> Trajectory:
    """The session under a folder. Raises UserError where there is none, or more than one."""
    count = _Count()
    sessions = [_read_file(path, count) for path in _session_files(native)]
    mains = [one for one in sessions if one.agent_id is None and _has_turns(one)]
    if len(mains) != 1:
        raise UserError(f"holds {len(mains)} Claude Code sessions", place=Place(str(native)))
    subagents = {one.agent_id: one for one in sessions if one.agent_id is not None}
    spawned = _spawned(sessions)
    missing = (f"session of sub-agent {one}" for one in sorted(spawned) if one not in subagents)
    evidence = Evidence(rows=count.rows, unreadable=count.unreadable, missing=tuple(missing))
    main = mains[0]
    return Trajectory(
        session_id=_first(main.rows, "sessionId"),
        trajectory_id=MAIN,
        agent=_agent(main),
        steps=_steps(main),
        extra=TrajectoryExtra(evidence=evidence),
        subagent_trajectories=tuple(
            Trajectory(
                trajectory_id=agent,
                agent=_agent(one),
                steps=_steps(one),
                extra=TrajectoryExtra(parent=spawned.get(agent, MAIN)),
            )
            for agent, one in sorted(subagents.items())
        )
        or None,
    )


def _session_files(native: Path) -> list[Path]:
    return sorted(path for path in native.rglob("*.jsonl") if path.name != STDOUT)


def _read_file(path: Path, count: _Count) -> _Session:
    """Rows in the file's order, one per uuid: a session may write a row again."""
    session = _Session(None)
    seen: set[str] = set()
    # Split on LF alone: rows hold U+2028 and form feeds.
    for line in path.read_bytes().split(b"\n"):
        if not line.strip():
            continue
        count.rows += 1
        try:
            row = orjson.loads(line)
        except orjson.JSONDecodeError:
            row = None
        if not isinstance(row, dict):
            count.unreadable += 1
            continue
        uuid = row.get("uuid")
        if isinstance(uuid, str):
            if uuid in seen:
                continue
            seen.add(uuid)
        if row.get("isSidechain") is True and isinstance(row.get("agentId"), str):
            session.agent_id = row["agentId"]
        session.rows.append(row)
    return session


def _has_turns(session: _Session) -> bool:
    return any(row.get("type") == "user" for row in session.rows)


def _spawned(sessions: list[_Session]) -> dict[str, str]:
    """Sub-agents that some thread says it started, with that thread."""
    found: dict[str, str] = {}
    for session in sessions:
        for row in session.rows:
            result = row.get("toolUseResult")
            agent = result.get("agentId") if isinstance(result, dict) else None
            if isinstance(agent, str):
                found[agent] = session.agent_id or MAIN
    return found


def _agent(session: _Session) -> Agent:
    models = [m for row in session.rows if (m := _model(row)) is not None]
    return Agent(
        name="claude-code",
        version=_first(session.rows, "version") or "unknown",
        model_name=models[-1] if models else None,
    )


def _first(rows: list[Row], key: str) -> str | None:
    return next((value for row in rows if isinstance(value := row.get(key), str)), None)


def _model(row: Row) -> str | None:
    """The model that answered; None for rows that no model wrote."""
    message = row.get("message")
    if row.get("type") != "assistant" or row.get("isApiErrorMessage") is True:
        return None
    model = message.get("model") if isinstance(message, dict) else None
    return model if isinstance(model, str) and model != "<synthetic>" else None


@dataclass
class _Draft:
    """One step while its rows are gathered: an answer's blocks come on rows of their own."""

    source: str
    timestamp: str | None
    texts: list[str] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    model: str | None = None
    usage: Metrics | None = None


def _steps(session: _Session) -> tuple[Step, ...]:
    results = _results(session.rows)
    drafts: list[_Draft] = []
    answers: dict[str, _Draft] = {}
    for row in session.rows:
        if row.get("type") == "assistant" and _model(row) is not None:
            _add_answer(row, drafts, answers)
        elif row.get("type") == "user":
            text = "\n".join(_texts(row))
            if text:
                source = "system" if row.get("isMeta") is True else "user"
                drafts.append(_Draft(source, _time(row), [text]))
        elif row.get("type") == "attachment":
            text = "\n".join(_rendered(row))
            if text:
                drafts.append(_Draft("system", _time(row), [text]))
    asked: Counter[str] = Counter()
    steps: list[Step] = []
    for number, draft in enumerate(drafts, start=1):
        # An id may be used again: its nth call has its nth result.
        came = [
            found[asked[call.tool_call_id]]
            for call in draft.calls
            if len(found := results.get(call.tool_call_id, [])) > asked[call.tool_call_id]
        ]
        asked.update(call.tool_call_id for call in draft.calls)
        steps.append(_step(number, draft, tuple(came)))
    return tuple(steps)


def _add_answer(row: Row, drafts: list[_Draft], answers: dict[str, _Draft]) -> None:
    message = row["message"]
    assert isinstance(message, dict)  # noqa: S101 - `_model` has looked
    identity = message.get("id")
    draft = answers.get(identity) if isinstance(identity, str) else None
    if draft is None:
        draft = _Draft("agent", _time(row), model=_model(row))
        drafts.append(draft)
        if isinstance(identity, str):
            answers[identity] = draft
    draft.texts += _texts(row)
    for block in _blocks(row, "tool_use"):
        name, arguments, call = block.get("name"), block.get("input"), block.get("id")
        is_new = all(known.tool_call_id != call for known in draft.calls)
        if isinstance(name, str) and isinstance(call, str) and is_new:
            draft.calls.append(tool_call(call, name, arguments))
    draft.usage = _usage(message.get("usage")) or draft.usage


def _usage(usage: JsonValue) -> Metrics | None:
    if not isinstance(usage, dict):
        return None
    parts = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    prompt = [value for part in parts if isinstance(value := usage.get(part), int)]
    output = usage.get("output_tokens")
    return Metrics(
        prompt_tokens=sum(prompt) if prompt else None,
        completion_tokens=output if isinstance(output, int) else None,
    )


def _results(rows: list[Row]) -> dict[str, list[ObservationResult]]:
    """Results by the call they answer, in the order of the session."""
    found: dict[str, list[ObservationResult]] = {}
    for row in rows:
        display = row.get("toolUseResult")
        agent = display.get("agentId") if isinstance(display, dict) else None
        for block in _blocks(row, "tool_result"):
            call = block.get("tool_use_id")
            if row.get("type") != "user" or not isinstance(call, str):
                continue
            result = ObservationResult(
                source_call_id=call,
                content=_joined(block.get("content")),
                subagent_trajectory_ref=(SubagentReference(trajectory_id=agent),)
                if isinstance(agent, str)
                else None,
                extra=ResultExtra(status="error") if block.get("is_error") is True else None,
            )
            found.setdefault(call, []).append(result)
    return found


def _step(number: int, draft: _Draft, came: tuple[ObservationResult, ...]) -> Step:
    message = "\n".join(draft.texts)
    if draft.source != "agent":
        source: Source = "user" if draft.source == "user" else "system"
        return Step(step_id=number, timestamp=draft.timestamp, source=source, message=message)
    return Step(
        step_id=number,
        timestamp=draft.timestamp,
        source="agent",
        model_name=draft.model,
        message=message,
        tool_calls=tuple(draft.calls) or None,
        observation=Observation(results=came) if came else None,
        metrics=draft.usage,
    )


def _time(row: Row) -> str | None:
    value = row.get("timestamp")
    return value if isinstance(value, str) else None


def _blocks(row: Row, kind: str) -> Iterator[dict[str, JsonValue]]:
    message = row.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, list):
        for block in content:
            if isinstance(block, dict) and block.get("type") == kind:
                yield block


def _texts(row: Row) -> list[str]:
    message = row.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        return [content]
    texts = (block.get("text") for block in _blocks(row, "text"))
    return [text for text in texts if isinstance(text, str)]


def _joined(content: JsonValue) -> str:
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = (block.get("text") for block in content if isinstance(block, dict))
    return "\n".join(text for text in texts if isinstance(text, str))


def _rendered(row: Row) -> list[str]:
    rendered = row.get("rendered")
    if not isinstance(rendered, list):
        return []
    contents = (item.get("content") for item in rendered if isinstance(item, dict))
    return [content for content in contents if isinstance(content, str)]
