"""A value in a text with its place, so that what was read can be pointed at, or changed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from pathlib import PurePosixPath

from generators.detectors.detector import Evidence

DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
MOMENT = re.compile(r"(\d{4}-\d{2}-\d{2})(?:T|,? (?:at )?)(\d{2}:\d{2})")


@dataclass(frozen=True)
class Cell:
    """One value on one line."""

    text: str
    line: int
    """From 1."""
    column: int
    """From 0."""

    def part(self, start: int, end: int) -> Cell:
        """Some of its characters, with their place."""
        return Cell(self.text[start:end], self.line, self.column + start)

    @property
    def number(self) -> Decimal | None:
        """Its value, where it is a number."""
        try:
            return Decimal(self.text)
        except InvalidOperation:
            return None

    @property
    def day(self) -> date | None:
        """The first calendar day it names."""
        found = DAY.search(self.text)
        try:
            return date.fromisoformat(found[0]) if found else None
        except ValueError:
            return None

    @property
    def moment(self) -> datetime | None:
        """The first date with a time of day it names. Local: no zone is ever named."""
        found = MOMENT.search(self.text)
        try:
            return datetime.fromisoformat(f"{found[1]}T{found[2]}") if found else None
        except ValueError:
            return None


@dataclass(frozen=True)
class Entry:
    """One record: what it says by field. Of a form's section, or one row of a table."""

    section: str
    fields: Mapping[str, Cell]
    line: int
    """Where it begins."""

    def text(self, field: str) -> str:
        """What a field says; nothing where there is none."""
        cell = self.fields.get(field)
        return cell.text if cell else ""

    def number(self, field: str) -> Decimal | None:
        """The number in a field, where there is one."""
        cell = self.fields.get(field)
        return cell.number if cell else None

    def day(self, field: str) -> date | None:
        """The day in a field, where there is one."""
        cell = self.fields.get(field)
        return cell.day if cell else None


def on_lines(path: PurePosixPath, *cells: Cell) -> tuple[Evidence, ...]:
    """The lines of some values, each once."""
    return tuple(Evidence(path, line, line) for line in sorted({cell.line for cell in cells}))
