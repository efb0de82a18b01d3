"""From what somebody wrote to the files of the tree that it names: a path, a folder, a glob."""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path

from authoring.errors import UserError
from evaluation.reading.lines.paths import PathResolver
from generators.scope import glob_pattern

GLOB = re.compile(r"[*?\[]")
PLACE_BEHIND = re.compile(r"(?::L?\d[\d,:-]*|#L?\d[\dL-]*)$")
"""Lines behind a path: `a.py:10-40`."""
_DIGITS = re.compile(r"([0-9]{1,18})")
LONGEST = 1024
FOLDER_WRITTEN = re.compile(r"(?:[\w.@~-]{1,100}/){1,32}(?![\w~-]|\.\w)")
"""A folder, and not the one that a file is written with."""
WORD = re.compile(r"`([^`\n]{1,400})`|([\w./~-]{2,400})")


class Places:
    """The files of a tree by what they may be called."""

    def __init__(self, files: Sequence[str], root: Path, folder: str) -> None:
        """`folder` is where the session was held: it may be gone, or the root by another name."""
        self._files = sorted(files)
        self._known = frozenset(files)
        self._root = root.resolve()
        self._folder = posixpath.normpath(folder) if folder else ""

    def named(self, written: str) -> tuple[str, ...]:
        """The files that a path, a folder or a glob names; none where there is no such thing."""
        written = PLACE_BEHIND.sub("", written.strip()[:LONGEST])
        for path in self._below_root(written):
            if GLOB.search(path):
                found = self.matching(path)
            elif path in self._known:
                found = (path,)
            else:
                found = self._in_folder(path)
            if found:
                return found
        if "/" not in written:
            called = self._by_name.get(written, ())
            return tuple(called) if len(called) == 1 else ()
        return ()

    def in_folder(self, name: str, *, deep: bool) -> tuple[str, ...]:
        """The files of the folder that a plain word names: the one below the root or below where
        the session was held, or where it may be `deep`, the only one of that name."""
        for path in self._below_root(name) if "/" not in name else ():
            if found := self._in_folder(path):
                return found
        return self._in_folder(self._folder_called(name)) if deep else ()

    def between(self, first: str, last: str) -> tuple[str, ...]:
        """The files of one folder from one to another, by their names; none where that is none."""
        folder, _, name = first.rpartition("/")
        ending = name.rpartition(".")[2]
        inside = [
            path
            for path in self._in_folder(folder or ".")
            if path.rpartition("/")[0] == folder and path.rpartition(".")[2] == ending
        ]
        inside.sort(key=_counted)
        if last not in inside or _counted(first) > _counted(last):
            return ()
        return tuple(inside[inside.index(first) : inside.index(last) + 1])

    def matching(self, glob: str) -> tuple[str, ...]:
        """The files that a glob takes in; all below a folder, where it names one."""
        try:
            pattern = glob_pattern(glob)
        except UserError:
            return ()
        literal = GLOB.split(glob, maxsplit=1)[0]
        inside = self._beginning(literal) if GLOB.search(glob) else [glob]
        return tuple(path for path in inside if path in self._known and pattern.fullmatch(path))

    def mentioned(self, text: str) -> frozenset[str]:
        """The files that a text speaks of by path, name or stem, and all below its folders.

        A name that several files have speaks of none of them.
        """
        found: set[str] = set()
        for word in {a or b for a, b in WORD.findall(text)}:
            plain = PLACE_BEHIND.sub("", word.strip("./-")) or word
            whole = f"/{plain}" if word.startswith("/") else plain
            path = self._resolver.resolve(whole)
            if path is None and "/" not in plain:
                called = self._by_called.get(plain.casefold(), ())
                path = called[0] if len(called) == 1 else None
            if path is not None:
                found.add(path)
        for written in {match.group() for match in FOLDER_WRITTEN.finditer(text)}:
            found |= set(self.named(written))
        return frozenset(found)

    def _below_root(self, written: str) -> Iterable[str]:
        """What a written path may be below the root, the likeliest first."""
        path = posixpath.expanduser(written) if written.startswith("~") else written
        folder, root = self._folder, str(self._root)
        if path.startswith("/"):
            for above in (root, folder):
                if above and (inner := _inner(posixpath.normpath(path), above)) is not None:
                    yield inner
            return
        if folder and (prefix := _inner(folder, root)):
            yield posixpath.normpath(f"{prefix}/{path}")
        yield posixpath.normpath(path)

    def _in_folder(self, path: str) -> tuple[str, ...]:
        if path in ("", ".."):
            return ()
        return tuple(self._files if path == "." else self._beginning(f"{path}/"))

    def _beginning(self, prefix: str) -> Sequence[str]:
        """The files whose paths begin so."""
        if not prefix:
            return self._files
        after = prefix[:-1] + chr(ord(prefix[-1]) + 1)
        return self._files[bisect_left(self._files, prefix) : bisect_left(self._files, after)]

    def _folder_called(self, name: str) -> str:
        """The one folder of this name; the one below the root comes first."""
        called = self._folders.get(name, set())
        if name in called:
            return name
        return next(iter(called)) if len(called) == 1 else ""

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        found: defaultdict[str, list[str]] = defaultdict(list)
        for path in self._files:
            found[path.rsplit("/", 1)[-1]].append(path)
        return dict(found)

    @cached_property
    def _resolver(self) -> PathResolver:
        return PathResolver(dict.fromkeys(self._files))

    @cached_property
    def _by_called(self) -> dict[str, list[str]]:
        found: defaultdict[str, list[str]] = defaultdict(list)
        for path in self._files:
            for name in _called(path):
                found[name].append(path)
        return dict(found)

    @cached_property
    def _folders(self) -> dict[str, set[str]]:
        found: defaultdict[str, set[str]] = defaultdict(set)
        for folder in {path.rpartition("/")[0] for path in self._files}:
            parts = folder.split("/")
            for count in range(1, len(parts) + 1):
                if parts[count - 1]:
                    found[parts[count - 1]].add("/".join(parts[:count]))
        return dict(found)


def _inner(path: str, above: str) -> str | None:
    """What is left of a path below a folder; None where it does not lie there."""
    if path == above:
        return "."
    return path[len(above) + 1 :] if path.startswith(f"{above.rstrip('/')}/") else None


def _counted(path: str) -> list[tuple[int, str]]:
    """By which names are put in order as people count: `a-9` before `a-10`."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in _DIGITS.split(path)]


def _called(path: str) -> set[str]:
    """Base name, and stem where it is more than a plain word: `contract-017`, not `report`."""
    name = path.rsplit("/", 1)[-1].casefold()
    stem = name.rsplit(".", 1)[0] if "." in name[1:] else name
    return {name} if stem.isalpha() else {name, stem}
