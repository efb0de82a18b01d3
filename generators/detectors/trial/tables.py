"""Reads tables: laboratory listings and dispensing logs (CSV), delegation logs (Markdown)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from generators.detectors.trial.cells import Cell, Entry
from generators.detectors.trial.dictionary import canonical
from generators.lines import split_lines

DELIMITERS = (",", ";", "|")
LISTING = frozenset({"accession", "analyte", "result", "unit", "subject", "visit"})
LOG = frozenset({"kit", "tablets", "returned", "subject", "visit"})
DELEGATION = frozenset({"name", "start", "end"})


def read_csv(text: str) -> tuple[Entry, ...]:
    """The rows of a listing or a log; none where the text is neither."""
    lines = split_lines(text)
    if not lines:
        return ()
    delimiter = max(DELIMITERS, key=lines[0].count)
    known = canonical("columns")
    names = [known.get(name.strip().casefold(), name) for name in lines[0].split(delimiter)]
    section = "listing" if set(names) >= LISTING else "log" if set(names) >= LOG else ""
    if not section:
        return ()
    rows = []
    for number, line in enumerate(lines[1:], start=2):
        cells = tuple(_cells(line, delimiter, number))
        if len(cells) == len(names):
            rows.append(Entry(section, dict(zip(names, cells, strict=True)), number))
    return tuple(rows)


def _cells(line: str, delimiter: str, number: int) -> Iterator[Cell]:
    start = 0
    for part in line.split(delimiter):
        inner = part.strip()
        yield Cell(inner, number, start + part.index(inner) if inner else start)
        start += len(part) + len(delimiter)


def read_delegations(text: str) -> tuple[Entry, ...]:
    """The rows of the first Markdown table that says who was delegated from when to when."""
    names: list[str] = []
    rows: list[Entry] = []
    known = canonical("staff_columns")
    for number, line in enumerate(split_lines(text), start=1):
        if not line.startswith("|"):
            if rows:
                break
            names = []
            continue
        cells = tuple(_cells(line.strip("|"), "|", number))
        # What stood before the first bar is gone: every column is one further on.
        cells = tuple(Cell(c.text, c.line, c.column + 1) for c in cells)
        if not names:
            names = [known.get(cell.text.casefold(), cell.text) for cell in cells]
        elif re.fullmatch(r"[|:\- ]+", line) or not set(names) >= DELEGATION:
            continue
        elif len(cells) == len(names):
            rows.append(Entry("delegation", dict(zip(names, cells, strict=True)), number))
    return tuple(rows)


def by_key(rows: tuple[Entry, ...], *fields: str) -> Mapping[tuple[str, ...], tuple[Entry, ...]]:
    """Rows by what some of their fields say."""
    found: dict[tuple[str, ...], tuple[Entry, ...]] = {}
    for row in rows:
        key = tuple(row.text(field) for field in fields)
        found[key] = (*found.get(key, ()), row)
    return found
