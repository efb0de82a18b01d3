from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest

from authoring.spec import Position
from generators.services.arranging import DRAWS, Wish, settled, wish

LINES = [f"line {number}" for number in range(9)]


def shuffled(seed: int, lines: list[str]) -> Callable[[], str]:
    source = random.Random(seed)
    return lambda: "\n".join(source.sample(lines, len(lines))) + "\n"


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("third", "places"), [("early", {0, 1, 2}), ("late", {6, 7, 8})])
def test_what_is_wished_for_stands_in_its_third(
    seed: int, third: Position, places: set[int]
) -> None:
    text = settled(shuffled(seed, LINES), [Wish(re.compile("line 4"), third)])
    assert text.split("\n").index("line 4") in places


def test_several_wishes_are_granted_together() -> None:
    wishes = [wish("line 0", 0), wish("line 1", 0, 1), wish("line 2", 0, 2)]
    lines = settled(shuffled(0, LINES), wishes).split("\n")
    assert [lines.index(f"line {number}") // 3 for number in range(3)] == [0, 1, 2]


def test_of_several_lines_one_in_the_third_will_do() -> None:
    text = "a\nb\nb\nc\nc\nb\n"
    drawn = iter([text, "never\n"])
    assert settled(lambda: next(drawn), [wish("b", 2)]) == text


def test_the_nearest_is_taken_where_no_order_will_do() -> None:
    texts = ["x\na\na\na\na\na\n", "a\na\nx\na\na\na\n", "a\nx\na\na\na\na\n"]
    source = iter(texts * DRAWS)
    assert settled(lambda: next(source), [wish("x", 2)]) == texts[1]


def test_a_wish_for_what_is_not_there_is_no_wish() -> None:
    drawn = iter(["a\n", "b\n"])
    assert settled(lambda: next(drawn), [wish("z", 0)]) == "a\n"


def test_thirds_go_round() -> None:
    assert [wish("x", turn, 2).third for turn in range(3)] == ["late", "early", "middle"]
