"""Day rates in the tables of contracts: schedules, efforts, and rates before and after."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from generators.lines import split_lines

RULE = re.compile(r"\|(?:\s*:?-+:?\s*\|)+\s*$")
MONEY = re.compile(r"-?\d{1,3}(?:,\d{3})*\.\d\d$")
RATE = re.compile(r"\brates?\b|\bper day\b", re.IGNORECASE)
FORMER = re.compile(r"\b(?:previous|until now|former|old)\b", re.IGNORECASE)
NEW = re.compile(r"\bnew\b|\brate from\b", re.IGNORECASE)


@dataclass(frozen=True)
class RoleRate:
    """What a day of one role costs, in cents, and on which line it stands."""

    role: str
    cents: int
    line: int
    former: int | None = None
    """Of a change of rates: what it cost before."""


def cells_of(row: str) -> list[str]:
    """The cells of a row."""
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def cents(cell: str) -> int | None:
    """`1,234.50` is 123450."""
    return int(re.sub(r"[,.]", "", cell)) if MONEY.match(cell) else None


def role_rates(text: str) -> tuple[RoleRate, ...]:
    """Every role with its rate, from all tables with a column of rates."""
    return tuple(_rates(split_lines(text)))


def _rates(lines: list[str]) -> Iterator[RoleRate]:
    head: list[str] = []
    for number, line in enumerate(lines, start=1):
        if not line.startswith("|"):
            head = []
        elif not head:
            head = cells_of(line)
        elif not RULE.match(line):
            found = _row(head, cells_of(line), number)
            if found is not None:
                yield found


def _row(head: list[str], row: list[str], line: int) -> RoleRate | None:
    columns = [place for place, name in enumerate(head) if place and RATE.search(name)]
    if not columns or len(row) != len(head) or not row[0]:
        return None
    former = [place for place in columns if FORMER.search(head[place])]
    new = [place for place in columns if NEW.search(head[place]) and place not in former]
    if former and new:
        before, after = cents(row[former[0]]), cents(row[new[0]])
        return None if before is None or after is None else RoleRate(row[0], after, line, before)
    stated = cents(row[columns[0]])
    return None if stated is None else RoleRate(row[0], stated, line)
