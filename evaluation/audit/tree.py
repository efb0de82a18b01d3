"""Where the text of the files comes from: a folder as it is now, or a commit as it was then.

Nothing is checked out, and no program that a repository's own settings name is started.
"""

from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

from authoring.errors import Place, UserError
from generators.directory.walking import VCS_FOLDERS

MOST_LISTED = 200_000
"""Files of a tree; what lies beyond is not looked at, and that is said."""
GIT_SECONDS = 120.0
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
        if names is None:
            return self._walked()
        files = [one for name in names[:MOST_LISTED] if (one := self._plain(name)) is not None]
        return _listing(files, _beyond(len(names)))

    def read(self, files: Sequence[Listed]) -> Iterator[FileBytes]:
        for file in files:
            if not file.size:
                # What the kernel makes up on asking has no size either, and may never end.
                yield FileBytes(file.path, b"")
                continue
            try:
                with Path(self.root, file.path).open("rb") as one:
                    yield FileBytes(file.path, one.read(file.size + 1))
            except OSError:
                continue

    def _plain(self, name: str) -> Listed | None:
        """The file, where it is a plain one; links, and what is gone, are none."""
        try:
            status = os.lstat(f"{self.root}/{name}")
        except OSError:
            return None
        return Listed(name, status.st_size, status.st_mtime) if _is_file(status) else None

    def _walked(self) -> Listing:
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
                elif (one := self._plain(path)) is not None:
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
            _git(self.root, "rev-parse", "--git-dir")
        except FileNotFoundError as error:
            raise UserError("git is not installed", remedy="--rev needs it") from error
        except (OSError, subprocess.SubprocessError) as error:
            raise UserError("is in no git repository", place=place, remedy="--rev needs one") from (
                error
            )
        try:
            name = _git(self.root, "rev-parse", "--verify", "--quiet", "--end-of-options", named)
        except (OSError, subprocess.SubprocessError) as error:
            what = f"git knows no commit {self.commit!r} here"
            raise UserError(what, place=place) from error
        commit = name.decode().strip()
        rows = _git_or_error(self.root, "ls-tree", "-r", "-l", "-z", commit).split(b"\0")
        files = [one for row in rows if (one := _tree_row(row)) is not None]
        return _listing(files[:MOST_LISTED], _beyond(len(files)))

    def read(self, files: Sequence[Listed]) -> Iterator[FileBytes]:
        """One process for all of them; it is asked and answers in turn, so that no pipe fills."""
        with subprocess.Popen(
            _command(self.root, "cat-file", "--batch"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
        ) as process:
            asked, answers = process.stdin, process.stdout
            if asked is None or answers is None:
                return
            for file in files:
                asked.write(f"{file.key}\n".encode())
                asked.flush()
                head = answers.readline().split()
                if len(head) != 3:
                    continue
                data = answers.read(int(head[2]))
                answers.read(1)
                yield FileBytes(file.path, data)
            asked.close()


def _listing(files: Sequence[Listed], notes: Sequence[str]) -> Listing:
    """Without files whose names are no text: nobody could write them down."""
    kept = tuple(file for file in files if is_unicode(file.path))
    odd = len(files) - len(kept)
    told = (f"{odd} files have names that are no UTF-8, and were left out",) if odd else ()
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


def _tree_row(row: bytes) -> Listed | None:
    """`100644 blob <name> <size>TAB<path>`; None for links and other repositories."""
    head, _, path = row.partition(b"\t")
    parts = head.split()
    if len(parts) != 4 or parts[0] not in (b"100644", b"100755") or not parts[3].isdigit():
        return None
    return Listed(os.fsdecode(path), int(parts[3]), None, parts[2].decode())


def _listed_by_git(root: Path) -> list[str] | None:
    """What git tracks below a folder, or would; None where it is no repository, or ignores all."""
    arguments = ("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate")
    try:
        listed = _git(root, *arguments)
    except (OSError, subprocess.SubprocessError):
        return None
    return sorted({os.fsdecode(path) for path in listed.split(b"\0") if path}) or None


def _git_or_error(root: Path, *arguments: str) -> bytes:
    try:
        return _git(root, *arguments)
    except (OSError, subprocess.SubprocessError) as error:
        what = f"git {arguments[0]} failed: {error}"
        raise UserError(what, place=Place(str(root))) from error


def _git(root: Path, *arguments: str) -> bytes:
    """Raises OSError or SubprocessError."""
    done = subprocess.run(
        _command(root, *arguments),
        capture_output=True,
        check=True,
        stdin=subprocess.DEVNULL,
        timeout=GIT_SECONDS,
        env=_environment(),
    )
    return done.stdout


def _command(root: Path, *arguments: str) -> list[str]:
    return ["git", "-C", str(root), "-c", "core.fsmonitor=false", *arguments]


def _environment() -> dict[str, str]:
    """Nothing of the caller's that would point git at another repository, or let it fetch."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {**kept, "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C"}


def _is_file(status: os.stat_result) -> bool:
    return stat.S_ISREG(status.st_mode)


def _beyond(count: int) -> tuple[str, ...]:
    if count <= MOST_LISTED:
        return ()
    return (f"the tree has more than {MOST_LISTED:,} files; the others were not looked at",)
