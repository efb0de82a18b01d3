"""Claude Code's sessions, of 2.0 and later: JSONL, a file for the main agent, others beside it."""

from __future__ import annotations

from pathlib import Path

from authoring.errors import Place, UserError
from evaluation.reading.collector import without_collector
from evaluation.transcripts.beginnings import any_begins, files_below
from evaluation.transcripts.claude_kinds import Head, head_in, head_of
from evaluation.transcripts.claude_session import Session
from evaluation.transcripts.claude_subagents import JOURNAL, files_of
from evaluation.transcripts.claude_tools import TOOLS
from evaluation.transcripts.trajectory import Trajectory

__all__ = ["TOOLS", "is_claude_session", "read_claude_session"]

ROWS = ".jsonl"
SESSION = frozenset(("main", "subagent"))
MOST_MAINS = 200
"""Sessions of a folder that are looked at to see whether they are copies of one."""


def is_claude_session(path: Path) -> bool:
    """Whether a file is a session, or a folder holds one. Never raises."""
    return any_begins(path, ROWS, lambda one: head_in(one).kind in SESSION)


def read_claude_session(native: Path) -> Trajectory:
    """The session in a file, with what lies beside it, or the one under a folder.

    Raises UserError where there is none, or more than one.
    """
    with without_collector():
        return _read_folder(native) if native.is_dir() else _read_file(native)


def _read_file(native: Path) -> Trajectory:
    head = head_of(native)
    if head.kind == "subagent":
        raise UserError(
            "is a sub-agent's part of a session",
            place=Place(str(native)),
            remedy="name the file of its main agent",
        )
    if head.kind != "main":
        raise UserError("is no session of Claude Code", place=Place(str(native)))
    session = Session()
    session.read(native, head)
    for file in files_of(native):
        session.read_beside(file)
    # What a sub-agent started may lie there too.
    while lost := session.lost(native):
        for agent, beside in lost.items():
            session.asked.add(agent)
            if beside is not None:
                session.read(beside, head_of(beside))
    if not session.main.rows:
        raise UserError("holds 0 Claude Code sessions", place=Place(str(native)))
    return session.trajectory()


def _read_folder(native: Path) -> Trajectory:
    heads = _heads(native)
    sessions: list[Session] = []
    for file, head in heads.items():
        if head.kind == "main":
            session = Session()
            session.read(file, head)
            sessions.append(session)
    # A resumed or forked session begins with a copy of the one that it goes on with.
    sessions = [one for one in sessions if one.main.rows]
    whole = [one for one in sessions if not any(one.is_in(other) for other in sessions)]
    if len(whole) != 1:
        what = f"holds {len(whole)} Claude Code sessions"
        raise UserError(what, place=Place(str(native)), remedy="name one file" if whole else "")
    session = whole[0]
    for file, head in heads.items():
        is_own = head.kind == "subagent" and head.session in session.main.sessions
        if is_own or (not head.kind and file.name == JOURNAL):
            session.read_beside(file)
    by_agent = {head.agent: file for file, head in heads.items() if head.kind == "subagent"}
    while named := session.unread() & by_agent.keys():
        for agent in sorted(named):
            session.read_beside(by_agent.pop(agent))
    return session.trajectory()


def _heads(native: Path) -> dict[Path, Head]:
    """What the files of a folder are. Raises UserError where it is a store of many sessions."""
    heads: dict[Path, Head] = {}
    mains = 0
    for file in files_below(native):
        if file.name.endswith(ROWS):
            heads[file] = head_of(file)
            mains += heads[file].kind == "main"
        if mains > MOST_MAINS:
            what = f"holds more than {MOST_MAINS} Claude Code sessions"
            raise UserError(what, place=Place(str(native)), remedy="name one file")
    return heads
