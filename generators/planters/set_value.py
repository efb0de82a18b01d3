"""`set-value`: one value of a YAML, JSON or CSV file is another; every other byte stays."""

from __future__ import annotations

import json
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation
from typing import Self

from pydantic import field_validator, model_validator

from authoring.artefacts import Value
from authoring.errors import Place, UserError
from generators.lines import split_lines
from generators.planters.edit_line import replaced
from generators.planters.lines import Nth, one_of
from generators.planters.values import (
    Leaf,
    Node,
    Slot,
    csv_leaves,
    leaves,
    leaves_at,
    read_json,
    read_yaml,
    steps_of,
)
from generators.planting import Aim, Ground, Planted

SUMMARY = "one value of a YAML, JSON or CSV file is another"
EXAMPLE = """\
planter: set-value
parameters:
  path: visits[visit=week-4].weight_kg
  value: "157.4"
"""
ISO_DATE = len("2025-03-17")
YAML = (".yaml", ".yml")
OTHERS = (".csv", ".html", ".markdown", ".md", ".rst", ".tsv")
"""Some of which YAML would take for a mapping."""
NO_VALUES = "is neither YAML nor JSON: there is no value that a path leads to"
OTHERWISE = "aim at such a file, give `column` for CSV, or plant with edit-line or replace-text"
CHANGES = ("value", "times", "plus", "days")


class SetValueParameters(Value):
    """Which value, and what it becomes: exactly one of `value`, `times`, `plus`, `days`."""

    path: str | None = None
    """For YAML and JSON: keys and items, as `visits[2].weight_kg`. Items count from 0; `[-1]` is
    the last, `[*]` each of them, `[visit=week-4]` the one with that value under that key."""
    column: str | None = None
    """For CSV: the name of the column."""
    row: dict[str, str] = {}
    """For CSV: what other columns of the row say. Without it every row has the value."""
    value: str | None = None
    """The new value, as it is to be written; where the old one has quotes it gets the same."""
    times: Decimal | None = None
    """Multiplies a number, which keeps its places after the point."""
    plus: Decimal | None = None
    """Adds to a number, which keeps its places after the point."""
    days: int | None = None
    """Moves a date, `2025-03-17`, on or back; a time after it stays."""
    nth: Nth = None
    """Which of several values, from 1; without it the depth of the needle decides."""

    @field_validator("path")
    @classmethod
    def _is_a_path(cls, path: str | None) -> str | None:
        if path is not None:
            steps_of(path)
        return path

    @model_validator(mode="after")
    def _one_of_each(self) -> Self:
        if (self.path is None) == (self.column is None):
            raise ValueError("give either path, for YAML and JSON, or column, for CSV")
        if sum(getattr(self, name) is not None for name in CHANGES) != 1:
            raise ValueError(f"give exactly one of {', '.join(CHANGES)}")
        return self


class SetValue:
    """Sets the one value that a path or a column leads to. Its line is the evidence."""

    def __init__(self, parameters: SetValueParameters) -> None:
        self._parameters = parameters

    def plant(self, ground: Ground, aim: Aim) -> Planted:
        path, text = str(aim.target), ground.texts[aim.target]
        try:
            leaf = self._chosen(aim, text)
            start, end = leaf.slot
            new = self._changed(leaf.text)
            written = _written(text[start:end], new, is_csv=self._parameters.path is None)
            planted = text[:start] + written + text[end:]
            self._check(aim, planted, Leaf(Slot(start, start + len(written)), new))
        except UserError as error:
            place = error.place or Place(path)
            raise UserError(error.what, place=place, remedy=error.remedy) from error
        number = text.count("\n", 0, start) + 1
        return replaced(path, number, text.split("\n")[number - 1], planted.split("\n")[number - 1])

    def _chosen(self, aim: Aim, text: str) -> Leaf:
        nth = self._parameters.nth
        if self._parameters.path is None:
            found = csv_leaves(text, self._parameters.row, self._parameters.column or "")
        else:
            tree = _tree(aim, text)
            found = list(leaves_at(tree, steps_of(self._parameters.path)))
        if nth is not None and nth <= len(found):
            return found[nth - 1]
        numbers = [text.count("\n", 0, leaf.slot.start) + 1 for leaf in found]
        number = one_of(str(aim.target), split_lines(text), numbers, aim.depth, nth)
        return found[numbers.index(number)]

    def _changed(self, old: str) -> str:
        given = self._parameters
        if given.value is not None:
            return given.value
        if given.days is not None:
            return _moved(old, given.days)
        try:
            number = Decimal(old)
        except InvalidOperation as error:
            raise UserError(f"the value {old!r} is no number") from error
        result = number * given.times if given.times is not None else number + (given.plus or 0)
        return str(result.quantize(number))

    def _check(self, aim: Aim, text: str, wanted: Leaf) -> None:
        """The file must still be read, and hold just this value there."""
        if self._parameters.path is not None and wanted not in leaves(_tree(aim, text)):
            raise UserError(f"the value {wanted.text!r} would be read as another one")


def _tree(aim: Aim, text: str) -> Node:
    suffix = aim.target.suffix
    if suffix == ".json":
        return read_json(text)
    if suffix in YAML:
        return read_yaml(text)
    if suffix in OTHERS:
        raise UserError(NO_VALUES, remedy=OTHERWISE)
    # Some YAML files have other names, or none that tells.
    try:
        tree = read_yaml(text)
    except UserError as error:
        raise UserError(NO_VALUES, remedy=OTHERWISE) from error
    if isinstance(tree, Leaf):
        raise UserError(NO_VALUES, remedy=OTHERWISE)
    return tree


def _moved(old: str, days: int) -> str:
    try:
        day = date.fromisoformat(old[:ISO_DATE]) + timedelta(days=days)
    except (ValueError, OverflowError) as error:
        raise UserError(f"the value {old!r} is no date") from error
    return day.isoformat() + old[ISO_DATE:]


def _written(old: str, new: str, *, is_csv: bool) -> str:
    """A value with the quotes of the one whose place it takes."""
    if "\n" in old + new:
        raise UserError(f"the value {old!r}, or the new one, is not on one line")
    quote = old[:1]
    if is_csv:
        needs = quote == '"' or any(character in new for character in ',"')
        return '"' + new.replace('"', '""') + '"' if needs else new
    if quote == '"':
        return json.dumps(new, ensure_ascii=False)
    return "'" + new.replace("'", "''") + "'" if quote == "'" else new
