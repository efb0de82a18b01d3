"""What is claimed: the rows of a report, its per diems, and the papers that go with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Literal

from generators.expenses.world import City, Employee

OWN = "own"
CONGRESS, HOME = "congress", "home"
"""Jobs in `phrases.yaml` that no department has to itself."""
ReportKind = Literal["trip_report", "monthly_report"]


@dataclass(frozen=True)
class VatRate:
    """The rate of VAT that a row bears."""

    country: str
    """`FR`"""
    percent: Decimal

    @property
    def label(self) -> str:
        """`FR 10 %`"""
        return f"{self.country} {self.percent} %"


@dataclass(frozen=True)
class Row:
    """One line of a report. Amounts are cents."""

    day: date
    category: str
    merchant: str
    description: str
    payer: str
    """`own`, or the transaction of the company card."""
    currency: str
    amount: int
    rate: Decimal | None
    """Units of the currency for one euro; None for euros."""
    euro: int
    vat: VatRate | None
    receipt: str
    memo: str = ""
    """What the card holder noted."""
    charged: date | None = None
    """The day of the card charge, where it is another."""


@dataclass(frozen=True)
class PerDiem:
    """The allowance of one day, in cents."""

    day: date
    full: bool
    note: str
    allowance: int
    provided: tuple[str, ...]
    euro: int


@dataclass(frozen=True)
class HotelLine:
    """One posting of a hotel."""

    id: str
    day: date
    text: str
    gross: int
    percent: Decimal


@dataclass(frozen=True)
class HotelBill:
    """An invoice of a hotel, as its system exports it."""

    number: str
    hotel: str
    city: City
    guest: Employee
    arrival: date
    departure: date
    currency: str
    shape: int
    lines: tuple[HotelLine, ...]


@dataclass(frozen=True)
class MealLine:
    """One dish or drink, so many times."""

    id: str
    text: str
    quantity: int
    unit: int
    """Cents each, VAT included; below zero where a drink is taken off again."""


@dataclass(frozen=True)
class MealSlip:
    """An itemised receipt of a restaurant."""

    number: str
    restaurant: str
    city: City
    day: date
    currency: str
    covers: int
    percent: Decimal
    card: str
    """The last four digits; empty where it was paid in cash."""
    shape: int
    lines: tuple[MealLine, ...]

    @property
    def gross(self) -> int:
        """In cents of the currency."""
        return sum(line.quantity * line.unit for line in self.lines)


@dataclass(frozen=True)
class Course:
    """What becomes of a report."""

    submitted: date
    approver: Employee
    approved: datetime
    second: date | None
    """When finance approved; None where it need not."""
    paid: date


@dataclass(frozen=True)
class Report:
    """An expense report with all that is in it."""

    number: str
    kind: ReportKind
    job: str
    """In `phrases.yaml`."""
    shape: int
    """0 to 2: whether what is claimed stands early, in the middle or late in its papers."""
    employee: Employee
    first: date
    last: date
    aim: str
    city: City | None
    customer: str
    rows: tuple[Row, ...]
    per_diems: tuple[PerDiem, ...]
    course: Course
    bills: tuple[HotelBill, ...] = ()
    slips: tuple[MealSlip, ...] = ()

    @property
    def slug(self) -> str:
        """For file names."""
        return self.number.lower()

    @property
    def purpose(self) -> str:
        """What it was for, in a line."""
        if self.city is None:
            return self.aim
        joined = ", with a visit to" if self.job == CONGRESS else " at"
        return f"{self.aim}{joined} {self.customer}"

    @property
    def subtotals(self) -> Mapping[str, int]:
        """EUR cents by category, in order of first appearance."""
        sums: dict[str, int] = {}
        for row in self.rows:
            sums[row.category] = sums.get(row.category, 0) + row.euro
        return sums

    @property
    def allowances(self) -> int:
        """All per diems."""
        return sum(one.euro for one in self.per_diems)

    @property
    def total(self) -> int:
        """All rows and per diems."""
        return sum(row.euro for row in self.rows) + self.allowances

    @property
    def on_card(self) -> int:
        """What the company card was charged with."""
        return sum(row.euro for row in self.rows if row.payer != OWN)
