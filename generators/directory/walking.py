"""What is in a folder: plain files in one order, never a link, never what a VCS keeps."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from authoring.errors import Place, UserError

VCS_FOLDERS = frozenset({".git", ".hg", ".svn", ".bzr", ".jj", "CVS", "_darcs"})


@dataclass(frozen=True)
class LeftOut:
    """A file that the globs ask for and that no corpus can hold."""

    path: str
    """Below the root; shown, never opened."""
    reason: str


@dataclass(frozen=True)
class FoundFile:
    """A plain file."""

    path: str
    """Below the root, with slashes."""
    source: Path


Wanted = Callable[[str], bool]
Run = Callable[[Sequence[str]], bytes]
"""Runs a command and gives its output. Raises OSError or CalledProcessError."""


def walk(root: Path, wanted: Wanted, pruned: Wanted) -> Iterator[FoundFile | LeftOut]:
    """The wanted files below a folder, sorted by the bytes of their paths.

    `pruned` is asked about folders, whose paths end in a slash. Raises UserError where one cannot
    be read.
    """
    found = sorted(_below(root, "", wanted, pruned), key=lambda one: os.fsencode(one.path))
    yield from found


def _below(
    folder: Path, prefix: str, wanted: Wanted, pruned: Wanted
) -> Iterator[FoundFile | LeftOut]:
    try:
        with os.scandir(folder) as scan:
            entries = list(scan)
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", place=Place(str(folder))) from error
    for entry in entries:
        path = f"{prefix}{entry.name}"
        if entry.name in VCS_FOLDERS:
            # A `.git` may also be a file that names a folder elsewhere.
            continue
        if entry.is_dir(follow_symlinks=False):
            if not pruned(f"{path}/"):
                yield from _below(Path(entry.path), f"{path}/", wanted, pruned)
        elif wanted(path):
            yield _judged(entry, path)


def _judged(entry: os.DirEntry[str], path: str) -> FoundFile | LeftOut:
    if entry.is_symlink():
        return LeftOut(path, "is a link")
    if not entry.is_file(follow_symlinks=False):
        return LeftOut(path, "is no plain file")
    if not path.isprintable():
        return LeftOut(path, "has characters in its path that do not print")
    return FoundFile(path, Path(entry.path))


def run_command(command: Sequence[str]) -> bytes:
    """Run a command of this machine."""
    return subprocess.run(command, capture_output=True, check=True, stdin=subprocess.DEVNULL).stdout


def tracked_by_git(root: Path, run: Run = run_command) -> frozenset[str]:
    """The paths below a folder that git tracks. Raises UserError where it cannot be asked."""
    # No program that the repository's own settings name is started.
    command = ["git", "-C", str(root), "-c", "core.fsmonitor=false", "ls-files", "-z"]
    try:
        listed = run(command)
    except FileNotFoundError as error:
        raise UserError("git is not installed", remedy="install it, or leave `tracked` out") from (
            error
        )
    except subprocess.CalledProcessError as error:
        told = error.stderr.decode(errors="replace").strip().splitlines()
        raise UserError(
            f"git cannot list what it tracks: {told[0] if told else 'it gives no reason'}",
            place=Place(str(root)),
        ) from error
    return frozenset(os.fsdecode(path) for path in listed.split(b"\0") if path)
