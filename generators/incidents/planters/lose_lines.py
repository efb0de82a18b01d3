"""`lose-lines`: lines of a series are gone from a log; what others wrote between them stays.

A series is what belongs together by a name: the messages of a partition, the renewals of a lease,
the steps of a run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from authoring.artefacts import Value
from generators.edits import Change, edits_of, joined, moved
from generators.incidents.planters.anchors import chosen, in_series, spans, within
from generators.planters.lines import target_lines
from generators.planters.patterns import Pattern
from generators.planting import Aim, Ground, Planted

SUMMARY = "lines of a series are gone from a log"
EXAMPLE = """\
planter: lose-lines
parameters:
  line: .* processed \\d+ of (p\\d+)
  count: 2
  shown: both
"""


class LoseLinesParameters(Value):
    """Which lines go, and which line then shows it."""

    line: Pattern
    """Matches each whole line of a series; its groups name the series."""
    count: Annotated[int, Field(ge=1, le=50)] = 1
    """How many lines in a row go."""
    opened: Pattern | None = None
    """Lines, with the same groups, from which a series counts anew."""
    shows: Pattern | None = None
    """The line, with the same groups, whose next occurrence shows the loss; else `line` itself."""
    shown: Literal["next", "both"] = "next"
    """Whether the last line before the loss is evidence too."""


class _Loss(NamedTuple):
    """Lines that may go, counted from 1, and those of their series on both sides."""

    before: int
    """0: there is none."""
    lost: Sequence[int]
    after: int


class LoseLines:
    """Takes lines out of the middle of a series."""

    def __init__(self, parameters: LoseLinesParameters) -> None:
        self._parameters = parameters

    def plant(self, ground: Ground, aim: Aim) -> Planted:
        lines = target_lines(ground, aim)
        losses = {loss.lost[0]: loss for loss in self._losses(lines)}
        options = {first: self._shown_by(loss) for first, loss in losses.items()}
        first = chosen(aim, lines, within(aim, lines, options), "series that is long enough")
        loss, shown = losses[first], options[first]
        path = str(aim.target)
        changes = joined(Change(path, n, (lines[n - 1],), ()) for n in loss.lost)
        return Planted(
            edits=edits_of(changes),
            evidence=spans(aim.target, *(moved(number, changes) for number in shown)),
        )

    def _shown_by(self, loss: _Loss) -> Sequence[int]:
        return (loss.before, loss.after) if self._parameters.shown == "both" else (loss.after,)

    def _losses(self, lines: Sequence[str]) -> Iterator[_Loss]:
        given = self._parameters
        series = in_series(lines, given.line)
        opened = in_series(lines, given.opened) if given.opened else {}
        shows = in_series(lines, given.shows) if given.shows else series
        for name, numbers in series.items():
            for index in range(len(numbers) - given.count + 1):
                lost = numbers[index : index + given.count]
                after = _first_after(lost[-1], shows, name)
                again = _first_after(lost[0], opened, name)
                before = _last_before(lost[0], name, series, opened)
                if after and (not again or after < again) and (before or given.shows):
                    yield _Loss(before, lost, after)


def _first_after(line: int, series: Mapping[str, Sequence[int]], name: str) -> int:
    return next((number for number in series.get(name, ()) if number > line), 0)


def _last_before(line: int, name: str, *several: Mapping[str, Sequence[int]]) -> int:
    numbers = [n for series in several for n in series.get(name, ()) if n < line]
    return max(numbers, default=0)
