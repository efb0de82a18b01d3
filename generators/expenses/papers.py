"""Writes the papers around reports: invoices and receipts as JSON, statements as CSV, mails."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from generators.detectors.expenses.forms import read_forms
from generators.expenses.claims import OWN, Report, Row
from generators.expenses.rendering import Prose, wrapped
from generators.expenses.vocabulary import read_phrases
from generators.expenses.wording import MONTHS, long_date, mail_date
from generators.expenses.world import Department, Employee, World
from generators.money import grouped, plain_money

# Mails

PLACES = ("above", "between", "below")
"""Where a mail says who approves what, by shape: before the answer, after it, below the request."""


def write_approval(source: random.Random, world: World, report: Report) -> str:
    """The mail by which a report was approved, with what it answers."""
    course, prose = report.course, Prose(source, world, report)
    sent = datetime.combine(
        course.submitted, time(source.randrange(8, 18), source.randrange(60), source.randrange(60))
    )
    month = f"{MONTHS[report.first.month - 1]} {report.first.year}"
    where = report.city.name if report.city else month
    asked = prose.write(
        "asked", submitted_day=long_date(course.submitted), submitted_time=f"{sent:%H:%M}"
    )
    receipts = len({row.receipt for row in report.rows})
    request = prose.write("request", receipts=str(receipts))
    quoted = [asked, *(line.rstrip() for line in wrapped(request, prefix="> "))]
    answer = wrapped(prose.write("approval", place=PLACES[report.shape]))
    # Some answer below what they were asked.
    parts = [*quoted, "", *answer] if PLACES[report.shape] == "below" else [*answer, "", *quoted]
    return "\n".join([*_headers(source, world, report, where), "", *parts]) + "\n"


def _headers(source: random.Random, world: World, report: Report, where: str) -> Iterator[str]:
    approver, employee = report.course.approver, report.employee
    subjects = ("Re: {n}, {w}", "Re: {w} ({n})", "AW: {n} {w}", "Re: expenses {n} / {w}")
    subject = source.choice(subjects).format(n=report.number, w=where)
    mark = f"{source.getrandbits(48):012x}"
    yield f"From: {approver.name} <{approver.email}>"
    yield f"To: {employee.name} <{employee.email}>"
    yield f"Cc: Accounting <accounting@{world.domain}>"
    yield f"Date: {mail_date(report.course.approved)}"
    yield f"Subject: {subject}"
    yield "MIME-Version: 1.0"
    yield "Content-Type: text/plain; charset=utf-8"
    yield f"Message-ID: <{mark}@mail.{world.domain}>"
    yield f"In-Reply-To: <{source.getrandbits(48):012x}@mail.{world.domain}>"


# Card statements


@dataclass(frozen=True)
class Charge:
    """A transaction of a company card: one row of a report, or several with one transaction."""

    transaction: str
    holder: Employee
    day: date
    merchant: str
    category: str
    currency: str
    amount: int
    euro: int
    memo: str


def charges_of(report: Report) -> tuple[Charge, ...]:
    """What a report was paid for with the company card."""
    rows: dict[str, list[Row]] = {}
    for row in report.rows:
        if row.payer != OWN:
            rows.setdefault(row.payer, []).append(row)
    return tuple(
        Charge(
            transaction=name,
            holder=report.employee,
            day=group[0].charged or group[0].day,
            merchant=group[0].merchant,
            category=group[0].category,
            currency=group[0].currency,
            amount=sum(row.amount for row in group),
            euro=sum(row.euro for row in group),
            memo=group[0].memo,
        )
        for name, group in rows.items()
    )


@dataclass(frozen=True)
class Bank:
    """How one statement is exported: whoever asks the bank for it chooses columns and format."""

    delimiter: str
    mark: str
    """Of decimals."""
    iso: bool
    """Dates; else `31.01.2024`."""
    preamble: tuple[str, str, str]
    columns: Mapping[str, str]
    """Heading by field, in the order of the file."""
    total: str
    foot: bool
    """The preamble stands below the charges."""


def draw_bank(source: random.Random, *, foot: bool) -> Bank:
    """The habits for one statement."""
    words = read_forms().statements
    delimiter = source.choice(words.delimiters)
    names = source.sample(list(words.columns), len(words.columns))
    return Bank(
        delimiter=delimiter,
        # A decimal comma between commas would need quotes around every amount.
        mark="." if delimiter == "," else source.choice(words.marks),
        iso=bool(source.randrange(2)),
        preamble=(
            source.choice(words.titles), source.choice(words.units), source.choice(words.months)
        ),
        columns={name: source.choice(words.columns[name]) for name in names},
        total=source.choice(words.totals),
        foot=foot,
    )  # fmt: skip


def write_statement(
    department: Department, month: date, charges: Sequence[Charge], bank: Bank
) -> str:
    """The CSV of one department's cards and one month, by day of purchase."""
    delimiter, codes = bank.delimiter, read_phrases().merchant_codes
    values = (f"{department.cost_centre}-{month:%Y-%m}", department.name, f"{month:%Y-%m}")
    preamble = [delimiter.join(pair) for pair in zip(bank.preamble, values, strict=True)]
    lines = [delimiter.join(bank.columns.values())]
    for charge in sorted(charges, key=lambda one: (one.day, one.transaction)):
        cells = {
            "booked": _written(charge.day + timedelta(days=2), bank),
            "day": _written(charge.day, bank),
            "transaction": charge.transaction,
            "card": charge.holder.card,
            "holder": charge.holder.name,
            "merchant": charge.merchant,
            "kind": codes[charge.category],
            "currency": charge.currency,
            "amount": plain_money(charge.amount, bank.mark),
            "euro": plain_money(charge.euro, bank.mark),
            "memo": charge.memo,
        }
        lines.append(delimiter.join(_quoted(cells[name], delimiter) for name in bank.columns))
    total = plain_money(sum(charge.euro for charge in charges), bank.mark)
    cells = {"merchant": bank.total, "euro": total}
    lines.append(delimiter.join(cells.get(name, "") for name in bank.columns))
    return "\n".join([*lines, *preamble] if bank.foot else [*preamble, *lines]) + "\n"


def _written(day: date, bank: Bank) -> str:
    return day.isoformat() if bank.iso else f"{day:%d.%m.%Y}"


def _quoted(cell: str, delimiter: str) -> str:
    return f'"{cell}"' if delimiter in cell else cell


# Reference tables


def write_staff(world: World) -> str:
    """The staff list."""
    lines = ["number,name,mail,title,grade,cost centre,account"]
    for person in world.staff:
        title = f'"{person.title}"' if "," in person.title else person.title
        lines.append(
            f"{person.number},{person.name},{person.email},{title},{person.grade},"
            f"{person.department.cost_centre},{grouped(person.iban)}"
        )
    return "\n".join(lines) + "\n"


def write_rates(world: World) -> str:
    """The table of rates: one line a week."""
    currencies: Mapping[str, Mapping[date, object]] = world.rates
    lines = [",".join(["week of", *currencies])]
    for monday in next(iter(currencies.values())):
        row = [str(rates[monday]) for rates in currencies.values()]
        lines += [",".join([monday.isoformat(), *row])]
    return "\n".join(lines) + "\n"
