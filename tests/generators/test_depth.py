from __future__ import annotations

import pytest

from authoring.spec import POSITIONS, Position
from generators.depth import distance, line_at_depth, third_of


@pytest.mark.parametrize("count", range(12))
def test_the_thirds_hold_every_index_once(count: int) -> None:
    assert [i for position in POSITIONS for i in third_of(count, position)] == list(range(count))


@pytest.mark.parametrize(
    ("line", "position", "expected"),
    [
        (1, "early", 0),
        (10, "early", 0),
        (11, "early", 1),
        (30, "early", 20),
        (10, "middle", 1),
        (11, "middle", 0),
        (21, "middle", 1),
        (1, "late", 20),
        (21, "late", 0),
        (30, "late", 0),
    ],
)
def test_a_line_is_so_far_from_a_third_of_thirty(
    line: int, position: Position, expected: int
) -> None:
    assert distance(line, 30, position) == expected


def test_a_line_of_the_wanted_third_is_chosen_else_the_nearest() -> None:
    lines = [f"line {number}" for number in range(30)]
    assert line_at_depth(lines, [2, 15, 28], "middle") == 15
    assert line_at_depth(lines, [2, 9], "late") == 9
    assert line_at_depth(lines, [10, 21], "middle") == 10


def test_within_a_third_the_texts_spread_the_choice() -> None:
    chosen = {
        line_at_depth([f"{word} {number}" for number in range(30)], range(1, 31), "early")
        for word in "abcdefghijklmnopqrst"
    }
    assert len(chosen) > 5
    assert chosen <= set(range(1, 11))
