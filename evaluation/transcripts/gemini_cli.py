"""Gemini CLI's sessions: the main agent's and one for each sub-agent that it started.

Prevents the commonest false result of such readers: credit from `resultDisplay`, the field made for
the screen, which is empty for a file that was read. Text comes from `functionResponse`. Seen with
0.61.0.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from authoring.errors import Place, UserError
from evaluation.reading.collector import without_collector
from evaluation.reading.context import MAIN
from evaluation.reading.lines.shown import texts_in
from evaluation.transcripts.beginnings import any_begins, beginning_of
from evaluation.transcripts.gemini_attached import CONTEXT, FILES, in_messages
from evaluation.transcripts.gemini_rows import (
    Call,
    Message,
    Session,
    is_masked,
    is_session,
    read_sessions,
)
from evaluation.transcripts.gemini_tools import DELEGATE, REPORTS
from evaluation.transcripts.json_lines import open_session
from evaluation.transcripts.output import STDOUT
from evaluation.transcripts.trajectory import (
    Agent,
    Evidence,
    Observation,
    ObservationResult,
    ResultExtra,
    Step,
    SubagentReference,
    Trajectory,
    TrajectoryExtra,
    attached_result,
    located,
)

INVENTED = re.compile(r"(?P<name>.+)_\d{13}_\d+")
"""The id of a call that the model gave none: the CLI made it up."""
PROJECT, MOST_PATH = ".project_root", 4096
PLAIN = re.compile(r"[\w-]{1,64}")
"""A session's id, of which a folder's name can be made."""


@dataclass(frozen=True)
class Order:
    """A call that started a sub-agent, or was to."""

    by: str
    """The session of the agent that made it."""
    agent: str | None
    """The session of the one it started; None where that is not known."""
    thread: str


def is_gemini(path: Path) -> bool:
    """Whether a file, or one of a folder's, is such a session."""
    return any_begins(path, "", is_session)


def is_main_session(path: Path) -> bool:
    """Whether a file is the session of an agent that no other started."""
    beginning = beginning_of(path)
    return is_session(beginning) and not beginning.has("kind", "subagent")


@without_collector()
def read_gemini(path: Path) -> Trajectory:
    """The session of a file, with the sub-agents' that lie beside it; or the one of a folder.

    Raises UserError where there is none, or more than one.
    """
    if path.is_dir():
        return read_gemini_session(path)
    mains = read_sessions([path])
    if not mains:
        raise UserError("holds no Gemini CLI session", place=Place(str(path)))
    folder = path.parent / mains[0].id if PLAIN.fullmatch(mains[0].id) else None
    beside = sorted(folder.glob("*.json*")) if folder is not None and folder.is_dir() else []
    mains[0].is_subagent = False  # it was asked for by itself
    mains[0].folder = mains[0].folder or _project(path)
    subagents = [one for one in read_sessions(beside) if one.is_subagent]
    return _trajectory([*mains, *subagents], path)


def _project(path: Path) -> str:
    """The folder of a project's sessions, as a file beside them says; empty where none does."""
    root = path.absolute().parent.parent / PROJECT
    try:
        with open_session(root) as file:
            return file.read(MOST_PATH).decode().strip()
    except (UserError, UnicodeDecodeError):
        return ""


@without_collector()
def read_gemini_session(native: Path) -> Trajectory:
    """The session under a folder. Raises UserError where there is none, or more than one."""
    files = (path for path in sorted(native.rglob("*.json*")) if path.name != STDOUT)
    return _trajectory(read_sessions(path for path in files if path.is_file()), native)


def _trajectory(found: Iterable[Session], path: Path) -> Trajectory:
    sessions = [one for one in found if one.messages]
    mains = [one for one in sessions if not one.is_subagent]
    if len(mains) != 1:
        what = f"holds {len(mains)} Gemini CLI sessions"
        raise UserError(what, place=Place(str(path)), remedy="name one file")
    main = mains[0]
    subagents = {one.id: one for one in sessions if one.is_subagent}
    orders = _orders(sessions)
    names = {main.id: MAIN}
    names |= {order.agent: order.thread for order in orders if order.agent in subagents}
    names |= {one: one for one in subagents if one not in names}  # nobody says who ordered it
    by = {order.thread: names[order.by] for order in orders}
    return Trajectory(
        session_id=main.id,
        trajectory_id=MAIN,
        agent=_agent(main),
        steps=_steps(main, names),
        extra=TrajectoryExtra(
            evidence=_evidence(sessions, orders),
            tells_visibility=True,
            may_have_cleared=True,  # it compresses a history without a word of what stays
        ),
        subagent_trajectories=tuple(
            Trajectory(
                session_id=one.id,
                trajectory_id=names[one.id],
                agent=_agent(one),
                steps=_steps(one, names),
                extra=TrajectoryExtra(parent=by.get(names[one.id], MAIN)),
            )
            for one in sorted(subagents.values(), key=lambda one: names[one.id])
        )
        or None,
    )


