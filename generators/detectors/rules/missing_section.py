"""`missing-section`: a section that should be there is not.

The evidence is that of the planter `remove-section`: the heading that now follows, with one line on
each side; at the end of a file, its last line with the one before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Annotated, Self

from pydantic import Field, model_validator

from generators.detectors.detector import Evidence
from generators.detectors.rules.looking import Found, Looking, PerFile, with_lf
from generators.detectors.rules.regex_rule import plain
from generators.lines import split_lines
from generators.sections import Section, as_headings, parse_sections

SUMMARY = "a section that should be there is not"
EXAMPLE = """\
name: no-contact
summary: a letter names nobody to ask
detector: missing-section
parameters:
  files: ["letters/*.md"]
  heading: Contact
  before: [Signature, End]
"""

Headings = str | Annotated[tuple[str, ...], Field(min_length=1)]


class MissingSectionParameters(Looking):
    """Which section, and where it should stand: else at the end of the file."""

    heading: Headings
    """The text of the heading, without marks and number, or several that mean the same."""
    after: Headings | None = None
    """The heading of the section that it should follow, or several; the first that is there."""
    before: Headings | None = None
    """The heading of the section that should follow it, or several; the first that is there."""

    @model_validator(mode="after")
    def _one_side(self) -> Self:
        if self.after is not None and self.before is not None:
            raise ValueError("give after or before, not both")
        return self


class MissingSection(PerFile):
    """Finds files without a section."""

    def __init__(self, parameters: MissingSectionParameters) -> None:
        self._parameters = parameters

    def extract(self, path: PurePosixPath, text: str) -> Found:
        given = self._parameters
        lines = split_lines(with_lf(text))
        written = [number for number, line in enumerate(lines, start=1) if line.strip()]
        if not given.looks_at(path) or not written:
            return ()
        sections = parse_sections(lines)
        if _headed(sections, given.heading):
            return ()
        following = self._following(sections)
        if following is None or following > len(lines):
            return (Evidence(path, max(1, written[-1] - 1), written[-1]),)
        return (Evidence(path, max(1, following - 1), min(following + 1, len(lines))),)

    def _following(self, sections: Sequence[Section]) -> int | None:
        """The line that would come after the section."""
        given = self._parameters
        if given.after is not None:
            found = _headed(sections, given.after)
            return found[0].end + 1 if found else None
        found = _headed(sections, given.before) if given.before is not None else []
        return found[0].first if found else None


def _headed(sections: Sequence[Section], heading: str | tuple[str, ...]) -> list[Section]:
    wanted = {plain(one) for one in as_headings(heading)}
    return [section for section in sections if plain(section.title) in wanted]
