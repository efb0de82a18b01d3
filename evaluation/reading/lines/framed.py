"""Lines of an output of which something was taken off that a command put around them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from evaluation.reading.lines.forms import ShownLine
from evaluation.reading.lines.placement import Span

Resolve = Callable[[str], str | None]
"""From a path as it was written to the file of the corpus that it names."""


class Framed(NamedTuple):
    """Neighbouring lines of one output, by their positions in it."""

    start: int
    stop: int
    """The position after the last."""
    lines: tuple[ShownLine, ...] = ()
    """What they show, without what the command added."""
    possible: tuple[Span, ...] = ()
    """Further places that one of them may have."""
    is_sure: bool = True
    """What was taken off is surely the command's. Else they also count as they stand."""
    fewest: int = 1
    """So many lines have to follow each other in a file to be placed surely."""