def _orders(sessions: Iterable[Session]) -> list[Order]:
    """All of them in the order of their answers, with the threads as the wire names them."""
    made = [
        (message.timestamp or "", session.id, call)
        for session in sessions
        for message in session.messages.values()
        for call in message.calls.values()
        if call.call.function_name == DELEGATE
        and str(call.call.arguments.get("prompt", "")).strip()
    ]
    threads = {MAIN}
    orders: list[Order] = []
    for _, by, call in sorted(made, key=lambda one: one[0]):
        own = _own_id(call)
        thread = own if own and own not in threads else f"sub-{len(threads)}"
        threads.add(thread)
        orders.append(Order(by, call.agent, thread))
    return orders


def _own_id(call: Call) -> str:
    """The id that the model gave the call; empty where it gave none."""
    name = call.call.function_name
    id_ = call.call.tool_call_id.removeprefix(f"{name}__")
    invented = INVENTED.fullmatch(id_)
    return "" if invented is not None and invented["name"] == name else id_


def _evidence(sessions: Iterable[Session], orders: Iterable[Order]) -> Evidence:
    there = {one.id for one in sessions}
    lost = sorted({order.agent for order in orders if order.agent and order.agent not in there})
    masked = sum(
        is_masked(call.result)
        for session in sessions
        for message in session.messages.values()
        for call in message.calls.values()
    )
    missing = [f"session of sub-agent {one}" for one in lost]
    if masked:
        missing.append(f"text of {masked} tool results that the CLI took out of its history")
    return Evidence(
        rows=sum(one.rows for one in sessions),
        unreadable=sum(one.unreadable for one in sessions),
        missing=tuple(missing),
        unknown=dict(sum((one.unknown for one in sessions), Counter[str]())),
    )


def _agent(session: Session) -> Agent:
    models = [message.model for message in session.messages.values() if message.model]
    name = models[-1] if models else None
    return Agent(
        name="gemini-cli", version="unknown", model_name=name, extra=located(session.folder)
    )


def _steps(session: Session, names: Mapping[str, str]) -> tuple[Step, ...]:
    shown = [message for message in session.messages.values() if _is_step(message)]
    return tuple(_step(number, message, names) for number, message in enumerate(shown, start=1))


def _is_step(message: Message) -> bool:
    return message.kind in ("user", "gemini") and bool(message.text or _is_answer(message))


def _is_answer(message: Message) -> bool:
    """The CLI also writes messages in the model's name when it compresses a conversation."""
    return message.kind == "gemini" and bool(message.model or message.usage or message.calls)


def _step(number: int, message: Message, names: Mapping[str, str]) -> Step:
    if not _is_answer(message):
        is_users = message.kind == "user" and not message.text.startswith(CONTEXT)
        said = message.text.partition(FILES)[0] if is_users else message.text
        files = in_messages((message.text,)) if message.kind == "user" else ()
        attached = tuple(map(attached_result, files))
        return Step(
            step_id=number,
            timestamp=message.timestamp,
            source="user" if is_users else "system",
            message=said,
            observation=Observation(results=attached) if attached else None,
        )
    calls = message.calls.values()
    results = tuple(_results(calls, names))
    return Step(
        step_id=number,
        timestamp=message.timestamp,
        source="agent",
        model_name=message.model,
        message="\n".join(filter(None, (message.text, *_reported(calls)))),
        tool_calls=tuple(call.call for call in calls) or None,
        observation=Observation(results=results) if results else None,
        metrics=message.usage,
    )


def _reported(calls: Iterable[Call]) -> Iterator[str]:
    for call in calls:
        if call.call.function_name in REPORTS:
            yield from texts_in(call.call.arguments)


def _results(calls: Iterable[Call], names: Mapping[str, str]) -> Iterator[ObservationResult]:
    for call in calls:
        if call.result is None:
            continue
        agent = names.get(call.agent or "")
        yield ObservationResult(
            source_call_id=call.call.tool_call_id,
            content=call.result,
            subagent_trajectory_ref=(SubagentReference(trajectory_id=agent),) if agent else None,
            extra=ResultExtra(status="error" if call.failed else "whole", cleared=call.cleared)
            if call.failed or call.cleared
            else None,
        )
