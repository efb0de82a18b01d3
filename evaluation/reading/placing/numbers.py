"""Lines that were printed with their numbers.

Prevents two false results: `tail a.md | cat -n` and `grep x a.md | nl` count their own input, and
a number of theirs may fit a line of the file by chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaluation.reading.lines.forms import ShownLine, is_part
from evaluation.reading.lines.outputs import Frame
from evaluation.reading.lines.placement import Placement, Span
from evaluation.reading.lines.shown import ELIDED, is_mark
from evaluation.reading.lines.versions import Versions
from generators.lines import CorpusIndex, is_weighty


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
        others = _other_numbers(lines, position, path, index)
        if text == line.text and others:
            result.allow([Span(path, one, one) for one in (number, *others)], 1)
        elif text == line.text and not is_weighty(text) and _is_lone(lines, position):
            result.allow([Span(path, number, number)], 1)
        elif text == line.text:
            fitting.append(number)
            weighty = weighty or line.vouched or is_weighty(line.text)
        elif text is not None and is_part(line.text, text):
            result.partial.append(Span(path, number, number))
        elif text and line.text.startswith(text) and ELIDED.match(line.text, len(text)):
            result.allow([Span(path, number, number)], 1)  # it may have gone on
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


def _other_numbers(
    lines: Sequence[ShownLine], position: int, path: str, index: CorpusIndex
) -> list[int]:
    """Other lines that one with a reader's number may be, where its first digits were left out."""
    line, following = lines[position], lines[position + 1 : position + 2]
    if not line.vouched or line.path is not None or (following and following[0].path is not None):
        return []
    number = line.number or 0
    after = following[0].number if following else None
    if after is not None:
        return cut_numbers(number, after, line.text, path, index)
    return lone_numbers(number, line.text, path, index) if _is_lone(lines, position) else []


def _is_lone(lines: Sequence[ShownLine], position: int) -> bool:
    """Whether a line stands between a mark of text left out and the end of the numbers."""
    following = lines[position + 1 : position + 2]
    return (
        position > 0
        and lines[position].path is None
        and lines[position].vouched
        and is_mark(lines[position - 1])
        and not (following and following[0].number is not None)
    )


def cut_numbers(number: int, following: int, text: str, path: str, index: CorpusIndex) -> list[int]:
    """The line before the next shown one, if its number ends with the printed one."""
    full = following - 1
    if full == number or not str(full).endswith(str(number)) or index.line(path, full) != text:
        return []
    return [full]


def lone_numbers(number: int, text: str, path: str, index: CorpusIndex) -> list[int]:
    """All other lines of that text whose numbers end with the printed one."""
    found = index.lines_in(path, text)
    return [one for one in found if one != number and str(one).endswith(str(number))]


def _carried(left: Open) -> set[int]:
    """Blank and short lines with numbers of another count, beside lines with such numbers.

    Alone, such a line is the tool's own: the empty last line of a read, after a final LF.
    """
    carried: set[int] = set()
    for positions in (sorted(left.misfits), sorted(left.misfits, reverse=True)):
        for position in positions:
            beside = (position - 1, position + 1)
            if not (left.lines.isdisjoint(beside) and carried.isdisjoint(beside)):
                carried.add(position)
    return carried
