"""Ranks, ties and leads."""

from __future__ import annotations

import numpy as np
import pytest

from validation.shortcuts.ranking import Ranking, ordinal


def lines(*scores: float, touched: tuple[int, ...] = (0,)) -> Ranking:
    return Ranking.of_lines(np.array(scores, dtype=float), touched)


def test_the_highest_score_ranks_first() -> None:
    assert lines(5, 1, 2, 3).best([0]).rank == 1
    assert lines(2.5, 1, 2, 3).best([0]).rank == 2
    assert lines(0, 1, 2, 3).best([0]).rank == 4


def test_ties_share_the_middle_of_their_ranks() -> None:
    # With two others it shares ranks 2, 3 and 4.
    assert lines(2, 3, 2, 2, 1).best([0]).rank == 3


def test_a_search_that_cannot_tell_finds_nothing() -> None:
    assert lines(*[7.0] * 101).best([0]).rank == 51
    assert not lines(*[7.0] * 101).best([0]).stands_clear


def test_needles_do_not_push_each_other_down() -> None:
    ranking = lines(9, 8, 7, 1, 2, 3, touched=(0, 1, 2))
    assert [ranking.best([item]).rank for item in (0, 1, 2)] == [1, 1, 1]


def test_of_several_lines_the_first_one_counts() -> None:
    best = lines(0, 9, 1, 2, touched=(0, 1)).best([0, 1])
    assert (best.item, best.rank) == (1, 1)


def test_a_needle_without_a_line_stands_in_the_middle() -> None:
    best = lines(3, 1, 2, touched=()).best([])
    assert (best.item, best.rank) == (None, 2)


def test_a_line_stands_clear_when_its_lead_is_wider_than_the_spread_of_the_next_ones() -> None:
    # Of nine others three count: 10, 9, 8; their spread is 2.
    others = (1, 2, 3, 4, 5, 6, 8, 9, 10)
    assert lines(12.5, *others).best([0]).stands_clear
    assert not lines(12, *others).best([0]).stands_clear


def test_blank_lines_say_nothing_of_the_spread() -> None:
    assert lines(5, 1, 1, 1, 1, *[-np.inf] * 60).best([0]).stands_clear
    assert not lines(5, *[-np.inf] * 60).best([0]).stands_clear


def test_a_file_is_ranked_among_all_files() -> None:
    ranking = Ranking.of_files(np.array([4.0, 9.0, 9.0, 1.0]))
    assert [ranking.best([file]).rank for file in range(4)] == [3, 1.5, 1.5, 4]


def test_a_file_stands_clear_when_it_leads_by_more_than_the_better_half_differs() -> None:
    # Of the five others three are within the better half: 30, 20, 20; their spread is 10.
    assert Ranking.of_files(np.array([41.0, 30, 20, 20, 5, 4])).best([0]).stands_clear
    assert not Ranking.of_files(np.array([40.0, 30, 20, 20, 5, 4])).best([0]).stands_clear


def test_an_only_file_stands_clear_of_nothing() -> None:
    assert not Ranking.of_files(np.array([4.0])).best([0]).stands_clear


@pytest.mark.parametrize(
    ("rank", "words"),
    [(1, "first"), (2, "2nd"), (3, "3rd"), (11, "11th"), (22, "22nd"), (3102, "3,102nd")],
)
def test_ranks_are_said_as_people_say_them(rank: float, words: str) -> None:
    assert ordinal(rank) == words


def test_the_middle_of_ties_is_said_as_the_rank_after_it() -> None:
    assert ordinal(2.5) == "3rd"
