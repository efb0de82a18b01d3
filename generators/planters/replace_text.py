"""`replace-text`: one passage of a file says something else.

The paragraph stays wrapped as it was, and only the lines that really differ become the edit.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field, ValidationInfo, field_validator

from authoring.artefacts import Value
from authoring.errors import Place, UserError
from generators.edits import Change, apply_changes, edits_of
from generators.lines import split_lines
from generators.planters.candidates import listed, similar
from generators.planters.patterns import compiles, expanded, fills, within_time
from generators.planters.wrapping import (
    continuation_indent,
    paragraph_at,
    wrap,
    wrap_width,
)
from generators.planting import Aim, Ground, Planted
from generators.registry import Span
from generators.sections import as_headings, find_section
from generators.sentences import Sentence, sentences

SPACE = r"(?:[^\S\n]+|[^\S\n]*\n[^\S\n]*)"
"""What a space of a pattern matches: white space with at most one line end in it."""

SUMMARY = "one passage says something else"
EXAMPLE = """\
planter: replace-text
parameters:
  heading: Limitation of Liability
  pattern: shall not exceed the fees paid in the twelve months before the claim
  replacement: shall not be subject to any limit
"""


class ReplaceTextParameters(Value):
    """What to look for, and what to put there."""

    heading: str | Annotated[tuple[str, ...], Field(min_length=1)] | None = None
    """Look only under this heading (its text without marks and number), or under one of these."""
    pattern: Annotated[str, Field(min_length=1)]
    """A regular expression that matches one place. A space in it also matches a line end."""
    replacement: Annotated[str, Field(min_length=1)]
    r"""The new text. `\1` and `\g<name>` stand for groups of the pattern."""

    @field_validator("pattern")
    @classmethod
    def _is_a_regular_expression(cls, value: str) -> str:
        compiles(_across_lines(value))
        return value

    @field_validator("replacement")
    @classmethod
    def _fills_the_pattern(cls, value: str, info: ValidationInfo) -> str:
        pattern = info.data.get("pattern")
        return value if pattern is None else fills(value, _across_lines(pattern))


def _across_lines(pattern: str) -> str:
    """The pattern with each run of spaces (outside of brackets, not escaped) as `SPACE`."""
    parts = re.findall(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]| +|[^\\\[ ]+|.", pattern, re.DOTALL)
    return "".join(SPACE if part.isspace() and part[0] == " " else part for part in parts)


@dataclass(frozen=True)
class _Found:
    """Where the pattern matches: line indices from 0, columns from 0."""

    first: int
    first_column: int
    last: int
    last_column: int
    replacement: str


class ReplaceText:
    """Replaces the one passage that a pattern matches.

    Evidence is the whole of each sentence that changed: what a reader must see to see the defect.
    """

    def __init__(self, parameters: ReplaceTextParameters) -> None:
        self._parameters = parameters

    def plant(self, ground: Ground, aim: Aim) -> Planted:
        path = str(aim.target)
        lines = ground.texts[aim.target].split("\n")
        found = self._find(path, lines)
        paragraph = paragraph_at(lines, found.first, found.last)
        if paragraph is None:
            raise UserError(
                f"the pattern matches across paragraphs, lines {found.first + 1} to"
                f" {found.last + 1}",
                place=Place(path),
            )
        if paragraph.wraps:
            following = lines[found.last + 1 : paragraph.end]
            width = wrap_width(lines, paragraph)
            indent = continuation_indent(lines, paragraph, found.first)
        else:
            following, width, indent = [], None, ""
        before = lines[found.first][: found.first_column]
        first_indent = before[: len(before) - len(before.lstrip())]
        after = [lines[found.last][found.last_column :], *(line.strip() for line in following)]
        text = before[len(first_indent) :] + found.replacement + " ".join(after)
        change = Change(
            path=path,
            first=found.first + 1,
            clean=tuple(lines[found.first : paragraph.end]),
            planted=tuple(wrap(text, width=width, first_indent=first_indent, indent=indent)),
        )
        if change.clean == change.planted:
            raise UserError("the replacement changes nothing", place=Place(path))
        change = change.trimmed()
        evidence = _changed_sentences(ground.texts[aim.target], change)
        return Planted(edits=edits_of([change]), evidence=(evidence,))

    def _find(self, path: str, lines: Sequence[str]) -> _Found:
        heading = self._parameters.heading
        first, end, where = 1, len(lines), ""
        if heading is not None:
            section = find_section(path, lines, *as_headings(heading))
            first, end, where = section.first, section.end, f" under {section.title!r}"
        region = "\n".join(lines[first - 1 : end])
        pattern = _across_lines(self._parameters.pattern)
        with within_time(self._parameters.pattern):
            matches = list(re.finditer(pattern, region, re.MULTILINE))
        if not matches:
            near = similar(self._parameters.pattern, lines, first, end)
            raise UserError(
                f"the pattern matches nothing{where} (lines {first} to {end}); nearest:"
                + listed(lines, near),
                place=Place(path),
            )
        starts = [first + region.count("\n", 0, match.start()) for match in matches]
        if len(matches) > 1:
            raise UserError(
                f"the pattern matches {len(matches)} places{where}:" + listed(lines, starts),
                place=Place(path),
                remedy="make the pattern longer, or name a heading",
            )
        match = matches[0]
        last = first + region.count("\n", 0, match.end())
        replacement = expanded(match, self._parameters.replacement)
        return _Found(
            first=starts[0] - 1,
            first_column=match.start() - (region.rfind("\n", 0, match.start()) + 1),
            last=last - 1,
            last_column=match.end() - (region.rfind("\n", 0, match.end()) + 1),
            replacement=" ".join(replacement.split()),
        )


def _changed_sentences(clean: str, change: Change) -> Span:
    """The lines of the planted sentences that the clean text has not.

    Where sentences only went, the lines on both sides of the place.
    """
    planted = apply_changes(clean, [change])
    known = Counter(sentence.text for sentence in sentences(clean))
    first, last = change.first - 1, change.first + len(change.planted)
    near: list[Sentence] = []
    for sentence in sentences(planted):
        if sentence.last >= first and sentence.first <= last:
            near.append(sentence)
        else:
            known[sentence.text] -= 1
    new: list[Sentence] = []
    for sentence in near:
        known[sentence.text] -= 1
        if known[sentence.text] < 0:
            new.append(sentence)
    if not new:
        last = min(last, len(split_lines(planted)))
        return Span(path=change.path, first=max(1, first), last=last)
    return Span(path=change.path, first=new[0].first, last=new[-1].last)
