"""Which lines a script of `sed` or `awk` prints that names them by their numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

ADDRESS = re.compile(r"(\d{1,9}|\$)(?:,(\+?\d{1,9}|\$))?([pq])")
"""One command of a script of sed."""
AWK = re.compile(r"(?P<which>.*?)\s*(?:\{\s*print(?:\s+\$0)?\s*;?\s*\})?\s*", re.DOTALL)
COMPARED = re.compile(r"F?NR\s*(==|>=|<=|>|<)\s*(\d{1,9})")
LONGEST = 200
"""Characters of a script of awk."""


class Range(NamedTuple):
    """Numbers of lines, both ends in."""

    first: int
    last: int


def by_sed(script: str, length: int, *, is_quiet: bool) -> list[Range] | None:
    """The lines that a script of sed prints, if it names them by their numbers."""
    ranges: list[Range] = []
    until = length
    commands = [one.strip() for one in re.split(r"[;\n]", script) if one.strip()]
    for place, command in enumerate(commands):
        match = ADDRESS.fullmatch(command)
        if match is None:
            return None
        first = length if match[1] == "$" else int(match[1])
        if match[3] == "q":
            if match[2] or place != len(commands) - 1:
                return None
            until = first
        else:
            ranges.append(Range(first, _last(match[2], first, length)))
    if not is_quiet:
        return [Range(1, until)] if not ranges and commands else None
    return [Range(first, min(last, until)) for first, last in ranges if first <= until]


def _last(written: str | None, first: int, length: int) -> int:
    if written is None:
        return first
    if written == "$":
        return max(first, length)
    number = int(written)
    return first + number if written[0] == "+" else max(first, number)


def by_awk(script: str, length: int) -> list[Range] | None:
    """The lines that a script of awk prints, if it names them by their numbers."""
    match = AWK.fullmatch(script) if len(script) <= LONGEST else None
    return None if match is None else _meeting(match["which"], length)


def _meeting(condition: str, length: int) -> list[Range] | None:
    """The numbers of lines that meet a condition about them, as ranges that do not touch."""
    ends = condition.split(",")
    if len(ends) == 2:
        first, last = (COMPARED.fullmatch(one.strip()) for one in ends)
        if first is None or last is None or {first[1], last[1]} != {"=="}:
            return None
        return [Range(int(first[2]), max(int(first[2]), int(last[2])))]
    met: set[int] = set()
    for either in condition.split("||"):
        low, high = 1, length
        for part in either.split("&&"):
            match = COMPARED.fullmatch(part.strip())
            if match is None:
                return None
            number = int(match[2])
            if match[1] in ("==", ">=", ">"):
                low = max(low, number + (match[1] == ">"))
            if match[1] in ("==", "<=", "<"):
                high = min(high, number - (match[1] == "<"))
        met.update(range(low, high + 1))
    return _ranges_of(met)


def _ranges_of(numbers: Iterable[int]) -> list[Range]:
    """Numbers as ranges that do not touch."""
    found: list[Range] = []
    for number in sorted(numbers):
        if found and found[-1].last == number - 1:
            found[-1] = Range(found[-1].first, number)
        else:
            found.append(Range(number, number))
    return found
