"""`repeat-line`: the last line of a series comes again and again before something else ends it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, NamedTuple

from pydantic import Field

from authoring.artefacts import Value
from generators.detectors.incidents.reading import time_of
from generators.edits import Change, edits_of, joined
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

SUMMARY = "the last line of a series comes again and again"
EXAMPLE = """\
planter: repeat-line
parameters:
  line: .*"retry","rid":"(\\w+)".*
  count: 4
"""
SPREAD = 0.4
"""Of its slot, how far a repeat is from the middle."""
LEAST_APART = 20
"""Milliseconds between two repeats."""


class RepeatLineParameters(Value):
    """Which line, and how often."""

    line: Pattern
    """Matches each whole line of a series; its groups name the series, by a word that the line
    which ends it holds too."""
    count: Annotated[int, Field(ge=1, le=50)]
    """How many lines come on top."""


class _Room(NamedTuple):
    """A series, and the line that ends it."""

    numbers: Sequence[int]
    end: int


class RepeatLine:
    """Copies the last line of a series into the time before its end. All of the series shows it."""

    def __init__(self, parameters: RepeatLineParameters) -> None:
        self._parameters = parameters

    def plant(self, ground: Ground, aim: Aim) -> Planted:
        lines = target_lines(ground, aim)
        rooms = {room.numbers[0]: room for room in self._rooms(lines)}
        shown = {first: (*room.numbers, room.end) for first, room in rooms.items()}
        first = chosen(aim, lines, within(aim, lines, shown), "series with room before its end")
        room = rooms[first]
        path, last = str(aim.target), room.numbers[-1]
        changes: list[Change] = []
        before = last + 1
        for at in self._times(lines, room):
            while _at(lines, before) < at:
                before += 1
            changes.append(Change(path, before, (), (retimed(lines[last - 1], at),)))
        changes = _stacked(changes)
        edits = edits_of(changes)
        added = [n for edit in edits for n in range(edit.first, edit.last + 1)]
        return Planted(edits=edits, evidence=spans(aim.target, *room.numbers, *added))

    def _times(self, lines: Sequence[str], room: _Room) -> Iterator[int]:
        """Moments between the last line and the end, each somewhere in a slot of its own."""
        begins, line = _at(lines, room.numbers[-1]), lines[room.numbers[-1] - 1]
        slot = (_at(lines, room.end) - begins) / (self._parameters.count + 1)
        for step in range(1, self._parameters.count + 1):
            yield begins + int(slot * (step + drawn_between(-SPREAD, SPREAD, line, str(step))))

    def _rooms(self, lines: Sequence[str]) -> Iterator[_Room]:
        for name, numbers in in_series(lines, self._parameters.line).items():
            last = numbers[-1]
            end = next((n for n in range(last + 1, len(lines) + 1) if name in lines[n - 1]), 0)
            needed = LEAST_APART * (self._parameters.count + 1)
            if end and _at(lines, end) - _at(lines, last) > needed:
                yield _Room(numbers, end)


def _at(lines: Sequence[str], number: int) -> int:
    at = time_of(lines[number - 1])
    return -1 if at is None else at


def _stacked(changes: Sequence[Change]) -> list[Change]:
    """Lines that go in before the same line, as one change."""
    stacked: dict[int, Change] = {}
    for change in changes:
        above = stacked.get(change.first)
        planted = (above.planted if above else ()) + change.planted
        stacked[change.first] = Change(change.path, change.first, (), planted)
    return joined(stacked.values())
