"""Why a sweep stops before its end: no room, another program, an empty purse, the same fault again.

Prevents a sweep that goes on making runs of which none can be used: a wrong key would void four
hundred of them, a full disk would lose what they said, and a program that updates itself would mix
two agents under one name.
"""

from __future__ import annotations

import errno
import re
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from authoring.errors import UserError
from evaluation.agents.harness import Harness
from evaluation.run import VOID, RunPaths, RunRecord
from evaluation.sandboxes.trees import Tree

FLOOR = 1 << 30
"""Bytes that stay free."""
ROOM = 2
"""How often a run as large as the largest so far must fit in what is free."""
IN_A_ROW = 5
"""Void runs with one reason and no other between, after which the next would be void too."""
FULL = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO))
"""What a disk says that takes nothing more."""
SHORT = 100
"""Characters of a reason that a line of progress shows."""
CHANGING = re.compile(r"(?<!\S)(?=\S{6})\S*\d\S*")
"""Words of a reason that may differ from run to run: ids, addresses, times."""

FreeBytes = Callable[[Path], int]


def free_bytes(folder: Path) -> int:
    """What is free on the disk of a folder, for whoever runs this."""
    return shutil.disk_usage(folder).free


def is_full(error: OSError) -> bool:
    """Whether the disk takes nothing more: then no other run would fare better."""
    return error.errno in FULL


def told(error: Exception) -> str:
    """An error for a reader: what the system says, and of which file."""
    if not isinstance(error, OSError) or not error.strerror:
        return str(error)
    return f"{error.filename}: {error.strerror}" if error.filename else error.strerror


class DiskWatch:
    """Whether there is room for one more run."""

    def __init__(
        self, folders: Iterable[Path], floor: int = FLOOR, free: FreeBytes = free_bytes
    ) -> None:
        self._folders = tuple(folders)
        self._floor = floor
        self._free = free

    def made(self, run: RunPaths) -> None:
        """Learn how large runs are."""
        size = sum(entry.size for entry in Tree(run.root) if not entry.is_folder)
        self._floor = max(self._floor, ROOM * size)

    def fault(self) -> str:
        """Empty where there is room."""
        for folder in self._folders:
            free = self._free(folder)
            if free < self._floor:
                wanted = f"{self._floor / 1e6:,.0f} MB are to stay free"
                return f"the disk of {folder} has {free / 1e6:,.0f} MB left, and {wanted}"
        return ""


@runtime_checkable
class Installed(Protocol):
    """A harness that can say where its program lies."""

    def program(self) -> Path:
        """The file that tells the version. Raises UserError where it is missing."""
        ...


@dataclass(frozen=True)
class _File:
    """By what a file is told from one that took its place."""

    device: int
    inode: int
    size: int
    changed: int


class VersionWatch:
    """Whether a harness's program is still the one that was asked for."""

    def __init__(self) -> None:
        self._read: dict[str, _File] = {}

    def must_read(self, harness: Harness) -> bool:
        """Whether the program has to tell its version: it was never asked, or is another file."""
        file = _program_of(harness)
        return file is None or self._read.get(harness.profile.name) != file

    def read(self, harness: Harness, wanted: str) -> str:
        """Ask the program, which may take a second. What is wrong with it; empty: nothing."""
        file = _program_of(harness)
        name = harness.profile.name
        try:
            version = harness.installed_version()
        except UserError as error:
            return str(error)
        if version != wanted:
            return f"{name} is version {version} now, and the sweep is of {wanted}"
        if file is not None:
            self._read[name] = file
        return ""


def _program_of(harness: Harness) -> _File | None:
    if not isinstance(harness, Installed):
        return None
    try:
        found = harness.program().stat()
    except (UserError, OSError):
        return None
    return _File(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)


class Breaker:
    """Breaks a sweep off where run after run is void for one reason."""

    def __init__(self, most: int = IN_A_ROW) -> None:
        self._most = most
        self._rows: dict[tuple[str, ...], tuple[str, int]] = {}

    def enter(self, record: RunRecord) -> str:
        """Take in a run that was made. Why to stop; empty: go on."""
        key = record.key
        reason = ""
        for agent in ((key.harness,), (key.harness, key.model)):
            if record.outcome.kind not in VOID:
                self._rows.pop(agent, None)
                continue
            what = gist(record)
            before, number = self._rows.get(agent, (what, 0))
            number = number + 1 if before == what else 1
            self._rows[agent] = (what, number)
            if number >= self._most:
                told = f"{record.outcome.kind}: {brief(record)}"
                reason = f"{number} runs of {' with '.join(agent)} in a row were void ({told})"
        return reason


def brief(record: RunRecord) -> str:
    """The reason of an outcome in one short line: it may quote an agent at any length. All of it is
    in `run.json`."""
    reason = " ".join(record.outcome.reason.split())
    return reason if len(reason) <= SHORT else f"{reason[: SHORT - 1]}…"


def gist(record: RunRecord) -> str:
    """The outcome with its reason, without the words that differ from run to run."""
    return f"{record.outcome.kind}: {CHANGING.sub('…', record.outcome.reason)}".rstrip(": ")
