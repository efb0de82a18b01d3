"""`agreement`: two files speak of the same thing, and what they say of it must be the same.

For the planter `pair`, whose evidence is one line of each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import NamedTuple, Self

from pydantic import model_validator

from authoring.artefacts import Value
from authoring.errors import UserError
from generators.detectors.detector import Evidence
from generators.detectors.rules.looking import Found, LineNumbers, Looking, same, with_lf
from generators.lines import split_lines
from generators.planters.pair import GroupPattern
from generators.planters.patterns import within_time
from generators.planters.values import csv_leaves

SUMMARY = "two files differ in what they say of the same thing"
EXAMPLE = """\
name: total-differs
summary: the ledger books another amount than the invoice states
detector: agreement
parameters:
  one:
    files: ["invoices/*.md"]
    key: "Invoice no\\\\. ([A-Z]+-[0-9]+)"
    value: "Total due: EUR ([0-9.]+)"
  other:
    files: [ledger.csv]
    key_column: invoice
    value_column: amount
"""


class Side(Looking):
    """What one of the two says: by patterns, or by columns of a CSV file."""

    key: GroupPattern | None = None
    """A regular expression whose first group is the key, looked for in the line of the value and,
    where it is not there, in the whole file, which then holds one key only."""
    value: GroupPattern | None = None
    """A regular expression whose first group is what must agree, in lines."""
    key_column: str | None = None
    """The column that holds the key."""
    value_column: str | None = None
    """The column that holds what must agree."""

    @model_validator(mode="after")
    def _one_of_each(self) -> Self:
        patterns = (self.key is not None, self.value is not None)
        columns = (self.key_column is not None, self.value_column is not None)
        if (all(patterns) and not any(columns)) or (all(columns) and not any(patterns)):
            return self
        raise ValueError("give either key and value, or key_column and value_column")


class AgreementParameters(Value):
    """The two that must agree."""

    one: Side
    other: Side


class Statement(NamedTuple):
    """What a line says of a thing."""

    key: str
    value: str
    line: int


class Statements(NamedTuple):
    """What a file says, as the one and as the other."""

    one: tuple[Statement, ...]
    other: tuple[Statement, ...]


class Agreement:
    """Finds the lines of two files that do not agree."""

    def __init__(self, parameters: AgreementParameters) -> None:
        self._parameters = parameters

    def extract(self, path: PurePosixPath, text: str) -> Statements:
        text = with_lf(text)
        sides = (self._parameters.one, self._parameters.other)
        one, other = (tuple(_stated(side, path, text)) for side in sides)
        return Statements(one, other)

    def decide(self, facts: Mapping[PurePosixPath, Statements]) -> Found:
        partners: dict[str, list[tuple[PurePosixPath, Statement]]] = {}
        for path in sorted(facts):
            for statement in facts[path].other:
                partners.setdefault(statement.key, []).append((path, statement))
        found: set[Evidence] = set()
        for path in facts:
            for statement in facts[path].one:
                for partner, other in partners.get(statement.key, ()):
                    if partner != path and not same(statement.value, other.value):
                        found.add(Evidence(path, statement.line, statement.line))
                        found.add(Evidence(partner, other.line, other.line))
        return tuple(sorted(found))


def _stated(side: Side, path: PurePosixPath, text: str) -> Iterator[Statement]:
    if not side.looks_at(path):
        return
    if side.key is not None and side.value is not None:
        with within_time(side.value):
            yield from list(_by_patterns(side.key, side.value, text))
        return
    key_column, value_column = side.key_column or "", side.value_column or ""
    try:
        keys = csv_leaves(text, {}, key_column)
        values = csv_leaves(text, {}, value_column)
    except UserError:
        return
    lines = LineNumbers(text)
    numbers = {lines.at(key.slot.start): key.text for key in keys}
    for value in values:
        number = lines.at(value.slot.start)
        if numbers.get(number):
            yield Statement(numbers[number], value.text, number)


def _by_patterns(key: str, value: str, text: str) -> Iterator[Statement]:
    whole = {match[1] for match in re.finditer(key, text) if match[1]}
    for number, line in enumerate(split_lines(text), start=1):
        for match in re.finditer(value, line):
            near = {found[1] for found in re.finditer(key, line) if found[1]} or whole
            if match[1] and len(near) == 1:
                yield Statement(next(iter(near)), match[1], number)
