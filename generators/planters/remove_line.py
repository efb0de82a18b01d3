"""`remove-line`: a line that should be there is not. For logs, tables, lists of any kind."""

from __future__ import annotations

from authoring.artefacts import Value
from authoring.errors import Place, UserError
from generators.edits import Change, edits_of
from generators.planters.lines import Nth, find_line, gap, target_lines
from generators.planters.patterns import Pattern
from generators.planting import Aim, Ground, Planted

SUMMARY = "a line that should be there is not"
EXAMPLE = """\
planter: remove-line
parameters:
  pattern: \\S+ \\S+ INFO  backup of \\w+ finished .*
"""


class RemoveLineParameters(Value):
    """Which line goes."""

    pattern: Pattern
    """A regular expression that matches the whole of a line."""
    nth: Nth = None
    """Which of several lines that match, from 1; without it the depth of the needle decides."""


class RemoveLine:
    """Takes out the one line that a pattern matches. The lines on both sides are the evidence."""

    def __init__(self, parameters: RemoveLineParameters) -> None:
        self._parameters = parameters

    def plant(self, ground: Ground, aim: Aim) -> Planted:
        path, lines = str(aim.target), target_lines(ground, aim)
        found = find_line(path, lines, self._parameters.pattern, aim.depth, self._parameters.nth)
        left = len(lines) - 1
        if not left:
            raise UserError("nothing would be left of the file", place=Place(path))
        change = Change(path, found.number, clean=(lines[found.number - 1],), planted=())
        return Planted(edits=edits_of([change]), evidence=(gap(path, found.number, left),))
