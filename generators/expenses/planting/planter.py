"""`expense-record`: a defect in an expense paper for which plain replacement is not enough.

An amount is changed with every sum that stands on it, a date in its own style and with its weekday,
an account number with its check digits: nothing but the defect itself is out of order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from authoring.artefacts import Value
from generators.detectors.expenses.desk import Desk
from generators.expenses.planting.invoices import vat_rate, wine
from generators.expenses.planting.pairs import (
    authority,
    card_difference,
    late_approval,
    same_receipt,
    split_purchase,
)
from generators.expenses.planting.reports import (
    account,
    allowance,
    exchange,
    mileage,
    misadded,
    outside_dates,
    room,
)
from generators.expenses.planting.scene import Scene, lay_out
from generators.planting import Aim, Ground, Planted

SUMMARY = "an expense paper with one defect and all its other sums, dates and check digits right"
EXAMPLE = """\
planter: expense-record
parameters:
  change: room-above-cap
"""

Name = Literal[
    "room-above-cap",
    "mileage-above-rate",
    "full-day-for-travel-day",
    "dated-after-return",
    "rate-of-another-week",
    "other-account",
    "misadded-category",
    "night-at-standard-vat",
    "glass-of-wine",
    "approved-after-payment",
    "approved-by-team-lead",
    "receipt-of-colleague",
    "card-charged-less",
    "split-purchase",
]

CHANGES: Mapping[Name, Callable[[Scene], Planted]] = {
    "room-above-cap": room,
    "mileage-above-rate": mileage,
    "full-day-for-travel-day": allowance,
    "dated-after-return": outside_dates,
    "rate-of-another-week": exchange,
    "other-account": account,
    "misadded-category": misadded,
    "night-at-standard-vat": vat_rate,
    "glass-of-wine": wine,
    "approved-after-payment": late_approval,
    "approved-by-team-lead": authority,
    "receipt-of-colleague": same_receipt,
    "card-charged-less": card_difference,
    "split-purchase": split_purchase,
}


class ExpenseRecordParameters(Value):
    """What is wrong in the end."""

    change: Name
    """The defect. It decides which kinds of paper take it: reports, invoices, mails, statements."""


class ExpenseRecord:
    """Plants one defect in a report, an invoice, a mail or a statement."""

    def __init__(self, parameters: ExpenseRecordParameters) -> None:
        self._parameters = parameters
        self._laid: tuple[Ground, Desk] | None = None

    def plant(self, ground: Ground, aim: Aim) -> Planted:
        """Raises UserError where the target holds nothing that can be changed so."""
        # A needle is tried in many files of one ground, whose papers are read once.
        if self._laid is None or self._laid[0] is not ground:
            self._laid = ground, lay_out(ground)
        return CHANGES[self._parameters.change](Scene(ground, aim, self._laid[1]))
