"""Lines with one text before or behind all of them: `sed 's/^/| /'`, `cat -A`, a quoted diff.

Where several of them follow each other as they do in a file they are its lines. Fewer may be equal
by chance, and count at the upper end only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import digits, punctuation, whitespace
from typing import NamedTuple

from evaluation.reading.lines.carets import END, without_carets
from evaluation.reading.lines.forms import ShownLine
from evaluation.reading.lines.framed import Framed
from generators.lines import CorpusIndex, is_weighty, normal_form

EDGES = punctuation + whitespace + digits
LONGEST = 24
"""Characters before a line."""
LONGEST_END = 6
FEWEST = 3
"""Lines that follow each other in a file, from which on they are that file's."""
OLDER = ("-", "<")
"""Begins a line that a diff took out."""
MOST_LINES = 8
"""Lines of the corpus with one core that are tried."""
ASKED = 8
"""Lines below the first by which it is told what stands around it."""


def _core(text: str) -> str:
    return text.strip(EDGES)


def cores_of(index: CorpusIndex) -> dict[str, tuple[str, ...]]:
    """The weighty lines of the corpus, by what is left without the marks and digits at the ends."""
    found: dict[str, tuple[str, ...]] = {}
    for text in index.places:
        core = _core(text)
        if len(core) > 1 and is_weighty(text):
            known = found.get(core, ())
            if len(known) < MOST_LINES:
                found[core] = (*known, text)
    return found


class _Wrap(NamedTuple):
    """What stands around each line."""

    before: str
    behind: str

    def text(self, line: str) -> str | None:
        """The normal form of a line within it; None where it does not stand there."""
        if line.startswith(self.before) and line.endswith(self.behind):
            end = len(line) - len(self.behind)
            if end >= len(self.before):
                inner = line[len(self.before) : end]
                return normal_form(without_carets(inner) if self.behind == END else inner)
        # A blank line, without the white space at its end.
        return "" if line.rstrip() == (self.before + self.behind).rstrip() else None


def wrapped_in(lines: Sequence[str], free: Sequence[bool], index: CorpusIndex) -> Iterator[Framed]:
    """Runs of lines in one wrap. `free`: which lines are none of the corpus as they stand."""
    cores = index.kept(cores_of)
    if cores.keys().isdisjoint([line.strip(EDGES) for line in lines]):
        return
    place = 0
    while place < len(lines):
        wrap = _wrap(lines[place : place + ASKED], cores, index) if free[place] else None
        if wrap is None:
            place += 1
            continue
        start = stop = place
        while start > 0 and _goes_on(lines[start - 1], wrap, is_free=free[start - 1]):
            start -= 1
        while stop < len(lines) and _goes_on(lines[stop], wrap, is_free=free[stop]):
            stop += 1
        shown = tuple(ShownLine(wrap.text(line) or "") for line in lines[start:stop])
        # By white space alone, a line of JSON may be another one that was printed in another shape.
        is_sure = (
            stop - start >= FEWEST
            and not wrap.before.startswith(OLDER)
            and bool((wrap.before + wrap.behind).strip())
        )
        yield Framed(start, stop, shown, is_sure=is_sure, fewest=FEWEST)
        place = max(stop, place + 1)


def _goes_on(line: str, wrap: _Wrap, *, is_free: bool) -> bool:
    """Whether a line stands in a wrap; a short one may also be one of the corpus by itself."""
    return wrap.text(line) is not None and (is_free or not is_weighty(normal_form(line)))


def _wrap(
    lines: Sequence[str], cores: dict[str, tuple[str, ...]], index: CorpusIndex
) -> _Wrap | None:
    """What stands around a line of the corpus, and around most of those below it."""
    found: list[_Wrap] = []
    for text in cores.get(_core(lines[0]), ()):
        wrap = _around(lines[0], text)
        if wrap is not None:
            found.append(wrap)
    if len(found) < 2:
        return found[0] if found else None
    return max(
        found, key=lambda wrap: (_fitting(lines, wrap, index), -len(wrap.before + wrap.behind))
    )


def _fitting(lines: Sequence[str], wrap: _Wrap, index: CorpusIndex) -> int:
    return sum(wrap.text(line) in index.places for line in lines)


def _around(line: str, text: str) -> _Wrap | None:
    at = line.find(text)
    if at >= 0:
        wrap = _Wrap(line[:at], line[at + len(text) :].rstrip())
        return wrap if len(wrap.before) <= LONGEST and len(wrap.behind) <= LONGEST_END else None
    if "\t" not in line and "^" not in line:
        return None
    behind = END if line.endswith(END) else ""
    for end in range(min(LONGEST, len(line))):
        wrap = _Wrap(line[:end], behind)
        if wrap.text(line) == text and (end or behind):
            return wrap
    return None
