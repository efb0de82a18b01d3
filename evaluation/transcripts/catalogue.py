"""Every format of sessions by name; which one a file is, is told from its content alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from authoring.errors import Place, UserError
from evaluation.reading.context import ToolTable
from evaluation.transcripts.trajectory import Trajectory


@dataclass(frozen=True)
class Format:
    """One format of one CLI's sessions."""

    name: str
    """`claude-code`, `claude-code stream-json`, `codex`, `atif`."""
    sniff: Callable[[Path], bool]
    """Whether this file or folder holds such a session, by its content. Reads a little, and never
    raises."""
    read: Callable[[Path], Trajectory]
    """Raises UserError where it cannot be read."""
    tools: ToolTable
    """What each tool of that CLI adds to file text."""


@dataclass(frozen=True)
class Session:
    """A session that was read."""

    format: Format
    trajectory: Trajectory


FORMATS: tuple[Format, ...] = ()
"""In the order in which they are tried: those that tell themselves most surely come first."""


def read_session(path: Path, formats: tuple[Format, ...] = FORMATS) -> Session:
    """The session in a file or folder, whatever wrote it.

    Raises UserError where there is none that is known, or where it cannot be read.
    """
    if not path.exists():
        raise UserError("no such file or folder", place=Place(str(path)))
    for one in formats:
        if one.sniff(path):
            return Session(one, one.read(path))
    known = ", ".join(one.name for one in formats)
    raise UserError("is no session of a known format", place=Place(str(path)), remedy=known)
