"""One process at work in a sweep."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager

from authoring.errors import Place, UserError
from evaluation.sweep.plan import SweepPaths


@contextmanager
def at_work(paths: SweepPaths) -> Iterator[None]:
    """Be the only process at work in a sweep; the system lets go of the lock when it ends.

    Prevents two makers of one run, of which each deletes what the other wrote, and scores the rest.
    """
    paths.root.mkdir(parents=True, exist_ok=True)
    with paths.lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise UserError(
                "another process is at work in this sweep",
                place=Place(str(paths.root)),
                remedy="wait for it; the same command then goes on where it stopped",
            ) from error
        yield
