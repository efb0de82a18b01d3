"""The line rule, the normal form, and the index of a corpus by its lines.

Prevents two false results: a file that holds U+2028 or a form feed counted longer than `wc -l`
says, and a line that a tool showed with CR, tabs or colour taken for another line.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TypeVar, cast

T = TypeVar("T")

ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
TAB_STOP = 8
WEIGHT = 4
"""Letters or digits that a line needs to touch a file (docs/measurement.md, Lines and files)."""


def split_lines(text: str) -> list[str]:
    """The lines of a text: what stands between LF; a last one without LF counts, an empty one not.

    Only LF ends a line: U+2028, U+0085, form feed and vertical tab do not.
    """
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return lines


def normal_form(line: str) -> str:
    """A line as it is compared: no BOM, no ANSI, tabs to 8 columns, no trailing space or CR."""
    if "\x1b" in line:
        line = ANSI.sub("", line)
    if "\ufeff" in line:
        line = line.replace("\ufeff", "")
    return line.rstrip().expandtabs(TAB_STOP)


def is_weighty(normal: str) -> bool:
    """Whether a line is long enough to touch a file: 4 letters or digits or more."""
    count = 0
    for character in normal:
        if character.isalnum():
            count += 1
            if count == WEIGHT:
                return True
    return False


@dataclass(frozen=True)
class LinePlace:
    """One line of one file; lines count from 1."""

    path: str
    line: int


def _normal_lines(text: str) -> tuple[str, ...]:
    return tuple(map(normal_form, split_lines(text)))


@dataclass(frozen=True)
class CorpusIndex:
    """The corpus by path and by normal form. Build it once; measure many runs against it."""

    files: Mapping[str, tuple[str, ...]]
    """Normal forms of the lines of each file."""
    texts: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The text of each file as it was decoded: whole blocks of output are compared with it."""
    older: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict, repr=False)
    """Normal forms of the lines that files had before, version by version, the latest first."""
    places: Mapping[str, tuple[LinePlace, ...]] = field(init=False)
    """Where each normal form stands."""
    _kept: dict[object, object] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        places: dict[str, list[LinePlace]] = {}
        for path in sorted(self.files):
            for number, line in enumerate(self.files[path], start=1):
                places.setdefault(line, []).append(LinePlace(path, number))
        frozen = {line: tuple(found) for line, found in places.items()}
        object.__setattr__(self, "places", frozen)

    @classmethod
    def of(
        cls, texts: Mapping[str, str], older: Mapping[str, Sequence[str]] | None = None
    ) -> CorpusIndex:
        """From path to decoded text, and to the texts that it had before, the latest first."""
        files = {path: _normal_lines(text) for path, text in texts.items()}
        before = {path: tuple(map(_normal_lines, found)) for path, found in (older or {}).items()}
        return cls(files, dict(texts), before)

    def line(self, path: str, number: int) -> str | None:
        """The normal form of a line, or None where there is none."""
        lines = self.files.get(path, ())
        return lines[number - 1] if 1 <= number <= len(lines) else None

    def lines_in(self, path: str, normal: str) -> list[int]:
        """The line numbers at which a normal form stands in one file."""
        places = self.places.get(normal, ())
        first = bisect_left(places, path, key=attrgetter("path"))
        last = bisect_right(places, path, lo=first, key=attrgetter("path"))
        return [place.line for place in places[first:last]]

    def is_unique(self, normal: str) -> bool:
        """Whether a normal form is weighty and stands in one place only."""
        return len(self.places.get(normal, ())) == 1 and is_weighty(normal)

    def text(self, path: str) -> str:
        """The text of a file."""
        known = self.texts.get(path)
        return "".join(f"{line}\n" for line in self.files[path]) if known is None else known

    def kept(self, make: Callable[[CorpusIndex], T]) -> T:
        """What is derived from the corpus by a function or class: made once, then kept with it."""
        try:
            return cast("T", self._kept[make])
        except KeyError:
            made = self._kept[make] = make(self)
            return made
