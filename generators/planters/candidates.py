"""What an error shows of a file where an anchor matched nothing or several places."""

from __future__ import annotations

import re
from collections.abc import Sequence

SHOWN = 5
"""How many candidates a message lists."""
MOST_SHOWN = 160
"""Characters of a line that are shown: a line of JSON may have thousands."""


def listed(lines: Sequence[str], numbers: Sequence[int]) -> str:
    """Lines, counted from 1, each on a line of the message."""
    shown = "".join(f"\n    line {n}: {_short(lines[n - 1])}" for n in numbers[:SHOWN])
    more = f"\n    and {len(numbers) - SHOWN} more" if len(numbers) > SHOWN else ""
    return shown + more if numbers else " no line is like it"


def _short(line: str) -> str:
    line = line.strip()
    return line if len(line) <= MOST_SHOWN else line[: MOST_SHOWN - 1] + "\u2026"


def similar(pattern: str, lines: Sequence[str], first: int, end: int) -> list[int]:
    """The lines that share most words with a pattern, best first."""
    wanted = set(re.findall(r"[a-z]{4,}", pattern.casefold()))
    shared = {
        number: len(wanted & set(re.findall(r"[a-z]{4,}", lines[number - 1].casefold())))
        for number in range(first, end + 1)
    }
    best = sorted(shared, key=lambda number: (-shared[number], number))
    return [number for number in best if shared[number]][:SHOWN]
