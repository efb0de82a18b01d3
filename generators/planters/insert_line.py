"""`insert-line`: a line stands where none should. For logs, tables, lists of any kind."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, ValidationInfo, field_validator

from authoring.artefacts import Value
from generators.edits import Change, edits_of
from generators.planters.lines import Nth, find_line, target_lines
from generators.planters.patterns import Pattern, expanded, fills
from generators.planting import Aim, Ground, Planted
from generators.registry import Span

SUMMARY = "a line stands where none should"
EXAMPLE = """\
planter: insert-line
parameters:
  after: (?P<time>\\S+ \\S+) INFO  session opened for (?P<user>\\w+)
  line: \\g<time> INFO  role admin granted to \\g<user>
"""


class InsertLineParameters(Value):
    """After which line, and what."""

    after: Pattern
    """A regular expression that matches the whole of a line."""
    line: Annotated[str, Field(min_length=1)]
    r"""The new line, or several. `\1` and `\g<name>` stand for groups of the pattern."""
    nth: Nth = None
    """Which of several lines that match, from 1; without it the depth of the needle decides."""

    @field_validator("line")
    @classmethod
    def _fills_the_pattern(cls, value: str, info: ValidationInfo) -> str:
        after = info.data.get("after")
        return value if after is None else fills(value, after)


class InsertLine:
    """Puts a line after the one that a pattern matches. The new line is the evidence."""

    def __init__(self, parameters: InsertLineParameters) -> None:
        self._parameters = parameters

    def plant(self, ground: Ground, aim: Aim) -> Planted:
        path, lines = str(aim.target), target_lines(ground, aim)
        found = find_line(path, lines, self._parameters.after, aim.depth, self._parameters.nth)
        new = tuple(expanded(found.match, self._parameters.line).removesuffix("\n").split("\n"))
        first = found.number + 1
        change = Change(path=path, first=first, clean=(), planted=new)
        return Planted(
            edits=edits_of([change]),
            evidence=(Span(path=path, first=first, last=first + len(new) - 1),),
        )
