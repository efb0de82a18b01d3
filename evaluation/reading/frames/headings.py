"""`rg --heading`: the name of a file on a line of its own, numbered lines of it below."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from evaluation.reading.lines.forms import OVER_ONE, ShownLine
from evaluation.reading.lines.framed import Framed, Resolve
from generators.lines import CorpusIndex, is_weighty, normal_form

HEADED = re.compile(r"\n[^\s:][^\n:]{0,400}+\n\d{1,9}[:-]")
"""In a text behind a line feed."""
BETWEEN = "--"


def headed_in(lines: Sequence[str], index: CorpusIndex, resolve: Resolve) -> Iterator[Framed]:
    """Numbered lines below the name of their file, where all of weight stand in it."""
    place = 0
    while place < len(lines):
        start = place
        place += 1
        below = lines[place] if place < len(lines) else ""
        if not OVER_ONE.match(below):
            continue
        path = resolve(lines[start])
        if path is None or normal_form(lines[start]) in index.places:
            continue
        shown: list[ShownLine] = []
        is_own = True
        while place < len(lines):
            match = OVER_ONE.match(lines[place])
            if match is None and lines[place] != BETWEEN:
                break
            if match is not None:
                one = ShownLine(
                    normal_form(lines[place][match.end() :]), int(match["n"]), path, vouched=True
                )
                is_own = is_own and (
                    not is_weighty(one.text) or index.line(path, one.number or 0) == one.text
                )
                shown.append(one)
            place += 1
        if is_own:
            yield Framed(start, place, tuple(shown))
