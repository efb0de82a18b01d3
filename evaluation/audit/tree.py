"""Where the text of the files comes from: a folder as it is now, or a commit as it was then.

Nothing is checked out, and no link is followed.
"""

from __future__ import annotations

import math
import os
import subprocess
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

from authoring.errors import Place, UserError
from evaluation.audit.git import git, git_objects
from evaluation.audit.opening import Folder, opened
from generators.directory.walking import VCS_FOLDERS

MOST_LISTED = 200_000
"""Files of a tree; what lies beyond is not looked at, and that is said."""
LARGEST_LOOKED_UP = 4 << 20
"""Bytes of a file whose earlier text is looked up."""
MADE_BY_TOOLS = frozenset((
    "node_modules", ".venv", "venv", "__pycache__", ".tox", ".nox", ".mypy_cache", ".ruff_cache",
    ".pytest_cache", ".gradle", ".terraform",
))  # fmt: skip
"""Folders of others' code and of caches; they are walked only where git lists them."""


class Listed(NamedTuple):
    """One plain file of a tree."""

    path: str
    """Below the root, with slashes."""
    size: int
    time: float | None
    """When it was last written, in seconds since 1970; None in a commit."""
    key: str = ""
    """The object's name in a commit."""


@dataclass(frozen=True)
class Listing:
    """The files of a tree."""

    files: tuple[Listed, ...]
    notes: tuple[str, ...] = ()
    """What of it was not listed, in words."""


class FileBytes(NamedTuple):
    """A file that was read."""

    path: str
    data: bytes


class Tree(Protocol):
    """A tree of files."""

    def list_files(self) -> Listing: ...

    def read(self, files: Sequence[Listed]) -> Iterator[FileBytes]:
        """Those that can still be read, in order."""
        ...


@dataclass(frozen=True)
class WorkTree:
    """A folder as it is now: what git tracks or would track, else what a walk finds."""

    root: Path

    def list_files(self) -> Listing:
        """Raises UserError where the root is no folder, or cannot be read."""
        if not self.root.is_dir():
            raise UserError(
                "is no folder", place=Place(str(self.root)), remedy="name one by --root"
            )
        names = _listed_by_git(self.root)
        try:
            with opened(self.root) as folder:
                if names is None:
                    return self._walked(folder)
                files = [one for name in names[:MOST_LISTED] if (one := _plain(folder, name))]
        except OSError as error:
            what = f"cannot be read: {error.strerror}"
            raise UserError(what, place=Place(str(self.root))) from error
        return _listing(files, _beyond(len(names)))

    def read(self, files: Sequence[Listed]) -> Iterator[FileBytes]:
        try:
            with opened(self.root) as folder:
                for file in files:
                    try:
                        # What the kernel makes up on asking has no size, and may never end.
                        data = folder.read(file.path, file.size + 1) if file.size else b""
                    except OSError:
                        continue
                    yield FileBytes(file.path, data)
        except OSError:
            return

    def _walked(self, folder: Folder) -> Listing:
        found: list[Listed] = []
        notes: list[str] = []
        waiting = [""]
        device = self.root.stat().st_dev
        while waiting and len(found) <= MOST_LISTED:
            prefix = waiting.pop()
            try:
                with os.scandir(Path(self.root, prefix)) as scan:
                    entries = sorted(scan, key=lambda entry: entry.name)
            except OSError as error:
                notes.append(f"{prefix or '.'} cannot be read: {error.strerror}")
                continue
            for entry in entries:
                path = f"{prefix}{entry.name}"
                if entry.is_dir(follow_symlinks=False):
                    if entry.name in VCS_FOLDERS | MADE_BY_TOOLS:
                        continue
                    if entry.stat(follow_symlinks=False).st_dev != device:
                        notes.append(f"{path} is another file system, and was not looked at")
                    else:
                        waiting.append(f"{path}/")
                elif (one := _plain(folder, path)) is not None:
                    found.append(one)
        found.sort(key=lambda one: one.path)
        return _listing(found[:MOST_LISTED], (*notes, *_beyond(len(found))))


