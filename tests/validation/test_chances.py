"""Exact chances, against every case counted out."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from math import prod

import pytest

from validation.chances import (
    at_least,
    count_chances,
    inclusion,
    least_likely_within,
    most_likely_within,
    occupied_chances,
)


@pytest.mark.parametrize("taken", range(6))
@pytest.mark.parametrize("wanted", range(4))
def test_given_files_are_among_those_taken_as_often_as_counted(taken: int, wanted: int) -> None:
    readings = list(combinations(range(5), taken))
    holding = [one for one in readings if set(range(wanted)) <= set(one)]
    assert inclusion(5, taken, wanted) == pytest.approx(len(holding) / len(readings))


def test_counts_of_independent_events_are_as_likely_as_counted() -> None:
    chances = (0.1, 0.5, 0.9, 1.0)
    counted = [0.0] * 5
    for outcome in product((False, True), repeat=4):
        counted[sum(outcome)] += prod(
            p if hit else 1 - p for p, hit in zip(chances, outcome, strict=True)
        )
    assert count_chances(chances) == pytest.approx(counted)
    assert at_least(chances, 2) == pytest.approx(sum(counted[2:]))
    assert at_least(chances, 5) == 0.0


@pytest.mark.parametrize("sizes", [(1, 1, 1), (2, 1), (2, 3, 1), (4,), ()])
def test_files_taken_by_random_sets_are_as_likely_as_counted(sizes: tuple[int, ...]) -> None:
    cases = list(product(*(list(combinations(range(4), size)) for size in sizes)))
    counted = Counter(len({file for one in case for file in one}) for case in cases)
    expected = [float(Fraction(counted[n], len(cases))) for n in range(5)]
    assert occupied_chances(4, sizes) == pytest.approx(expected)


def test_ends_of_what_is_likely() -> None:
    # Two coins: none, one, both in 1, 2, 1 of 4 cases.
    assert most_likely_within((0.25, 0.5, 0.25), 0.25) == 2
    assert most_likely_within((0.25, 0.5, 0.25), 0.26) == 1
    assert most_likely_within((0.25, 0.5, 0.25), 0.76) == 0
    assert least_likely_within((0.25, 0.5, 0.25), 0.25) == 0
    assert least_likely_within((0.25, 0.5, 0.25), 0.26) == 1
    assert least_likely_within((0.25, 0.5, 0.25), 0.76) == 2
