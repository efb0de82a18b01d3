"""Where in a log a defect goes, and lines with another time."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from authoring.errors import Place, UserError
from generators.depth import distance, line_at_depth
from generators.detectors.incidents.reading import DAY, TIME, is_runbook
from generators.incidents.log import digits, wall
from generators.planting import Aim, Ground
from generators.registry import Span
from generators.seeding import draw

SCALE = 1_000_000


def chosen(aim: Aim, lines: Sequence[str], numbers: Sequence[int], what: str) -> int:
    """One of some lines, by depth. Raises UserError where there is none."""
    if not numbers:
        raise UserError(f"there is no {what}", place=Place(str(aim.target)))
    if aim.depth is not None:
        return line_at_depth(lines, numbers, aim.depth)
    return numbers[draw(0, *(lines[number - 1] for number in numbers)) % len(numbers)]


def within(aim: Aim, lines: Sequence[str], shown: Mapping[int, Sequence[int]]) -> list[int]:
    """Those of some lines of which all that would show the defect is in the wanted third.

    All of them where there is none such, or no third is wanted.
    """
    depth = aim.depth
    if depth is None:
        return list(shown)
    inside = [
        number
        for number, others in shown.items()
        if not any(distance(other, len(lines), depth) for other in others)
    ]
    return inside or list(shown)


def drawn_between(least: float, most: float, *purpose: str) -> float:
    """A figure in a range that a text always gives."""
    return least + (most - least) * (draw(0, *purpose) % SCALE) / SCALE


def in_series(lines: Sequence[str], pattern: str) -> dict[str, list[int]]:
    """The lines, from 1, that a pattern matches as a whole, by the text of its groups."""
    compiled = re.compile(pattern)
    found: dict[str, list[int]] = {}
    for number, line in enumerate(lines, start=1):
        match = compiled.fullmatch(line)
        if match:
            found.setdefault(series_of(match), []).append(number)
    return found


def series_of(match: re.Match[str]) -> str:
    """What names the series of a line: the groups of its match, but for `figure`."""
    figure = match.re.groupindex.get("figure")
    groups = (match[n] for n in range(1, match.re.groups + 1) if n != figure)
    return "|".join(group for group in groups if group is not None)


def retimed(line: str, at: int) -> str:
    """A line with another time, written as it was."""
    found = TIME.search(line)
    if found is None:
        raise AssertionError("a line without a time was asked to carry one")
    text = found[0]
    if found["ms"]:
        new = str(int(text.replace(".", "")) // DAY * DAY + at)
        new = f"{new[:-3]}.{new[-3:]}" if "." in text else new
    else:
        clock = wall(at) if ":" in text else digits(at)
        new = clock[: len(text)].replace(".", "," if "," in text else ".")
    return line[: found.start()] + new + line[found.end() :]


def runbook_of(ground: Ground) -> str:
    """The text of the runbook. Raises UserError where there is none."""
    for text in ground.texts.values():
        if is_runbook(text):
            return text
    raise UserError("the corpus holds no runbook")


def spans(path: PurePosixPath, *lines: int) -> tuple[Span, ...]:
    """Each line as evidence of its own."""
    return tuple(Span(path=str(path), first=line, last=line) for line in lines)
