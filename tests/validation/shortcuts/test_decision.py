"""When a search, or a needle, fails the build; every number here was worked out by hand."""

from __future__ import annotations

import math

import pytest

from validation.shortcuts.decision import gives_away, holm, mcnemar, searches_that_fail
from validation.shortcuts.figures import NeedleRank, SearchFigures
from validation.shortcuts.ranking import Best
from validation.shortcuts.search import Unit


def searched(name: str, needles: int, only_planted: int, only_twin: int = 0) -> SearchFigures:
    row = NeedleRank(
        needle="x",
        planted=1,
        twin=500,
        path="a.txt",
        line=1,
        stands_clear=False,
        only_planted=False,
        given_away=False,
    )
    return SearchFigures(
        name=name,
        does="Ranks.",
        unit="lines",
        ranked=1000,
        budget=20,
        found_planted=only_planted,
        found_twin=only_twin,
        found_only_planted=only_planted,
        found_only_twin=only_twin,
        p=mcnemar(only_planted, only_twin) if needles >= 30 else None,
        needles=(row,) * needles,
    )


@pytest.mark.parametrize(
    ("needles", "found", "fails"),
    [
        pytest.param(4, 3, False, id="three of four: too few to be sure"),
        pytest.param(4, 4, True, id="four of four"),
        pytest.param(15, 4, True, id="four of fifteen: more than a quarter"),
        pytest.param(16, 4, False, id="four of sixteen: a quarter"),
        pytest.param(20, 6, True, id="six of twenty"),
    ],
)
def test_a_search_fails_that_finds_more_than_a_quarter_and_at_least_four(
    needles: int, found: int, fails: bool
) -> None:
    assert bool(searches_that_fail([searched("size", needles, found)])) is fails


@pytest.mark.parametrize(
    ("only_planted", "only_twin", "p"),
    [(0, 0, 1), (1, 0, 1 / 2), (5, 0, 1 / 32), (5, 1, 7 / 64), (1, 1, 3 / 4), (0, 3, 1)],
)
def test_mcnemar_is_a_sign_test_on_what_differs(
    only_planted: int, only_twin: int, p: float
) -> None:
    assert mcnemar(only_planted, only_twin) == p


def test_holm_compares_the_smallest_with_the_strictest_level() -> None:
    # 0.05 / 3 = 0.0167, 0.05 / 2 = 0.025, 0.05: the second fails, and so the third is not tried.
    assert holm({"a": 0.01, "b": 0.03, "c": 0.04}) == {"a"}
    assert holm({"a": 0.01, "b": 0.02, "c": 0.04}) == {"a", "b", "c"}
    assert holm({}) == frozenset()


def test_from_thirty_needles_on_a_smaller_share_fails_when_it_is_significant() -> None:
    # Seven of forty are less than a quarter; 1/128 is below 0.05 / 2.
    assert searches_that_fail([searched("size", 40, 7), searched("name", 40, 1)])[0].name == "size"
    assert not searches_that_fail([searched("size", 40, 7, only_twin=3)])
    assert not searches_that_fail([searched("size", 29, 7)])


def test_searches_that_tell_nothing_apart_do_not_weigh_in_holm() -> None:
    silent = [searched(f"word {index}", 40, 0) for index in range(50)]
    assert [one.name for one in searches_that_fail([*silent, searched("size", 40, 6)])] == ["size"]


def best(rank: float, *, clear: bool = False) -> Best:
    return Best(7, rank, stands_clear=clear)


NO_LUCK = 0.001
GIVES_AWAY: dict[str, tuple[Unit, Best, Best, float, bool]] = {
    "third line of many": ("lines", best(3), best(90), NO_LUCK, True),
    "fourth line": ("lines", best(3.5), best(90), NO_LUCK, False),
    "its twin is among the first three": ("lines", best(1), best(3), NO_LUCK, False),
    "first by luck": ("lines", best(1), best(90), 0.09, False),
    "second by luck": ("lines", best(2), best(90), 0.05, False),
    "far ahead in a small corpus": ("lines", best(1, clear=True), best(90), 0.5, True),
    "a word that stands elsewhere too": ("lines", best(1.5), best(90), math.inf, False),
    "first file by far": ("files", best(1, clear=True), best(2), math.inf, True),
    "first file by a byte": ("files", best(1), best(2), math.inf, False),
    "second file": ("files", best(2), best(9), math.inf, False),
    "first file, as in the twin": ("files", best(1, clear=True), best(1), math.inf, False),
}


@pytest.mark.parametrize(
    ("unit", "planted", "twin", "luck", "fails"), GIVES_AWAY.values(), ids=list(GIVES_AWAY)
)
def test_a_needle_fails_alone_when_a_search_surely_shows_it_first(
    unit: Unit, planted: Best, twin: Best, luck: float, fails: bool
) -> None:
    assert gives_away(unit, planted, twin, luck) is fails
