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
from evaluation.reading.context import ATTACHED, MAIN, ToolOutput, ToolTable
from evaluation.transcripts.beginnings import any_begins, beginning_of
from evaluation.transcripts.gemini_rows import (
    Call,
    Message,
    Session,
    is_masked,
    is_session,
    read_sessions,
)
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
)

DELEGATE = "invoke_agent"

_READ = re.compile(
    r"\A\nIMPORTANT: The file content has been truncated\.\nStatus: [^\n]*\nAction: [^\n]*\n\n"
    r"--- FILE CONTENT \(truncated\) ---\n"
)
_SHELL = re.compile(
    r"\A(?:Tool output was too large and has been truncated\.\n(?s:.*?)"
    r"\nTruncated part of the output:\n)?"
    r"(?:Output too large\. Showing first [^\n]*\n)?(?:<untrusted_context>\n)?"
    r"(?:Command: (?s:.*?)\nDirectory: [^\n]*\n)?(?:Output|Stdout): (?:\(empty\)\Z)?"
    r"|(?:\n(?:Stderr|Error|Exit Code|Signal|Background PIDs|Process Group PGID): [^\n]*){1,6}"
    r"(?:\n</untrusted_context>)?\s*\Z"
    r"|\n</untrusted_context>\s*\Z"
)
_GREP_LINE = re.compile(r"L(?P<n>\d{1,9})[:-] ?")
_GREP_FILE = re.compile(r"File: (?P<path>.+)")

_MANY = re.compile(r"--- (?P<path>.+) ---")
_MANY_END = re.compile(r"\n--- End of content ---\s*\Z")

_GREP = ToolOutput(number=_GREP_LINE, heading=_GREP_FILE)
TOOLS: ToolTable = {
    ATTACHED: ToolOutput(path_argument="path"),
    "read_file": ToolOutput(path_argument="file_path", added=_READ),
    "read_many_files": ToolOutput(heading=_MANY, added=_MANY_END),
    "run_shell_command": ToolOutput(added=_SHELL),
    **dict.fromkeys(("grep_search", "search_file_content"), _GREP),
    **dict.fromkeys(("glob", "list_directory", "read_background_output"), ToolOutput()),
    **dict.fromkeys(
        # What these give back, a model wrote.
        (DELEGATE, "generalist", "codebase_investigator", "complete_task", "update_topic"),
        ToolOutput(credit="none"),
    ),
}
"""What each tool adds. `replace` and `write_file` echo what the agent wrote, so they are left out,
and count at the upper end only."""

INVENTED = re.compile(r"(?P<name>.+)_\d{13}_\d+")
"""The id of a call that the model gave none: the CLI made it up."""
FILES, FILES_END = "\n--- Content from referenced files ---", "\n--- End of content ---"
FILE = re.compile(r"\nContent from @([^\n]+):\n")
PLAIN = re.compile(r"[\w-]{1,64}")
"""A session's id, of which a folder's name can be made."""
CONTEXT = "<session_context>"
"""Begins a message that the CLI writes before the user's."""


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
    subagents = [one for one in read_sessions(beside) if one.is_subagent]
    return _trajectory([*mains, *subagents], path)


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
    return Agent(name="gemini-cli", version="unknown", model_name=name)


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
        attached = tuple(_attached(message.text)) if message.kind == "user" else ()
        return Step(
            step_id=number,
            timestamp=message.timestamp,
            source="user" if is_users else "system",
            message=message.text,
            observation=Observation(results=attached) if attached else None,
        )
    calls = message.calls.values()
    results = tuple(_results(calls, names))
    return Step(
        step_id=number,
        timestamp=message.timestamp,
        source="agent",
        model_name=message.model,
        message=message.text,
        tool_calls=tuple(call.call for call in calls) or None,
        observation=Observation(results=results) if results else None,
        metrics=message.usage,
    )


def _attached(text: str) -> Iterator[ObservationResult]:
    """Files that the CLI put behind the user's words, who named them with an @."""
    _, begun, rest = text.partition(FILES)
    if not begun:
        return
    parts = FILE.split(rest.rpartition(FILES_END)[0] or rest)
    for path, content in zip(parts[1::2], parts[2::2], strict=True):
        yield ObservationResult(
            source_call_id=None, content=content, extra=ResultExtra(attached=path)
        )


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
