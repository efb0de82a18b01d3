"""What tools put around file text: heads, footers, and lines that name the file below them."""

from __future__ import annotations

import re

import pytest

from evaluation.reading.context import ContextText, ToolOutput
from evaluation.reading.lines.paths import PathResolver
from evaluation.reading.lines.placement import spots as spots_of
from evaluation.reading.lines.shown import shown_lines
from evaluation.reading.placing.line_by_line import place
from generators.lines import CorpusIndex

TEXTS = {
    "a.txt": "alpha one\n\n<end>\nsame words\n",
    "b.txt": "beta one\nsame words\nan unusually long line of many words\n",
}
INDEX = CorpusIndex.of(TEXTS)
FRAMED = ToolOutput(
    number=re.compile(r"(?P<n>\d+): "),
    added=re.compile(r"\A<start>\n|\n\n\(total \d+\)\n<end>\Z"),
)
HEADED = ToolOutput(
    number=re.compile(r"  Line (?P<n>\d+): "), heading=re.compile(r"(?P<path>/.*):")
)


def sure(shown: str, tool: ToolOutput) -> dict[str, list[int]]:
    text = ContextText("main", 1, "t1", "tool", {"path": "b.txt"}, shown)
    lines = shown_lines(text, tool, INDEX, PathResolver(TEXTS))
    spots = spots_of(place(lines, frozenset(), INDEX).sure)
    return {
        path: numbers
        for path in TEXTS
        if (numbers := sorted(spot.line for spot in spots if spot.path == path))
    }


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        pytest.param("<start>\nalpha one\n\n(total 4)\n<end>", {"a.txt": [1]}, id="both ends"),
        pytest.param("alpha one\n\n<end>", {"a.txt": [1, 2, 3]}, id="the file's own line"),
        pytest.param("beta one\n<start>\nx", {"b.txt": [1]}, id="a head that is none"),
    ],
)
def test_heads_and_footers_are_no_lines_of_a_file(
    shown: str, expected: dict[str, list[int]]
) -> None:
    assert sure(shown, FRAMED) == expected


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        pytest.param(
            "Found 2\n/x/a.txt:\n  Line 4: same words\n\n\n/x/b.txt:\n  Line 2: same words\n",
            {"a.txt": [4], "b.txt": [2]},
            id="the same line in two files",
        ),
        pytest.param("/x/b.txt:\nsame words", {"b.txt": [2]}, id="a line without a number"),
        pytest.param("/x/c.txt:\n  Line 4: same words", {}, id="a file that is none of these"),
        pytest.param("/x/a.txt:\n  Line 2: same words", {"a.txt": [4]}, id="a number of no use"),
    ],
)
def test_lines_are_those_of_the_file_named_above_them(
    shown: str, expected: dict[str, list[int]]
) -> None:
    assert sure(shown, HEADED) == expected


def test_a_line_that_a_tool_cut_is_partial() -> None:
    shown = "an unusually long line... (line truncated to 22 chars)"
    text = ContextText("main", 1, "t1", "tool", {}, f"3: {shown}")
    lines = shown_lines(text, FRAMED, INDEX, PathResolver(TEXTS))
    found = place(lines, frozenset({"b.txt"}), INDEX)
    assert (found.sure, {(one.path, one.first) for one in found.partial}) == (
        [],
        {("b.txt", 3)},
    )
