"""One process at work in a sweep."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from authoring.errors import Place, UserError
from evaluation.sweep.plan import SweepPaths

OPEN_LOCK = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
"""Never waits: a pipe would, for its other end."""
NOT_PLAIN = frozenset((errno.EISDIR, errno.ELOOP, errno.ENXIO, errno.ENODEV))
"""What the system says of a folder, a link, a socket and a device that is not there."""
REMOVE = "remove it; no run is lost by that"


@contextmanager
def at_work(paths: SweepPaths) -> Iterator[None]:
    """Be the only process at work in a sweep; the system lets go of the lock when it ends.

    Prevents two makers of one run, of which each deletes what the other wrote, and scores the rest.
    Raises UserError where something else has the place of the sweep's folder, lock or plan.
    """
    _make_folder(paths.root)
    lock = _open_lock(paths.lock)
    try:
        if paths.plan.exists() and not paths.plan.is_file():
            raise _not_plain(paths.plan)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise UserError(
                "another process is at work in this sweep",
                place=Place(str(paths.root)),
                remedy="wait for it; the same command then goes on where it stopped",
            ) from error
        yield
    finally:
        os.close(lock)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise UserError(
            "no folder can be made here: a file has its place",
            place=Place(str(folder)),
            remedy="move that file away, or give another folder: -o RUNS, --name NAME",
        ) from error


def _open_lock(path: Path) -> int:
    try:
        lock = os.open(path, OPEN_LOCK, 0o644)
    except OSError as error:
        if error.errno in NOT_PLAIN:
            raise _not_plain(path) from error
        raise
    if not stat.S_ISREG(os.fstat(lock).st_mode):
        os.close(lock)
        raise _not_plain(path)
    return lock


def _not_plain(path: Path) -> UserError:
    return UserError("is no plain file", place=Place(str(path)), remedy=REMOVE)
