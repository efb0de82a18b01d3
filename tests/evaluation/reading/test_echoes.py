"""What a model wrote itself is not surely read where a command prints it."""

from __future__ import annotations

import pytest

from evaluation.reading.context import MAIN, ContextText
from evaluation.reading.echoes import Echoes
from generators.lines import CorpusIndex

INDEX = CorpusIndex.of(
    {
        "a.md": "The fee is due.\n\treturn the_fee\nfee\n- one: two\nThe fee is due.\n",
        "b.md": "The fee is due in May.\n",
    }
)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        pytest.param("echo 'The fee is due.'", {"a.md": [1, 5]}, id="in quotes"),
        pytest.param("printf 'x\\nThe fee is due.\\n'", {"a.md": [1, 5]}, id="after an escape"),
        pytest.param("x\n\treturn the_fee\n", {"a.md": [2]}, id="indented alike"),
        pytest.param("return the_fee", {}, id="not indented"),
        pytest.param("The fee is dues.", {}, id="part of a word"),
        pytest.param("The fee is due in May.", {"b.md": [1]}, id="a longer line"),
        pytest.param("a fee, the fee", {}, id="fewer than four letters"),
        pytest.param("note - one: two", {"a.md": [4]}, id="with what stands before its words"),
        pytest.param("note one: two", {}, id="without it"),
    ],
)
def test_weighty_lines_that_stand_in_a_call_are_echoes(
    written: str, expected: dict[str, list[int]]
) -> None:
    text = ContextText(MAIN, 1, "t1", "Shell", {"command": ["x", {"y": written}]}, "")
    assert Echoes([text], INDEX).lines == expected
