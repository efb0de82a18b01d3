"""Paragraphs of a hard-wrapped Markdown file: where one ends, how wide it is, how it is wrapped.

Prevents a needle from being the odd line out: a replaced sentence is wrapped as its neighbours are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from generators.sections import HEADING

MARKER = re.compile(
    r"(?P<indent>[ \t]*)"
    r"(?P<marker>(?:[-*+]|[0-9]{1,3}[.)]|[0-9]{1,3}(?:\.[0-9]+)+[.)]?|\([a-z]{1,4}\))[ \t]+)"
)
"""What begins an item: `-`, `1.`, `7.2`, `(a)`."""
UNWRAPPED = re.compile(r"[ \t]*(?:$|\||```|~~~|---+[ \t]*$)")
"""A blank line, a table row, a fence, a rule: never part of a paragraph."""
USUAL_WIDTHS = (72, 76, 78, 79, 80, 84, 88, 90, 92, 96, 98, 100, 110, 120)


@dataclass(frozen=True)
class Paragraph:
    """A run of wrapped lines, or one line that is never wrapped. Indices from 0, `end` is out."""

    start: int
    end: int
    wraps: bool


def is_prose(line: str) -> bool:
    """Whether a line can be part of a wrapped paragraph."""
    return not UNWRAPPED.match(line) and not HEADING.match(line)


def paragraph_at(lines: Sequence[str], first: int, last: int) -> Paragraph | None:
    """The paragraph or list item that holds the lines `first` to `last`; None where several do."""
    if not all(is_prose(line) for line in lines[first : last + 1]):
        return Paragraph(first, first + 1, wraps=False) if first == last else None
    start = first
    while start and is_prose(lines[start - 1]) and not MARKER.match(lines[start]):
        start -= 1
    end = last + 1
    while end < len(lines) and is_prose(lines[end]) and not MARKER.match(lines[end]):
        end += 1
    return Paragraph(start, end, wraps=True)


def paragraphs(lines: Sequence[str]) -> list[Paragraph]:
    """All wrapped paragraphs and items of a file."""
    found: list[Paragraph] = []
    index = 0
    while index < len(lines):
        if is_prose(lines[index]):
            end = index + 1
            while end < len(lines) and is_prose(lines[end]) and not MARKER.match(lines[end]):
                end += 1
            found.append(Paragraph(index, end, wraps=True))
            index = end
        else:
            index += 1
    return found


@dataclass(frozen=True)
class _Widths:
    """Widths at which a greedy wrap gives the lines as they are; none where least > most."""

    least: int
    most: int

    def best(self) -> int:
        if self.least > self.most:
            return self.least
        return next((w for w in USUAL_WIDTHS if self.least <= w <= self.most), self.least)


def _widths(lines: Sequence[str], paragraph: Paragraph) -> _Widths:
    part = lines[paragraph.start : paragraph.end]
    most = min(
        len(line.rstrip()) + len(following.split(maxsplit=1)[0])
        for line, following in pairwise(part)
    )
    return _Widths(max(len(line.rstrip()) for line in part), most)


def wrap_width(lines: Sequence[str], paragraph: Paragraph) -> int | None:
    """The width a file is wrapped at, or None where its paragraphs are one line each.

    Taken from all its paragraphs together; where they disagree, from this one.
    """
    wrapped = [p for p in paragraphs(lines) if p.end - p.start > 1]
    if not wrapped:
        return None
    widths = [_widths(lines, p) for p in wrapped]
    common = _Widths(max(w.least for w in widths), min(w.most for w in widths))
    if common.least <= common.most or paragraph.end - paragraph.start == 1:
        return common.best()
    return _widths(lines, paragraph).best()


def wrap(text: str, *, width: int | None, first_indent: str, indent: str) -> list[str]:
    """Greedy wrap at white space, as `textwrap` does it without breaking words or at hyphens."""
    lines: list[str] = []
    start = end = -1
    for word in re.finditer(r"\S+", text):
        prefix = indent if lines else first_indent
        if start < 0:
            start = word.start()
        elif width is not None and len(prefix) + word.end() - start > width:
            lines.append(prefix + text[start:end])
            start = word.start()
        end = word.end()
    if start >= 0:
        lines.append((indent if lines else first_indent) + text[start:end])
    return lines


def continuation_indent(lines: Sequence[str], paragraph: Paragraph, index: int) -> str:
    """The indent of the lines after line `index` of a paragraph."""

    def indent_of(line: str) -> str:
        return line[: len(line) - len(line.lstrip())]

    if index + 1 < paragraph.end:
        return indent_of(lines[index + 1])
    if index > paragraph.start:
        return indent_of(lines[index])
    marker = MARKER.match(lines[index])
    # A numbered clause is not indented further; a bullet hangs.
    if marker and not marker["marker"][0].isdigit():
        return marker["indent"] + " " * len(marker["marker"])
    return indent_of(lines[index])
