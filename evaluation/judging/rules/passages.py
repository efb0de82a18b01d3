"""The lines of a file that stand right beside its name: "lines 1-200 of x.py".

Prevents two false results: "lines 10-20", where a finding stands, taken for what was read; and the
lines of one file given to the next one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

FARTHEST = 60
"""Characters beside a name that are looked at."""

_RANGE = re.compile(r"(\d{1,7})\s?(?:-|\u2013|\u2014|to|through|until)\s?(?:line\s)?(\d{1,7})\b")
_ONE = r"\d{1,7}\s?(?:-|\u2013|\u2014|to|through|until)\s?(?:line\s)?\d{1,7}"
_SOME = rf"{_ONE}(?:(?:,\s?|,?\s(?:and|&)\s){_ONE}){{0,5}}"
_BEFORE = re.compile(
    rf"\blines?\s(?:from\s)?(?P<some>{_SOME})\s(?:of|in|from|inside|within)\s(?:the\s)?(?:file\s)?"
    r"[`*\"'(\[]{0,4}$",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    r"[`*\"')\]]{0,4}(?:(?::|\s[-\u2013\u2014])\s(?:I(?:'ve|\shave)?\s)?(?:read|reviewed|opened)(?=\slines?\s))?"
    r"(?:,?\s?\(?(?:at\s|from\s|on\s)?(?:lines?\s|L)(?:from\s)?|:L?)"
    rf"(?P<some>{_SOME})",
    re.IGNORECASE,
)


def line_ranges(text: str, start: int, end: int, path: str) -> Iterator[tuple[int, int]]:
    """The lines of a file that a statement names beside it: "lines 1-200 of x.py"."""
    name = _name_in(text, start, end, path)
    if name is None:
        return
    before = _BEFORE.search(text, max(start, name[0] - 2 * FARTHEST), name[0])
    behind = _BEHIND.match(text, name[1], name[1] + FARTHEST)
    for match in (before, behind):
        for first, last in _RANGE.findall(match["some"]) if match else ():
            if 1 <= int(first) <= int(last):
                yield int(first), int(last)


def _name_in(text: str, start: int, end: int, path: str) -> tuple[int, int] | None:
    """Where a statement writes the name of a file: its path or a tail of it, or its bare stem."""
    pure = PurePosixPath(path)
    tails = rf"(?:[\w./~-]{{0,200}}/)?{re.escape(pure.name)}"
    for pattern in (tails, re.escape(pure.stem)):
        found = list(re.finditer(rf"(?<![\w/-]){pattern}(?![\w-])", text[start:end], re.IGNORECASE))
        if found:
            return start + found[-1].start(), start + found[-1].end()
    return None
