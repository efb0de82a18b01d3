"""Files that changed while they were read: an older line that still stands counts where it stands.

Prevents a line read before an edit above it from being taken for the one that has its number now.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from generators.lines import CorpusIndex


class Versions:
    """Where lines of older versions stand now. Looked for when a printed number does not fit."""

    def __init__(self, index: CorpusIndex) -> None:
        self._index = index
        self._moved: dict[tuple[str, int], dict[int, int]] = {}

    def now(self, path: str, number: int, text: str) -> int | None:
        """The line that had this number and text in the latest version that had it."""
        for version, lines in enumerate(self._index.older.get(path, ())):
            if not (1 <= number <= len(lines) and lines[number - 1] == text):
                continue
            if (path, version) not in self._moved:
                self._moved[path, version] = moved(lines, self._index.files[path])
            found = self._moved[path, version].get(number)
            if found is not None:
                return found
        return None


class _Pair(NamedTuple):
    """Two places, counted from 0, of one line in two versions."""

    older: int
    newer: int


def moved(older: Sequence[str], newer: Sequence[str]) -> dict[int, int]:
    """Which line each older line is now: around lines that stand once in both, in order, and from
    the ends of the file inwards, for as long as the lines are equal."""
    anchors = _anchors(older, newer)
    found = {one.older + 1: one.newer + 1 for one in anchors}
    fixed = [_Pair(-1, -1), *anchors, _Pair(len(older), len(newer))]
    for before, after in pairwise(fixed):
        one, other = before.older + 1, before.newer + 1
        last, other_last = after.older - 1, after.newer - 1
        while one <= last and other <= other_last and older[one] == newer[other]:
            one, other = one + 1, other + 1
            found[one] = other
        while one <= last and other <= other_last and older[last] == newer[other_last]:
            found[last + 1] = other_last + 1
            last, other_last = last - 1, other_last - 1
    return found


def _anchors(older: Sequence[str], newer: Sequence[str]) -> list[_Pair]:
    """Lines that stand once in both: the longest series of them that ascends in both."""
    once = {line for line, count in Counter(older).items() if count == 1}
    once &= {line for line, count in Counter(newer).items() if count == 1}
    where = {line: place for place, line in enumerate(newer) if line in once}
    pairs = [_Pair(place, where[line]) for place, line in enumerate(older) if line in once]
    ends: list[int] = []
    best: list[int] = []
    before: list[int] = []
    for place, pair in enumerate(pairs):
        length = bisect_left(ends, pair.newer)
        before.append(best[length - 1] if length else -1)
        ends[length : length + 1] = [pair.newer]
        best[length : length + 1] = [place]
    chain: list[_Pair] = []
    place = best[-1] if best else -1
    while place >= 0:
        chain.append(pairs[place])
        place = before[place]
    return chain[::-1]
