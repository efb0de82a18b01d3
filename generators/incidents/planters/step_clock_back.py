"""`step-clock-back`: for some lines the clock is behind, then it is right again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from authoring.artefacts import Value
from generators.detectors.incidents.reading import time_of
from generators.edits import Change, edits_of
from generators.incidents.planters.anchors import chosen, drawn_between, retimed
from generators.planters.lines import target_lines
from generators.planters.patterns import Pattern
from generators.planting import Aim, Ground, Planted
from generators.registry import Span

SUMMARY = "some lines carry times before the line above"
EXAMPLE = """\
planter: step-clock-back
parameters:
  seconds: [15, 60]
  lines: 3
"""


class StepClockBackParameters(Value):
    """How far back, and for how long."""

    seconds: tuple[float, float]
    """Least and most that the first line is earlier than the line above it."""
    lines: Annotated[int, Field(ge=1, le=50)] = 3
    """How many lines in a row carry the wrong time."""
    only: Pattern | None = None
    """Each of these lines must hold a match of it."""


class StepClockBack:
    """Gives some lines in a row earlier times. The first of them and the line above show it."""

    def __init__(self, parameters: StepClockBackParameters) -> None:
        self._parameters = parameters

    def plant(self, ground: Ground, aim: Aim) -> Planted:
        lines = target_lines(ground, aim)
        count = self._parameters.lines
        times = [time_of(line) for line in lines]
        starts = [
            number
            for number in range(2, len(lines) - count + 1)
            if self._may_go_back(lines[number - 1 : number - 1 + count])
            and None not in times[number - 2 : number + count]
            and (times[number - 2] or 0) > self._parameters.seconds[1] * 1000
        ]
        first = chosen(aim, lines, starts, "run of lines that may be earlier")
        above, begins = times[first - 2] or 0, times[first - 1] or 0
        back = int(drawn_between(*self._parameters.seconds, lines[first - 1]) * 1000)
        shift = begins - above + back
        clean = tuple(lines[first - 1 : first - 1 + count])
        planted = tuple(
            retimed(line, (at or 0) - shift)
            for line, at in zip(clean, times[first - 1 :], strict=False)
        )
        change = Change(str(aim.target), first, clean, planted)
        evidence = Span(path=str(aim.target), first=first - 1, last=first)
        return Planted(edits=edits_of([change]), evidence=(evidence,))

    def _may_go_back(self, run: Sequence[str]) -> bool:
        only = self._parameters.only
        return only is None or all(re.search(only, line) for line in run)
