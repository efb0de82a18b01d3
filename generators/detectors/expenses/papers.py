"""Card statements, mails, invoices and receipts taken apart."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache

from generators.detectors.expenses.forms import read_forms
from generators.detectors.expenses.tables import columns, date_in
from generators.lines import split_lines

DOTTED = re.compile(r"(\d\d)\.(\d\d)\.(\d{4})")
ADDRESS = re.compile(r"<([^<>@\s]+@[^<>\s]+)>")
REPORT = re.compile(r"\bER-\d\d-\d{4}\b")
POSTING = re.compile(r'\s*(?:"(?P<key>[^"]+)": )?(?P<object>\{.*\}),?$')
PLAIN = re.compile(r'\s*"(?P<key>[^"]+)": (?P<value>"[^"]*"|-?[\d.]+),?$')


@dataclass(frozen=True)
class ChargeLine:
    """A charge on a card statement, in cents."""

    line: int
    transaction: str
    card: str
    holder: str
    day: date | None
    merchant: str
    currency: str
    amount: int
    euro: int


@dataclass(frozen=True)
class StatementPaper:
    """A card statement."""

    charges: tuple[ChargeLine, ...]
    total: int | None


@dataclass(frozen=True)
class MailPaper:
    """The mail that answers a report."""

    report: str
    sender: str
    """The address."""
    approver_line: int
    """Which says by whom the report is approved; 0 where none does."""
    day: date
    day_line: int


@dataclass(frozen=True)
class Posting:
    """An object on one line of an invoice, with the fields that are known."""

    line: int
    texts: Mapping[str, str]
    numbers: Mapping[str, Decimal]

    def cents(self, name: str) -> int:
        """An amount."""
        return int(self.numbers[name] * 100)


@dataclass(frozen=True)
class InvoicePaper:
    """An invoice or a receipt."""

    number: str
    country: str
    currency: str
    account: str
    """Without spaces; empty where none is given."""
    items: tuple[Posting, ...]
    taxes: tuple[Posting, ...]
    totals: tuple[Posting, ...]


def read_statement(text: str) -> StatementPaper | None:
    """By its header, whose cells are words that banks use."""
    lines = split_lines(text)
    words = read_forms().statements
    for number, line in enumerate(lines):
        for delimiter in words.delimiters:
            places = columns(line.split(delimiter), words.columns)
            if len(places) == len(words.columns):
                return _statement(lines, number + 1, delimiter, places)
    return None


def _statement(
    lines: list[str], start: int, delimiter: str, places: Mapping[str, int]
) -> StatementPaper:
    charges, total = [], None
    totals = read_forms().statements.totals
    for number, cells in enumerate(csv.reader(lines[start:], delimiter=delimiter), start=start + 1):
        if len(cells) != len(places):
            continue
        row = {name: cells[place] for name, place in places.items()}
        if row["merchant"] in totals:
            total = _amount(row["euro"])
        elif row["transaction"]:
            charges.append(
                ChargeLine(
                    number,
                    row["transaction"],
                    row["card"],
                    row["holder"],
                    _day(row["day"]),
                    row["merchant"],
                    row["currency"],
                    _amount(row["amount"]),
                    _amount(row["euro"]),
                )
            )
    return StatementPaper(tuple(charges), total)


def _amount(cell: str) -> int:
    return int(re.sub(r"\D", "", cell) or 0)


def _day(cell: str) -> date | None:
    dotted = DOTTED.match(cell)
    return date_in(f"{dotted[3]}-{dotted[2]}-{dotted[1]}" if dotted else cell)


def read_mail(text: str) -> MailPaper | None:
    """A mail with its headers, whose subject names a report."""
    sender = day = None
    day_line = 0
    name_of_sender = report = ""
    lines = split_lines(text)
    for number, line in enumerate(lines, start=1):
        if not line:
            break
        name, _, value = line.partition(": ")
        if name == "From" and (match := ADDRESS.search(value)):
            sender, name_of_sender = match[1], value[: match.start()].strip()
        elif name == "Date":
            day, day_line = date_in(value), number
        elif name == "Subject" and (match := REPORT.search(value)):
            report = match[0]
    if sender is None or day is None or not report:
        return None
    approver_line = next(
        (
            number
            for number, line in enumerate(lines, start=1)
            if not line.startswith(">") and report in line and name_of_sender in line
        ),
        0,
    )
    return MailPaper(report, sender, approver_line, day, day_line)


@cache
def _names() -> Mapping[str, tuple[str, ...]]:
    """What a key may mean, whatever joins its words: `vatRate` is `rate`."""
    names: dict[str, tuple[str, ...]] = {}
    for name, keys in read_forms().keys.items():
        for key in keys:
            plain = _plain(key)
            names[plain] = (*names.get(plain, ()), name)
    return names


def _plain(key: str) -> str:
    return re.sub(r"[^a-z]", "", key.lower())


def read_invoice(text: str) -> InvoicePaper | None:
    """A JSON document with postings, whatever its system calls things."""
    if not text.startswith("{"):
        return None
    lines = split_lines(text)
    top = {name: value for line in lines for name, value in _scalar(line)}
    postings = [
        posting for number, line in enumerate(lines, 1) for posting in _posting(number, line)
    ]
    items = tuple(p for p in postings if "description" in p.texts and "gross" in p.numbers)
    rest = [p for p in postings if p not in items and "net" in p.numbers and "gross" in p.numbers]
    if not items or "number" not in top:
        return None
    return InvoicePaper(
        number=top["number"],
        country=top.get("country", ""),
        currency=top.get("currency", "EUR"),
        account=top.get("bank", "").replace(" ", ""),
        items=items,
        taxes=tuple(p for p in rest if "rate" in p.numbers),
        totals=tuple(p for p in rest if "rate" not in p.numbers),
    )


def _scalar(line: str) -> Iterator[tuple[str, str]]:
    match = PLAIN.match(line)
    if match:
        for name in _names().get(_plain(match["key"]), ()):
            yield name, str(json.loads(match["value"]))


def _posting(number: int, line: str) -> Iterator[Posting]:
    match = POSTING.match(line)
    if not match:
        return
    try:
        fields = json.loads(match["object"], parse_float=Decimal, parse_int=Decimal)
    except ValueError:
        return
    texts: dict[str, str] = {}
    numbers: dict[str, Decimal] = {}
    for key, value in fields.items():
        for name in _names().get(_plain(key), ()):
            if isinstance(value, str):
                texts[name] = value
            elif isinstance(value, Decimal):
                numbers[name] = value
    yield Posting(number, texts, numbers)
