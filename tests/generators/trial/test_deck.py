from __future__ import annotations

import random

import pytest

from generators.trial.deck import Deck


@pytest.mark.parametrize("seed", range(5))
def test_each_card_comes_once_before_any_comes_again(seed: int) -> None:
    deck = Deck(random.Random(seed), "abcd")
    dealt = [deck.deal() for _ in range(12)]
    assert [sorted(dealt[start : start + 4]) for start in (0, 4, 8)] == [list("abcd")] * 3
