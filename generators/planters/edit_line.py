"""`edit-line`: one line says something else. For logs, CSV, JSON lines, e-mail headers."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import Field, ValidationInfo, field_validator

from authoring.artefacts import Value
from authoring.errors import Place, UserError
from generators.edits import Change, edits_of
from generators.planters.lines import Nth, find_line, target_lines
from generators.planters.patterns import Pattern, expanded, fills
from generators.planting import Aim, Ground, Planted
from generators.registry import Span

SUMMARY = "one line says something else"
EXAMPLE = """\
planter: edit-line
parameters:
  pattern: (?P<start>.* "GET /orders/[0-9]+ HTTP/1.1") 403 (?P<end>.*)
  replacement: \\g<start> 200 \\g<end>
"""


class EditLineParameters(Value):
    """Which line, and what it becomes."""

    pattern: Pattern
    """A regular expression that matches the whole of a line."""
    replacement: Annotated[str, Field(min_length=1)]
    r"""The new line. `\1` and `\g<name>` stand for groups of the pattern."""
    nth: Nth = None
    """Which of several lines that match, from 1; without it the depth of the needle decides."""

    @field_validator("replacement")
    @classmethod
    def _fills_the_pattern(cls, value: str, info: ValidationInfo) -> str:
        pattern = info.data.get("pattern")
        return value if pattern is None else fills(value, pattern)


class EditLine:
    """Replaces the one line that a pattern matches. It is the evidence."""

    def __init__(self, parameters: EditLineParameters) -> None:
        self._parameters = parameters

    def plant(self, ground: Ground, aim: Aim) -> Planted:
        path, lines = str(aim.target), target_lines(ground, aim)
        found = find_line(path, lines, self._parameters.pattern, aim.depth, self._parameters.nth)
        return replaced(path, found.number, lines[found.number - 1], self._new(path, found.match))

    def _new(self, path: str, match: re.Match[str]) -> str:
        new = expanded(match, self._parameters.replacement)
        if "\n" in new:
            raise UserError("the replacement is not one line", place=Place(path))
        return new


def replaced(path: str, number: int, old: str, new: str) -> Planted:
    """One line for another. Raises UserError where they are the same."""
    if old == new:
        raise UserError("the replacement changes nothing", place=Place(path, number, 1))
    change = Change(path=path, first=number, clean=(old,), planted=(new,))
    return Planted(edits=edits_of([change]), evidence=(Span(path=path, first=number, last=number),))
