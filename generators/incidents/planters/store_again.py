"""`store-again`: a line of a series comes a second time, some lines of its series further down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, NamedTuple

from pydantic import Field

from authoring.artefacts import Value
from generators.detectors.incidents.reading import time_of
from generators.edits import Change, edits_of
from generators.incidents.planters.anchors import (
    chosen,
    drawn_between,
    in_series,
    retimed,
    spans,
    within,
)
from generators.planters.lines import target_lines
from generators.planters.patterns import Pattern
from generators.planting import Aim, Ground, Planted

SUMMARY = "a line of a series comes a second time, some lines of its series further down"
EXAMPLE = """\
planter: store-again
parameters:
  line: .* processed \\d+ of (p\\d+)
  after: 2
"""
LEAST_APART = 4
"""Milliseconds that the line needs between those around it."""
EDGE = 0.25
"""Of the time between them, how far it stays from both."""


class StoreAgainParameters(Value):
    """Which line, and where it comes again."""

    line: Pattern
    """Matches each whole line of a series; its groups name the series."""
    after: Annotated[int, Field(ge=1, le=50)]
    """How many other lines of the series come between the two."""


class _Again(NamedTuple):
    """A line, and the one before which it comes again."""

    line: int
    before: int


class StoreAgain:
    """Copies a line of a series further down, with the time of that place. Both lines show it."""

    def __init__(self, parameters: StoreAgainParameters) -> None:
        self._parameters = parameters

    def plant(self, ground: Ground, aim: Aim) -> Planted:
        lines = target_lines(ground, aim)
        found = {again.line: again for again in self._places(lines)}
        line = chosen(aim, lines, within(aim, lines, found), "series that is long enough")
        before, said = found[line].before, lines[line - 1]
        above, below = _at(lines, before - 1), _at(lines, before)
        at = int(
            drawn_between(above + EDGE * (below - above), below - EDGE * (below - above), said)
        )
        change = Change(str(aim.target), before, (), (retimed(said, at),))
        return Planted(edits=edits_of([change]), evidence=spans(aim.target, line, before))

    def _places(self, lines: Sequence[str]) -> Iterator[_Again]:
        further = self._parameters.after + 1
        for numbers in in_series(lines, self._parameters.line).values():
            for line, before in zip(numbers, numbers[further:], strict=False):
                if _at(lines, before) - _at(lines, before - 1) >= LEAST_APART:
                    yield _Again(line, before)


def _at(lines: Sequence[str], number: int) -> int:
    at = time_of(lines[number - 1])
    return -1 if at is None else at
