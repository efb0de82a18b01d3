"""`agreement`: two files speak of the same thing, and what they say of it must be the same.

For the planter `pair`, whose evidence is one line of each.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from pathlib import PurePosixPath
from typing import NamedTuple, Self

from pydantic import model_validator

from authoring.artefacts import Value
from authoring.errors import UserError
from generators.detectors.detector import Evidence
from generators.detectors.rules.looking import Found, LineNumbers, Looking, compared, with_lf
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
        ones = [(path, said) for path, file in facts.items() for said in file.one]
        others = [(path, said) for path, file in facts.items() for said in file.other]
        found = {*_against(ones, _Tally(others)), *_against(others, _Tally(ones))}
        return tuple(sorted(found))


class _Tally:
    """How often what is said of each thing, so that no statement is held against each other one."""

    def __init__(self, said: Iterable[tuple[PurePosixPath, Statement]]) -> None:
        counted: Counter[tuple[str, PurePosixPath | None, str | Decimal | None]] = Counter()
        for path, (key, text, _) in said:
            value = compared(text)
            counted.update(((key, None, None), (key, path, None), (key, None, value)))
            counted[key, path, value] += 1
        self._counted = counted

    def differs(self, path: PurePosixPath, statement: Statement) -> bool:
        """Whether another file says anything else of the same thing."""
        key, value = statement.key, compared(statement.value)
        here, same = self._counted[key, path, None], self._counted[key, None, value]
        both = self._counted[key, path, value]
        return self._counted[key, None, None] - here - same + both > 0


def _against(said: Iterable[tuple[PurePosixPath, Statement]], tally: _Tally) -> Iterator[Evidence]:
    for path, statement in said:
        if tally.differs(path, statement):
            yield Evidence(path, statement.line, statement.line)


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
    whole = _keys(key, text)
    for number, line in enumerate(split_lines(text), start=1):
        values = [match[1] for match in re.finditer(value, line) if match[1]]
        near = (_keys(key, line) or whole) if values else set()
        if len(near) == 1:
            found = next(iter(near))
            yield from (Statement(found, one, number) for one in values)


def _keys(key: str, text: str) -> set[str]:
    with within_time(key):
        return {match[1] for match in re.finditer(key, text) if match[1]}
