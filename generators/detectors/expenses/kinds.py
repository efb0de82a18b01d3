"""The kinds of defect of expense claims, by name: for the catalogue."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from generators.detectors.detector import Detector
from generators.detectors.expenses.across import card_difference, same_receipt, split_purchase
from generators.detectors.expenses.approvals import (
    authority,
    late_approval,
    payee,
    second_approval,
)
from generators.detectors.expenses.desk import PaperCheck
from generators.detectors.expenses.lines import (
    allowance,
    cabin,
    exchange_rate,
    guests_unnamed,
    mileage,
    outside_dates,
    room_above_cap,
    weekend_taxi,
)
from generators.detectors.expenses.sums import alcohol, category_sum, vat_rate


@dataclass(frozen=True)
class ExpenseKind:
    """One kind of defect: what it is and what finds it."""

    summary: str
    make: Callable[[], Detector[Any]]


EXPENSE_KINDS: Mapping[str, ExpenseKind] = {
    "room-above-cap": ExpenseKind(
        "a hotel night costs more than the cap of the city", partial(PaperCheck, room_above_cap)
    ),
    "weekend-taxi": ExpenseKind(
        "a taxi at the weekend without a reason", partial(PaperCheck, weekend_taxi)
    ),
    "mileage-above-rate": ExpenseKind(
        "a private car is paid at more than the policy's rate", partial(PaperCheck, mileage)
    ),
    "premium-cabin": ExpenseKind("a short flight is not in economy", partial(PaperCheck, cabin)),
    "outside-dates": ExpenseKind(
        "an expense is dated outside of its trip or period", partial(PaperCheck, outside_dates)
    ),
    "wrong-exchange-rate": ExpenseKind(
        "a foreign amount is not converted at the rate of its week",
        partial(PaperCheck, exchange_rate),
    ),
    "guests-unnamed": ExpenseKind(
        "a business meal names no guest", partial(PaperCheck, guests_unnamed)
    ),
    "excess-allowance": ExpenseKind(
        "a per diem is more than the day gives", partial(PaperCheck, allowance)
    ),
    "wrong-sum": ExpenseKind(
        "a sum of a report is not that of its lines", partial(PaperCheck, category_sum)
    ),
    "wrong-vat-rate": ExpenseKind(
        "an invoice taxes a line at the wrong rate", partial(PaperCheck, vat_rate)
    ),
    "alcohol-claimed": ExpenseKind(
        "an alcoholic drink is on a claimed receipt", partial(PaperCheck, alcohol)
    ),
    "missing-second-approval": ExpenseKind(
        "a large report lacks the approval of finance", partial(PaperCheck, second_approval)
    ),
    "insufficient-authority": ExpenseKind(
        "a report is approved by somebody who may not approve so much",
        partial(PaperCheck, authority),
    ),
    "approval-after-payment": ExpenseKind(
        "a report was paid before it was approved", partial(PaperCheck, late_approval)
    ),
    "foreign-account": ExpenseKind(
        "a payment goes to another account than the claimant's", partial(PaperCheck, payee)
    ),
    "receipt-claimed-twice": ExpenseKind(
        "one receipt is claimed in two reports", partial(PaperCheck, same_receipt)
    ),
    "card-difference": ExpenseKind(
        "a report claims another amount than the card was charged with",
        partial(PaperCheck, card_difference),
    ),
    "split-purchase": ExpenseKind(
        "a purchase is split over two reports to stay below a limit",
        partial(PaperCheck, split_purchase),
    ),
}
