"""An expense report taken apart, with the line of everything in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from generators.detectors.expenses.forms import read_forms
from generators.detectors.expenses.tables import (
    Table,
    TableRow,
    columns,
    date_in,
    dates_in,
    decimal_in,
    money_in,
    read_tables,
)
from generators.lines import split_lines

TITLE = re.compile(r"#\s.*\b(ER-\d\d-\d{4})\b")
FIELD = re.compile(r"(?:- |\*\*|\| )([A-Z][a-z ]+?)(?:: |:\*\* | \| )(.+?)(?: \||  )?$")
SIGNED = re.compile(r"- ([A-Z][a-z -]+): (.*)$")
CARD = re.compile(r"card (T\d+)")
IBAN = re.compile(r"\b[A-Z]{2}\d\d(?: ?[A-Z0-9]{2,4})+$")
VAT = re.compile(r"([A-Z]{2}) (\d+(?:\.\d+)?) %$")
STAFF_NUMBER = re.compile(r"\((E\d+)\)")
COST_CENTRE = re.compile(r"cost centre (\d+)")


@dataclass(frozen=True)
class ClaimLine:
    """A line of the expenses. Amounts are cents."""

    line: int
    day: date
    category: str
    merchant: str
    description: str
    transaction: str
    """Of the company card; empty where the claimant paid."""
    currency: str
    amount: int
    rate: Decimal | None
    euro: int
    vat: str
    """`FR 10`, or empty."""
    receipt: str


@dataclass(frozen=True)
class AllowanceLine:
    """A per diem."""

    line: int
    day: date
    full: bool
    allowance: int
    provided: tuple[str, ...]
    euro: int


@dataclass(frozen=True)
class SumLine:
    """A sum that is stated."""

    line: int
    label: str
    cents: int
    tax: int = 0
    """Of a line of VAT."""


@dataclass(frozen=True)
class Step:
    """A step of the sign-off."""

    line: int
    day: date
    text: str


@dataclass(frozen=True)
class ReportPaper:
    """What a report says."""

    number: str
    employee: str
    """The number on the staff list."""
    cost_centre: str
    city: str
    """Empty for a report of a month."""
    first: date
    last: date
    claims: tuple[ClaimLine, ...]
    allowances: tuple[AllowanceLine, ...]
    subtotals: tuple[SumLine, ...]
    sums: Mapping[str, SumLine]
    """`per_diem`, `total`, `card`, `payable`."""
    taxes: tuple[SumLine, ...]
    all_taxes: SumLine | None
    steps: Mapping[str, Step]
    """`submitted`, `second`, `paid`."""

    @property
    def total(self) -> int:
        """As the report states it."""
        return self.sums["total"].cents

    @property
    def account(self) -> str:
        """The account that is paid to, without spaces."""
        paid = self.steps.get("paid")
        match = IBAN.search(paid.text) if paid else None
        return match[0].replace(" ", "") if match else ""

    @property
    def paid_amount(self) -> int | None:
        """What was paid out."""
        paid = self.steps.get("paid")
        return money_in(paid.text) if paid else None


def read_report(text: str) -> ReportPaper | None:
    """Take a report apart; None where it is none."""
    title = TITLE.match(text)
    if not title:
        return None
    lines = split_lines(text)
    fields = _fields(lines)
    span = dates_in(fields.get("dates", fields.get("period", "")))
    if len(span) < 2:
        return None
    person = STAFF_NUMBER.search(fields.get("employee", ""))
    centre = COST_CENTRE.search(fields.get("department", ""))
    parts = _Parts()
    for table in read_tables(text):
        parts.take(table)
    if "total" not in parts.sums:
        return None
    return ReportPaper(
        number=title[1],
        employee=person[1] if person else "",
        cost_centre=centre[1] if centre else "",
        city=fields.get("destination", "").partition(",")[0],
        first=span[0],
        last=span[1],
        claims=tuple(parts.claims),
        allowances=tuple(parts.allowances),
        subtotals=tuple(parts.subtotals),
        sums=parts.sums,
        taxes=tuple(parts.taxes),
        all_taxes=parts.all_taxes,
        steps=dict(_steps(lines)),
    )


def _fields(lines: list[str]) -> dict[str, str]:
    """The fields at the top, before the first section."""
    names = {word: name for name, words in read_forms().fields.items() for word in words}
    found: dict[str, str] = {}
    for line in lines:
        if line.startswith("## "):
            break
        match = FIELD.match(line)
        if match and match[1] in names:
            found[names[match[1]]] = match[2].strip()
    return found


def _steps(lines: list[str]) -> Iterator[tuple[str, Step]]:
    names = {word: name for name, words in read_forms().sign_off.items() for word in words}
    for number, line in enumerate(lines, start=1):
        match = SIGNED.match(line)
        day = date_in(match[2]) if match and match[1] in names else None
        if match and day:
            yield names[match[1]], Step(number, day, match[2])


class _Parts:
    """Gathers what the tables of one report hold."""

    def __init__(self) -> None:
        self.claims: list[ClaimLine] = []
        self.allowances: list[AllowanceLine] = []
        self.subtotals: list[SumLine] = []
        self.sums: dict[str, SumLine] = {}
        self.taxes: list[SumLine] = []
        self.all_taxes: SumLine | None = None

    def take(self, table: Table) -> None:
        """Sort a table by its columns."""
        forms = read_forms()
        rows = [row for row in table.rows if len(row.cells) == len(table.head)]
        claim = columns(table.head, forms.columns)
        allowance = columns(table.head, forms.per_diem)
        tax = columns(table.head, forms.vat)
        summary = columns(table.head, forms.summary)
        if {"receipt", "euro", "date"} <= claim.keys():
            self.claims += filter(None, (_claim(row, claim, table.heading) for row in rows))
        elif allowance.keys() == forms.per_diem.keys():
            self.allowances += filter(None, (_allowance(row, allowance) for row in rows))
        elif {"gross", "vat", "country", "rate"} <= tax.keys():
            for row in rows:
                self._tax(row, tax)
        elif {"count", "label", "euro"} <= summary.keys():
            for row in rows:
                self._sum(row, summary)

    def _sum(self, row: TableRow, places: Mapping[str, int]) -> None:
        cents = money_in(row.cells[places["euro"]])
        if cents is None:
            return
        label = row.cells[places["label"]].strip("*")
        line = SumLine(row.line, label, cents)
        for name, words in read_forms().sums.items():
            if label in words:
                self.sums[name] = line
                return
        self.subtotals.append(line)

    def _tax(self, row: TableRow, places: Mapping[str, int]) -> None:
        gross, tax = money_in(row.cells[places["gross"]]), money_in(row.cells[places["vat"]])
        if gross is None or tax is None:
            return
        rate = decimal_in(row.cells[places["rate"]])
        if rate is None:
            self.all_taxes = SumLine(row.line, "", gross, tax)
        else:
            label = f"{row.cells[places['country']]} {rate}"
            self.taxes.append(SumLine(row.line, label, gross, tax))


def _claim(row: TableRow, places: Mapping[str, int], heading: str) -> ClaimLine | None:
    def cell(name: str) -> str:
        return row.cells[places[name]] if name in places else ""

    day, euro = date_in(cell("date")), money_in(cell("euro"))
    if day is None or euro is None:
        return None
    amount = money_in(cell("amount")) if "amount" in places else euro
    card, vat = CARD.search(cell("payer")), VAT.match(cell("vat"))
    return ClaimLine(
        line=row.line,
        day=day,
        category=cell("category") or heading,
        merchant=cell("merchant"),
        description=cell("description"),
        transaction=card[1] if card else "",
        currency=cell("currency") or "EUR",
        amount=euro if amount is None else amount,
        rate=decimal_in(cell("rate")),
        euro=euro,
        vat=f"{vat[1]} {Decimal(vat[2])}" if vat else "",
        receipt=cell("receipt"),
    )


def _allowance(row: TableRow, places: Mapping[str, int]) -> AllowanceLine | None:
    day = date_in(row.cells[places["date"]])
    allowance = money_in(row.cells[places["allowance"]])
    euro = money_in(row.cells[places["euro"]])
    if day is None or allowance is None or euro is None:
        return None
    provided = re.findall(r"breakfast|lunch|dinner", row.cells[places["provided"]])
    full = "full" in row.cells[places["day"]]
    return AllowanceLine(row.line, day, full, allowance, tuple(provided), euro)
