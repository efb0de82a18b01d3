"""Host folders of one sandboxed run, under names that tell nothing.

Prevents a leak: `/proc/self/mountinfo` shows the agent the host's path of everything that is
mounted for it, and the folder of a build or of a checkout is named after what it is.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from authoring.errors import InfrastructureError
from evaluation.sandboxes.scratch import make_scratch
from evaluation.sandboxes.trees import Owner, change_owner, move_tree, remove_tree


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
