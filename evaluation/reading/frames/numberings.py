"""Lines with numbers in forms that no tool's table knows: `git blame`, `nl -s`, a script's own.

The number is the line's own where all lines of weight stand where it says. Else (`enumerate` from
0, `tail a.md | nl -s ': '`) the lines count at the upper end only.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from evaluation.reading.lines.carets import END, without_carets
from evaluation.reading.lines.forms import LONGEST_PATH, NUMBERED, Paths, ShownLine, prefixes
from evaluation.reading.lines.framed import Framed
from evaluation.reading.lines.paths import PathResolver
from generators.lines import CorpusIndex, is_weighty, normal_form

BLAME = re.compile(
    r"\^?[0-9a-f]{7,40}(?: {1,9}(?P<path>\S[^(\t]{0,300}?))? {1,99}"
    r"(?:\([^\t]{0,120}? {1,9}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4} {1,9}(?P<n>\d{1,9})\)"
    r"|(?P<m>\d{1,9})\))"
    r"(?: (?P<text>.*))?"
)
"""`git blame`, also with `-s` and `-f`."""
NUMBER = re.compile(r"(?P<before>[^\w\n]{0,12}(?:[A-Za-z]{1,8}[^\w\n]{0,3})?)(?P<n>\d{1,9})(?!\d)")
"""What a script may print before and as the number of a line."""
KNOWN = (":", "-", "\t")
"""What stands behind the numbers of common commands."""
LONGEST = 8
"""Characters that may stand between a number and the text."""
ASKED = 64
"""Lines by which it is told where the text begins."""
FEW = 2
"""Fewer lines do not tell that it is their numbers which they begin with."""
FEWEST = 3
"""Lines with their own numbers, by which numbers are known to be those of a file."""
MOST_NAMED = 8


class _Line(NamedTuple):
    before: str
    path: str | None
    number: int
    width: int
    """Of the number with what fills it up."""
    rest: str
    is_common: bool
    """A common command prints numbers so."""


class _Form(NamedTuple):
    """What stands between a number and the text of its line."""

    separator: str
    path: str
    is_own: bool
    """The number is that of the line."""
    column: int
    """In which the text begins."""


def blamed_in(lines: Sequence[str], only: str | None, paths: Paths) -> Iterator[Framed]:
    """What `git blame` shows."""
    start: int | None = None
    shown: list[ShownLine] = []
    for place, line in enumerate((*lines, "")):
        match = BLAME.fullmatch(line) if line[:1] in "^0123456789abcdef" and ")" in line else None
        if match is not None:
            start = place if start is None else start
            written = match["path"]
            path = paths.before(written, len(written)) if written else only
            text = normal_form(match["text"] or "")
            number = int(match["n"] or match["m"])
            shown.append(ShownLine(text, number, path, vouched=True) if path else ShownLine(text))
        elif start is not None:
            yield Framed(start, place, tuple(shown))
            start, shown = None, []


class Numberings:
    """Finds stretches of numbered lines in one output."""

    def __init__(
        self,
        lines: Sequence[str],
        named: Collection[str],
        index: CorpusIndex,
        paths: PathResolver,
        *,
        recounted: bool,
    ) -> None:
        self._lines = lines
        self._named = tuple(named) if len(named) <= MOST_NAMED else ()
        self._index = index
        self._paths = paths
        self._recounted = recounted
        self._has_paths = any(map(paths.may_be_in, lines))

    def framed(self) -> Iterator[Framed]:
        """Each stretch that shows lines of the corpus. One empty line may stand between two of it:
        a script that prints a line with its LF adds another."""
        start = stop = 0
        stretch: list[_Line] = []
        for place, line in enumerate(self._lines):
            if not line and place == stop:
                continue
            one = self._read(line)
            if one is None or not stretch or place > stop + 1 or not _goes_on(stretch[-1], one):
                yield from self._stretch(start, stop, stretch)
                start, stretch = place, []
            if one is not None:
                stretch.append(one)
                stop = place + 1
        yield from self._stretch(start, stop, stretch)

    def _read(self, line: str) -> _Line | None:
        path, at = None, 0
        if self._has_paths and self._paths.marks.search(line, 0, LONGEST_PATH):
            for prefix in prefixes(line, self._paths):
                if NUMBER.match(line, prefix.end):
                    path, at = prefix
                    break
        match = NUMBER.match(line, at)
        if match is None:
            return None
        is_common = path is None and NUMBERED.match(line) is not None
        padding = len(match["before"]) - len(match["before"].rstrip(" "))
        return _Line(
            match["before"].rstrip(" "),
            path,
            int(match["n"]),
            padding + len(match["n"]),
            line[match.end() :],
            is_common,
        )

    def _stretch(self, start: int, stop: int, stretch: Sequence[_Line]) -> Iterator[Framed]:
        if len(stretch) < FEW:
            return
        ends = all(one.rest.endswith(END) for one in stretch)
        rests = [without_carets(one.rest) if ends else one.rest for one in stretch]
        form = self._form(stretch, rests)
        if form is None or (form.separator in KNOWN and not ends and self._is_common(stretch)):
            return
        texts = _texts(stretch, rests, form, self._index)
        if self._are_own(stretch, texts, form):
            shown = (
                ShownLine(text, one.number, form.path, vouched=True)
                for one, text in zip(stretch, texts, strict=True)
            )
            yield Framed(start, stop, tuple(shown))
        else:
            yield Framed(start, stop, tuple(map(ShownLine, texts)), is_sure=False)

    @staticmethod
    def _is_common(stretch: Sequence[_Line]) -> bool:
        return all(one.is_common for one in stretch)

    def _form(self, stretch: Sequence[_Line], rests: Sequence[str]) -> _Form | None:
        votes: Counter[_Form] = Counter()
        asked = 0
        for one, rest in zip(stretch, rests, strict=True):
            if asked >= ASKED:
                break
            asked += bool(rest)
            votes.update(self._forms(one, rest))
        if not votes:
            return None
        return max(votes, key=lambda form: (form.is_own, votes[form]))

    def _forms(self, one: _Line, rest: str) -> Iterator[_Form]:
        for end in range(min(len(rest), LONGEST + 1)):
            if end and rest[end - 1].isalnum():
                return
            text = normal_form(rest[end:])
            places = self._index.places.get(text)
            if places is None or not is_weighty(text):
                continue
            own = (one.path,) if one.path else self._named
            for path in own:
                if self._index.line(path, one.number) == text:
                    yield _Form(rest[:end], path, is_own=True, column=one.width + end)
            if len(places) == 1:
                place = places[0]
                if place.path not in own or place.line != one.number:
                    is_own = place.line == one.number and one.path is None
                    yield _Form(rest[:end], place.path, is_own, one.width + end)
            else:
                yield _Form(rest[:end], "", is_own=False, column=one.width + end)

    def _are_own(self, stretch: Sequence[_Line], texts: Sequence[str], form: _Form) -> bool:
        """Whether the numbers are those of one file's lines."""
        if not form.is_own:
            return False
        fitting = weighty = 0
        unique = False
        for one, text in zip(stretch, texts, strict=True):
            if self._index.line(form.path, one.number) == text:
                fitting += 1
                weighty += is_weighty(text)
                unique = unique or self._index.is_unique(text)
            elif is_weighty(text):
                return False
        if not weighty or fitting < min(FEWEST, len(self._index.files[form.path])):
            return False
        if stretch[0].path is not None:
            return True
        return unique or (self._named == (form.path,) and not self._recounted)


def _goes_on(one: _Line, following: _Line) -> bool:
    return (
        one.before == following.before
        and one.path == following.path
        and one.number < following.number
    )


def _texts(
    stretch: Sequence[_Line], rests: Sequence[str], form: _Form, index: CorpusIndex
) -> list[str]:
    """What stands behind number and separator. Numbers may be filled up on the right."""
    by_separator = [_behind(rest, form.separator) for rest in rests]
    if form.separator[:1] != " ":
        return by_separator
    by_column = [
        normal_form(rest[max(0, form.column - one.width) :])
        for one, rest in zip(stretch, rests, strict=True)
    ]
    return max(
        by_separator, by_column, key=lambda texts: sum(text in index.places for text in texts)
    )


def _behind(rest: str, separator: str) -> str:
    if rest.startswith(separator):
        return normal_form(rest[len(separator) :])
    return "" if rest.rstrip() == separator.rstrip() else normal_form(rest)
