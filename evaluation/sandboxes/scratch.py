"""Scratch folders that say whose they are, so that those of killed processes can be removed.

A process that is killed cleans up nothing. The name of a scratch folder holds the id and the start
of the process that made it, and the namespace of that id; it tells nothing else, for an agent sees
it in its table of mounts.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from evaluation.sandboxes.trees import Owner, remove_tree

PARENTS = ("/var/tmp", "/tmp")  # noqa: S108  # a private folder is made inside
"""On disk first: a program that cannot be linked is copied."""
NOBODY = Owner(65534, 65534)
"""Whom an agent runs as where ocb is root."""

_NAME = re.compile(r"w-(?P<pid>\d+)-(?P<start>\d+)-(?P<space>\d+)-\w{8}")


@dataclass(frozen=True)
class Maker:
    """A process that makes scratch folders."""

    pid: int
    start: int
    """Clock ticks between the system's start and its own; 0 where the system does not tell."""
    space: int
    """Number of the namespace in which its id counts; 0 where the system does not tell."""

    @classmethod
    def current(cls) -> Maker:
        """The running process."""
        pid = os.getpid()
        return cls(pid, start_of(pid) or 0, current_space())

    @property
    def prefix(self) -> str:
        """What the names of its folders begin with."""
        return f"w-{self.pid}-{self.start}-{self.space}-"

    def is_dead(self) -> bool:
        """Whether it is known to have ended: its id is free, or another process has it."""
        known = self.start > 0 and self.space > 0 and self.space == current_space()
        return known and start_of(self.pid) != self.start


def maker_of(name: str) -> Maker | None:
    """Who made a folder of this name; None where the name is none of ours."""
    found = _NAME.fullmatch(name)
    return found and Maker(int(found["pid"]), int(found["start"]), int(found["space"]))


def start_of(pid: int) -> int | None:
    """When a process began, in clock ticks since the system's start; None where there is none."""
    try:
        status = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return None
    # The name in brackets may hold anything; what follows the last bracket does not.
    return int(status.rpartition(b")")[2].split()[19])


def current_space() -> int:
    """The namespace in which process ids count here."""
    try:
        return Path("/proc/self/ns/pid").stat().st_ino
    except OSError:
        return 0


def make_scratch(parent: Path | None = None) -> Path:
    """An empty folder of the owner's alone, under the parent or where temporary files are best."""
    folder = tempfile.mkdtemp(prefix=Maker.current().prefix, dir=parent or parent_folder())
    return Path(folder)


def parent_folder() -> Path:
    """The first folder for temporary files that can be written to."""
    for parent in PARENTS:
        if os.access(parent, os.W_OK | os.X_OK):
            return Path(parent)
    return Path(tempfile.gettempdir())


def scratch_parents() -> tuple[Path, ...]:
    """Every folder in which scratch folders may lie."""
    return tuple(dict.fromkeys((*map(Path, PARENTS), Path(tempfile.gettempdir()))))


def remove_leftovers(parents: Iterable[Path] | None = None) -> int:
    """Remove the scratch folders of our own whose process is dead. Says how many are gone."""
    removed = 0
    for parent in scratch_parents() if parents is None else parents:
        for path in _left_in(parent):
            removed += remove_tree(path) == 0
    return removed


def _left_in(parent: Path) -> list[Path]:
    ours = {os.geteuid()} | ({NOBODY.uid} if os.geteuid() == 0 else set())
    left = []
    try:
        with os.scandir(parent) as entries:
            for entry in entries:
                maker = maker_of(entry.name)
                if maker is None or not entry.is_dir(follow_symlinks=False):
                    continue
                if entry.stat(follow_symlinks=False).st_uid in ours and maker.is_dead():
                    left.append(Path(entry.path))
    except OSError:
        return left  # it went meanwhile, or cannot be read
    return left
