"""From a reading to coverage figures over the review files, each an interval [least, most]."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from evaluation.reading.context import MAIN, ContextLog
from evaluation.reading.engine import FileReading, Reading, ThreadReading
from evaluation.scoring.score import Coverage, Covered, FileCoverage, Rule, RunCoverage
from generators.lines import CorpusIndex, is_weighty

OPENED_RUN = 10
"""Consecutive lines that open a file (docs/measurement.md, Coverage)."""
READ_DEPTH = 0.95
"""The share of lines that makes a file read."""

_Seen = Literal["told", "at the most", "untold"]
"""What is known of the input at the answer. `at the most`: the server was asked to clear old tool
results, which it may have done."""


@dataclass(frozen=True)
class FileScope:
    """The corpus files by role; a file without lines is in no count."""

    review: tuple[str, ...]
    reference: tuple[str, ...]

    def counted(self, index: CorpusIndex) -> tuple[str, ...]:
        """The review files that have lines."""
        return tuple(path for path in self.review if index.files[path])


def run_coverage(
    reading: Reading, log: ContextLog, scope: FileScope, index: CorpusIndex
) -> RunCoverage:
    """Coverage of the main thread, of each sub-agent, and of the union.

    Where a call's thread could not be told, main and sub-agent figures are not measurable. What is
    visible at the answer is a matter of the main thread alone, and of the wire; where the server
    may have cleared some of it, the least is 0.
    """
    kinds = {thread.id: thread.kind for thread in log.threads}
    known = "unknown" not in kinds.values()
    seen: _Seen = "untold"
    if log.tells_visibility:
        seen = "at the most" if log.may_have_cleared else "told"
    return RunCoverage(
        main=_coverage(reading.threads[MAIN], scope, index, seen=seen) if known else None,
        subagents={
            thread: _coverage(reading.threads[thread], scope, index, seen="untold")
            for thread, kind in sorted(kinds.items())
            if known and kind == "subagent"
        },
        union=_coverage(reading.union, scope, index, seen=seen),
    )


def thread_coverage(reading: ThreadReading, scope: FileScope, index: CorpusIndex) -> Coverage:
    """Coverage of a sub-agent, or of several together: none of them is the one that answers."""
    return _coverage(reading, scope, index, seen="untold")


def _coverage(
    reading: ThreadReading, scope: FileScope, index: CorpusIndex, *, seen: _Seen
) -> Coverage:
    counted = scope.counted(index)
    sure = sum(len(reading.of(path).sure) for path in counted)
    possible = sum(len(reading.of(path).possible) for path in counted)
    reformatted = sum(len(reading.of(path).reformatted) for path in counted)
    touched = [_meets("touched", reading.of(path), index.files[path]) for path in counted]
    return Coverage(
        breadth=_files(touched, reading.ambiguous),
        lines=(
            sure,
            sure + min(possible, reading.ambiguous) + reformatted + _short(reading, counted, index),
        ),
        files=tuple(_file(path, reading.of(path), index, seen=seen) for path in counted),
        reference=tuple(
            _file(path, reading.of(path), index, seen=seen)
            for path in scope.reference
            if index.files[path]
        ),
    )


def _short(reading: ThreadReading, counted: Sequence[str], index: CorpusIndex) -> int:
    """How many blank and short lines may have entered beyond those of the files' upper ends."""
    if not reading.short:
        return 0
    left = sum(
        not is_weighty(line) and number not in most
        for path in counted
        for most in (reading.of(path).most,)
        for number, line in enumerate(index.files[path], start=1)
    )
    return min(reading.short, left)


def _file(path: str, reading: FileReading, index: CorpusIndex, *, seen: _Seen) -> FileCoverage:
    lines = index.files[path]
    seen_most = reading.visible | reading.visible_possible
    least_seen = len(reading.visible) if seen == "told" else 0
    return FileCoverage(
        path=path,
        lines=len(lines),
        entered=(len(reading.sure), len(reading.most)),
        visible=None if seen == "untold" else (least_seen, len(seen_most)),
        ranges=tuple(ranges(reading.sure)),
        partial=len(reading.partial),
        reformatted=len(reading.reformatted),
        ambiguous=len(reading.possible),
        text=(len(_texts(lines, reading.sure)), len(_texts(lines, reading.most))),
        texts=len({line for line in lines if line}),
        inherited=len(reading.inherited),
    )


def _texts(lines: Sequence[str], numbers: Iterable[int]) -> set[str]:
    return {line for number in numbers if (line := lines[number - 1])}


def ranges(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Line numbers as runs, both ends in."""
    runs: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs


def covered(reading: ThreadReading, scope: FileScope, index: CorpusIndex, rule: Rule) -> Covered:
    """Whether every review file meets a rule, at the least and at the most."""
    files = [_meets(rule, reading.of(path), index.files[path]) for path in scope.counted(index)]
    least, most = _files(files, reading.ambiguous)
    without = [file._replace(reformatted=file.least, most=file.possible) for file in files]
    return Covered(
        least=least == len(files),
        most=most == len(files),
        files=(least, most),
        reformatted=most == len(files) and _files(without, reading.ambiguous).most < len(files),
    )


class _Ends(NamedTuple):
    """Whether a file meets a rule, by what is counted."""

    least: bool
    possible: bool
    """With its ambiguous lines."""
    reformatted: bool
    """With its reformatted lines."""
    most: bool
    """With both."""


class _Count(NamedTuple):
    least: int
    most: int


def _files(files: Sequence[_Ends], ambiguous: int) -> _Count:
    """Files that meet a rule. Each that needs ambiguous lines needs one at the least, and each of
    them has one source."""
    least = sum(file.least for file in files)
    free = sum(file.reformatted for file in files)
    return _Count(least, free + min(sum(file.most for file in files) - free, ambiguous))


def _meets(rule: Rule, reading: FileReading, lines: Sequence[str]) -> _Ends:
    least = _met(rule, reading.sure, lines)
    if least or not (reading.possible or reading.reformatted):
        return _Ends(least, least, least, least)
    return _Ends(
        least,
        _met(rule, reading.sure | reading.possible, lines),
        _met(rule, reading.sure | reading.reformatted, lines),
        _met(rule, reading.most, lines),
    )


def _met(rule: Rule, entered: frozenset[int], lines: Sequence[str]) -> bool:
    if rule == "touched":
        weighty = [number for number, line in enumerate(lines, start=1) if is_weighty(line)]
        return bool(entered.intersection(weighty) if weighty else entered)
    if rule == "opened":
        needed = min(OPENED_RUN, len(lines))
        return any(last - first + 1 >= needed for first, last in ranges(entered))
    return len(entered) >= READ_DEPTH * len(lines)
