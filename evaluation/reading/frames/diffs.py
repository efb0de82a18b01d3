"""Unified diffs: lines of the new text stand whole behind a mark, under a path and a number.

`git diff`, `git show`, `git log -p`, `diff -u`; also of a merge, with a mark for each parent. A
line that was taken out belongs to an older text: it is no line of the one that is there now.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from evaluation.reading.lines.forms import ShownLine
from evaluation.reading.lines.framed import Framed, Resolve
from evaluation.reading.lines.placement import Span
from evaluation.reading.lines.shown import ELIDED
from generators.lines import CorpusIndex, normal_form

RANGES = re.compile(
    r"(?P<begin>@{2,}) (?P<old>(?:-\d+(?:,\d+)? )+)\+(?P<first>\d{1,9})(?:,(?P<count>\d{1,9}))? "
    r"(?P=begin)(?: (?P<within>.*))?"
)
"""Above the lines of one place."""
QUOTED = re.compile(r"\\(?:([0-7]{3})|(.))")
SIDE = re.compile(r"[abciow]/")
"""What git writes before the paths of the two sides."""
REMOVED = "-"


class _File(NamedTuple):
    """The file of which lines follow."""

    new: str | None = None
    """None where it is not of the corpus."""
    old: str | None = None
    """The other file that it is compared with, where that is one of the corpus too."""
    is_told: bool = False


def diffs_in(lines: Sequence[str], index: CorpusIndex, resolve: Resolve) -> Iterator[Framed]:
    """What diffs among some lines show."""
    file, is_git = _File(), False
    place = 0
    while place < len(lines):
        line = lines[place]
        following = lines[place + 1] if place + 1 < len(lines) else ""
        if line.startswith("diff "):
            is_git = line.startswith(("diff --git ", "diff --c"))
            file = _File()
        elif line.startswith("--- ") and following.startswith("+++ "):
            new = _path(following, resolve, is_git=is_git)
            old = _path(line, resolve, is_git=is_git)
            file = _File(new, None if is_git or old == new else old, is_told=True)
            yield Framed(place, place + 2)
            place += 2
            continue
        ranges = RANGES.fullmatch(line) if line.startswith("@@") else None
        if ranges is None:
            place += 1
            continue
        hunk = _Hunk(lines, place, ranges, file, index)
        yield hunk.framed()
        place = hunk.stop


def _path(header: str, resolve: Resolve, *, is_git: bool) -> str | None:
    """The file that stands in a header, behind the side and before the time."""
    written = header[4:].split("\t")[0].rstrip()
    if written.startswith('"') and written.endswith('"'):
        raw = QUOTED.sub(_plain, written[1:-1])
        written = raw.encode("latin-1", "replace").decode("utf-8", "replace")
    side = SIDE.match(written)
    if side is not None and (is_git or resolve(written) is None):
        return resolve(written[side.end() :])
    return resolve(written)


def _plain(escape: re.Match[str]) -> str:
    return (
        chr(int(escape[1], 8) & 0xFF)
        if escape[1]
        else {"t": "\t", "n": "\n"}.get(escape[2], escape[2])
    )


class _Hunk:
    """The lines of one place. Read when it is made."""

    def __init__(
        self,
        lines: Sequence[str],
        start: int,
        ranges: re.Match[str],
        file: _File,
        index: CorpusIndex,
    ) -> None:
        self._file = file
        self._index = index
        self._marks = len(ranges["begin"]) - 1
        self._start = start
        self._shown: list[ShownLine] = []
        self._removed: list[ShownLine] = []
        self._possible: list[Span] = []
        within = normal_form(ranges["within"] or "")
        if within and file.new:
            # What a place is in, as git says it: a line of which nobody knows the number.
            self._possible += [Span(file.new, n, n) for n in index.lines_in(file.new, within)]
        self.stop = start + 1
        self._read(lines, ranges)

    def _read(self, lines: Sequence[str], ranges: re.Match[str]) -> None:
        number: int | None = int(ranges["first"])
        left = int(ranges["count"] or 1)
        old = re.match(r"-(\d+)(?:,(\d+))?", ranges["old"])
        old_number = int(old[1]) if old else 0
        old_left = int(old[2] or 1) if old else 0
        is_cut = False
        while self.stop < len(lines) and (left > 0 or old_left > 0 or is_cut):
            line = lines[self.stop]
            marks, text = line[: self._marks], normal_form(line[self._marks :])
            if line.startswith("\\"):
                self.stop += 1
                continue
            if marks.strip("+- ") or (is_cut and not line) or line.startswith("@@"):
                if not _is_elided(line):
                    break
                is_cut, number = True, None  # how many lines were left out is not told
                self.stop += 1
                continue
            if _is_elided(line) and number and self._line(number) != text:
                is_cut, number = True, None
                self.stop += 1
                continue
            if REMOVED in marks:
                self._remove(text, old_number, is_cut=is_cut)
                old_number, old_left = old_number + 1, old_left - 1
            else:
                self._show(text, number)
                number, left = (number + 1 if number else None), left - 1
                if not marks.strip() and self._marks == 1:
                    self._allow_old(text, old_number, is_cut=is_cut)
                    old_number, old_left = old_number + 1, old_left - 1
            self.stop += 1
        while self.stop < len(lines) and lines[self.stop].startswith("\\ No newline"):
            self.stop += 1

    def _line(self, number: int) -> str | None:
        return self._index.line(self._file.new or "", number)

    def _show(self, text: str, number: int | None) -> None:
        if self._file.new is not None and not self._index.lines_in(self._file.new, text):
            # An older text of the file: no other file was shown.
            self._shown.append(ShownLine("", cut=True))
        elif self._file.new is not None:
            self._shown.append(ShownLine(text, number, self._file.new, vouched=number is not None))
        elif not self._file.is_told:
            self._shown.append(ShownLine(text))

    def _remove(self, text: str, number: int, *, is_cut: bool) -> None:
        old = self._file.old
        if old is not None and not is_cut and self._index.line(old, number) == text:
            self._removed.append(ShownLine(text, number, old, vouched=True))

    def _allow_old(self, text: str, number: int, *, is_cut: bool) -> None:
        old = self._file.old
        if old is not None and not is_cut and self._index.line(old, number) == text:
            self._possible.append(Span(old, number, number))

    def framed(self) -> Framed:
        return Framed(
            self._start,
            self.stop,
            (*self._shown, ShownLine("@@"), *self._removed)
            if self._removed
            else tuple(self._shown),
            tuple(self._possible),
        )


def _is_elided(line: str) -> bool:
    return ("..." in line or "\u2026" in line) and ELIDED.search(line) is not None
