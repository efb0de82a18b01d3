"""Where each needle stands: its planted lines, and the same places in the clean twin.

Blank lines are left out of both. Per edit, without the lines at its ends that it does not change:

- planted lines: those it put there. Twin: the clean lines they replaced; where these are fewer, the
  nearest lines around them too, until there are as many; of an insertion at least one each side.
- A needle whose edits put no line anywhere is an absence: its evidence lines (the heading that now
  stands there, with one line each side), and as their twin the very same lines in the clean corpus.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from generators.edits import Change
from generators.registry import RegisteredNeedle
from validation.shortcuts.corpus import Corpus, Twins


class Place(NamedTuple):
    """Where one needle stands; lines and files as the corpora count them."""

    needle: str
    planted: tuple[int, ...]
    twin: tuple[int, ...]
    files: tuple[int, ...]
    """Those its edits changed, of both corpora."""


class _Put(NamedTuple):
    """An edit without the lines that it does not change."""

    needle: str
    path: str
    first: int
    """In the planted file, from 0."""
    planted: int
    """How many lines it put there."""
    clean_first: int
    clean: int
    """How many lines it took away."""


def places(needles: Sequence[RegisteredNeedle], pair: Twins) -> tuple[Place, ...]:
    """Every needle's lines under review."""
    number = {path: index for index, path in enumerate(pair.planted.paths)}
    puts = list(_puts(needles))
    found: list[Place] = []
    for needle in needles:
        own = [put for put in puts if put.needle == needle.id and put.path in number]
        planted: list[int] = []
        twin: list[int] = []
        for put in own:
            file = number[put.path]
            lines = _filled(pair.planted, file, range(put.first, put.first + put.planted))
            planted += lines
            if lines:
                twin += _twin(pair.clean, file, put, len(lines))
        if not planted:
            for file, line in _evidence(needle, number):
                planted += _filled(pair.planted, file, [line])
                twin += _filled(
                    pair.clean, file, [_clean_line(pair.planted.paths[file], line, puts)]
                )
        files = {number[put.path] for put in own}
        found.append(Place(needle.id, tuple(planted), tuple(twin), tuple(sorted(files))))
    return tuple(found)


def _puts(needles: Iterable[RegisteredNeedle]) -> Iterable[_Put]:
    edits = [
        (edit.path, edit.first, needle.id, edit) for needle in needles for edit in needle.edits
    ]
    edits.sort(key=lambda row: row[:3])
    for _, group in groupby(edits, key=lambda row: row[0]):
        shift = 0
        for path, first, needle, edit in group:
            whole = Change(path, first - shift, edit.clean, edit.planted)
            part = whole.trimmed()
            kept = part.first - whole.first
            yield _Put(
                needle, path, first - 1 + kept, len(part.planted), part.first - 1, len(part.clean)
            )
            shift += whole.shift


def _evidence(needle: RegisteredNeedle, number: Mapping[str, int]) -> Iterable[tuple[int, int]]:
    for span in needle.evidence:
        if span.path in number:
            for line in range(span.first - 1, span.last):
                yield number[span.path], line


def _clean_line(path: str, line: int, puts: Iterable[_Put]) -> int:
    """Where a line that no edit put there stands in the clean file."""
    return line + sum(
        put.clean - put.planted
        for put in puts
        if put.path == path and put.first + put.planted <= line
    )


def _filled(corpus: Corpus, file: int, lines: Iterable[int]) -> list[int]:
    """Those lines of a file that hold anything, as the corpus counts them."""
    start, length = int(corpus.starts[file]), _length(corpus, file)
    return [start + line for line in lines if 0 <= line < length and corpus.text(start + line)]


def _length(corpus: Corpus, file: int) -> int:
    end = corpus.starts[file + 1] if file + 1 < len(corpus.starts) else len(corpus.lines)
    return int(end - corpus.starts[file])


def _twin(corpus: Corpus, file: int, put: _Put, wanted: int) -> list[int]:
    """The clean lines of an edit, with those around them where they are fewer than wanted."""
    end = put.clean_first + put.clean
    twin = _filled(corpus, file, range(put.clean_first, end))
    if not twin:
        wanted = max(wanted, 2)
    after = iter(_filled(corpus, file, range(end, _length(corpus, file))))
    before = iter(_filled(corpus, file, range(put.clean_first - 1, -1, -1)))
    while len(twin) < wanted:
        around = [line for line in (next(before, None), next(after, None)) if line is not None]
        if not around:
            break
        twin += around[: wanted - len(twin)]
    return sorted(twin)
