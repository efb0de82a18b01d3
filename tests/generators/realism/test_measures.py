from __future__ import annotations

import gzip
import random

import pytest

from generators.realism.measures import (
    Quartiles,
    distinct_grams,
    file_lengths,
    gzip_ratio,
    line_lengths,
    part_of,
    percentile,
    quartiles,
    repeated_lines,
    size_of,
)


def test_lines_that_occur_again_are_counted_over_all_files_each_time_they_occur() -> None:
    texts = ["a\nb\n\n\nc\n", "a   \nd\n\n"]
    assert repeated_lines(texts) == 2 / 5
    assert repeated_lines(["\n\n"]) == 0


def test_a_run_of_four_words_is_distinct_once() -> None:
    # one two three four | two three four one | three four one two | four one two three | again
    assert distinct_grams(["One two, three four.\nOne two three four"]) == 4 / 5
    assert distinct_grams(["one two three", "four five six"]) == 1


def test_quartiles_are_by_nearest_rank() -> None:
    assert quartiles([5]) == Quartiles(5, 5, 5, 5, 5)
    assert quartiles([8, 1, 4, 2]) == Quartiles(1, 1, 2, 4, 8)
    assert percentile([float(n) for n in range(1, 101)], 0.95) == 95
    assert percentile([0.2, 0.1], 0.95) == 0.2


def test_lengths_are_of_lines_with_text_and_of_all_lines_of_a_file() -> None:
    texts = ["abc\n\n  \nde", "f\n"]
    assert line_lengths(texts) == [3, 2, 1]
    assert file_lengths(texts) == [4, 1]
    assert size_of(["é\n"]) == 3


def test_the_gzip_ratio_is_the_mean_over_samples_of_one_length() -> None:
    noise = random.Random(1).randbytes(500).hex()
    flat = "a" * 1000
    expected = [len(gzip.compress(text.encode())) / 1000 for text in (noise, flat)]
    assert gzip_ratio([noise], 1000) == pytest.approx(expected[0])
    assert gzip_ratio([noise, flat], 1000) == pytest.approx(sum(expected) / 2)
    # What does not fill a sample is left out.
    assert gzip_ratio([noise, "b" * 999], 1000) == pytest.approx(expected[0])


def test_a_part_is_the_same_share_of_every_text_in_whole_lines() -> None:
    texts = ["".join(f"{n}\n" for n in range(8)), "abc\nd\n\n\ne\n"]
    assert part_of(texts, 26) == texts
    assert part_of(texts, 13) == ["0\n1\n2\n3\n", "abc\n"]
    assert part_of(["no end"], 100) == ["no end\n"]
