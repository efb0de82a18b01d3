"""Where the lines of one tool result stand, as runs of lines of files."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import NamedTuple

from generators.lines import LinePlace


class Span(NamedTuple):
    """Lines of one file that follow each other, both ends in, counted from 1."""

    path: str
    first: int
    last: int


def single_lines(paths: Iterable[str], numbers: Iterable[int]) -> list[Span]:
    """Spans of one line each, made without a call of Python for each."""
    numbers = list(numbers)
    return list(map(tuple.__new__, repeat(Span), zip(paths, numbers, numbers, strict=False)))


@dataclass
class Placement:
    """Filled while placing, then only read."""

    sure: list[Span] = field(default_factory=list)
    possible: list[Span] = field(default_factory=list)
    """Places that ambiguous lines may have; they may overlap each other and the sure ones."""
    anywhere: list[str] = field(default_factory=list)
    """Normal forms of ambiguous lines that may stand wherever the corpus has them."""
    partial: list[Span] = field(default_factory=list)
    """Lines of which only a part was shown."""
    ambiguous: int = 0
    """Shown lines with more than one possible place: each has one source."""
    leftover: list[str] = field(default_factory=list)
    """Shown lines, in order, that are no line of the corpus as they stand."""

    def add(self, path: str, first: int, last: int) -> None:
        """Place lines surely."""
        self.sure.append(Span(path, first, last))

    def allow(self, spans: Iterable[Span], shown: int) -> None:
        """Place so many shown lines at the upper end only."""
        self.possible += spans
        self.ambiguous += shown

    def join(self, other: Placement) -> None:
        """Add what another part of the same output shows."""
        self.sure += other.sure
        self.possible += other.possible
        self.anywhere += other.anywhere
        self.partial += other.partial
        self.ambiguous += other.ambiguous
        self.leftover += other.leftover

    def doubt(self) -> None:
        """Count all that is sure at the upper end only."""
        self.allow(self.sure, sum(span.last - span.first + 1 for span in self.sure))
        self.sure = []

    def doubt_lines(self, lines: Mapping[str, Sequence[int]]) -> None:
        """Count some lines (ascending, by file) at the upper end only."""
        if not lines:
            return
        sure, self.sure = self.sure, []
        for path, first, last in sure:
            known = lines.get(path, ())
            doubted = known[bisect_left(known, first) : bisect_right(known, last)]
            start = first
            for number in doubted:
                if number > start:
                    self.add(path, start, number - 1)
                self.allow((Span(path, number, number),), 1)
                start = number + 1
            if start <= last:
                self.add(path, start, last)


def spots(spans: Iterable[Span]) -> set[LinePlace]:
    """Spans line by line."""
    return {LinePlace(path, n) for path, first, last in spans for n in range(first, last + 1)}
