"""The upper ends of coverage: the most that ambiguous lines can add, each having one source.

Prevents a line that stands in thirty files, and was shown once, from touching all of them at the
upper end, which would leave every verdict undecided.
"""

from __future__ import annotations

from collections import Counter, deque
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
    """So many lines have to have entered beyond those that did."""


def fewest(
    rule: Rule, entered: frozenset[int], file: FileReading, lines: Sequence[str], short: int = 0
) -> int | None:
    """How many lines have to have entered, beyond these, for a file to meet a rule; None where all
    that can have would not do: its possible ones, and `short` blank and short ones without a place,
    which touch no file."""
    match rule:
        case "touched":
            if _touches(entered, lines):
                return 0
            return 1 if _touches(file.possible, lines) else None
        case "opened":
            return _fewest_in_a_row(min(OPENED_RUN, len(lines)), entered, file, lines, short)
        case "read":
            missing = _ceiling(READ_DEPTH * len(lines)) - len(entered)
            if missing <= 0:
                return 0
            return missing if missing <= more_at_most(entered, file, lines, short) else None


def more_at_most(
    entered: frozenset[int], file: FileReading, lines: Sequence[str], short: int
) -> int:
    """How many lines of a file can have entered beyond these: its possible ones, and `short` blank
    and short ones without a place."""
    possible = file.possible - entered
    most = at_once(possible, lines, file.copies)
    if not short:
        return most
    light = _light(entered, lines)
    return most + min(short, len(light) - at_once(possible & light, lines, file.copies))


def _light(entered: frozenset[int], lines: Sequence[str]) -> frozenset[int]:
    """The blank and short lines of a file, but for these."""
    every = enumerate(lines, start=1)
    return frozenset(n for n, line in every if not is_weighty(line)) - entered


def _ceiling(share: float) -> int:
    return -int(-share // 1)


def _touches(numbers: frozenset[int], lines: Sequence[str]) -> bool:
    """Whether one of these lines touches the file: it has weight, or none there has any."""
    if any(is_weighty(lines[number - 1]) for number in numbers):
        return True
    return bool(numbers) and not any(map(is_weighty, lines))


def _fewest_in_a_row(
    width: int, entered: frozenset[int], file: FileReading, lines: Sequence[str], short: int
) -> int | None:
    """The same for so many lines in a row."""
    best: int | None = None
    light = _light(entered, lines) if short else frozenset()
    window = _Window(entered, file, lines)
    before = 0
    for number in sorted(entered | file.possible | light):
        if number != before + 1:
            window = _Window(entered, file, lines)
        before = number
        window.add(number)
        if len(window.numbers) > width:
            window.drop()
        if len(window.numbers) == width and window.lacking <= short and not window.wanting:
            best = window.missing if best is None else min(best, window.missing)
            if not best:
                break
    return best


class _Window:
    """Lines in a row that have entered, or may have."""

    def __init__(self, entered: frozenset[int], file: FileReading, lines: Sequence[str]) -> None:
        self.numbers: deque[int] = deque()
        self.missing = 0
        """Of these, have not surely entered."""
        self.wanting = 0
        """Of the missing, lines of weight beyond those of their text that were shown."""
        self.lacking = 0
        """The same of blank and short lines, each of which one without a place may be."""
        self._entered, self._file, self._lines = entered, file, lines
        self._used: Counter[str] = Counter()

    def add(self, number: int) -> None:
        self.numbers.append(number)
        if number not in self._entered:
            self._count(number, 1)

    def drop(self) -> None:
        number = self.numbers.popleft()
        if number not in self._entered:
            self._count(number, -1)

    def _count(self, number: int, step: int) -> None:
        text = self._lines[number - 1]
        self.missing += step
        is_beyond = True
        if number in self._file.possible:
            self._used[text] += max(step, 0)
            is_beyond = self._used[text] > self._file.copies.get(text, 0)
            self._used[text] += min(step, 0)
        if is_beyond and is_weighty(text):
            self.wanting += step
        elif is_beyond:
            self.lacking += step


def files_at_most(
    rule: Rule, needs: Sequence[Need], thread: ThreadReading, index: CorpusIndex
) -> int:
    """How many of these files can meet a rule together; exact for `touched`, else an outer bound.

    Lines that stand in the same ones of these files are looked at together, and so are all blank
    and short ones without a place.
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
    short = thread.short if rule != "touched" else 0
    if short:
        spare = [_light(thread.of(path).sure, index.files[path]) for path, _ in wanting]
        takers = tuple(place for place, light in enumerate(spare) if light)
        supplies[takers] += min(short, sum(map(len, spare)))
    left = min(shared(supplies, [need.fewest for need in wanting]), thread.ambiguous + short)
    met = len(needs) - len(wanting)
    for need in sorted(wanting, key=lambda need: need.fewest):
        left -= need.fewest
        if left < 0:
            break
        met += 1
    return met
