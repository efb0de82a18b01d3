"""The sums of a contract's tables: efforts, milestones, items of an order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from generators.detectors.contracts.rate_tables import RULE, cells_of, cents
from generators.lines import split_lines

Table = list[list[str]]
PERCENT = re.compile(r"(\d+)%")
TERM = re.compile(
    r"initial term of (?:[a-z-]+ )?\(?(?P<months>24|36|twenty-four|thirty-six)\)? months"
    r" (?:this|the sum)\D*?(?P<sum>[\d,]+\.\d\d)"
)
MONTHS = {"24": 24, "36": 36, "twenty-four": 24, "thirty-six": 36}


def tables(text: str) -> Iterator[Table]:
    """The tables of a text: the head first, without the rule below it."""
    rows: Table = []
    for line in [*split_lines(text), ""]:
        if line.startswith("|"):
            if not RULE.match(line):
                rows.append([cell.strip("*") for cell in cells_of(line)])
        elif rows:
            yield rows
            rows = []


def sum_faults(text: str) -> Iterator[str]:
    """Which sums of a contract are wrong."""
    total: int | None = None
    for table in tables(text):
        head = table[0]
        if len(head) == 4 and "USD" in head[3] and len(table) > 2:
            total = _amount(table[-1][3])
            yield from _line_faults(table)
        elif len(head) == 3 and total is not None and PERCENT.fullmatch(table[-1][1]):
            yield from _part_faults(table, total)
    stated = TERM.search(" ".join(text.split()))
    if stated and total is not None:
        months, amount = MONTHS[stated["months"]], _amount(stated["sum"])
        if amount != total * months // 12:
            yield f"{stated['sum']} over {months} months is not {months // 12} times {total}"


def _amount(cell: str) -> int:
    found = cents(cell)
    return 0 if found is None else found


def _line_faults(table: Sequence[Sequence[str]]) -> Iterator[str]:
    """Quantity times price on each line, then subtotal, discount and total."""
    sums: list[Sequence[str]] = []
    added = days = 0
    for row in table[1:]:
        price = cents(row[2])
        if price is None:
            sums.append(row)
            continue
        amount = _amount(row[3])
        if int(row[1]) * price != amount:
            yield f"{row[0]}: {row[1]} times {row[2]} is not {row[3]}"
        added += amount
        days += int(row[1])
    for row in sums:
        percent = PERCENT.search(row[0])
        if percent:
            added -= added * int(percent[1]) // 100
            continue
        if row[1] and int(row[1]) != days:
            yield f"{row[0]}: {row[1]} days are not {days}"
        if _amount(row[3]) != added:
            yield f"{row[0]}: {row[3]} is not {added}"


def _part_faults(table: Sequence[Sequence[str]], total: int) -> Iterator[str]:
    shares = [int(row[1].rstrip("%")) for row in table[1:]]
    if sum(shares) != 100:
        yield f"shares come to {sum(shares)} per cent"
    amounts = [_amount(row[2]) for row in table[1:]]
    if sum(amounts) != total:
        yield f"instalments come to {sum(amounts)}, not {total}"
    for share, amount, row in zip(shares[:-1], amounts, table[1:], strict=False):
        if amount != total * share // 100:
            yield f"{row[0]}: {row[2]} is not {share} per cent of {total}"
