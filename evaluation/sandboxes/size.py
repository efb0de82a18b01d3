"""How much of the disk a folder takes while an agent writes to it.

An agent may make a million files, one that is all hole, folders deeper than a path may be long, and
move them about meanwhile. So the walk goes by open folders and no path, follows no link, opens no
file, counts blocks and not lengths, and ends as soon as the answer is known.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable, Generator
from pathlib import Path

from evaluation.sandboxes.trees import OPEN_FOLDER

BLOCK = 512
"""Bytes in which the system counts a file's blocks."""
NAME = 1024
"""Bytes that a name takes, at the least: also an empty file takes a place on the disk."""
DEEPEST = 64
"""Folders below it are not entered: each level takes two descriptors of ours."""
CHECK = 1000
"""Names between two questions whether to go on."""


def size_of(folder: Path, most: int, stopped: Callable[[], bool] = lambda: False) -> int:
    """Bytes on the disk of all in a folder; any number above `most` where it is more.

    A file with several names counts once. What cannot be looked at counts as its name alone.
    """
    total = 0
    linked: set[tuple[int, int]] = set()
    with contextlib.closing(_walk(folder)) as walk:
        for seen, found in enumerate(walk, start=1):
            total += NAME
            if found is not None and not _is_known(found, linked):
                total += found.st_blocks * BLOCK
            if total > most or (seen % CHECK == 0 and stopped()):
                break
    return total


def _is_known(found: os.stat_result, linked: set[tuple[int, int]]) -> bool:
    if found.st_nlink < 2 or stat.S_ISDIR(found.st_mode):
        return False
    file = (found.st_dev, found.st_ino)
    known = file in linked
    linked.add(file)
    return known


def _walk(folder: Path) -> Generator[os.stat_result | None]:
    """What the system says of each name; None where it says nothing."""
    levels: list[_Level] = []
    try:
        below = _enter(folder, None)
        while below is not None or levels:
            if below is not None:
                levels.append(below)
                below = None
            level = levels[-1]
            entry = level.next()
            if entry is None:
                levels.pop().close()
                continue
            try:
                found = entry.stat(follow_symlinks=False)
            except OSError:
                yield None
                continue
            yield found
            if stat.S_ISDIR(found.st_mode) and len(levels) <= DEEPEST:
                below = _enter(entry.name, level.descriptor)
    finally:
        for level in levels:
            level.close()


class _Level:
    """A folder that is being looked through."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self._entries = os.scandir(descriptor)

    def next(self) -> os.DirEntry[str] | None:
        try:
            return next(self._entries, None)
        except OSError:
            return None

    def close(self) -> None:
        self._entries.close()
        os.close(self.descriptor)


def _enter(name: str | Path, above: int | None) -> _Level | None:
    """The folder, open; None where it is gone, a link, or closed to us."""
    try:
        descriptor = os.open(name, OPEN_FOLDER, dir_fd=above)
    except OSError:
        return None
    try:
        return _Level(descriptor)
    except OSError:
        os.close(descriptor)
        return None
