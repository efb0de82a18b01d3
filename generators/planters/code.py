"""`code`: a change to source code at a node that a tree-sitter query finds.

The planted file parses as well as the clean one: what a compiler would find is no needle.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pydantic import ValidationInfo, field_validator

from authoring.artefacts import Value
from authoring.errors import Place, UserError, nearest
from generators.edits import Change, edits_of
from generators.lines import split_lines
from generators.planters.candidates import listed
from generators.planters.languages import ANCHOR, LanguageName, Source, captures_of
from generators.planters.lines import Nth, gap, one_of
from generators.planters.patterns import Pattern, expanded, fills, within_time
from generators.planters.queries import in_time
from generators.planting import Aim, Ground, Planted
from generators.registry import Span

ANYTHING = r"(?s:.+)"
SUMMARY = "source code differs at a node that a tree-sitter query finds"
EXAMPLE = """\
planter: code
parameters:
  language: python
  query: "(call function: (attribute)) @anchor"
  function: fetch_.*
  pattern: timeout=[0-9.]+
  replacement: timeout=None
"""


class CodeParameters(Value):
    """Where in the syntax, what there, and what takes its place."""

    language: LanguageName
    query: str
    """A tree-sitter query with a capture `@anchor`."""
    function: Pattern | None = None
    """The name, as a regular expression, of the function, class, table or key that holds the
    anchor, at whatever depth."""
    pattern: Pattern | None = None
    """A regular expression, looked for inside the anchor; without it the whole anchor is meant."""
    replacement: str
    r"""The new code; `\1` and `\g<name>` stand for groups of the pattern. Where nothing is left of
    a line, the line goes."""
    nth: Nth = None
    """Which of several places, from 1; without it the depth of the needle decides."""

    @field_validator("query")
    @classmethod
    def _captures_an_anchor(cls, query: str, info: ValidationInfo) -> str:
        language = info.data.get("language")
        if language is not None:
            captures = captures_of(query, language)
            if ANCHOR not in captures:
                raise ValueError(f"captures no @{ANCHOR}")
        return query

    @field_validator("replacement")
    @classmethod
    def _fills_the_pattern(cls, value: str, info: ValidationInfo) -> str:
        if "pattern" not in info.data:
            return value
        return fills(value, info.data["pattern"] or ANYTHING)


@dataclass(frozen=True)
class _Place:
    """Characters that are to be replaced."""

    start: int
    end: int
    match: re.Match[str]


class Code:
    """Replaces code at the one anchor.

    Evidence is the changed lines; where they are gone, the lines on both sides.
    """

    def __init__(self, parameters: CodeParameters) -> None:
        self._parameters = parameters

    def plant(self, ground: Ground, aim: Aim) -> Planted:
        path, text = str(aim.target), ground.texts[aim.target]
        source = Source.parse(text, self._parameters.language)
        place = self._chosen(aim, source)
        new = expanded(place.match, self._parameters.replacement)
        change = _change(path, text, place, new)
        planted = text.split("\n")
        planted[change.first - 1 : change.last] = change.planted
        after = Source.parse("\n".join(planted), self._parameters.language)
        if after.faults() > source.faults():
            raise UserError("the planted file would not parse", place=Place(path, change.first, 1))
        edits = edits_of([change])
        if change.planted:
            last = change.first + len(change.planted) - 1
            return Planted(edits, (Span(path=path, first=change.first, last=last),))
        return Planted(edits, (gap(path, change.first, len(split_lines("\n".join(planted)))),))

    def _chosen(self, aim: Aim, source: Source) -> _Place:
        path, lines = str(aim.target), split_lines(source.text)
        places = self._places(path, source, lines)
        numbers = [source.text.count("\n", 0, place.start) + 1 for place in places]
        nth = self._parameters.nth
        number = one_of(path, lines, numbers, aim.depth, nth)
        return places[numbers.index(number) if nth is None else nth - 1]

    def _places(self, path: str, source: Source, lines: list[str]) -> list[_Place]:
        query = self._parameters.query
        anchors = in_time(query, lambda: source.anchors(query))
        if not anchors:
            raise UserError(
                f"the query captures no @{ANCHOR} in {len(lines)} lines", place=Place(path)
            )
        function, pattern = self._parameters.function, self._parameters.pattern or ANYTHING
        with within_time(function or ""):
            inside = [
                anchor
                for anchor in anchors
                if function is None
                or any(re.fullmatch(function, name) for name in source.names(anchor))
            ]
        found: dict[tuple[int, int], _Place] = {}
        for anchor in inside:
            start, end = source.offset(anchor.start_byte), source.offset(anchor.end_byte)
            # Nested anchors hold the same place twice.
            with within_time(pattern):
                for match in re.finditer(pattern, source.text[start:end]):
                    span = start + match.start(), start + match.end()
                    found.setdefault(span, _Place(*span, match))
        if not found:
            near = list(dict.fromkeys(node.start_point.row + 1 for node in inside or anchors))
            names = {name for anchor in anchors for name in source.names(anchor)}
            raise UserError(
                f"no anchor {'holds the pattern' if inside else f'is in {function!r}'}:"
                + listed(lines, near),
                place=Place(path),
                remedy="" if inside else nearest(function or "", names),
            )
        return list(found.values())


def _change(path: str, text: str, place: _Place, new: str) -> Change:
    """In whole lines; those of which nothing is left go."""
    first = text.count("\n", 0, place.start)
    last = text.count("\n", 0, place.end)
    lines = text.split("\n")
    before = text[text.rfind("\n", 0, place.start) + 1 : place.start]
    rest = text[place.end :].partition("\n")[0]
    whole = before + new + rest
    planted = tuple(whole.split("\n")) if whole.strip() else ()
    change = Change(path, first + 1, tuple(lines[first : last + 1]), planted)
    if change.clean == change.planted:
        raise UserError("the replacement changes nothing", place=Place(path, first + 1, 1))
    return change.trimmed()
