"""Lines as anchors: the one line that a pattern matches, or the one of several at a depth.

Also the evidence of a line that is gone: the line before the place and the one after it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, NamedTuple

from pydantic import Field

from authoring.errors import Place, UserError
from authoring.spec import Position
from generators.depth import line_at_depth
from generators.lines import split_lines
from generators.planters.candidates import listed, similar
from generators.planters.patterns import within_time
from generators.planting import Aim, Ground
from generators.registry import Span

Nth = Annotated[int, Field(ge=1)] | None
"""Which of several matching lines, from 1; where none is given the depth of the needle decides."""


class FoundLine(NamedTuple):
    """A line that a pattern matches."""

    number: int
    """From 1."""
    match: re.Match[str]


def target_lines(ground: Ground, aim: Aim) -> list[str]:
    """The lines of the file that is planted in."""
    return split_lines(ground.texts[aim.target])


def find_line(
    path: str, lines: Sequence[str], pattern: str, depth: Position | None, nth: Nth
) -> FoundLine:
    """The line that a pattern matches as a whole.

    Raises UserError where it matches none, and where it matches several and nothing decides.
    """
    compiled = re.compile(pattern)
    with within_time(pattern):
        matches = {
            number: match
            for number, line in enumerate(lines, start=1)
            if (match := compiled.fullmatch(line))
        }
    if not matches:
        raise UserError(
            f"the pattern matches no whole line of {len(lines)}; nearest:"
            + listed(lines, similar(pattern, lines, 1, len(lines))),
            place=Place(path),
        )
    number = one_of(path, lines, list(matches), depth, nth)
    return FoundLine(number, matches[number])


def one_of(
    path: str, lines: Sequence[str], numbers: Sequence[int], depth: Position | None, nth: Nth
) -> int:
    """One of the lines with a match: the `nth`, else by depth, else the only one."""
    if nth is not None and nth <= len(numbers):
        return numbers[nth - 1]
    if nth is None and len(numbers) == 1:
        return numbers[0]
    if nth is None and depth is not None:
        return line_at_depth(lines, numbers, depth)
    if nth is not None:
        raise UserError(
            f"there is no match {nth}; there are {len(numbers)}:" + listed(lines, numbers),
            place=Place(path),
        )
    raise UserError(
        f"{len(numbers)} lines match:" + listed(lines, numbers),
        place=Place(path),
        remedy="ask for one that no other has, or give `nth` or the depth of the needle",
    )


def gap(path: str, first: int, count: int) -> Span:
    """What shows that lines before line `first` are gone from a file that now has `count` lines."""
    return Span(path=path, first=max(1, first - 1), last=min(first, count))
