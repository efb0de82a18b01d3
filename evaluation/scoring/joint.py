"""The upper ends of coverage: the most that ambiguous lines can add, each having one source.

Prevents a line that stands in thirty files, and was shown once, from touching all of them at the
upper end, which would leave every verdict undecided.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from evaluation.reading.copies import at_once
from evaluation.reading.engine import FileReading, ThreadReading
from evaluation.scoring.score import Rule
from evaluation.scoring.sharing import shared
from generators.lines import CorpusIndex, is_weighty

OPENED_RUN = 10
"""Consecutive lines that open a file (docs/measurement.md, Coverage)."""
READ_DEPTH = 0.95
"""The share of lines that makes a file read."""


def lines_at_most(thread: ThreadReading, paths: Iterable[str], index: CorpusIndex) -> int:
    """How many lines of these files can have entered together beyond the sure and the reformatted
    ones, with blank and short lines that were shown and have no place."""
    found: Counter[str] = Counter()
    short = 0
    for path in paths:
        file, lines = thread.of(path), index.files[path]
        found.update(_usable(file, lines))
        if thread.short:
            free = file.sure | file.reformatted
            short += sum(
                not is_weighty(line) and number not in free
                for number, line in enumerate(lines, start=1)
            )
    found &= Counter(thread.copies)
    taken = sum(count for text, count in found.items() if not is_weighty(text))
    return min(found.total(), thread.ambiguous) + min(thread.short, max(0, short - taken))


def _usable(file: FileReading, lines: Sequence[str]) -> Counter[str]:
    """How many of a file's possible lines can have entered, by text."""
    every = Counter(lines[number - 1] for number in file.possible)
    return every & Counter(file.copies)


class Need(NamedTuple):
    """What one file takes to meet a rule."""

    path: str
    fewest: int
    """So many of its possible lines have to have entered."""


def fewest(
    rule: Rule, entered: frozenset[int], file: FileReading, lines: Sequence[str]
) -> int | None:
    """How many of its possible lines have to have entered, beyond these, for a file to meet a rule;
    None where all that can have would not do."""
    match rule:
        case "touched":
            if _touches(entered, lines):
                return 0
            return 1 if _touches(file.possible, lines) else None
        case "opened":
            return _fewest_in_a_row(min(OPENED_RUN, len(lines)), entered, file, lines)
        case "read":
            missing = _ceiling(READ_DEPTH * len(lines)) - len(entered)
            if missing <= 0:
                return 0
            most = at_once(file.possible - entered, lines, file.copies)
            return missing if missing <= most else None


def _ceiling(share: float) -> int:
    return -int(-share // 1)


def _touches(numbers: frozenset[int], lines: Sequence[str]) -> bool:
    """Whether one of these lines touches the file: it has weight, or none there has any."""
    if any(is_weighty(lines[number - 1]) for number in numbers):
        return True
    return bool(numbers) and not any(map(is_weighty, lines))


def _fewest_in_a_row(
    width: int, entered: frozenset[int], file: FileReading, lines: Sequence[str]
) -> int | None:
    """The same for so many lines in a row."""
    best: int | None = None
    used: Counter[str] = Counter()
    too_many = missing = length = 0
    before = 0
    for number in sorted(entered | file.possible):
        if number != before + 1:
            used.clear()
            too_many = missing = length = 0
        before = number
        length += 1
        text = lines[number - 1]
        if number not in entered:
            missing += 1
            used[text] += 1
            too_many += used[text] == file.copies.get(text, 0) + 1
        if length > width and number - width not in entered:
            text = lines[number - width - 1]
            missing -= 1
            too_many -= used[text] == file.copies.get(text, 0) + 1
            used[text] -= 1
        if length >= width and not too_many and (best is None or missing < best):
            best = missing
    return best


def files_at_most(
    rule: Rule, needs: Sequence[Need], thread: ThreadReading, index: CorpusIndex
) -> int:
    """How many of these files can meet a rule together; exact for `touched`, else an outer bound.

    Lines that stand in the same ones of these files are looked at together.
    """
    wanting = [need for need in needs if need.fewest]
    holders: dict[str, list[int]] = {}
    held: Counter[str] = Counter()
    for place, (path, _) in enumerate(wanting):
        lines = index.files[path]
        usable = _usable(thread.of(path), lines)
        if rule == "touched":
            has_weight = any(map(is_weighty, lines))
            texts = (text for text in usable if is_weighty(text) or not has_weight)
            usable = Counter(dict.fromkeys(texts, 1))
        for text in usable:
            holders.setdefault(text, []).append(place)
        held.update(usable)
    supplies: Counter[tuple[int, ...]] = Counter()
    for text, places in holders.items():
        supplies[tuple(places)] += min(held[text], thread.copies.get(text, 0))
    left = min(shared(supplies, [need.fewest for need in wanting]), thread.ambiguous)
    met = len(needs) - len(wanting)
    for need in sorted(wanting, key=lambda need: need.fewest):
        left -= need.fewest
        if left < 0:
            break
        met += 1
    return met
