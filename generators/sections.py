"""The sections of a Markdown file by their headings, so that a spec can name a place in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from authoring.errors import Place, UserError, nearest

HEADING = re.compile(r"(?P<marks>#{1,6})[ \t]+(?P<text>.*?)[ \t]*#*[ \t]*$")
NUMBER = re.compile(
    r"(?:(?i:section|article|clause|part)[ \t]+(?P<named>[0-9]+(?:\.[0-9]+)*|[IVXLC]+)[.):]?"
    r"|(?P<arabic>[0-9]+(?:\.[0-9]+)*)[.):]?|(?P<roman>[IVXLC]+)[.):])"
    r"(?:[ \t]+[-\u2013\u2014])?[ \t]+"
)
"""What may stand before the text of a heading: `7.`, `7.2`, `Section 7:`, `Article VII -`."""
FENCE = re.compile(r"[ \t]{0,3}(```|~~~)")


@dataclass(frozen=True)
class Section:
    """A heading and all that stands under it, subsections too. Lines count from 1, both ends in."""

    level: int
    """How many `#`."""
    number: str
    """`7`, `7.2`, `VII`; empty where the heading has none."""
    title: str
    """The text of the heading, without marks and number."""
    first: int
    """The line of the heading."""
    last: int
    """The last line that is not blank."""
    end: int
    """The last line before the next heading of this level or above, blank ones in."""


def parse_sections(lines: Sequence[str]) -> tuple[Section, ...]:
    """The sections of a file, in order. What stands in a fenced block is no heading."""
    headings: list[tuple[int, re.Match[str]]] = []
    fence = ""
    for number, line in enumerate(lines, start=1):
        mark = FENCE.match(line)
        if mark:
            fence = "" if fence == mark[1] else fence or mark[1]
        elif not fence and (heading := HEADING.match(line)):
            headings.append((number, heading))
    return tuple(_section(lines, headings, index) for index in range(len(headings)))


def _section(
    lines: Sequence[str], headings: Sequence[tuple[int, re.Match[str]]], index: int
) -> Section:
    first, heading = headings[index]
    level = len(heading["marks"])
    end = next(
        (line - 1 for line, later in headings[index + 1 :] if len(later["marks"]) <= level),
        len(lines),
    )
    last = end
    while not lines[last - 1].strip():
        last -= 1
    number = NUMBER.match(heading["text"])
    title = heading["text"][number.end() :] if number else heading["text"]
    return Section(
        level=level,
        number=(number["named"] or number["arabic"] or number["roman"]) if number else "",
        title=title,
        first=first,
        last=last,
        end=end,
    )


def find_section(path: str, lines: Sequence[str], heading: str, *others: str) -> Section:
    """The one section under a heading, or under one of several that mean the same.

    Upper and lower case and the numbering do not matter. Raises UserError where no section or
    several are so headed, and shows the candidates.
    """
    sections = parse_sections(lines)
    wanted = {_plain(title) for title in (heading, *others)}
    found = [section for section in sections if _plain(section.title) in wanted]
    if len(found) == 1:
        return found[0]
    asked = " or ".join(repr(title) for title in (heading, *others))
    shown = found or sections
    listed = "".join(f"\n    line {s.first}: {lines[s.first - 1]}" for s in shown)
    if found:
        raise UserError(f"{len(found)} sections are headed {asked}:{listed}", place=Place(path))
    raise UserError(
        f"no section is headed {asked}; the headings are:{listed or ' none'}",
        place=Place(path),
        remedy=nearest(heading, {section.title for section in sections}),
    )


def _plain(title: str) -> str:
    return " ".join(title.split()).casefold()


def as_headings(heading: str | tuple[str, ...]) -> tuple[str, ...]:
    """One heading or several, as a spec may give them."""
    return (heading,) if isinstance(heading, str) else heading
