"""Ranks: 1 is what a search shows first.

A needle's line is ranked among the lines that no needle touched, so that needles do not push each
other down; files are ranked among all files. What scores alike shares the middle of its ranks: a
search that cannot tell anything apart puts all in the middle and finds nothing.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from validation.shortcuts.features import Scores

ENDINGS = {1: "st", 2: "nd", 3: "rd"}


class Best(NamedTuple):
    """The place of a needle that a search shows first."""

    item: int | None
    """Which line or file; None where the needle has none under review."""
    rank: float
    stands_clear: bool
    """Whether its lead is wider than what spreads the first of the others."""


@dataclass(frozen=True)
class Ranking:
    """The scores of a search in one corpus, and among which of them a needle is ranked."""

    scores: Scores
    """Of all lines or files."""
    beside: Scores
    """The scores that a needle is ranked among, ascending."""
    with_itself: bool
    """Whether the needle's own is one of them."""
    first_ones: int
    """How many of the others, from the first on, say how wide a lead may be by chance."""

    @classmethod
    def of_lines(cls, scores: Scores, touched: Collection[int]) -> Ranking:
        """Among the lines that no needle touched.

        As many lines as the square root of all say how wide a lead may be: of scores whose
        frequency falls off by a constant factor, as most here do, one more like the others stands
        clear of them with a chance of the power -3/2 of their number.
        """
        kept = np.ones(len(scores), dtype=bool)
        kept[list(touched)] = False
        beside = np.sort(scores[kept])
        filled = int(np.count_nonzero(np.isfinite(beside)))
        return cls(scores, beside, with_itself=False, first_ones=max(1, math.isqrt(filled)))

    @classmethod
    def of_files(cls, scores: Scores) -> Ranking:
        """Among all files; those above the median say how wide a lead may be."""
        return cls(scores, np.sort(scores), with_itself=True, first_ones=max(1, len(scores) // 2))

    def best(self, items: Iterable[int]) -> Best:
        """The first of a needle's places; the middle of all where it has none."""
        first = min(items, key=self._rank, default=None)
        if first is None:
            return Best(None, (len(self.scores) + 1) / 2, stands_clear=False)
        return Best(first, self._rank(first), self._stands_clear(first))

    def _rank(self, item: int) -> float:
        score = self.scores[item]
        below = int(np.searchsorted(self.beside, score, side="left"))
        up_to = int(np.searchsorted(self.beside, score, side="right"))
        alike = up_to - below - int(self.with_itself)
        return 1 + len(self.beside) - up_to + alike / 2

    def _stands_clear(self, item: int) -> bool:
        score = self.scores[item]
        first_ones = self.beside[-self.first_ones - int(self.with_itself) :]
        if self.with_itself:
            first_ones = np.delete(first_ones, np.searchsorted(first_ones, score))
        if not len(first_ones) or not np.isfinite(first_ones[0]):
            return False
        return bool(score - first_ones[-1] > first_ones[-1] - first_ones[0])


def ordinal(rank: float) -> str:
    """`first`, `2nd`, `3,102nd`; the middle of ties is rounded up."""
    whole = math.ceil(rank)
    if whole == 1:
        return "first"
    ending = "th" if whole % 100 in (11, 12, 13) else ENDINGS.get(whole % 10, "th")
    return f"{whole:,}{ending}"
