"""Thirds of the files of a kind and of the lines of a file, and the choice of a line by its third.

Prevents a defect from standing always at the same depth, where an agent that reads only the head of
each file would find all of them or none.
"""

from __future__ import annotations

from collections.abc import Sequence

from authoring.spec import POSITIONS, Position
from generators.seeding import draw


def rotated(position: Position, steps: int) -> Position:
    """Early becomes middle, middle late, late early; as many times as `steps` says."""
    return POSITIONS[(POSITIONS.index(position) + steps) % len(POSITIONS)]


def third_of(count: int, position: Position) -> range:
    """The indices, from 0, of one third of so many things; of one or two it may be empty."""
    index = POSITIONS.index(position)
    return range(index * count // 3, (index + 1) * count // 3)


def distance(line: int, count: int, position: Position) -> int:
    """How many lines, of `count`, a line (from 1) stands outside of a third; 0 inside."""
    wanted = third_of(count, position)
    return max(wanted.start - (line - 1), (line - 1) - (wanted.stop - 1), 0)


def line_at_depth(lines: Sequence[str], candidates: Sequence[int], depth: Position) -> int:
    """One of several lines (from 1): one of the wanted third, else the nearest to it.

    Within the third the texts of the candidates decide, so that needles are spread over it.
    """
    count = len(lines)
    inside = [line for line in candidates if not distance(line, count, depth)]
    if not inside:
        return min(candidates, key=lambda line: (distance(line, count, depth), line))
    return inside[draw(0, *(lines[line - 1] for line in inside)) % len(inside)]
