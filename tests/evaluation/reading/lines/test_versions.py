"""Files that change while they are read."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.reading.context import (
    MAIN,
    ContextLog,
    ContextText,
    FinalResponse,
    Thread,
    ToolOutput,
)
from evaluation.reading.engine import measure
from evaluation.reading.lines.versions import moved
from generators.lines import CorpusIndex

TOOLS = {"Read": ToolOutput(path_argument="path", number=re.compile(r"(?P<n>\d+)\t"))}
OLDER = "title\nsame\nsame\nthe end\nold line\n"
NEWER = "title\nsame\nmore\nsame\nsame\nthe end\n"


def read(shown: str, older: list[str]) -> set[int]:
    text = ContextText(MAIN, 1, "t1", "Read", {"path": "a"}, shown)
    log = ContextLog((Thread(MAIN, "main"),), (text,), FinalResponse("done", 1))
    index = CorpusIndex.of({"a": NEWER, "b": "same\n"}, {"a": older})
    return set(measure(log, TOOLS, index).union.of("a").sure)


def test_a_line_of_an_older_version_counts_where_it_stands_now() -> None:
    assert read("3\tsame\n4\tthe end\n5\told line\n", [OLDER]) == {5, 6}


def test_without_the_older_version_a_repeated_line_has_no_place() -> None:
    assert read("3\tsame\n", []) == set()


def test_the_latest_version_that_has_the_line_decides() -> None:
    between = "title\nmore\nsame\nsame\nsame\nthe end\n"
    assert read("3\tsame\n", [OLDER]) == {5}
    assert read("3\tsame\n", [between, OLDER]) == {4}


@pytest.mark.parametrize(
    ("older", "newer", "expected"),
    [
        pytest.param("a b c", "a b c", {1: 1, 2: 2, 3: 3}, id="equal"),
        pytest.param("a x x b", "a b x x", {1: 1, 4: 2}, id="moved lines that are not unique"),
        pytest.param("x x", "x y x", {1: 1, 2: 3}, id="from both ends"),
        pytest.param("a b c d", "c d a b", {3: 1, 4: 2}, id="moved: one order of two"),
        pytest.param("", "a", {}, id="nothing before"),
        pytest.param("a", "", {}, id="nothing now"),
    ],
)
def test_lines_are_followed_from_version_to_version(
    older: str, newer: str, expected: dict[int, int]
) -> None:
    assert moved(older.split(), newer.split()) == expected


LINES = st.lists(st.sampled_from("abcdxy"), max_size=9)


@given(LINES, LINES)
def test_a_line_is_followed_to_an_equal_one_and_in_order(
    older: list[str], newer: list[str]
) -> None:
    found = moved(older, newer)
    assert all(older[one - 1] == newer[other - 1] for one, other in found.items())
    ordered = [found[one] for one in sorted(found)]
    assert ordered == sorted(set(ordered))
