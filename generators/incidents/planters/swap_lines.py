"""`swap-lines`: two lines of a series that follow each other change places; the times stay."""

from __future__ import annotations

from itertools import pairwise

from authoring.artefacts import Value
from authoring.errors import UserError
from generators.detectors.incidents.reading import time_of
from generators.edits import Change, edits_of, joined
from generators.incidents.planters.anchors import chosen, in_series, retimed, spans, within
from generators.planters.lines import target_lines
from generators.planters.patterns import Pattern
from generators.planting import Aim, Ground, Planted

SUMMARY = "two lines of a series that follow each other change places; the times stay"
EXAMPLE = """\
planter: swap-lines
parameters:
  line: .* processed \\d+ of (p\\d+)
"""


class SwapLinesParameters(Value):
    """Which lines."""

    line: Pattern
    """Matches each whole line of a series; its groups name the series."""


class SwapLines:
    """Lets one line of a series overtake the one before it. Both show it."""

    def __init__(self, parameters: SwapLinesParameters) -> None:
        self._parameters = parameters

    def plant(self, ground: Ground, aim: Aim) -> Planted:
        lines = target_lines(ground, aim)
        pairs = {
            one: (one, other)
            for numbers in in_series(lines, self._parameters.line).values()
            for one, other in pairwise(numbers)
        }
        first = chosen(aim, lines, within(aim, lines, pairs), "series of two lines")
        one, other = pairs[first]
        changes = [
            Change(str(aim.target), at, (lines[at - 1],), (_at_the_time_of(lines[at - 1], said),))
            for at, said in ((one, lines[other - 1]), (other, lines[one - 1]))
        ]
        return Planted(edits=edits_of(joined(changes)), evidence=spans(aim.target, one, other))


def _at_the_time_of(line: str, said: str) -> str:
    """What one line says, with the time of another."""
    at = time_of(line)
    if at is None:
        raise UserError("a line of the series has no time")
    return retimed(said, at)
