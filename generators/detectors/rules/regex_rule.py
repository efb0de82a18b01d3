"""`regex`: a pattern on a line, in a sentence or in the whole text, and how large a group of it is.

Sentences are those of the planter `replace-text`, whose evidence is the sentence it changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Annotated, Literal, NamedTuple

from pydantic import Field, ValidationInfo, field_validator

from generators.detectors.detector import Evidence
from generators.detectors.rules.looking import Comparing, Found, LineNumbers, PerFile, with_lf
from generators.lines import split_lines
from generators.planters.patterns import Pattern, within_time
from generators.sections import as_headings, parse_sections
from generators.sentences import sentences

SUMMARY = "a pattern matches, and a group of it is out of bounds where bounds are given"
EXAMPLE = """\
name: long-deadline
summary: an answer is due later than 60 days
detector: regex
parameters:
  files: ["letters/*.md"]
  over: sentence
  heading: Deadline
  pattern: due within (?P<days>[0-9]+) days
  unless: by agreement
  group: days
  more_than: 60
"""


class RegexParameters(Comparing):
    """What is looked for, and where. What is compared is a group of the match."""

    over: Literal["line", "sentence", "text"] = "line"
    """What the pattern is looked for in. A line or a sentence that matches is the evidence as a
    whole; in the text, which a pattern may cross the lines of, the lines that it matches are. A
    sentence stands on one line, with single spaces."""
    heading: str | Annotated[tuple[str, ...], Field(min_length=1)] | None = None
    """Look only under headings of this text, without marks and number, or under one of several."""
    pattern: Pattern
    """A regular expression, which need not match the whole."""
    unless: Pattern | None = None
    """A regular expression; where it matches the same line, sentence or lines, it is no defect."""
    group: int | str = 0
    """The group of the pattern that is compared, by name or number; 0 is all of the match."""

    @field_validator("group")
    @classmethod
    def _is_in_the_pattern(cls, group: int | str, info: ValidationInfo) -> int | str:
        pattern = info.data.get("pattern")
        if pattern is not None:
            compiled = re.compile(pattern)
            if group not in {*range(compiled.groups + 1), *compiled.groupindex}:
                raise ValueError(f"the pattern has no group {group!r}")
        return group


class Passage(NamedTuple):
    """A part of a text; its lines count from 1, both ends in."""

    text: str
    first: int
    last: int


class RegexRule(PerFile):
    """Finds every place that a pattern matches."""

    def __init__(self, parameters: RegexParameters) -> None:
        self._parameters = parameters

    def extract(self, path: PurePosixPath, text: str) -> Found:
        given = self._parameters
        if not given.looks_at(path):
            return ()
        with within_time(given.pattern):
            found = {
                Evidence(path, passage.first, passage.last)
                for passage in passages(with_lf(text), given)
                if given.unless is None or not holds(given.unless, passage.text)
            }
        return tuple(sorted(found))


def holds(pattern: str, text: str) -> bool:
    """Whether a pattern matches anywhere, within its own time."""
    with within_time(pattern):
        return re.search(pattern, text) is not None


def passages(text: str, given: RegexParameters) -> Iterator[Passage]:
    """The lines, sentences or runs of lines that match, and whose group is a defect."""
    for passage in _parts(text, given):
        matches = [
            match
            for match in re.finditer(given.pattern, passage.text, re.MULTILINE)
            if (value := match[given.group]) is not None and given.is_defect(value)
        ]
        if given.over == "text":
            yield from map(_Run(passage).lines_of, matches)
        elif matches:
            yield passage


def _parts(text: str, given: RegexParameters) -> Iterator[Passage]:
    lines = split_lines(text)
    regions = [range(1, len(lines) + 1)]
    if given.heading is not None:
        wanted = {plain(heading) for heading in as_headings(given.heading)}
        sections = parse_sections(lines)
        regions = [range(s.first, s.end + 1) for s in sections if plain(s.title) in wanted]
    if given.over == "text":
        for region in regions:
            if region:
                whole = "\n".join(lines[region.start - 1 : region.stop - 1])
                yield Passage(whole, region.start, region.stop - 1)
        return
    parts: Iterator[Passage] = (Passage(line, n, n) for n, line in enumerate(lines, start=1))
    if given.over == "sentence":
        parts = (Passage(one.text, one.first, one.last) for one in sentences(text))
    yield from (part for part in parts if any(part.first in region for region in regions))


class _Run:
    """Several lines, which a match may cross."""

    def __init__(self, passage: Passage) -> None:
        self._first = passage.first
        self._lines = passage.text.split("\n")
        self._numbers = LineNumbers(passage.text)

    def lines_of(self, match: re.Match[str]) -> Passage:
        """The whole lines of a match; a line end at its end is not the line after it."""
        end = match.end() - 1 if match[0].endswith("\n") else match.end()
        first, last = self._numbers.at(match.start()), self._numbers.at(end)
        lines = self._lines[first - 1 : last]
        return Passage("\n".join(lines), self._first + first - 1, self._first + last - 1)


def plain(heading: str) -> str:
    """A heading as it is compared: neither letter case nor spaces matter."""
    return " ".join(heading.split()).casefold()
