"""The line rule, the normal form, and the index of a corpus by its lines.

Prevents two false results: a file that holds U+2028 or a form feed counted longer than `wc -l`
says, and a line that a tool showed with CR, tabs or colour taken for another line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

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


@dataclass(frozen=True)
class CorpusIndex:
    """The corpus by path and by normal form. Build it once; measure many runs against it."""

    files: Mapping[str, tuple[str, ...]]
    """Normal forms of the lines of each file."""
    places: Mapping[str, tuple[LinePlace, ...]] = field(init=False)
    """Where each normal form stands."""

    def __post_init__(self) -> None:
        places: dict[str, list[LinePlace]] = {}
        for path in sorted(self.files):
            for number, line in enumerate(self.files[path], start=1):
                places.setdefault(line, []).append(LinePlace(path, number))
        frozen = {line: tuple(found) for line, found in places.items()}
        object.__setattr__(self, "places", frozen)

    @classmethod
    def of(cls, texts: Mapping[str, str]) -> CorpusIndex:
        """From path to decoded text."""
        return cls(
            {path: tuple(map(normal_form, split_lines(text))) for path, text in texts.items()}
        )

    def line(self, path: str, number: int) -> str | None:
        """The normal form of a line, or None where there is none."""
        lines = self.files.get(path, ())
        return lines[number - 1] if 1 <= number <= len(lines) else None

    def is_unique(self, normal: str) -> bool:
        """Whether a normal form is weighty and stands in one place only."""
        return len(self.places.get(normal, ())) == 1 and is_weighty(normal)
