"""`remove-section`: a section that should be there is not.

The evidence of an absence is where the thing should stand: the heading that now follows, with one
line on each side; after the last section, the last line of the file with the one before it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Annotated

from pydantic import Field

from authoring.artefacts import Value
from authoring.errors import Place, UserError
from generators.edits import Change, edits_of, joined, moved
from generators.planters.numbering import (
    cited_names,
    find_numbers,
    moved_up,
    quoted_references,
)
from generators.planting import Aim, Ground, Planted
from generators.registry import Span
from generators.sections import Section, as_headings, find_section

SUMMARY = "a section that should be there is not"
EXAMPLE = """\
planter: remove-section
parameters:
  heading: Termination
  renumber: true
"""


class RemoveSectionParameters(Value):
    """Which section goes, and whether those below it move up."""

    heading: str | Annotated[tuple[str, ...], Field(min_length=1)]
    """The text of the heading, without marks and number, or several that mean the same."""
    renumber: bool = False
    """Where sections are numbered, give those below, their clauses and all references to them the
    numbers that they now have."""


class RemoveSection:
    """Removes a section with its heading."""

    def __init__(self, parameters: RemoveSectionParameters) -> None:
        self._parameters = parameters

    def plant(self, ground: Ground, aim: Aim) -> Planted:
        path = str(aim.target)
        lines = ground.texts[aim.target].split("\n")
        section = find_section(path, lines, *as_headings(self._parameters.heading))
        removal = _removal(path, lines, section)
        renumber = self._parameters.renumber and bool(section.number)
        _refuse_references(path, lines, section, removal)
        _refuse_citations(ground.texts, aim.target, section, renumber=renumber)
        changes = [removal]
        if renumber:
            changes += _renumbered(path, lines, section, removal)
        return Planted(
            edits=edits_of(joined(changes)), evidence=(_evidence(path, lines, section, removal),)
        )


def _removal(path: str, lines: Sequence[str], section: Section) -> Change:
    """From the heading to the next one; after the last section the blank lines before it go."""
    first, last = section.first, section.end
    if last >= len(_written(lines)):
        last = section.last
        while first > 1 and not lines[first - 2].strip():
            first -= 1
    if first == 1:
        raise UserError("nothing would be left of the file", place=Place(path))
    return Change(path=path, first=first, clean=tuple(lines[first - 1 : last]), planted=())


def _written(lines: Sequence[str]) -> Sequence[str]:
    """The lines of a text that was split at LF, without the empty rest after a final LF."""
    return lines[:-1] if lines[-1] == "" else lines


def _evidence(path: str, lines: Sequence[str], section: Section, removal: Change) -> Span:
    written = len(_written(lines))
    following = section.end + 1
    if following > written:
        last = removal.first - 1
        return Span(path=path, first=max(1, last - 1), last=last)
    stands = moved(following, [removal])
    return Span(path=path, first=max(1, stands - 1), last=min(stands + 1, written + removal.shift))


def _renumbered(path: str, lines: Sequence[str], section: Section, removal: Change) -> list[Change]:
    """What the sections below, their clauses and the references to them become."""
    text = "\n".join(lines)
    parts, done = [], 0
    for number in find_numbers(lines):
        line = text.count("\n", 0, number.start) + 1
        if number.start >= done and not removal.first <= line <= removal.last:
            new = moved_up(text[number.start : number.end], section.number)
            parts += [text[done : number.start], new]
            done = number.end
    new_lines = "".join([*parts, text[done:]]).split("\n")
    return [
        Change(path, number, (old,), (new,))
        for number, (old, new) in enumerate(zip(lines, new_lines, strict=True), start=1)
        if old != new
    ]


def _refuse_references(path: str, lines: Sequence[str], section: Section, removal: Change) -> None:
    """A reference to a section that is not there would give the defect away."""
    for line in _lines_with_references(lines, section, lambda number: number == section.number):
        if not removal.first <= line <= removal.last:
            raise UserError(
                f"line {line} refers to the section that is to be removed: {lines[line - 1]}",
                place=Place(path),
            )


def _refuse_citations(
    files: Mapping[PurePosixPath, str], target: PurePosixPath, section: Section, *, renumber: bool
) -> None:
    """Other files that cite this one may cite a section by the number it has now."""
    names = cited_names(files[target])

    def would_change(number: str) -> bool:
        moves = renumber and moved_up(number, section.number) != number
        return moves or number == section.number

    for path, text in files.items():
        if path == target or not any(name in text for name in names):
            continue
        lines = text.split("\n")
        for line in _lines_with_references(lines, section, would_change):
            raise UserError(
                f"{path}, line {line}, may refer to a section whose number would change:"
                f" {lines[line - 1]}",
                place=Place(str(target)),
            )


def _lines_with_references(
    lines: Sequence[str], section: Section, concerns: Callable[[str], bool]
) -> list[int]:
    """Lines that refer to the section by its heading, or to a number that is of concern."""
    text = "\n".join(lines)
    found = [match.start() for match in quoted_references(text, section.title)]
    depth = section.number.count(".") + 1
    for number in find_numbers(lines):
        top = ".".join(text[number.start : number.end].split(".")[:depth])
        if number.is_reference and section.number and concerns(top):
            found.append(number.start)
    return [text.count("\n", 0, start) + 1 for start in sorted(found)]
