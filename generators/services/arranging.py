"""The order of the parts of a file: drawn until what is reviewed stands in the third it should.

Prevents a sort of defect from having one depth only: without it the settings of a database would
stand anywhere, but amounts always in the first lines of a schema and users in the last of an image.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from authoring.spec import POSITIONS, Position
from generators.depth import distance
from generators.lines import split_lines

DRAWS = 60
"""After so many orders the best one so far is taken."""
MARK = "@PARTS@"
"""Stands in a text for its parts until their order is settled."""


@dataclass(frozen=True)
class Wish:
    """Lines of one sort, and the third of the file in which one of them should stand."""

    pattern: re.Pattern[str]
    """Matches the beginning of such a line."""
    third: Position


def wish(pattern: str, turn: int, later: int = 0) -> Wish:
    """Lines that match should stand in the third of a service, or so many thirds further on."""
    return Wish(re.compile(pattern), POSITIONS[(turn + later) % len(POSITIONS)])


def settled(draw: Callable[[], str], wishes: Sequence[Wish], draws: int = DRAWS) -> str:
    """The first text drawn that grants all wishes, else the one that comes nearest to it."""
    best, least = "", -1
    for _ in range(draws):
        text = draw()
        off = _off(text, wishes)
        if least < 0 or off < least:
            best, least = text, off
        if least == 0:
            break
    return best


def _off(text: str, wishes: Sequence[Wish]) -> int:
    """How many lines the wishes are missed by. A sort of line that is not there misses nothing."""
    lines = split_lines(text)
    return sum(
        min(
            (
                distance(number, len(lines), one.third)
                for number, line in enumerate(lines, start=1)
                if one.pattern.match(line)
            ),
            default=0,
        )
        for one in wishes
    )
