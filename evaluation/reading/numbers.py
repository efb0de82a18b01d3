"""Lines that were printed with their numbers.

Prevents two false results: `tail a.md | cat -n` and `grep x a.md | nl` count their own input, and
a number of theirs may fit a line of the file by chance.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaluation.reading.claims import Frame
from evaluation.reading.forms import ShownLine, is_part
from evaluation.reading.placement import Placement, Span
from evaluation.reading.versions import Versions
from generators.lines import CorpusIndex, is_weighty

COUNTS_ANEW = re.compile(
    r"(?<!\|)\|(?!\|)&?+\s*+(?!(?:sed|head|tail)\b)|<\(|\bnl\b(?![^|;&\n]*-b\s*a)"
)
"""In a command: what may number something else than the lines of a file."""


def counts_anew(command: str) -> bool:
    """Whether numbers that a command prints may be those of its own input."""
    if "|" not in command and "<(" not in command and "nl" not in command:
        return False
    return COUNTS_ANEW.search(command) is not None


def cut_number(number: int, following: int | None) -> int | None:
    """The number that a printed one may be the end of, where text before it was left out: the one
    before the next line's."""
    if following is None or following - 1 == number:
        return None
    return following - 1 if str(following - 1).endswith(str(number)) else None


@dataclass(frozen=True)
class Open:
    """What numbers leave open, as positions in the output."""

    lines: set[int]
    misfits: set[int]
    """Blank and short lines that do not stand where their numbers say."""


def by_numbers(
    lines: Sequence[ShownLine],
    only: str | None,
    index: CorpusIndex,
    frame: Frame,
    result: Placement,
) -> list[int]:
    """Place lines by their printed numbers; give the positions of those left open, in order."""
    left = Open(set(), set())
    for group in _groups(lines, only):
        path = lines[group[0]].path or only
        if path is None or lines[group[0]].number is None:
            left.lines.update(group)
        elif lines[group[0]].vouched or _holds(lines, group, path, index, frame):
            _place_group(lines, group, path, index, left, result)
        else:
            left.lines.update(group)
    return sorted(left.lines | _carried(left))


def _groups(lines: Sequence[ShownLine], only: str | None) -> Iterator[range]:
    """Neighbours whose numbers stand or fall together: of one file, and ascending."""
    first = 0
    for position in range(1, len(lines) + 1):
        if position == len(lines) or not _goes_on(lines[position - 1], lines[position], only):
            yield range(first, position)
            first = position


def _goes_on(one: ShownLine, following: ShownLine, only: str | None) -> bool:
    if one.number is None or following.number is None:
        return False
    return (
        (one.path or only) == (following.path or only)
        and one.vouched == following.vouched
        and one.number < following.number
    )


def _holds(
    lines: Sequence[ShownLine], group: range, path: str, index: CorpusIndex, frame: Frame
) -> bool:
    """Whether the numbers of a group are those of a file, where no table vouches for them."""
    unique = False
    for position in group:
        line = lines[position]
        text = index.line(path, line.number or 0)
        if text == line.text:
            unique = unique or index.is_unique(line.text)
        elif index.older and index.kept(Versions).now(path, line.number or 0, line.text):
            continue
        elif is_weighty(line.text) and index.lines_in(path, line.text):
            return False
    return unique or not frame.recounted


def _place_group(
    lines: Sequence[ShownLine],
    group: range,
    path: str,
    index: CorpusIndex,
    left: Open,
    result: Placement,
) -> None:
    fitting: list[int] = []
    weighty = False
    for position in group:
        line = lines[position]
        number = line.number or 0
        text = index.line(path, number)
        if text != line.text and index.older:
            moved = index.kept(Versions).now(path, number, line.text)
            number = number if moved is None else moved
            text = index.line(path, number)
        full = _full_number(lines, position, path, index)
        if text == line.text and full is not None:
            result.allow([Span(path, number, number), Span(path, full, full)], 1)
        elif text == line.text:
            fitting.append(number)
            weighty = weighty or line.vouched or is_weighty(line.text)
        elif text is not None and is_part(line.text, text):
            result.partial.append(Span(path, number, number))
        elif is_weighty(line.text):
            left.lines.add(position)
        else:
            left.misfits.add(position)
    spans = [Span(path, number, number) for number in fitting]
    if weighty:
        result.sure += spans
    else:
        # Blank and short lines fit many numbers by chance.
        result.allow(spans, len(spans))


def _full_number(
    lines: Sequence[ShownLine], position: int, path: str, index: CorpusIndex
) -> int | None:
    """Another line that a line with a number of a reader's may be, by its text and number."""
    line, following = lines[position], lines[position + 1 : position + 2]
    if not line.vouched or line.path is not None or not following or following[0].path is not None:
        return None
    full = cut_number(line.number or 0, following[0].number)
    return full if full is not None and index.line(path, full) == line.text else None


def _carried(left: Open) -> set[int]:
    """Blank and short lines with numbers of another count, beside lines with such numbers.

    Alone, such a line is the tool's own: the empty last line of a read, after a final LF.
    """
    carried: set[int] = set()
    for positions in (sorted(left.misfits), sorted(left.misfits, reverse=True)):
        for position in positions:
            if {position - 1, position + 1} & (left.lines | carried):
                carried.add(position)
    return carried
