"""`values`: a value of a YAML, JSON or CSV file is not as it should be.

The evidence is that of the planter `set-value`: the line of the value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Self

from pydantic import field_validator, model_validator

from authoring.errors import UserError
from generators.detectors.detector import Evidence
from generators.detectors.rules.looking import Comparing, Found, LineNumbers, PerFile, with_lf
from generators.planters.patterns import within_time
from generators.planters.values import (
    Leaf,
    Node,
    Step,
    csv_leaves,
    read_json,
    read_yaml,
    steps_of,
)

SUMMARY = "a value of a YAML, JSON or CSV file is out of bounds"
EXAMPLE = """\
name: dear-meal
summary: a meal costs more than the policy allows
detector: values
parameters:
  files: ["expenses/*.csv"]
  column: amount
  row: {category: meal}
  more_than: 75
"""


class ValuesParameters(Comparing):
    """Which values are compared, and with what."""

    path: str | None = None
    """For YAML and JSON: keys and items, as `visits[2].weight_kg`. Items count from 0; `[-1]` is
    the last, `[*]` each of them, `[visit=week-4]` the one with that value under that key."""
    column: str | None = None
    """For CSV: the name of the column."""
    row: dict[str, str] = {}
    """For CSV: what other columns of the row say. Without it every row is looked at."""

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
        if not self.compares:
            raise ValueError("give what is compared: more_than, less_than, equals, not_in, matches")
        return self


class ValuesRule(PerFile):
    """Finds values that are out of bounds.

    A file that cannot be read, or that has no such value, has no defect of this kind.
    """

    def __init__(self, parameters: ValuesParameters) -> None:
        self._parameters = parameters

    def extract(self, path: PurePosixPath, text: str) -> Found:
        if not self._parameters.looks_at(path):
            return ()
        text = with_lf(text)
        lines = LineNumbers(text)
        with within_time(self._parameters.matches or ""):
            found = {
                Evidence(path, lines.at(leaf.slot.start), lines.at(leaf.slot.end))
                for leaf in self._leaves(path, text)
                if self._parameters.is_defect(leaf.text)
            }
        return tuple(sorted(found))

    def _leaves(self, path: PurePosixPath, text: str) -> list[Leaf]:
        given = self._parameters
        try:
            if given.path is None:
                return csv_leaves(text, given.row, given.column or "")
            tree = read_json(text) if path.suffix == ".json" else read_yaml(text)
            return list(values_at(tree, steps_of(given.path)))
        except (UserError, RecursionError):
            return []


def values_at(node: Node, steps: Sequence[Step]) -> Iterator[Leaf]:
    """The single values that a path leads to, from every item that has one."""
    if isinstance(node, Leaf):
        if not steps:
            yield node
        return
    if not steps:
        return
    step, later = steps[0], steps[1:]
    if step.key is not None:
        named = zip(node.keys, node.values, strict=True) if node.keys else ()
        for key, value in named:
            if key == step.key:
                yield from values_at(value, later)
                return
        return
    for index, value in enumerate(node.values if node.is_list else ()):
        if step.item in {"*", str(index), str(index - len(node.values))} or (
            step.item is None and _has(value, step)
        ):
            yield from values_at(value, later)


def _has(node: Node, step: Step) -> bool:
    if isinstance(node, Leaf) or step.field not in node.keys:
        return False
    value = node.values[node.keys.index(step.field)]
    return isinstance(value, Leaf) and value.text == step.text
