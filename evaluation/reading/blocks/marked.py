"""Places what `grep -n` and `rg -n` print, comparing each line with the one that it names.

Gives what line_by_line.py gives. Where it cannot tell that, it gives nothing, and that is asked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from evaluation.reading.blocks.greps import place_many, place_one
from evaluation.reading.lines.forms import OVER_ONE, by_common_forms, name_in
from evaluation.reading.lines.outputs import Frame
from evaluation.reading.lines.paths import paths_of
from evaluation.reading.lines.placement import Placement, Span
from evaluation.reading.lines.printed import is_numbered
from evaluation.reading.lines.shown import around_elided, is_mark
from generators.lines import CorpusIndex, is_weighty, normal_form

MARKS = (":", "-")
DIGITS = re.compile(r"\d{1,9}")


@dataclass
class _Lines:
    """Lines of one file that follow each other in an output."""

    path: str = ""
    first: int = 0
    last: int = -1

    def span(self) -> list[Span]:
        return [Span(self.path, self.first, self.last)] if self.path else []


class MarkedOutput:
    """Lines with their paths and numbers. Filled while it is placed."""

    def __init__(self, index: CorpusIndex) -> None:
        self._index = index
        self._paths = index.kept(paths_of)
        self._result = Placement()
        self._lines = _Lines()

    def place(self, text: str) -> Placement | None:
        """Place all of it; None where a line may be read in several ways."""
        at_once = place_many(text, self._index)
        if at_once is not None:
            return at_once
        places = self._index.places
        name, path, end = "", "", 0
        own: Sequence[str] = ()
        for line in text.split("\n")[:-1]:
            if not (name and line.startswith(name) and line[end : end + 1] in MARKS):
                name = name_in(line, self._paths)
                path, end = self._paths.before(name, len(name)) or "", len(name)
                own = self._index.files.get(path, ())
            if name:
                digits, mark, rest = line[end + 1 :].partition(line[end])
                number = int(digits) if mark and DIGITS.fullmatch(digits) else 0
                # Equal as it stands, it has no other normal form.
                if 1 <= number <= len(own) and rest == own[number - 1] and line not in places:
                    self._add(path, number)
                    continue
                if self._fits(line, rest, number, own):
                    self._add(path, number)
                    continue
            if not is_noise(line, self._index, self._result):
                return None
        self._result.sure += self._lines.span()
        return self._result

    def _fits(self, line: str, rest: str, number: int, own: Sequence[str]) -> bool:
        """Whether a line has the normal form that its number says, and can be read in one way."""
        return (
            1 <= number <= len(own)
            and normal_form(rest) == own[number - 1]
            and normal_form(line) not in self._index.places
        )

    def _add(self, path: str, number: int) -> None:
        lines = self._lines
        if path == lines.path and number == lines.last + 1:
            lines.last = number
        else:
            self._result.sure += lines.span()
            self._lines = _Lines(path, number, number)


@dataclass
class _Group:
    """Neighbours with ascending numbers, which stand or fall together."""

    spans: list[Span] = field(default_factory=list)
    is_weighty: bool = False
    is_unique: bool = False


class OneFileOutput:
    """Lines with numbers alone, of the one file that the call named. Filled while it is placed."""

    def __init__(self, path: str, index: CorpusIndex, frame: Frame) -> None:
        self._path = path
        self._index = index
        self._frame = frame
        self._paths = index.kept(paths_of)
        self._result = Placement()
        self._group = _Group()

    def place(self, text: str) -> Placement | None:
        """Place all of it; None where a line may be read in several ways."""
        at_once = place_one(text, self._path, self._index, self._frame)
        if at_once is not None:
            return at_once
        lines = self._index.files[self._path]
        last = 0
        for line in text.split("\n")[:-1]:
            match = OVER_ONE.match(line)
            number = int(match["n"]) if match else 0
            if match is None or not 1 <= number <= len(lines):
                if not self._close() or not is_noise(line, self._index, self._result):
                    return None
                last = 0
                continue
            if number <= last and not self._close():
                return None
            last = number
            rest = line[match.end() :]
            if rest != lines[number - 1] and normal_form(rest) != lines[number - 1]:
                return None
            if not self._is_numbered(line, number):
                return None
            self._add(number, lines[number - 1])
        return self._result if self._close() else None

    def _is_numbered(self, line: str, number: int) -> bool:
        if "/" in line or "\t" in line or line[-1].isspace() or self._paths.has_numbers:
            return is_numbered(line, self._path, number, self._index)
        return line not in self._index.places

    def _add(self, number: int, text: str) -> None:
        group = self._group
        if group.spans and group.spans[-1].last == number - 1:
            group.spans[-1] = Span(self._path, group.spans[-1].first, number)
        else:
            group.spans.append(Span(self._path, number, number))
        group.is_weighty = group.is_weighty or is_weighty(text)
        if self._frame.recounted:
            group.is_unique = group.is_unique or self._index.is_unique(text)

    def _close(self) -> bool:
        """Place a group; false where its numbers may count something else."""
        group, self._group = self._group, _Group()
        if group.spans and self._frame.recounted and not group.is_unique:
            return False
        if group.is_weighty:
            self._result.sure += group.spans
        else:
            # Blank and short lines fit many numbers by chance.
            self._result.allow(group.spans, sum(one.last - one.first + 1 for one in group.spans))
        return True


def is_noise(line: str, index: CorpusIndex, result: Placement) -> bool:
    """Whether a line is no line of the corpus, however it is read; it is kept as left over."""
    one = by_common_forms(line, index, index.kept(paths_of))
    if one.number is not None or one.path is not None:
        return False
    if is_mark(one) or any(part.text in index.places for part in around_elided(line, one, index)):
        return False
    if one.text:
        result.leftover.append(one.text)
    return True
