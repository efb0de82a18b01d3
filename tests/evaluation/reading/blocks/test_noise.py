"""What is called noise shows no line: every other way to look at it finds none either."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.reading.blocks.noise import Noise
from evaluation.reading.context import ToolOutput
from evaluation.reading.engine import Reading, ThreadReading, measure
from generators.lines import CorpusIndex, normal_form, split_lines
from tests.evaluation.reading.commands import SHELL, log_of

TEXTS = {
    "src/shop.py": "def total(basket):\n\tgoods = sum(basket)\n    return goods\n}\n\nelse:\n",
    "src/codes.txt": "2026-11-30 07:15\n80.5 4417 12\n",
    "name.md": "Caf\u00e9 opens late\n",
}
INDEX = CorpusIndex.of(TEXTS)
LOG = "12:01 INFO goods moved from basket 7 in 0.2 s\n12:02 WARN retry of total 81 (3 left)\n"


def is_noise(text: str, index: CorpusIndex = INDEX) -> bool:
    return Noise(index).is_noise(text, list(map(normal_form, split_lines(text))))


def read(text: str, index: CorpusIndex, *, by_blocks: bool) -> Reading:
    log = log_of("make check", text)
    return measure(log, {SHELL: ToolOutput()}, index, by_blocks=by_blocks)


def test_a_log_that_uses_words_of_files_is_noise() -> None:
    assert is_noise(LOG)
    assert read(LOG, INDEX, by_blocks=False).union == ThreadReading({})


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("    return goods", id="as it stands"),
        pytest.param("3:    return goods", id="with its number"),
        pytest.param("     3\t    return goods", id="numbered by cat"),
        pytest.param("7return goods", id="right behind a digit"),
        pytest.param("| return goods |", id="in a frame"),
        pytest.param("+    return goods", id="in a diff"),
        pytest.param("def the total of a basket", id="word by word in another shape"),
        pytest.param("at 2026-11-30 07:15", id="a line without letters"),
        pytest.param("}", id="a short one"),
        pytest.param("4:}", id="a short one with its number"),
        pytest.param("", id="a blank one"),
        pytest.param("> else: <", id="a line of one word"),
        pytest.param("src/shop.py:4:}", id="a short one under its path"),
        pytest.param("src/shop.py\n4:x", id="a heading and a number"),
        pytest.param("@@ -4,1 +4,1 @@", id="a place of a diff"),
        pytest.param("1f3a99c (A B 2026-11-30 07:15:01 +0000 4) x", id="a blamed line"),
        pytest.param('"x\\n    return goods\\n"', id="inside of JSON"),
        pytest.param("CafM-CM-) opens late$", id="in carets"),
        pytest.param("Caf\u00e9 opens late", id="other letters than ASCII"),
        pytest.param("    return ... 3 lines omitted ... goods", id="with its middle left out"),
    ],
)
def test_a_text_that_may_show_a_line_is_no_noise(line: str) -> None:
    assert not is_noise(f"{LOG}{line}\n")


@pytest.mark.parametrize("text", ["7} a b c\n", "at a, b or c\n", "4 2, 1\n"])
def test_a_light_line_of_enough_words_may_be_shown_in_another_shape(text: str) -> None:
    index = CorpusIndex.of({"a.md": "} a b c\n4 2 1\n"})
    assert not is_noise(text, index)
    assert read(text, index, by_blocks=False).union.files


WORDS = st.sampled_from(("ab", "cdef", "ghij", "k9", "42", "2026", "x", "def", "}"))
SPACES = st.sampled_from((" ", "  ", "\t", ": ", "-", " = "))


@st.composite
def lines(draw: st.DrawFn) -> str:
    words = draw(st.lists(WORDS, min_size=0, max_size=5))
    return "".join(f"{word}{draw(SPACES)}" for word in words).rstrip()


FRAMES = ("{}", "{}", "7{}", "| {}", "3:{}", " 12\t{}", "+{}", "{} $", "a.md:2:{}", "L{}: x", "x{}")


@st.composite
def outputs(draw: st.DrawFn, known: list[str]) -> str:
    shown = [
        draw(st.sampled_from(FRAMES)).format(draw(st.one_of(st.sampled_from(known), lines())))
        for _ in range(draw(st.integers(1, 5)))
    ]
    return "\n".join(shown)


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_noise_shows_nothing_line_by_line(data: st.DataObject) -> None:
    known = data.draw(st.lists(lines(), min_size=1, max_size=6))
    index = CorpusIndex.of({"a.md": "\n".join(known) + "\n", "d/b.md": "ghij cdef ab\n"})
    text = data.draw(outputs(known))
    if is_noise(text, index):
        assert read(text, index, by_blocks=False).union == ThreadReading({})


@pytest.mark.parametrize("line", ["total 9", "3:    return goods"])
def test_an_output_is_the_same_once_noise_is_known(line: str) -> None:
    index = CorpusIndex.of(TEXTS)
    first = read(f"{LOG}{line}\n", index, by_blocks=True)
    for _ in range(9):
        read(LOG, index, by_blocks=True)
    assert read(f"{LOG}{line}\n", index, by_blocks=True) == first
