"""From a reading to coverage figures over the review files, each an interval [least, most]."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from evaluation.reading.context import MAIN, ContextLog
from evaluation.reading.copies import at_once
from evaluation.reading.engine import FileReading, Reading, ThreadReading
from evaluation.scoring.joint import Need, fewest, files_at_most, lines_at_most, more_at_most
from evaluation.scoring.score import (
    Coverage,
    Covered,
    FileCoverage,
    Interval,
    Rule,
    RunCoverage,
)
from generators.lines import CorpusIndex, is_weighty

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
    reformatted = sum(len(reading.of(path).reformatted) for path in counted)
    more = lines_at_most(reading, counted, index)
    return Coverage(
        breadth=_files("touched", reading, counted, index),
        lines=(sure, sure + reformatted + more),
        files=tuple(_file(path, reading, index, seen=seen) for path in counted),
        reference=tuple(
            _file(path, reading, index, seen=seen) for path in scope.reference if index.files[path]
        ),
    )


def entered(thread: ThreadReading, path: str, index: CorpusIndex) -> Interval:
    """Lines of a file that entered, least and most.

    Blank and short ones without a place can be of a file of which something else may have entered.
    """
    file, lines = thread.of(path), index.files[path]
    free = file.sure | file.reformatted
    most = min(file.count_most(lines), len(free) + thread.ambiguous)
    if most and thread.short:
        most = min(len(free) + more_at_most(free, file, lines, thread.short), most + thread.short)
    return (len(file.sure), most)


def _file(path: str, thread: ThreadReading, index: CorpusIndex, *, seen: _Seen) -> FileCoverage:
    lines, reading = index.files[path], thread.of(path)
    least_seen = len(reading.visible) if seen == "told" else 0
    return FileCoverage(
        path=path,
        lines=len(lines),
        entered=entered(thread, path, index),
        visible=None if seen == "untold" else (least_seen, _seen_most(reading, lines)),
        ranges=tuple(ranges(reading.sure)),
        partial=len(reading.partial),
        reformatted=len(reading.reformatted),
        ambiguous=len(reading.possible),
        text=_text(reading, lines, thread),
        texts=len({line for line in lines if line}),
        inherited=len(reading.inherited),
    )


def _seen_most(reading: FileReading, lines: Sequence[str]) -> int:
    """Lines that may still be visible: of the possible ones, no more than were ever shown."""
    perhaps = reading.visible_possible & reading.possible
    others = reading.visible_possible - reading.possible
    return len(reading.visible) + len(others) + at_once(perhaps, lines, reading.copies)


def _text(reading: FileReading, lines: Sequence[str], thread: ThreadReading) -> Interval:
    """Distinct texts that entered. Each possible one was shown once at the least."""
    least = _texts(lines, reading.sure)
    free = least | _texts(lines, reading.reformatted)
    more = _texts(lines, reading.possible) - free
    most = len(free) + min(len(more), thread.ambiguous)
    if most and thread.short:
        others = {line for line in lines if line and not is_weighty(line)} - free
        most = min(most + min(thread.short, len(others)), len(free | more | others))
    return (len(least), most)


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
    counted = scope.counted(index)
    files = _files(rule, reading, counted, index)
    is_all = files.most == len(counted)
    plain = _files(rule, reading, counted, index, reformatted=False) if is_all else files
    return Covered(
        least=files.least == len(counted),
        most=is_all,
        files=(files.least, files.most),
        reformatted=is_all and plain.most < len(counted),
    )


class _Count(NamedTuple):
    least: int
    most: int


def _files(
    rule: Rule,
    thread: ThreadReading,
    paths: Sequence[str],
    index: CorpusIndex,
    *,
    reformatted: bool = True,
) -> _Count:
    """How many of these files meet a rule."""
    least = 0
    needs: list[Need] = []
    for path in paths:
        file, lines = thread.of(path), index.files[path]
        needed = fewest(rule, file.sure, file, lines, thread.short)
        least += needed == 0
        if needed != 0 and reformatted and file.reformatted:
            needed = fewest(rule, file.sure | file.reformatted, file, lines, thread.short)
        if needed is not None:
            needs.append(Need(path, needed))
    return _Count(least, files_at_most(rule, needs, thread, index))
