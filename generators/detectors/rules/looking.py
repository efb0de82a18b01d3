"""What every rule has in common: which files it looks at, and which values it takes for a defect.

Nothing in a spec is run: a rule is a pattern, a query or a comparison, and this code applies it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from decimal import Decimal
from pathlib import PurePosixPath

from authoring.artefacts import Value
from generators.detectors.detector import Evidence
from generators.directory.parameters import Glob
from generators.planters.patterns import Pattern, within_time
from generators.scope import glob_pattern

NUMBER = re.compile(r"[-+]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,40})(?:\.[0-9]{1,40})?")
"""`60`, `-0.5`, `1,250.00`."""
Found = tuple[Evidence, ...]


class Looking(Value):
    """Which files a rule looks at."""

    files: tuple[Glob, ...] = ("**",)
    """Globs of the files that it holds for, by their paths in the corpus."""

    def looks_at(self, path: PurePosixPath) -> bool:
        """Whether the rule holds for a file."""
        return any(glob_pattern(glob).fullmatch(str(path)) for glob in self.files)


class Comparing(Looking):
    """Which values are defects. All that is given must hold."""

    more_than: Decimal | None = None
    """A defect is a number above this one; what is no number is none."""
    less_than: Decimal | None = None
    """A defect is a number below this one."""
    equals: str | None = None
    """A defect is this very value: `12.0` is `12`."""
    not_in: tuple[str, ...] = ()
    """A defect is what is none of these."""
    matches: Pattern | None = None
    """A defect is what this regular expression matches as a whole."""

    @property
    def compares(self) -> bool:
        """Whether any comparison is given."""
        given = (self.more_than, self.less_than, self.equals, self.matches)
        return bool(self.not_in) or any(one is not None for one in given)

    def is_defect(self, value: str) -> bool:
        """Whether a value is one; every value is, where nothing is given."""
        number = number_of(value)
        return (
            (self.more_than is None or (number is not None and number > self.more_than))
            and (self.less_than is None or (number is not None and number < self.less_than))
            and (self.equals is None or same(value, self.equals))
            and not any(same(value, one) for one in self.not_in)
            and (self.matches is None or _is_all(self.matches, value.strip()))
        )


def _is_all(pattern: str, value: str) -> bool:
    with within_time(pattern):
        return re.fullmatch(pattern, value) is not None


def number_of(text: str) -> Decimal | None:
    """The number that a text is; commas may part thousands."""
    match = NUMBER.fullmatch(text.strip())
    return Decimal(match[0].replace(",", "")) if match else None


def same(one: str, other: str) -> bool:
    """Whether two texts are the same value: the same text, or the same number."""
    return compared(one) == compared(other)


def compared(text: str) -> str | Decimal:
    """What a text is compared by, which may be a key: its number, else itself without the ends."""
    number = number_of(text)
    return text.strip() if number is None else number


def with_lf(text: str) -> str:
    """A text as planters see it; its lines keep their numbers."""
    return text.replace("\r\n", "\n")


class LineNumbers:
    """Which line of a text an offset is on, from 1."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def at(self, offset: int) -> int:
        """The line of a character; a line end is on the line that it ends."""
        return bisect_right(self._starts, offset)


class PerFile:
    """A file shows such a defect alone, so that nothing is left to be decided."""

    def decide(self, facts: Mapping[PurePosixPath, Found]) -> Found:
        """All that was found, by path."""
        return tuple(one for path in sorted(facts) for one in facts[path])
