from __future__ import annotations

import pytest

from generators.trial.order import turn_of, turned


def test_over_three_documents_in_a_row_each_part_stands_at_each_place() -> None:
    orders = [turned("abc", turn) for turn in range(4)]
    assert orders == [list("abc"), list("cab"), list("bca"), list("abc")]


@pytest.mark.parametrize(
    ("count", "turns"),
    [
        pytest.param(1, [0], id="one"),
        pytest.param(4, [0, 0, 1, 2], id="few: by thirds of them"),
        pytest.param(9, [0, 1, 2, 3, 4, 5, 6, 7, 8], id="many: one after the other"),
    ],
)
def test_the_turn_goes_on_by_thirds_of_few_documents_and_with_each_of_many(
    count: int, turns: list[int]
) -> None:
    assert [turn_of(index, count) for index in range(count)] == turns
