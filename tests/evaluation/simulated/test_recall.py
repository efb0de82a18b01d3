"""Finding shown lines by plain search."""

from __future__ import annotations

import re

import pytest

from evaluation.simulated.hands import GREP, Hits
from evaluation.simulated.recall import Runs, as_runs, find_hits, find_lines, lines_of

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
    assert find_lines(["a", "", "b"], "", "{text}", None, None) == ()


FILES = {"a.md": FILE, "b/c.md": ["a", "2:a", "same", "end  "]}
UNDER = Hits(("L{n}: {text}",), heading="File: {path}")


@pytest.mark.parametrize(
    ("shown", "hits", "expected"),
    [
        pytest.param("a.md:1:a\nb/c.md:1:a", GREP, {"a.md": "1", "b/c.md": "1"}, id="paths"),
        pytest.param("/top/b/c.md:3:same\n", GREP, {"b/c.md": "3"}, id="the folder before it"),
        pytest.param("/other/a.md:1:a\n", GREP, {}, id="another folder"),
        pytest.param("a.md-3-b\na.md:4:same\n--\n", GREP, {"a.md": "3 4"}, id="lines around"),
        pytest.param("a.md:1:a more\nx a.md:3:b\na.md:5:b", GREP, {}, id="no whole line"),
        pytest.param("b/c.md:2:2:a", GREP, {"b/c.md": "2"}, id="a line like a hit"),
        pytest.param("a.md:2:", GREP, {"a.md": "2"}, id="a blank line"),
        pytest.param("b/c.md:4:end", GREP, {"b/c.md": "4"}, id="without the spaces at its end"),
        pytest.param("a.md:1:a  ", GREP, {"a.md": "1"}, id="with spaces at its end"),
        pytest.param(
            "L1: a\nFile: a.md\nL3: b\n---\nFile: /top/b/c.md\nL1: a\nL5: c",
            UNDER,
            {"a.md": "3", "b/c.md": "1"},
            id="under headings",
        ),
        pytest.param("File: x.md\nL1: a", UNDER, {}, id="under a heading of no file"),
        pytest.param("No matches.", GREP, {}, id="words"),
        pytest.param("", UNDER, {}, id="nothing"),
    ],
)
def test_a_line_was_found_where_the_very_text_of_a_hit_stands(
    shown: str, hits: Hits, expected: dict[str, str]
) -> None:
    found = find_hits(FILES, shown, hits, "/top/")
    assert found == {path: as_runs(map(int, n.split())) for path, n in expected.items()}


def test_only_a_line_feed_ends_a_line() -> None:
    assert lines_of("a\u2028b\x0cc\x0bd\x85e\nf") == ["a\u2028b\x0cc\x0bd\x85e", "f"]
    assert lines_of("a\n\n") == ["a", ""]
    assert lines_of("") == []


def test_runs_hold_both_ends() -> None:
    assert as_runs([5, 1, 2, 3, 3, 7]) == ((1, 3), (5, 5), (7, 7))
