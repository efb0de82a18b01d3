"""Which session `--latest` means: the newest that was held here, else the newest of all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from evaluation.audit.session import folder_of
from evaluation.transcripts.catalogue import stored_sessions

MOST_LOOKED_AT = 200
"""Sessions of a store whose folders are looked at."""


@dataclass(frozen=True)
class Latest:
    """A session that was chosen from a CLI's store."""

    path: Path
    folder: str
    """Where it was held; empty where that stands deeper in it than is looked at."""
    written: datetime
    is_here: bool
    """It was held in the current folder, above it or below it."""
    passed: int
    """Newer sessions that were held elsewhere."""

    def told(self) -> str:
        """What was chosen, and why, in one line."""
        held = f"held in {self.folder}, " if self.folder else ""
        when = self.written.astimezone().strftime("%Y-%m-%d %H:%M:%S")
        others = f"; newer ones that were held elsewhere: {self.passed}" if self.passed else ""
        newest = "the newest session of this folder" if self.is_here else "the newest session"
        return f"audits {newest}, {held}last written {when}{others}: {self.path}"


def latest_session(name: str, home: Path, environment: Mapping[str, str], here: Path) -> Latest:
    """Choose one. Raises UserError where the store holds none."""
    first: Latest | None = None
    for number, path in enumerate(islice(stored_sessions(name, home, environment), MOST_LOOKED_AT)):
        folder = folder_of(path)
        written = datetime.fromtimestamp(path.stat().st_mtime, UTC)
        is_here = bool(folder) and _is_near(Path(folder), here)
        found = Latest(path, folder, written, is_here, number if is_here else 0)
        if is_here:
            return found
        first = first or found
    if first is None:
        raise AssertionError("an empty store raises")
    return first


def _is_near(one: Path, other: Path) -> bool:
    return one.is_relative_to(other) or other.is_relative_to(one)
