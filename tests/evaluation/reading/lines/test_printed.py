"""The page of a file has each of its lines, whatever stands at their ends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.reading.lines.printed import Printed
from generators.lines import CorpusIndex, split_lines
from tests.evaluation.reading.commands import read_both_ways


@given(st.text(alphabet="a\ufeff\r\n\t \u2028\f", max_size=8))
def test_a_page_has_as_many_lines_as_its_file(text: str) -> None:
    page = Printed(CorpusIndex.of({"a.md": text})).bare("a.md")
    assert len(page.starts) - 1 == len(page.lines) == len(split_lines(text))


@pytest.mark.parametrize("command", ["cat a.md; cat b.md", "ls none; cat a.md b.md | head -5"])
def test_a_file_of_a_byte_order_mark_alone_is_printed(command: str) -> None:
    index = CorpusIndex.of({"a.md": "\ufeff", "b.md": "only here\n"})
    found = read_both_ways(command, "\ufeffonly here\n", index)
    assert found.of("b.md").sure == {1}
