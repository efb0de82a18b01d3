"""OpenCode's sessions: one for the main agent, and one for each sub-agent, with its parent.

Prevents a false result: a tool's part holds whole files for the display (`metadata`), which the
model never saw. Text comes from the state's `output` alone. Seen with 1.18.33.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from authoring.errors import Place, UserError
from evaluation.reading.collector import without_collector
from evaluation.reading.context import MAIN
from evaluation.transcripts.beginnings import files_below
from evaluation.transcripts.opencode_sessions import (
    OpenCodeSession,
    OpenCodeSessions,
)
from evaluation.transcripts.opencode_steps import model_of, started_by, steps_of
from evaluation.transcripts.opencode_store import STORE, is_store, read_store
from evaluation.transcripts.opencode_tools import TOOLS
from evaluation.transcripts.opencode_tree import read_tree, session_named, tree_of
from evaluation.transcripts.trajectory import (
    Agent,
    Evidence,
    Trajectory,
    TrajectoryExtra,
    located,
)

__all__ = ["STORE", "TOOLS", "read_opencode_session"]

COMPACTED = "what a thread was still given after a compaction"
MOST_LOOKED = 2_000
"""Files of a folder among which a store is looked for."""


def is_opencode(path: Path) -> bool:
    """Whether a file is a store or a session of the older tree, or a folder holds one of them."""
    return tree_of(path) is not None or any(map(is_store, _databases(path)))


def _databases(path: Path) -> Iterator[Path]:
    for file, _ in zip(files_below(path), range(MOST_LOOKED), strict=False):
        if not path.is_dir() or file.name.endswith(".db"):
            yield file


@without_collector()
def read_opencode(path: Path) -> Trajectory:
    """The newest session of a store, of the older tree, or of both together.

    Raises UserError where there is none, or where it is of a version that is not known.
    """
    found = OpenCodeSessions()
    tree = tree_of(path)
    stores = [file for file in _databases(path) if is_store(file)]
    if len(stores) > 1:
        what = f"holds {len(stores)} OpenCode stores"
        raise UserError(what, place=Place(str(path)), remedy="name one file")
    wanted = session_named(path) if tree is not None and not path.is_dir() else None
    for store in stores:
        found = read_store(store, _newest)
    if tree is not None:
        read_tree(tree, found, lambda known: known.below(wanted) if wanted else _newest(known))
    main = found.sessions.get(wanted) if wanted else found.newest()
    if main is None:
        raise UserError("holds no OpenCode session", place=Place(str(path)))
    others = len(found.mains()) - 1
    found.keep(found.below(main.id))
    main.parent = None
    trajectory = trajectory_of(found, path)
    return _among(trajectory, others) if others and not wanted else trajectory


def _newest(found: OpenCodeSessions) -> frozenset[str]:
    newest = found.newest()
    return found.below(newest.id) if newest else frozenset()


def _among(trajectory: Trajectory, others: int) -> Trajectory:
    """Say that there were others: nobody named this one."""
    extra = trajectory.extra
    evidence = extra.evidence if extra else None
    if extra is None or evidence is None:
        return trajectory
    told = (*evidence.inferred, f"that the newest session is meant: the store holds {others} more")
    return replace(trajectory, extra=replace(extra, evidence=replace(evidence, inferred=told)))


@without_collector()
def read_opencode_session(native: Path) -> Trajectory:
    """The session under a folder. Raises UserError where there is none, or more than one."""
    stores = sorted(native.rglob(STORE))
    if len(stores) != 1:
        raise UserError(f"holds {len(stores)} OpenCode stores", place=Place(str(native)))
    return trajectory_of(read_store(stores[0]), stores[0])


def trajectory_of(found: OpenCodeSessions, path: Path, *, told: bool = True) -> Trajectory:
    """Sessions as one trajectory, whatever they were kept in. `told`: by something that says which
    results were cleared later on."""
    mains = [one for one in found.mains() if one.messages]
    if len(mains) != 1:
        raise UserError(f"holds {len(mains)} OpenCode sessions", place=Place(str(path)))
    main = mains[0]
    compacted = any(map(_is_compacted, found.sessions.values()))
    subagents = [one for one in found.sessions.values() if one.parent is not None]
    evidence = Evidence(
        rows=found.rows,
        unreadable=found.unreadable,
        missing=tuple(_missing(found)),
        unknown=dict(found.unknown),
        inferred=(COMPACTED,) if compacted else (),
    )
    return Trajectory(
        session_id=main.id,
        trajectory_id=MAIN,
        agent=_agent(main),
        steps=steps_of(main, path),
        extra=TrajectoryExtra(evidence=evidence, tells_visibility=told, may_have_cleared=compacted),
        subagent_trajectories=tuple(
            Trajectory(
                trajectory_id=one.id if one.id != MAIN else f"session {MAIN}",
                agent=_agent(one),
                steps=steps_of(one, path),
                extra=TrajectoryExtra(parent=MAIN if one.parent == main.id else one.parent),
            )
            for one in subagents
            if one.messages
        )
        or None,
    )


def _is_compacted(session: OpenCodeSession) -> bool:
    return any(message.info.get("summary") is True for message in session.messages.values())


def _missing(found: OpenCodeSessions) -> Iterator[str]:
    """Sub-agents that some thread names and nobody has."""
    for session in found.sessions.values():
        for message in session.messages.values():
            for part in message.parts.values():
                started = started_by(part)
                if started is not None and started not in found.sessions:
                    yield f"session of sub-agent {started or 'without a name'}"


def _agent(session: OpenCodeSession) -> Agent:
    models = [model for one in session.messages.values() if (model := model_of(one)) is not None]
    return Agent(
        name="opencode",
        version=session.version,
        model_name=models[-1] if models else None,
        extra=located(session.directory),
    )
