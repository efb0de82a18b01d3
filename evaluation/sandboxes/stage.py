"""Host folders of one sandboxed run, under names that tell nothing.

Prevents a leak: `/proc/self/mountinfo` shows the agent the host's path of everything that is
mounted for it, and the folder of a build or of a checkout is named after what it is.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import stat
from collections.abc import AsyncIterator, Coroutine, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from authoring.errors import InfrastructureError
from evaluation.sandboxes.scratch import make_scratch
from evaluation.sandboxes.trees import Owner, change_owner, move_tree, remove_tree

T = TypeVar("T")


@dataclass(frozen=True)
class Stage:
    """One run's folders.

    <scratch>/
    ├── home/       the agent's home while it runs
    ├── review/     a copy of the corpus: times and modes as they are
    ├── 0/ 1/ …     programs, hard-linked where the disk is the same
    └── socket      the gateway's, hard-linked
    """

    root: Path
    owner: Owner | None
    """None: the agent runs as ocb does."""

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def corpus(self) -> Path:
        return self.root / "review"

    def program(self, number: int) -> Path:
        """The folder of the program of that number."""
        return self.root / str(number)

    @property
    def socket(self) -> Path:
        return self.root / "socket"

    def bring_corpus(self, corpus: Path) -> None:
        """Copy the corpus in."""
        shutil.copytree(corpus, self.corpus, symlinks=True)
        self._own(self.corpus)

    def bring_program(self, number: int, folder: Path) -> None:
        """Link a program in, file by file, or copy it where it lies on another disk."""
        shutil.copytree(folder, self.program(number), symlinks=True, copy_function=link_or_copy)
        for path in (self.program(number), *self.program(number).rglob("*")):
            if path.is_dir() and not path.is_symlink():
                path.chmod(0o755)

    def bring_socket(self, socket: Path) -> Path:
        """Link the gateway's socket in. Where it lies on another disk, it stays where it is."""
        if self.owner:
            # Whoever connects must be allowed to write; whoever listens is root, and may.
            os.chown(socket, self.owner.uid, self.owner.gid)
        try:
            os.link(socket, self.socket)
        except OSError:
            return socket
        return self.socket

    @contextlib.contextmanager
    def home_from(self, home: Path) -> Iterator[None]:
        """The home is here while the run lasts, and back in its place afterwards."""
        move_tree(home, self.home)
        self._own(self.home)
        try:
            yield
        finally:
            self._disown(self.home)
            # An agent may have closed it, and only root moves a closed folder.
            self.home.chmod(stat.S_IRWXU)
            move_tree(self.home, home)

    def _own(self, folder: Path) -> None:
        if self.owner:
            change_owner(folder, self.owner)

    def _disown(self, folder: Path) -> None:
        if self.owner:
            change_owner(folder, Owner(os.getuid(), os.getgid()))


@contextlib.contextmanager
def make_stage(owner: Owner | None) -> Iterator[Stage]:
    """A stage of its own for one run, gone afterwards.

    Raises InfrastructureError where the disk refuses.
    """
    root = make_scratch()
    if owner:
        os.chown(root, owner.uid, owner.gid)
    try:
        with failures():
            yield Stage(root, owner)
    finally:
        remove_tree(root)


@contextlib.asynccontextmanager
async def in_thread(manager: contextlib.AbstractContextManager[T]) -> AsyncIterator[T]:
    """Enter and leave in a thread, for what walks through a whole home: other runs go on.

    Whoever is cancelled meanwhile waits until it is entered and left again.
    """
    entering = asyncio.ensure_future(asyncio.to_thread(manager.__enter__))
    try:
        value = await asyncio.shield(entering)
    except asyncio.CancelledError:
        await asyncio.wait({entering})
        if entering.exception() is None:
            await asyncio.to_thread(manager.__exit__, None, None, None)
        raise
    try:
        yield value
    except BaseException as error:
        leave = asyncio.to_thread(manager.__exit__, type(error), error, error.__traceback__)
        if not await _whole(leave):
            raise
    else:
        await _whole(asyncio.to_thread(manager.__exit__, None, None, None))


async def _whole(work: Coroutine[Any, Any, T]) -> T:
    """Its result, and never before it is over, also where the waiting is cancelled."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        task.exception()  # what was cancelled first is what is told
        raise


@contextlib.contextmanager
def failures() -> Iterator[None]:
    """What the system refuses, as an InfrastructureError."""
    try:
        yield
    except (OSError, shutil.Error) as error:
        raise InfrastructureError(f"the sandbox failed: {error}") from error


def link_or_copy(source: str, target: str) -> None:
    """A second name for a file, or a copy where that cannot be had."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
