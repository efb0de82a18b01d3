"""Where the lines of one tool result stand, as runs of lines of files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import NamedTuple

from generators.lines import LinePlace


class Span(NamedTuple):
    """Lines of one file that follow each other, both ends in, counted from 1."""

    path: str
    first: int
    last: int


def single_lines(paths: Iterable[str], numbers: Sequence[int]) -> list[Span]:
    """Spans of one line each, made without a call of Python for each."""
    return list(map(tuple.__new__, repeat(Span), zip(paths, numbers, numbers, strict=False)))


class Fit(NamedTuple):
    """Shown lines with more than one possible place, and all the places that they may have."""

    spans: tuple[Span, ...]
    shown: int
    """So many lines were shown: at most so many of these places are theirs."""
    texts: tuple[str, ...] = ()
    """Their normal forms, where the places have a text more often than it was shown."""


class Place(NamedTuple):
    """Lines that were shown, and the file in which they stand."""

    path: str
    texts: tuple[str, ...]


class Unplaced(NamedTuple):
    """A shown line without a place."""

    behind: int
    """So many lines are left over before it."""
    text: str


@dataclass(slots=True)
class Placement:
    """Filled while placing, then only read."""

    sure: list[Span] = field(default_factory=list)
    possible: list[Span] = field(default_factory=list)
    """Places that ambiguous lines may have; they may overlap each other and the sure ones."""
    fits: list[Fit] = field(default_factory=list)
    """The same places, with how many lines were shown for them."""
    anywhere: list[str] = field(default_factory=list)
    """Normal forms of ambiguous lines that may stand wherever the corpus has them, one for each
    shown line (two where it may be read in two ways)."""
    partial: list[Span] = field(default_factory=list)
    """Lines of which only a part was shown."""
    ambiguous: int = 0
    """Shown lines with more than one possible place: each has one source."""
    leftover: list[str] = field(default_factory=list)
    """Shown lines, in order, that are no line of the corpus as they stand."""
    short: int = 0
    """Shown blank and short lines without a place."""
    unplaced: list[Unplaced] = field(default_factory=list)
    """Shown lines that look like lines of the corpus, and of which nobody can tell where they
    stand, in order."""
    repeated: dict[Place, Fit] = field(default_factory=dict, compare=False, repr=False)
    """Shown lines whose places are asked for again and again."""
    is_noise: bool = False
    """None of what is left over shows a line of the corpus in any way: see noise.py."""

    def remains(self) -> list[str]:
        """Shown lines, in order, that have no place: they may be others in another shape."""
        if not self.unplaced:
            return self.leftover
        found: list[str] = []
        reached = 0
        for behind, text in self.unplaced:
            found += self.leftover[reached:behind]
            found.append(text)
            reached = behind
        return found + self.leftover[reached:]

    def add(self, path: str, first: int, last: int) -> None:
        """Place lines surely."""
        self.sure.append(Span(path, first, last))

    def allow(self, spans: Iterable[Span], shown: int, texts: Iterable[str] = ()) -> None:
        """Place so many shown lines at the upper end only, `texts` of them if that tells more."""
        fit = Fit(tuple(spans), shown, tuple(texts))
        self.fits.append(fit)
        self.possible += fit.spans
        self.ambiguous += shown

    def allow_again(self, place: Place) -> bool:
        """Place lines as equal ones were placed before; false where there were none."""
        fit = self.repeated.get(place)
        if fit is not None:
            self.fits.append(fit)
            self.ambiguous += fit.shown
        return fit is not None

    def scatter(self, texts: Iterable[str]) -> None:
        """Place shown lines at the upper end only, wherever the corpus has them."""
        before = len(self.anywhere)
        self.anywhere += texts
        self.ambiguous += len(self.anywhere) - before

    def join(self, other: Placement) -> None:
        """Add what another part of the same output shows."""
        self.sure += other.sure
        self.possible += other.possible
        self.fits += other.fits
        self.anywhere += other.anywhere
        self.partial += other.partial
        self.ambiguous += other.ambiguous
        self.short += other.short
        behind = len(self.leftover)
        self.unplaced += [Unplaced(behind + one.behind, one.text) for one in other.unplaced]
        self.leftover += other.leftover

    def is_all_of(self, path: str) -> bool:
        """Whether every shown line that has weight stands surely in one file."""
        if self.leftover or self.ambiguous or self.partial:
            return False
        return all(span.path == path for span in self.sure)

    def doubt(self) -> None:
        """Count all that is sure at the upper end only."""
        self.allow(self.sure, sum(span.last - span.first + 1 for span in self.sure))
        self.sure = []


def merged(spans: Iterable[Span]) -> list[Span]:
    """Spans of which none goes on where the one before it ended."""
    found: list[Span] = []
    for span in spans:
        if found and (found[-1].path, found[-1].last + 1) == (span.path, span.first):
            found[-1] = Span(span.path, found[-1].first, span.last)
        else:
            found.append(span)
    return found


def common_to(placements: Sequence[Placement]) -> Placement:
    """What is surely so in all of several ways to place one output; the rest may be."""
    sure = set.intersection(*(spots(one.sure) for one in placements))
    result = Placement(leftover=placements[0].leftover, unplaced=placements[0].unplaced)
    fits: Counter[Fit] = Counter()
    anywhere: Counter[str] = Counter()
    for one in placements:
        spare = sorted(spots(one.sure) - sure, key=_pair)
        spans = tuple(Span(spot.path, spot.line, spot.line) for spot in spare)
        result.possible += [*spans, *one.possible]
        # What every way has, was shown once.
        fits |= Counter([*one.fits, Fit(spans, len(spans))])
        anywhere |= Counter(one.anywhere)
        result.partial += one.partial
        result.ambiguous = max(result.ambiguous, len(spare) + one.ambiguous)
        result.short = max(result.short, one.short)
    result.fits, result.anywhere = list(fits.elements()), list(anywhere.elements())
    result.sure = [Span(one.path, one.line, one.line) for one in sorted(sure, key=_pair)]
    return result


def _pair(spot: LinePlace) -> tuple[str, int]:
    return spot.path, spot.line


def spots(spans: Iterable[Span]) -> set[LinePlace]:
    """Spans line by line."""
    return {LinePlace(path, n) for path, first, last in spans for n in range(first, last + 1)}
