"""Finding shown lines by plain search."""

from __future__ import annotations

import re

import pytest

from evaluation.simulated.recall import Runs, as_runs, find_lines, lines_of

FILE = ["a", "", "b", "same", "c", "same", "d"]
NUMBERED = "{n}\t{text}"


@pytest.mark.parametrize(
    ("shown", "first", "count", "expected"),
    [
        pytest.param("1\ta\n2\t\n3\tb\n4\tsame", None, None, ((1, 4),), id="a prefix"),
        pytest.param("6\tsame\n7\td\n8\t", 6, 3, ((6, 7),), id="a line number past the end"),
        pytest.param(
            "1\ta\n... 4 lines ...\n6\tsame\n7\td\n", None, None, ((1, 1), (6, 7)), id="gap"
        ),
        pytest.param("1\ta and more\n13\tb\n3\tb,", None, None, (), id="never a part of a line"),
        pytest.param("<note>\n1\ta\n2\t\n</note>", None, None, ((1, 2),), id="between wrappers"),
        pytest.param("7\td\n1\ta", None, None, ((1, 1),), id="out of order: the first in order"),
        pytest.param("1\ta\n2\t\n3\tb", 2, 1, ((2, 2),), id="nothing but what was asked for"),
        pytest.param("File does not exist.", None, None, (), id="an error in words"),
        pytest.param("", None, None, (), id="nothing"),
    ],
)
def test_a_line_is_returned_when_it_stands_whole_and_in_order(
    shown: str, first: int | None, count: int | None, expected: Runs
) -> None:
    assert find_lines(FILE, shown, NUMBERED, first, count) == expected


def test_repeated_lines_without_numbers_are_told_by_their_order() -> None:
    assert find_lines(FILE, "same\nc\nsame\n", "{text}", 4, 3) == ((4, 6),)


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        pytest.param("x\n}\ny<cut>z\n}\n", ((1, 2), (6, 6)), id="a later line like a missing one"),
        pytest.param("x\n}<cut>}\nz\n}\n", ((1, 1), (5, 6)), id="halves at the cut"),
        pytest.param("x\n<cut>\n}", ((1, 1), (6, 6)), id="a cut between lines"),
        pytest.param("x\n}\ny\n}\nz\n}\n", ((1, 6),), id="nothing is cut"),
    ],
)
def test_what_follows_a_cut_is_told_from_the_end(shown: str, expected: Runs) -> None:
    cut = re.compile("<cut>")
    assert find_lines(["x", "}", "y", "}", "z", "}"], shown, "{text}", None, None, cut) == expected


def test_the_end_of_a_bare_text_is_no_blank_line() -> None:
    assert find_lines(["a", "", "b"], "a\n", "{text}", None, None) == ((1, 1),)


def test_only_a_line_feed_ends_a_line() -> None:
    assert lines_of("a\u2028b\x0cc\x0bd\x85e\nf") == ["a\u2028b\x0cc\x0bd\x85e", "f"]
    assert lines_of("a\n\n") == ["a", ""]
    assert lines_of("") == []


def test_runs_hold_both_ends() -> None:
    assert as_runs([5, 1, 2, 3, 3, 7]) == ((1, 3), (5, 5), (7, 7))
