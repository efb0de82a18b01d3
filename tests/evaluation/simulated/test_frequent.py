"""Which words a reviewer searches for."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from evaluation.simulated.assignment import Assignment
from evaluation.simulated.frequent import choose_words

Assign = Callable[..., Assignment]


def drawn(run: Assignment) -> set[str]:
    """All words that any seed draws."""
    return {word for seed in range(30) for word in choose_words(run, random.Random(seed))}


def test_words_stand_in_half_of_the_files_and_in_few_of_their_lines(assign: Assign) -> None:
    """`says` and `token` are in most lines; `part`, and the words of one sentence, in few."""
    words = {"part", "this", "sentence", "stands", "every", "paper"}
    assert drawn(assign("sim/search-claims")) == words


@pytest.mark.parametrize("of_twelve", [4, 3])
def test_a_word_of_more_than_a_quarter_of_the_lines_is_not_taken(
    assign: Assign, texts: dict[str, str], of_twelve: int
) -> None:
    for path in texts:
        texts[path] = "zebra\n" * of_twelve + "1\n" * (12 - of_twelve)
    assert ("zebra" in drawn(assign("sim/search-claims"))) == (of_twelve == 3)


def test_three_words_are_drawn_by_seed(assign: Assign) -> None:
    run = assign("sim/search-claims")
    first = choose_words(run, random.Random(1))
    assert len(set(first)) == 3
    assert first == choose_words(run, random.Random(1))
    assert first != choose_words(run, random.Random(2))


@pytest.mark.parametrize("size", [1500, 1000])
def test_a_word_whose_lines_fill_one_result_is_not_taken(
    assign: Assign, texts: dict[str, str], size: int
) -> None:
    texts["papers/a.md"] += "zebra" * size + "\n" + "x\n" * 5
    for path in texts:
        texts[path] += "zebra " * 30 + "\n"
    assert ("zebra" in drawn(assign("sim/search-claims"))) == (size == 1000)


def test_capitals_and_longer_words_count_as_hits_of_a_word(
    assign: Assign, texts: dict[str, str]
) -> None:
    for path in texts:
        texts[path] += "yak yaks\n"
        texts[path] += "otter\n" + "Otters\nOTTERS\nx-otter-x\n" * 10
    assert not {"otter", "yak"} & drawn(assign("sim/search-claims"))


def test_where_no_word_is_in_many_files_those_in_most_are_taken(
    assign: Assign, texts: dict[str, str]
) -> None:
    for number, path in enumerate(texts):
        texts[path] = f"lone{'abcdefghijk'[number]}\nx\ny\nz\n" * 3
    texts["papers/a.md"] += "zebra\n"
    texts["papers/b.md"] += "zebra\n"
    assert "zebra" in drawn(assign("sim/search-claims"))


def test_a_corpus_without_words_is_not_searched(assign: Assign, texts: dict[str, str]) -> None:
    for path in texts:
        texts[path] = "1\n2\n3\n"
    assert choose_words(assign("sim/search-claims"), random.Random(1)) == ()
