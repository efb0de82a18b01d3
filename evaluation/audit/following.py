"""Lines followed from one text of a file to another, and lines that may have entered besides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from evaluation.reading.engine import FileReading, Reading, ThreadReading
from evaluation.reading.lines.versions import moved
from evaluation.scoring.subagents import together
from generators.lines import CorpusIndex


@dataclass(frozen=True, eq=False)
class Held:
    """One reading of a session, in the lines of one text of each file."""

    index: CorpusIndex
    reading: Reading


def followed_to(index: CorpusIndex, found: Sequence[Held], paths: Iterable[str]) -> Reading:
    """Several readings as one, in the lines of this corpus. `paths` have other texts in them."""
    changed = tuple(paths)
    parts = [_followed(held, index, changed) for held in found]
    threads = dict.fromkeys(name for part in parts for name in part.threads)
    return Reading(
        {
            name: together([part.threads[name] for part in parts if name in part.threads])
            for name in threads
        },
        together([part.union for part in parts]),
    )


def _followed(held: Held, index: CorpusIndex, paths: Iterable[str]) -> Reading:
    maps: dict[str, Mapping[int, int]] = {}
    for path in paths:
        older, newer = held.index.files.get(path), index.files.get(path)
        if older != newer:
            maps[path] = moved(older, newer) if older and newer else {}
    if not maps:
        return held.reading

    def of_thread(thread: ThreadReading) -> ThreadReading:
        files = {
            path: _moved(file, maps[path]) if path in maps else file
            for path, file in thread.files.items()
        }
        return replace(thread, files=files)

    threads = held.reading.threads
    return Reading(
        {name: of_thread(thread) for name, thread in threads.items()},
        of_thread(held.reading.union),
    )


def _moved(file: FileReading, lines: Mapping[int, int]) -> FileReading:
    def now(numbers: Iterable[int]) -> frozenset[int]:
        return frozenset(lines[number] for number in numbers if number in lines)

    return replace(
        file,
        sure=now(file.sure),
        possible=now(file.possible),
        visible=now(file.visible),
        visible_possible=now(file.visible_possible),
        partial=now(file.partial),
        reformatted=now(file.reformatted),
        inherited=now(file.inherited),
    )


def opened_up(
    reading: Reading,
    lines: Mapping[str, Collection[int]],
    index: CorpusIndex,
    only: str | None = None,
) -> Reading:
    """The reading, of which these lines may have entered besides: any thread, or `only` one."""
    if not any(lines.values()):
        return reading
    return Reading(
        {
            name: _opened_up(thread, lines, index) if only in (None, name) else thread
            for name, thread in reading.threads.items()
        },
        _opened_up(reading.union, lines, index),
    )


def _opened_up(
    thread: ThreadReading, lines: Mapping[str, Collection[int]], index: CorpusIndex
) -> ThreadReading:
    """As if each of the lines had been shown once more, without a place."""
    files = dict(thread.files)
    every = Counter(thread.copies)
    for path, numbers in lines.items():
        known = thread.of(path)
        possible = known.possible.union(numbers) - known.sure
        more = Counter(index.files[path][number - 1] for number in possible.intersection(numbers))
        every.update(more)
        files[path] = replace(
            known,
            possible=possible,
            copies=Counter(known.copies) + more,
            visible_possible=known.visible_possible.union(numbers) - known.visible,
            partial=known.partial - possible,
            reformatted=known.reformatted - possible,
        )
    added = every.total() - sum(thread.copies.values())
    return replace(thread, files=files, ambiguous=thread.ambiguous + added, copies=every)


def all_lines(paths: Iterable[str], index: CorpusIndex) -> dict[str, range]:
    """Every line of these files, as far as they are in the corpus."""
    return {path: range(1, len(index.files[path]) + 1) for path in paths if path in index.files}


def own_lines(path: str, start: CorpusIndex | None, index: CorpusIndex) -> frozenset[int]:
    """The lines of a file that do not come from its text in another corpus; all, without one."""
    lines = index.files[path]
    older = start.files.get(path, ()) if start is not None else ()
    return frozenset(range(1, len(lines) + 1)).difference(moved(older, lines).values())
