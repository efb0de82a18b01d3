"""The files of a corpus as tools print them: bare, or each line with its number.

A block of output is compared with such a page as one string, so its lines cost nothing each.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from evaluation.reading.lines.forms import NUMBERED, by_common_forms, other_reading
from evaluation.reading.lines.paths import paths_of
from generators.lines import CorpusIndex, LinePlace, is_weighty

NUMBER_IN = re.compile(f"^(?:{NUMBERED.pattern})", re.MULTILINE)
MOST = 1 << 27
"""Characters of numbered pages that are kept at a time."""
FIRST = 1 << 10
"""Characters that are compared first; where they are equal, more and more at a time."""


class NumberForm(NamedTuple):
    """How a tool prints the number of a line."""

    width: int
    """Filled up with spaces on the left; 0 for none."""
    separator: str

    def of(self, number: int) -> str:
        """What stands before the text of a line."""
        return f"{number:>{self.width}}{self.separator}"


@dataclass(frozen=True)
class Page:
    """One file as it is printed. Each line ends with LF."""

    text: str
    starts: Sequence[int]
    """Where each line starts, and at last the end of the text."""

    @classmethod
    def of(cls, lines: Sequence[str]) -> Page:
        """The page of lines."""
        starts = [0, *accumulate(len(line) + 1 for line in lines)]
        return cls("".join(f"{line}\n" for line in lines), starts)

    @property
    def lines(self) -> list[str]:
        """Its lines without their ends."""
        return self.text.split("\n")[:-1]

    def lines_in(self, length: int, number: int) -> int:
        """How many whole lines from a line on so many characters are."""
        start = self.starts[number - 1]
        return bisect_right(self.starts, start + length) - number


def light(text: str) -> str:
    """A text whose every line ends with a bare LF: what tools that read lines print."""
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    return text if text.endswith("\n") or not text else text + "\n"


def equal_lines(shown: str, at: int, page: Page, number: int) -> int:
    """How many characters of a shown text are whole lines of a page, from a line of it on."""
    text = page.text
    start, size, length = page.starts[number - 1], FIRST, 0
    if at == 0 and text.startswith(shown, start):
        return len(shown)
    if start == 0 and shown.startswith(text, at):
        return len(text)
    most = min(len(shown) - at, len(text) - start)
    while length < most:
        size = min(size, most - length)
        here, there = at + length, start + length
        if shown[here : here + size] != text[there : there + size]:
            length += _common(shown, here, text, there, size)
            break
        length += size
        size *= 4
    return max(0, shown.rfind("\n", at, at + length) + 1 - at)


def _common(one: str, here: int, other: str, there: int, size: int) -> int:
    """How many characters are equal, of so many that are not all equal."""
    length = 0
    while size > 1:
        half = size // 2
        if one[here : here + half] == other[there : there + half]:
            length += half
            here += half
            there += half
            size -= half
        else:
            size = half
    return length


class Printed:
    """The pages of a corpus. Each is made when it is first asked for."""

    def __init__(self, index: CorpusIndex) -> None:
        self._index = index
        self._bare: dict[str, Page] = {}
        self._numbered: dict[_Numbered, Page] = {}
        self._size = 0
        self._bare_once: dict[str, bool] = {}
        self._numbered_once: dict[_Numbered, bool] = {}

    @cached_property
    def unique(self) -> dict[str, LinePlace]:
        """Where each corpus-unique line stands."""
        return {
            text: places[0]
            for text, places in self._index.places.items()
            if len(places) == 1 and is_weighty(text)
        }

    def bare(self, path: str) -> Page:
        """The file as `cat` prints it."""
        if path not in self._bare:
            text = light(self._index.text(path).removeprefix("\ufeff"))
            # Of a file that is a byte-order mark alone, its one line is left, and no LF.
            lines = text.split("\n")[:-1] or [""] * len(self._index.files[path])
            self._bare[path] = Page.of(lines)
        return self._bare[path]

    def numbered(self, path: str, form: NumberForm) -> Page:
        """The file with its line numbers."""
        key = _Numbered(path, form)
        page = self._numbered.get(key)
        if page is None:
            lines = enumerate(self.bare(path).lines, start=1)
            page = Page.of([f"{form.of(number)}{line}" for number, line in lines])
            if self._size > MOST:
                self._numbered.clear()
                self._size = 0
            self._size += len(page.text)
            self._numbered[key] = page
        return page

    def is_read_bare(self, path: str) -> bool:
        """Whether no line of a file can be read as one that a command numbered: see forms.py."""
        if path not in self._bare_once:
            self._bare_once[path] = not self._has_forms(self.bare(path))
        return self._bare_once[path]

    def _has_forms(self, page: Page) -> bool:
        paths = self._index.kept(paths_of)
        if NUMBER_IN.search(page.text) is None and not paths.may_be_in(page.text):
            return False
        return any(other_reading(line, self._index, paths) for line in page.lines)

    def is_read_numbered(self, path: str, form: NumberForm) -> bool:
        """Whether each line with its number can be read as that alone."""
        key = _Numbered(path, form)
        if key not in self._numbered_once:
            lines = enumerate(self.numbered(path, form).lines, start=1)
            self._numbered_once[key] = all(
                is_numbered(line, path, number, self._index) for number, line in lines
            )
        return self._numbered_once[key]


class _Numbered(NamedTuple):
    path: str
    form: NumberForm


def is_numbered(line: str, path: str, number: int, index: CorpusIndex) -> bool:
    """Whether a shown line can only be read as a number and the text of that line of a file."""
    one = by_common_forms(line, index, index.kept(paths_of))
    return (one.number, one.path, one.other) == (number, None, None) and one.text == index.line(
        path, number
    )
