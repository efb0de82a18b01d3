"""Tables of Markdown texts: which line, under which heading, what in each column."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from generators.detectors.expenses.forms import Words
from generators.lines import split_lines

RULE = re.compile(r"\|(?:\s*:?-{3,}:?\s*\|)+$")
HEADING = re.compile(r"(#{1,6})\s+(.*)$")
MONEY = re.compile(r"-?\d[\d,]*\.\d\d(?!\d)")
NUMBER = re.compile(r"\d+(?:\.\d+)?")
ISO = re.compile(r"\b(\d{4})-(\d\d)-(\d\d)\b")
WRITTEN = re.compile(r"\b(\d{1,2}) ([A-Z][a-z]{2,8}) (\d{4})\b")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@dataclass(frozen=True)
class TableRow:
    """A row below the rule of a table."""

    line: int
    """Counted from 1."""
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """A table with the heading above it."""

    heading: str
    head: tuple[str, ...]
    rows: tuple[TableRow, ...]


def read_tables(text: str) -> Iterator[Table]:
    """All tables of a Markdown text."""
    lines, heading = split_lines(text), ""
    number = 0
    while number < len(lines):
        line = lines[number]
        if match := HEADING.match(line):
            heading = match[2]
        if line.startswith("|") and number + 1 < len(lines) and RULE.match(lines[number + 1]):
            end = number + 2
            while end < len(lines) and lines[end].startswith("|"):
                end += 1
            rows = tuple(TableRow(n + 1, cells_of(lines[n])) for n in range(number + 2, end))
            yield Table(heading, cells_of(line), rows)
            number = end
        else:
            number += 1


def cells_of(line: str) -> tuple[str, ...]:
    """The cells of a row."""
    return tuple(cell.strip() for cell in line.strip().strip("|").split("|"))


def columns(head: Sequence[str], words: Mapping[str, Words]) -> dict[str, int]:
    """Where each known field stands, by any of the words for it."""
    places: dict[str, int] = {}
    for name, known in words.items():
        for index, cell in enumerate(head):
            if cell in known and name not in places:
                places[name] = index
    return places


def money_in(text: str) -> int | None:
    """The first amount in a text, in cents."""
    match = MONEY.search(text)
    return int(re.sub(r"[,.]", "", match[0])) if match else None


def decimal_in(text: str) -> Decimal | None:
    """The first number in a text."""
    match = NUMBER.search(text)
    return Decimal(match[0]) if match else None


def date_in(text: str) -> date | None:
    """The first date in a text: `2024-03-04` or `4 Mar 2024`."""
    days = dates_in(text)
    return days[0] if days else None


def dates_in(text: str) -> list[date]:
    """All dates of one form in a text."""
    found = [(int(m[1]), int(m[2]), int(m[3])) for m in ISO.finditer(text)]
    if not found:
        found = [
            (int(m[3]), MONTHS.index(m[2][:3]) + 1, int(m[1]))
            for m in WRITTEN.finditer(text)
            if m[2][:3] in MONTHS
        ]
    return [day for parts in found if (day := _day(*parts))]


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
