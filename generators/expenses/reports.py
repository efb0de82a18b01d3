"""Writes an expense report: Markdown, as one of many drafters would lay it out."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta

from generators.detectors.expenses.forms import read_forms
from generators.expenses.claims import OWN, PerDiem, Report, Row, VatRate
from generators.expenses.drafter import draw_drafter
from generators.expenses.rendering import Prose, wrapped
from generators.expenses.wording import FRIDAY, MONTHS, long_date, workday
from generators.expenses.world import World
from generators.money import grouped, money, vat_within

NONE = "-"
ORDERS: tuple[tuple[str, ...], ...] = (
    ("expenses", "per_diem", "summary", "vat", "why", "diary", "remarks", "sign_off"),
    ("sign_off", "why", "diary", "expenses", "remarks", "per_diem", "summary", "vat"),
    ("per_diem", "summary", "vat", "why", "sign_off", "diary", "remarks", "expenses"),
)
"""The sections by shape of a report: the lines of expenses come early, in the middle or late, and
per diems, sums and signatures each in another third."""


def write_report(source: random.Random, world: World, report: Report) -> str:
    """The Markdown of a report."""
    writer = _Writer(source, world, report)
    return "\n".join(writer.lines()).rstrip("\n") + "\n"


class _Writer:
    """Holds one report and its drafter while it is written."""

    def __init__(self, source: random.Random, world: World, report: Report) -> None:
        self._random = source
        self._report = report
        self._sections: Mapping[str, Callable[[], Iterator[str]]] = {
            "why": self._why,
            "diary": self._diary,
            "expenses": self._expenses,
            "per_diem": self._per_diem,
            "summary": self._summary,
            "vat": self._vat,
            "remarks": self._remarks,
            "sign_off": self._sign_off,
        }
        self._drafter = draw_drafter(source, read_forms(), report)
        self._rows = self._sorted()
        self._prose = Prose(source, world, report)
        self._world = world
        self._heading = 0

    def lines(self) -> Iterator[str]:
        yield f"# {self._drafter.title.format(number=self._report.number)}"
        yield ""
        yield from self._fields()
        yield ""
        for name in ORDERS[self._report.shape]:
            yield from self._sections[name]()

    def _sorted(self) -> Sequence[Row]:
        """The lines as they are numbered."""
        if self._drafter.by_day and not self._drafter.by_category:
            return sorted(self._report.rows, key=lambda row: row.day)
        return self._report.rows

    def _title(self, name: str) -> Iterator[str]:
        self._heading += 1
        number = f"{self._heading}. " if self._drafter.numbered else ""
        yield f"## {number}{self._drafter.word('headings', name)}"
        yield ""

    def _fields(self) -> Iterator[str]:
        report, person = self._report, self._report.employee
        department = person.department
        span = f"{self._drafter.date(report.first)} to {self._drafter.date(report.last)}"
        values = {
            "employee": f"{person.name} ({person.number})",
            "department": f"{department.name}, cost centre {department.cost_centre}",
        }
        if report.city:
            values["destination"] = f"{report.city.name}, {report.city.country.name}"
            values["dates"] = span
        else:
            values["period"] = span
        values["purpose"] = report.purpose
        for index, (name, value) in enumerate(values.items()):
            label = self._drafter.word("fields", name)
            yield self._drafter.field.format(label=label, value=value)
            if index == 0 and self._drafter.field.startswith("|"):
                yield "| --- | --- |"

    def _why(self) -> Iterator[str]:
        template = "why" if self._report.city else "month"
        yield from self._title(template)
        yield from wrapped(self._prose.write(template))
        yield ""

    def _diary(self) -> Iterator[str]:
        yield from self._title("diary" if self._report.city else "weeks")
        report, activity = self._report, self._prose.phrases.activity
        notes = {one.day: one.note for one in report.per_diems}
        if not notes:
            weeks = range(self._random.randrange(4), 28, 7)
            days = [workday(report.first + timedelta(days=day)) for day in weeks]
            notes = {day: activity() for day in days}
        told = "; ".join(notes.values())
        for day, note in notes.items():
            # At a weekend people only travel.
            more = f"; {activity(told)}" if day.weekday() <= FRIDAY else ""
            told += more
            text = f"{self._drafter.date(day)}: {note}{more}."
            yield from wrapped(f"{self._drafter.bullets}{text}")
            if not self._drafter.bullets:
                yield ""
        if self._drafter.bullets:
            yield ""

    # Tables

    def _expenses(self) -> Iterator[str]:
        yield from self._title("expenses")
        foreign = any(row.rate for row in self._rows)
        numbers = {id(row): index for index, row in enumerate(self._rows, start=1)}
        if not self._drafter.by_category:
            yield from self._table(self._rows, numbers, foreign=foreign, category=True)
            return
        for category in self._report.subtotals:
            yield f"### {category}"
            yield ""
            rows = [row for row in self._rows if row.category == category]
            yield from self._table(rows, numbers, foreign=foreign, category=False)

    def _table(
        self, rows: Sequence[Row], numbers: Mapping[int, int], *, foreign: bool, category: bool
    ) -> Iterator[str]:
        names = ["number", "date", "merchant", "description"]
        names.insert(2 if self._drafter.receipt_early else 4, "receipt")
        if category:
            names.insert(1 if self._drafter.category_first else 2, "category")
        names += ["currency", "amount", "rate"] if foreign else []
        names += ["euro", "vat"]
        place = len(names) if self._drafter.payer_last else names.index("description")
        names.insert(place, "payer")
        yield from _head([self._drafter.word("columns", name) for name in names])
        for row in rows:
            cells = self._cells(row, numbers[id(row)])
            yield _line([cells[name] for name in names])
        yield ""

    def _cells(self, row: Row, number: int) -> dict[str, str]:
        return {
            "number": str(number),
            "date": self._drafter.date(row.day),
            "category": row.category,
            "merchant": row.merchant,
            "description": row.description,
            "payer": OWN if row.payer == OWN else f"card {row.payer}",
            "currency": row.currency,
            "amount": money(row.amount),
            "rate": str(row.rate) if row.rate else NONE,
            "euro": money(row.euro),
            "vat": row.vat.label if row.vat else NONE,
            "receipt": row.receipt,
        }

    def _per_diem(self) -> Iterator[str]:
        if not self._report.per_diems:
            return
        yield from self._title("per_diem")
        names = ("date", "day", "note", "allowance", "provided", "euro")
        yield from _head([self._drafter.word("per_diem", name) for name in names])
        for one in self._report.per_diems:
            yield _line(self._allowance(one))
        yield ""

    def _allowance(self, one: PerDiem) -> list[str]:
        return [
            self._drafter.date(one.day),
            "full day" if one.full else "travel day",
            one.note,
            money(one.allowance),
            ", ".join(one.provided) or NONE,
            money(one.euro),
        ]

    def _summary(self) -> Iterator[str]:
        report, word = self._report, self._drafter.word
        yield from self._title("summary")
        names = ("label", "count", "euro")
        yield from _head([word("summary", name) for name in names])
        for category, euro in report.subtotals.items():
            lines = [
                str(number)
                for number, row in enumerate(self._rows, start=1)
                if row.category == category
            ]
            yield _line([category, ", ".join(lines), money(euro)])
        if report.per_diems:
            first = report.first
            count = f"{len(report.per_diems)} days from {first.day} {MONTHS[first.month - 1]}"
            yield _line([word("sums", "per_diem"), count, money(report.allowances)])
        yield _line([f"**{word('sums', 'total')}**", report.number, f"**{money(report.total)}**"])
        yield _line([word("sums", "card"), report.employee.card, money(report.on_card)])
        payable = report.total - report.on_card
        yield _line([word("sums", "payable"), report.employee.number, money(payable)])
        yield ""

    def _vat(self) -> Iterator[str]:
        sums: dict[VatRate, int] = {}
        for row in self._report.rows:
            if row.vat:
                sums[row.vat] = sums.get(row.vat, 0) + row.euro
        if not sums:
            return
        yield from self._title("vat")
        names = ("country", "rate", "gross", "vat")
        yield from _head([self._drafter.word("vat", name) for name in names])
        taxes = 0
        for rate, gross in sums.items():
            tax = vat_within(gross, rate.percent)
            taxes += tax
            yield _line([rate.country, f"{rate.percent} %", money(gross), money(tax)])
        total = self._drafter.word("vat", "total")
        yield _line([total, "", money(sum(sums.values())), money(taxes)])
        yield ""

    # Words and signatures

    def _remarks(self) -> Iterator[str]:
        yield from self._title("remarks")
        bullet = self._drafter.bullets or "- "
        for _ in range(self._random.randrange(2, 4) + (not self._report.city)):
            yield from wrapped(f"{bullet}{self._prose.remark()}.")
        yield ""

    def _sign_off(self) -> Iterator[str]:
        report, course = self._report, self._report.course
        yield from self._title("sign_off")
        papers = len({row.receipt for row in report.rows})
        yield self._signed(
            "submitted",
            course.submitted,
            f"by {report.employee.name}, {papers} receipts for {report.number}",
        )
        if course.second:
            finance = self._world.finance
            yield self._signed(
                "second", course.second, f"{report.number}, {finance.name}, {finance.title}"
            )
        week = course.paid.isocalendar().week
        amount = money(report.total - report.on_card)
        yield self._signed(
            "paid",
            course.paid,
            f"run 24-{week:02}, EUR {amount} to {grouped(report.employee.iban)}",
        )
        yield ""

    def _signed(self, step: str, day: date, text: str) -> str:
        label = self._drafter.word("sign_off", step)
        return f"- {label}: {long_date(day)}, {text}"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _head(cells: Sequence[str]) -> Iterator[str]:
    yield _line(cells)
    yield _line(["---"] * len(cells))
