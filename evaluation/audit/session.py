"""A session of anybody, opened: what it says of itself, and what its agents were given."""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import orjson

from authoring.errors import Place, UserError
from evaluation.reading.context import ContextLog, FinalResponse, ToolTable
from evaluation.transcripts.catalogue import Session, read_session
from evaluation.transcripts.context import context_log
from evaluation.transcripts.gemini_cli import MOST_PATH, PROJECT
from evaluation.transcripts.trajectory import Step, StepExtra, ToolCall, Trajectory

FOLDER_KEYS = ("cwd", "directory")
HEAD_ROWS = 200
HEAD_BYTES = 4 << 20
"""Of a session file, in which the folder it was held in is looked for."""
COMMAND = ("<command-message>", "<command-name>")
"""Beginnings of what Claude Code writes for a command that the user typed."""
LAST = "9999-12-31T23:59:59.999Z"


@dataclass(frozen=True)
class OpenedSession:
    """A session that was read."""

    path: Path
    format: str
    """`claude-code`, `codex exec --json`."""
    tools: ToolTable
    trajectory: Trajectory
    log: ContextLog
    folder: str
    """Where the agent worked, as the session says; empty where it does not."""

    def calls(self) -> Iterator[ToolCall]:
        """All tool calls of all threads, each thread's in order."""
        for one in (self.trajectory, *(self.trajectory.subagent_trajectories or ())):
            for step in one.steps:
                yield from step.tool_calls or ()

    def prompts(self) -> tuple[str, ...]:
        """What the user wrote to the main agent, in order, commands with the words behind them."""
        return tuple(
            step.message
            for step in self.trajectory.steps
            if step.source != "agent"
            and (step.source == "user" or step.message.startswith(COMMAND))
            and not step.is_copied_context
            and step.message.strip()
        )

    def times(self) -> tuple[float, float] | None:
        """When it began and when it ended, in seconds since 1970; None where it has no times."""
        trajectories = (self.trajectory, *(self.trajectory.subagent_trajectories or ()))
        found = [
            time
            for one in trajectories
            for step in one.steps
            if step.timestamp and (time := seconds(step.timestamp)) is not None
        ]
        return (min(found), max(found)) if found else None


def open_session(
    path: Path, answer: str | None = None, read: Callable[[Path], Session] = read_session
) -> OpenedSession:
    """Read a session. `answer` is its final response where the session may not have it yet.

    Raises UserError where there is none, or where it cannot be read.
    """
    _check(path)
    session = read(path)
    trajectory = session.trajectory
    folder = _folder(trajectory, path)
    log = context_log(trajectory if answer is None else _answered(trajectory, answer))
    text = answer if answer is not None else log.final.text if log.final is not None else None
    if text is not None:
        call = log.final.call if log.final else max((t.call for t in log.texts), default=0) + 1
        # Half of a character, which JSON may hold alone, is nothing that anybody can quote.
        whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        log = replace(log, final=FinalResponse(whole, call))
    return OpenedSession(path, session.format.name, session.tools, trajectory, log, folder)


def _check(path: Path) -> None:
    """Raises UserError for what is neither a plain file nor a folder: a pipe would never end."""
    place = Place(str(path))
    try:
        status = path.stat()
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", place=place) from error
    if not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
        raise UserError("is neither a file nor a folder", place=place)
    if stat.S_ISREG(status.st_mode) and not status.st_size:
        raise UserError("is empty", place=place)


def _answered(trajectory: Trajectory, answer: str) -> Trajectory:
    """The session with its last answer: a hook may be asked before it is written down."""
    own = [step for step in trajectory.steps if step.source == "agent"]
    if own and own[-1].message.strip() == answer.strip() and not own[-1].tool_calls:
        return trajectory
    every = [s for t in (trajectory, *(trajectory.subagent_trajectories or ())) for s in t.steps]
    orders = [step.extra.order for step in every if step.extra and step.extra.order is not None]
    last = Step(
        step_id=max((step.step_id for step in trajectory.steps), default=0) + 1,
        timestamp=LAST,
        source="agent",
        message=answer,
        extra=StepExtra(order=max(orders) + 1) if orders else None,
    )
    return replace(trajectory, steps=(*trajectory.steps, last))


def _folder(trajectory: Trajectory, path: Path) -> str:
    """The folder that the session says it was held in."""
    for key in FOLDER_KEYS:
        told = (trajectory.agent.extra or {}).get(key)
        if isinstance(told, str) and told:
            return told
    return folder_of(path)


def folder_of(path: Path) -> str:
    """The folder that a session was held in, by the rows at its beginning; empty where they do not
    say it."""
    for file in _session_files(path):
        for row in _rows(file):
            for holder in (row, row.get("payload"), row.get("info")):
                for key in FOLDER_KEYS:
                    told = holder.get(key) if isinstance(holder, dict) else None
                    if isinstance(told, str) and told:
                        return told
    return _project_of(path)


def _project_of(path: Path) -> str:
    """What Gemini CLI writes beside the folder of its chats."""
    try:
        with Path(path.parent.parent, PROJECT).open("rb") as file:
            return file.read(MOST_PATH).decode().strip()
    except (OSError, UnicodeDecodeError):
        return ""


def _session_files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    found = (one for end in ("*.jsonl", "*.json") for one in sorted(path.rglob(end)))
    return [one for one in found if one.is_file()][:20]


def _rows(path: Path) -> Iterator[dict[str, object]]:
    """The first rows that are JSON objects; or the whole, where it is one."""
    with path.open("rb") as file:
        data = file.read(HEAD_BYTES)
    for line in (data, *data.split(b"\n")[:HEAD_ROWS]):
        try:
            row = orjson.loads(line)
        except orjson.JSONDecodeError:
            continue
        if isinstance(row, dict):
            yield row


def seconds(timestamp: str) -> float | None:
    """A time as sessions write it, in seconds since 1970; None where it is none."""
    try:
        time = datetime.fromisoformat(timestamp)
    except ValueError:
        return None
    return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()
