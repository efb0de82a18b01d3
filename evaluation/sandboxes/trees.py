"""Folders that an agent wrote, whatever it put there: walked, copied, moved, given away, removed.

An agent may nest folders deeper than a path may be long or a call stack deep, and close them to
everybody. So a walk holds one open folder at a time and no path, links are never followed, and what
cannot be reached is counted. No process may change the tree meanwhile.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath

OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
ITSELF = PurePath()
OPEN_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(frozen=True)
class Owner:
    """Whom the agent runs as, on the host."""

    uid: int
    gid: int


@dataclass(frozen=True)
class Entry:
    """One file, folder or link of a walk."""

    name: str
    folder: int
    """Descriptor of the folder that it lies in, open until the next step of the walk."""
    depth: int
    """Folders between it and the top; 0 at the top."""
    mode: int
    size: int
    after: bool = False
    """A folder, told for the second time: all in it was told."""

    @property
    def is_folder(self) -> bool:
        return stat.S_ISDIR(self.mode)


@dataclass
class _Level:
    """A folder on the way from the top to where the walk is."""

    left: list[str]
    name: str
    mode: int
    device: int
    inode: int


def everything(_name: str) -> bool:
    """The whole tree."""
    return True


class Tree:
    """A folder and all in it. Say how deep to go, and which names at the top are wanted."""

    def __init__(
        self,
        root: Path,
        inner: PurePath = ITSELF,
        *,
        deepest: int | None = None,
        wanted: Callable[[str], bool] = everything,
        open_up: bool = False,
    ) -> None:
        self._root = root
        self._inner = inner
        self._deepest = deepest
        self._wanted = wanted
        self._open_up = open_up
        """Whether a closed folder of our own is opened first."""
        self.failures = 0
        """Names that could not be looked at, and folders that were not entered."""

    def __iter__(self) -> Iterator[Entry]:
        """Every name in order, a folder before and after what is in it. Nothing where there is no
        such folder, or a link in the way."""
        try:
            here = self._open_top()
        except OSError:
            return
        try:
            levels = [self._level(here, "", 0)]
            levels[0].left = [name for name in levels[0].left if self._wanted(name)]
            while True:
                level = levels[-1]
                if level.left:
                    entry = self._entry(here, level.left.pop(), len(levels) - 1)
                    if entry is None:
                        continue
                    yield entry
                    if entry.is_folder:
                        below = self._enter(entry)
                        if below is None:
                            self.failures += 1
                            yield _afterwards(entry, here)
                        else:
                            os.close(here)
                            here = below
                            levels.append(self._level(here, entry.name, entry.mode))
                    continue
                if len(levels) == 1:
                    return
                levels.pop()
                above = _above(here, levels[-1])
                os.close(here)
                here = above
                yield Entry(level.name, here, len(levels) - 1, level.mode, 0, after=True)
        finally:
            os.close(here)

    def _open_top(self) -> int:
        here = os.open(self._root, OPEN_FOLDER)
        for part in self._inner.parts:
            try:
                below = os.open(part, OPEN_FOLDER, dir_fd=here)
            finally:
                os.close(here)
            here = below
        return here

    def _level(self, here: int, name: str, mode: int) -> _Level:
        found = os.fstat(here)
        names = sorted(os.listdir(here), reverse=True)
        return _Level(names, name, mode, found.st_dev, found.st_ino)

    def _entry(self, here: int, name: str, depth: int) -> Entry | None:
        try:
            found = os.stat(name, dir_fd=here, follow_symlinks=False)
        except OSError:
            self.failures += 1
            return None
        return Entry(name, here, depth, found.st_mode, found.st_size)

    def _enter(self, entry: Entry) -> int | None:
        """The folder, opened; None where it is too deep, or closed to us."""
        if self._deepest is not None and entry.depth >= self._deepest:
            return None
        try:
            if self._open_up and entry.mode & stat.S_IRWXU != stat.S_IRWXU:
                os.chmod(entry.name, stat.S_IRWXU, dir_fd=entry.folder)
            below = os.open(entry.name, OPEN_FOLDER, dir_fd=entry.folder)
        except OSError:
            return None
        if not os.access(".", os.R_OK | os.X_OK, dir_fd=below, effective_ids=True):
            os.close(below)  # there would be no way back out of it
            return None
        return below


def _afterwards(entry: Entry, here: int) -> Entry:
    return Entry(entry.name, here, entry.depth, entry.mode, 0, after=True)


def _above(here: int, level: _Level) -> int:
    above = os.open("..", OPEN_FOLDER, dir_fd=here)
    found = os.fstat(above)
    if (found.st_dev, found.st_ino) != (level.device, level.inode):
        os.close(above)
        raise OSError(errno.ESTALE, "the folder was moved while it was walked")
    return above


@dataclass(frozen=True)
class Bounds:
    """What is copied at most."""

    depth: int
    """Folders between a file and the top."""
    files: int
    size: int
    """Bytes of one file."""


@dataclass(frozen=True)
class Copied:
    """What a copy holds."""

    files: int
    left_out: int
    """Files that are too many or too large, and what could not be read or written."""


def copy_tree(tree: Tree, target: Path, bounds: Bounds, *, links: bool = False) -> Copied:
    """Copy regular files, and links as links where they are wanted. No device is opened.

    Folders come with what lies in them. `tree` goes no deeper than the bounds say.
    """
    names: list[str] = []
    files = left_out = 0
    for entry in tree:
        del names[entry.depth :]
        names.append(entry.name)
        if entry.is_folder:
            continue
        is_link = stat.S_ISLNK(entry.mode)
        if not stat.S_ISREG(entry.mode) and not (links and is_link):
            continue
        if files == bounds.files or entry.size > bounds.size or entry.depth > bounds.depth:
            left_out += 1
            continue
        path = target.joinpath(*names)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _copy(entry, path)
        except OSError:
            left_out += 1
        else:
            files += 1
    return Copied(files, left_out + tree.failures)


def _copy(entry: Entry, path: Path) -> None:
    if stat.S_ISLNK(entry.mode):
        path.symlink_to(os.readlink(entry.name, dir_fd=entry.folder))
        return
    with (
        os.fdopen(os.open(entry.name, OPEN_FILE, dir_fd=entry.folder), "rb") as source,
        path.open("xb") as copy,
    ):
        shutil.copyfileobj(source, copy)


MOVED = Bounds(depth=64, files=100_000, size=1 << 30)
"""What comes along where a tree goes from one disk to another."""


def move_tree(source: Path, target: Path) -> int:
    """Give a folder another place: whole on the same disk, else within bounds.

    Says how many names were left out. Raises OSError where the system refuses.
    """
    try:
        source.rename(target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
    else:
        return 0
    target.mkdir(mode=0o700)
    copied = copy_tree(Tree(source, deepest=MOVED.depth), target, MOVED, links=True)
    remove_tree(source)
    return copied.left_out


def change_owner(folder: Path, owner: Owner) -> int:
    """Give a whole folder away. Says how many names could not be given."""
    os.chown(folder, owner.uid, owner.gid, follow_symlinks=False)
    tree = Tree(folder)
    kept = 0
    for entry in tree:
        if not entry.after:
            try:
                os.chown(
                    entry.name, owner.uid, owner.gid, dir_fd=entry.folder, follow_symlinks=False
                )
            except OSError:
                kept += 1
    return kept + tree.failures


def remove_tree(folder: Path) -> int:
    """Remove a folder and all in it. Says how many names are left; never raises for the disk."""
    left = 0
    with contextlib.suppress(OSError):  # it is gone, or not ours: what follows will tell
        if not folder.is_symlink():
            folder.chmod(stat.S_IRWXU)
    for entry in Tree(folder, open_up=True):
        try:
            if entry.after:
                os.rmdir(entry.name, dir_fd=entry.folder)
            elif not entry.is_folder:
                os.unlink(entry.name, dir_fd=entry.folder)
        except OSError:
            left += 1
    try:
        folder.rmdir()
    except FileNotFoundError:
        return left
    except OSError:
        left += 1
    return left
