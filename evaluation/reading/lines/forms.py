"""What common commands print before the text of a line: numbers, paths, or both.

Prevents two false results: a numbered line taken for text that is in no file, and a line of the
corpus that itself begins with a number or a path taken for a numbered one. A line that may be
either keeps both readings until its neighbours decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from generators.lines import ANSI, CorpusIndex, is_weighty, normal_form

OVER_ONE = re.compile(r"(?P<n>\d{1,9})[:-]")
"""`grep -n`, `rg -n` over one file, with context lines."""
COUNTED = re.compile(r" *(?P<n>\d{1,9})\t")
"""`cat -n`, `nl`."""
NUMBERED = re.compile(r"\d{1,9}[:-]| *\d{1,9}\t")
"""Either."""
BEHIND_NUMBERS = re.compile(f"\n(?:{NUMBERED.pattern})(.*)")
"""What stands after the number of a line, in a text behind a line feed."""
MARKED_NUMBER = re.compile(r"(?P<mark>[:-])(?P<n>\d{1,9})(?P=mark)")
"""`:12:` and `-12-` after a path: grep -n, rg -n, with context lines."""
LONGEST_PATH = 512
"""Characters; no path is looked for further into a line."""
CUT = re.compile(
    r"\s*(?:\[the line is cut here\]"
    r"|(?:\u2026|\.\.\.)\s*(?:\[truncated\]|\(line truncated to [^()]*\))?)$"
)
"""What tools write where they cut a line."""


@dataclass(frozen=True, slots=True)
class ShownLine:
    """One line of a tool result."""

    text: str
    """Normal form, without what the tool added."""
    number: int | None = None
    """The line number printed with it."""
    path: str | None = None
    """The corpus file printed with it."""
    vouched: bool = False
    """The number is the file's own: the tool's table says so, or the path was printed too."""
    other: ShownLine | None = None
    """The same line with a number or path taken off, where that is a line of the corpus too."""
    cut: bool = False
    """It stood beside a mark of text left out, so it may be a part of a longer line."""
    below: bool = False
    """The path stands in a banner above it, and not in the line."""


class Paths(Protocol):
    """Knows the files of the corpus by what stands before a mark in a line."""

    @property
    def marks(self) -> re.Pattern[str]:
        """Finds the marks before which a path may stand."""
        ...

    def before(self, line: str, end: int) -> str | None:
        """The file that the first `end` characters name."""
        ...


def is_part(shown: str, whole: str) -> bool:
    """Whether a shown text is a part of a line, of some weight."""
    part = CUT.sub("", shown).strip()
    return is_weighty(part) and len(part) < len(whole) and part in whole


def bare(line: str) -> str:
    """A line without colour and byte-order marks, which may stand between a number and its mark."""
    if "\x1b" in line:
        line = ANSI.sub("", line)
    return line.replace("\ufeff", "") if "\ufeff" in line else line


def by_common_forms(line: str, index: CorpusIndex, paths: Paths) -> ShownLine:
    """A line with what common commands add taken off, unless it is a line of the corpus itself."""
    line = bare(line)
    plain = normal_form(line)
    if plain == "":
        return ShownLine(plain)
    if plain in index.places:
        return ShownLine(plain, other=other_reading(line, index, paths))
    return not_in_corpus(line, plain, index, paths)


def not_in_corpus(line: str, plain: str, index: CorpusIndex, paths: Paths) -> ShownLine:
    """The same for a line that as it stands is none of the corpus; `plain` is its normal form."""
    reading = other_reading(line, index, paths)
    if reading is None and paths.marks.search(line, 0, LONGEST_PATH):
        reading = _clipped(line, index, paths)
    return reading or ShownLine(plain)


def other_reading(line: str, index: CorpusIndex, paths: Paths) -> ShownLine | None:
    """The line without a number or path, if that is a line of the corpus; best the one printed."""
    if paths.marks.search(line, 0, LONGEST_PATH) is None:
        return _with_number(line, index)
    first: ShownLine | None = None
    for one in _with_path_and_number(line, paths):
        if one.text in index.places:
            if index.line(one.path or "", one.number or 0) == one.text:
                return one
            first = first or replace(one, vouched=False)
    return first or _with_number(line, index) or next(_with_path(line, index, paths), None)


class Prefix(NamedTuple):
    """The start of a line that names a file, up to a mark."""

    path: str
    end: int


def prefixes(line: str, paths: Paths) -> Iterator[Prefix]:
    """Every way to read a path at the start of a line: it may itself hold marks."""
    for match in paths.marks.finditer(line, 0, LONGEST_PATH):
        path = paths.before(line, match.start())
        if path is not None:
            yield Prefix(path, match.start())


def name_in(line: str, paths: Paths) -> str:
    """What names a file at the start of a line, before a mark and a number; empty if nothing."""
    for prefix in prefixes(line, paths):
        marked = MARKED_NUMBER.match(line, prefix.end)
        return line[: prefix.end] if marked and "\t" not in line[: prefix.end] else ""
    return ""


def _with_path_and_number(line: str, paths: Paths) -> Iterator[ShownLine]:
    for path, end in prefixes(line, paths):
        match = MARKED_NUMBER.match(line, end)
        if match is not None:
            text = normal_form(line[match.end() :])
            yield ShownLine(text, int(match["n"]), path, vouched=True)


def _with_number(line: str, index: CorpusIndex) -> ShownLine | None:
    match = NUMBERED.match(line)
    if match is None:
        return None
    end = match.end()
    text = normal_form(line[end:])
    return ShownLine(text, int(line[: end - 1])) if text in index.places else None


def _with_path(line: str, index: CorpusIndex, paths: Paths) -> Iterator[ShownLine]:
    for path, end in prefixes(line, paths):
        for rest in (line[end + 1 :], line[end + 1 :].removeprefix(" ")):
            text = normal_form(rest)
            if index.lines_in(path, text):
                yield ShownLine(text, None, path)
                break


def _clipped(line: str, index: CorpusIndex, paths: Paths) -> ShownLine | None:
    """A line of which path and number were printed, and only a part of the text."""
    for one in _with_path_and_number(line, paths):
        whole = index.line(one.path or "", one.number or 0)
        if whole is not None and is_part(one.text, whole):
            return one
    return None
