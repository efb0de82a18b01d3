"""Exact chances of things at random places: no approximation, so that small builds count too."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import comb


def inclusion(files: int, taken: int, wanted: int) -> float:
    """The chance that so many given files are among those taken at random: hypergeometric."""
    if wanted > taken:
        return 0.0
    return comb(files - wanted, taken - wanted) / comb(files, taken)


def count_chances(chances: Iterable[float]) -> list[float]:
    """How likely 0, 1, 2, … of some independent events are: Poisson binomial."""
    result = [1.0]
    for chance in chances:
        shifted = [0.0, *(chance * p for p in result)]
        result = [(1 - chance) * p + s for p, s in zip([*result, 0.0], shifted, strict=True)]
    return result


def at_least(chances: Sequence[float], count: int) -> float:
    """The chance of so many events or more."""
    return sum(count_chances(chances)[count:])


def occupied_chances(files: int, sizes: Iterable[int]) -> list[float]:
    """How likely it is that 0, 1, 2, … files are taken by some sets of files, each at random.

    `sizes`: how many files each set has. A set takes new files and files that others took before as
    the hypergeometric distribution says; one file a set is the classical occupancy problem.
    """
    result = [1.0] + [0.0] * files
    for size in sizes:
        after = [0.0] * (files + 1)
        for occupied, chance in enumerate(result):
            for new in range(min(size, files - occupied) + 1):
                ways = comb(files - occupied, new) * comb(occupied, size - new)
                after[occupied + new] += chance * (ways / comb(files, size))
        result = after
    return result


def least_likely_within(chances: Sequence[float], level: float) -> int:
    """The smallest outcome that, with all below it, has at least this chance."""
    total = 0.0
    for outcome, chance in enumerate(chances):
        total += chance
        if total >= level:
            return outcome
    return len(chances) - 1


def most_likely_within(chances: Sequence[float], level: float) -> int:
    """The largest outcome that, with all above it, has at least this chance."""
    return len(chances) - 1 - least_likely_within(chances[::-1], level)
