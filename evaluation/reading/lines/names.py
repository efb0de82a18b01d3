"""What the files of a corpus are called, wherever somebody stands who names them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterator
from functools import cached_property
from itertools import chain

from authoring.errors import UserError
from generators.scope import glob_pattern

PATH_MARK = re.compile(r"[:-]")
"""What stands before it may be a path: grep over several files, with context lines."""
ENDING = 3
"""Characters at the end of a file's name, by which most marks are passed over."""
MOST_ENDINGS = 64
FEW = 8
MOST_KEPT = 10_000
"""Patterns that are kept in mind."""
BRACES = re.compile(r"\{([^{}]*)\}")
MOST_BRACES = 256


class Names:
    """What files are called, wherever one stands."""

    def __init__(self, paths: Collection[str]) -> None:
        self.paths = paths
        self.by_name: dict[str, list[str]] = {}
        for path in paths:
            self.by_name.setdefault(path.rsplit("/", 1)[-1], []).append(path)
        self._matched: dict[str, tuple[str, ...]] = {}

    @cached_property
    def folders(self) -> frozenset[str]:
        """All folders that hold a file at whatever depth, below the root; it is the empty one."""
        found = {""}
        for path in self.paths:
            folder = posixpath.dirname(path)
            while folder not in found:
                found.add(folder)
                folder = posixpath.dirname(folder)
        return frozenset(found)

    @cached_property
    def marks(self) -> re.Pattern[str]:
        """Finds marks after the ends of the files' names."""
        ends = {name[-ENDING:] for name in self.by_name}
        if not ends or len(ends) > MOST_ENDINGS or any(len(end) < ENDING for end in ends):
            return PATH_MARK
        return re.compile(f"(?<={'|'.join(map(re.escape, sorted(ends)))})[:-]")

    @cached_property
    def ends(self) -> tuple[str, ...]:
        """Ends of the files' names, where those are few."""
        ends = {name[-ENDING:] for name in self.by_name}
        return tuple(ends) if len(ends) <= FEW else ()

    @cached_property
    def has_numbers(self) -> bool:
        """Whether the name of a file begins with a digit, as a numbered line does."""
        return any(name[:1].isdecimal() for name in self.by_name)

    @cached_property
    def have_spaces(self) -> bool:
        """Whether the path of a file holds a space."""
        return any(" " in path for path in self.paths)

    def fitting(self, pattern: str) -> tuple[str, ...]:
        """The files and the folders, below the root, that a pattern fits."""
        found = self._matched.get(pattern)
        if found is None:
            if len(self._matched) >= MOST_KEPT:
                self._matched.clear()
            try:
                forms = [glob_pattern(one) for one in _alternatives(pattern)]
            except UserError:  # a shell takes it as it stands
                forms = []
            found = tuple(
                path
                for path in chain(self.paths, self.folders)
                if path and any(form.fullmatch(path) for form in forms)
            )
            self._matched[pattern] = found
        return found


def _alternatives(pattern: str) -> Iterator[str]:
    """A pattern once for each choice that its braces give."""
    waiting = [pattern]
    for _ in range(MOST_BRACES):
        if not waiting:
            return
        one = waiting.pop()
        match = BRACES.search(one)
        if match is None:
            yield one
            continue
        before, after = one[: match.start()], one[match.end() :]
        waiting += [f"{before}{choice}{after}" for choice in match[1].split(",")]
