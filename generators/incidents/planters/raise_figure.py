"""`raise-figure`: one figure of a series jumps; the next one is as it was."""

from __future__ import annotations

import re

from authoring.artefacts import Value
from generators.edits import Change, edits_of
from generators.incidents.planters.anchors import chosen, drawn_between, series_of, spans
from generators.planters.lines import target_lines
from generators.planters.patterns import Pattern
from generators.planting import Aim, Ground, Planted

SUMMARY = "one figure of a series jumps"
EXAMPLE = """\
planter: raise-figure
parameters:
  line: .* (/\\S+) used (?P<figure>\\d+\\.\\d)G
  by: [16, 40]
"""


class RaiseFigureParameters(Value):
    """Which figure, and by how much."""

    line: Pattern
    """Matches each whole line of a series; `figure` is its group of the figure, the other groups
    name the series."""
    by: tuple[float, float]
    """Least and most above the figure of the line before."""


class RaiseFigure:
    """Lifts one figure of a series above the one before it."""

    def __init__(self, parameters: RaiseFigureParameters) -> None:
        self._parameters = parameters

    def plant(self, ground: Ground, aim: Aim) -> Planted:
        lines = target_lines(ground, aim)
        compiled = re.compile(self._parameters.line)
        last: dict[str, float] = {}
        figures: dict[int, float] = {}
        for number, line in enumerate(lines, start=1):
            match = compiled.fullmatch(line)
            if match is None:
                continue
            name = series_of(match)
            if name in last:
                figures[number] = last[name]
            last[name] = float(match["figure"])
        number = chosen(aim, lines, list(figures), "figure with one before it")
        line = lines[number - 1]
        figure = compiled.fullmatch(line)
        if figure is None:
            raise AssertionError("the line matched before")
        raised = figures[number] + drawn_between(*self._parameters.by, line)
        planted = f"{line[: figure.start('figure')]}{raised:.1f}{line[figure.end('figure') :]}"
        change = Change(str(aim.target), number, (line,), (planted,))
        return Planted(edits=edits_of([change]), evidence=spans(aim.target, number))
