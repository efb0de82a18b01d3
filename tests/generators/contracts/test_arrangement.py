from __future__ import annotations

import random

import pytest

from generators.contracts.arrangement import Extent, KindLayout, arrange

LAYOUT = KindLayout(
    titles=("Contract",),
    label="No.",
    opening=(("definitions",),),
    blocks=((("work", "staff"),), (("payment",),), (("liability",),), (("term",), ("exit",))),
    closing=(("general",),),
    core=("definitions", "payment", "liability", "general"),
    more=1,
    main={"liability": 0.5, "exit": 0.9},
)
CLAUSES = ("definitions", "work", "staff", "payment", "liability", "term", "exit", "general")
LENGTHS = dict.fromkeys(CLAUSES, 20)


def names(turn: int, seed: int, schedule: int = 0) -> tuple[str, ...]:
    extent = Extent(before=10, clauses=LENGTHS, after=10, schedule=schedule)
    return arrange(random.Random(seed), LAYOUT, extent, turn).names


def third(clauses: tuple[str, ...], name: str, share: float) -> int:
    """0, 1 or 2: where a sentence stands among 180 lines."""
    return int((10 + 20 * (clauses.index(name) + share)) // 60)


@pytest.mark.parametrize("seed", range(8))
def test_over_three_turns_each_main_clause_stands_in_each_third(seed: int) -> None:
    for name, share in LAYOUT.main.items():
        assert {third(names(turn, seed), name, share) for turn in range(3)} == {0, 1, 2}


@pytest.mark.parametrize("seed", range(8))
def test_what_closes_a_contract_is_last_and_the_groups_of_a_block_follow_each_other(
    seed: int,
) -> None:
    found = names(seed % 3, seed)
    assert found[-1] == "general"
    assert found.index("exit") == found.index("term") + 1
    assert abs(found.index("work") - found.index("staff")) == 1
    assert sorted(found) == sorted(LENGTHS)


def test_a_schedule_goes_in_front_where_no_clause_could_stand_late_otherwise() -> None:
    extent = Extent(
        before=10, clauses={"liability": 20, "payment": 20, "general": 20}, after=10, schedule=100
    )
    found = arrange(random.Random(1), LAYOUT, extent, turn=2)
    assert found.schedule_first


def test_a_short_contract_has_its_core_and_so_many_others() -> None:
    kept = LAYOUT.draw_clauses(random.Random(1), brief=True)
    assert set(LAYOUT.core) < kept
    assert len(kept) == len(LAYOUT.core) + 1
    assert LAYOUT.draw_clauses(random.Random(1), brief=False) == set(LENGTHS)