@dataclass(frozen=True)
class CommitTree:
    """A folder of a repository as a commit has it."""

    root: Path
    commit: str
    """As the user names it: a hash, a branch, `HEAD~3`."""

    def list_files(self) -> Listing:
        """Raises UserError where there is no such repository or commit."""
        _check_folder(self.root)
        named = f"{self.commit}^{{commit}}"
        place = Place(str(self.root))
        try:
            git(self.root, "rev-parse", "--git-dir")
        except FileNotFoundError as error:
            raise UserError("git is not installed", remedy="--rev needs it") from error
        except (OSError, subprocess.SubprocessError) as error:
            raise UserError("is in no git repository", place=place, remedy="--rev needs one") from (
                error
            )
        try:
            name = git(self.root, "rev-parse", "--verify", "--quiet", "--end-of-options", named)
        except (OSError, subprocess.SubprocessError) as error:
            what = f"git knows no commit {self.commit!r} here"
            raise UserError(what, place=place) from error
        commit = name.decode().strip()
        try:
            rows = git(self.root, "ls-tree", "-r", "-l", "-z", commit).split(b"\0")
        except (OSError, subprocess.SubprocessError) as error:
            raise self._lacks("some of its files") from error
        files = [one for row in rows if (one := self._row(row)) is not None]
        return _listing(files[:MOST_LISTED], _beyond(len(files)))

    def read(self, files: Sequence[Listed]) -> Iterator[FileBytes]:
        """One process for all of them; it is asked and answers in turn, so that no pipe fills.

        Raises UserError where the repository does not hold one of them.
        """
        try:
            with git_objects(self.root) as process:
                yield from self._answers(process, files)
        except OSError as error:
            raise self._lacks("some of its files") from error

    def _answers(
        self, process: subprocess.Popen[bytes], files: Sequence[Listed]
    ) -> Iterator[FileBytes]:
        asked, answers = process.stdin, process.stdout
        if asked is None or answers is None:
            return
        for file in files:
            asked.write(f"{file.key}\n".encode())
            asked.flush()
            head = answers.readline().split()
            data = answers.read(int(head[2])) if len(head) == 3 else b""
            if len(head) != 3 or len(data) < int(head[2]):
                raise self._lacks(file.path)
            answers.read(1)
            yield FileBytes(file.path, data)

    def _row(self, row: bytes) -> Listed | None:
        """`100644 blob <name> <size>TAB<path>`; None for links and other repositories. A file that
        the repository does not hold has no size."""
        head, _, path = row.partition(b"\t")
        parts = head.split()
        if len(parts) != 4 or parts[0] not in (b"100644", b"100755"):
            return None
        if not parts[3].isdigit():
            raise self._lacks(os.fsdecode(path))
        return Listed(os.fsdecode(path), int(parts[3]), None, parts[2].decode())

    def _lacks(self, what: str) -> UserError:
        return UserError(
            f"the text of {what} at {self.commit} is not in this repository, or is damaged",
            place=Place(str(self.root)),
            remedy="in a partial clone: git checkout the commit once, which fetches it",
        )


def committed_before(root: Path, time: float, wanted: Collection[str]) -> Iterator[FileBytes]:
    """Files of a folder as the last commit before a time has them; none where there is none."""
    try:
        found = git(root, "rev-list", "-1", f"--before={math.floor(time)}", "HEAD").decode().strip()
        tree = CommitTree(root, found)
        files = [file for file in tree.list_files().files if file.path in wanted] if found else []
        yield from tree.read([file for file in files if file.size <= LARGEST_LOOKED_UP])
    except (OSError, subprocess.SubprocessError, UserError):
        return  # what the repository does not hold is not known


def _plain(folder: Folder, path: str) -> Listed | None:
    """The file, where it is a plain one; links, what is behind one, and what is gone, are none."""
    status = folder.status(path)
    return None if status is None else Listed(path, status.st_size, status.st_mtime)


def _listing(files: Sequence[Listed], notes: Sequence[str]) -> Listing:
    """Without files whose names are no text: nobody could write them down."""
    kept = tuple(file for file in files if is_unicode(file.path))
    odd = len(files) - len(kept)
    told = (f"left out, since their names are no UTF-8: {odd}",) if odd else ()
    return Listing(kept, (*notes, *told))


def is_unicode(text: str) -> bool:
    """Whether a text can be written down: it holds no lone half of a character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _check_folder(root: Path) -> None:
    if not root.is_dir():
        raise UserError("is no folder", place=Place(str(root)), remedy="name one by --root")


def _listed_by_git(root: Path) -> list[str] | None:
    """What git tracks below a folder, or would; None where it is no repository, or ignores all."""
    arguments = ("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate")
    try:
        listed = git(root, *arguments)
    except (OSError, subprocess.SubprocessError):
        return None
    return sorted({os.fsdecode(path) for path in listed.split(b"\0") if path}) or None


def _beyond(count: int) -> tuple[str, ...]:
    if count <= MOST_LISTED:
        return ()
    return (f"the tree has more than {MOST_LISTED:,} files; the others were not looked at",)
