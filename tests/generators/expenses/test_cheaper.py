from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from generators.detectors.expenses.papers import read_statement
from generators.expenses.planting.cheaper import recharged

DESK: Mapping[str, str] = yaml.safe_load(
    Path(__file__).with_name("desk.yaml").read_text(encoding="utf-8")
)
CARDS = DESK["cards/2024-03-sales.csv"]


@pytest.mark.parametrize(
    ("cents", "total"),
    [({}, 238400), ({"T3": 180000}, 228400), ({"T1": 100, "T2": 19995}, 210095)],
)
def test_a_statement_with_other_amounts_still_adds_up(cents: dict[str, int], total: int) -> None:
    before, after = read_statement(CARDS), read_statement(recharged(CARDS, cents))
    assert before is not None
    assert after is not None
    assert after.total == total == sum(charge.euro for charge in after.charges)
    for old, new in zip(before.charges, after.charges, strict=True):
        assert new.euro == new.amount == cents.get(old.transaction, old.euro)
