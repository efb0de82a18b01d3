"""Where shown lines stand in the corpus (docs/measurement.md, "where a shown line stands").

In order: a path or number printed with the line; an unbroken run that holds a corpus-unique line;
the file that the call itself named. What is left is ambiguous: it counts at the upper end only.
This goes line by line and is the reference: what compares whole blocks must give the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from evaluation.reading.lines.forms import ShownLine
from evaluation.reading.lines.outputs import Claim, Edges, Frame
from evaluation.reading.lines.placement import Placement, Unplaced
from evaluation.reading.placing.banners import decided_below
from evaluation.reading.placing.claims import extended
from evaluation.reading.placing.numbers import by_numbers
from evaluation.reading.placing.runs import Around, place_claims
from evaluation.reading.placing.stretches import allow_left, place_left
from generators.lines import CorpusIndex


@dataclass(frozen=True)
class _Run:
    """Neighbouring open lines of one output that all stand in the corpus."""

    lines: Sequence[ShownLine]
    start: int
    stop: int

    def text(self, position: int) -> str:
        return self.lines[position].text


def only_file(named: frozenset[str]) -> str | None:
    """The one file that a call named, if it named just one."""
    return next(iter(named)) if len(named) == 1 else None


def place(
    lines: Sequence[ShownLine],
    named: frozenset[str],
    index: CorpusIndex,
    frame: Frame = Frame(),  # noqa: B008 - a frozen value
) -> Placement:
    """Place every line of one tool result."""
    only = only_file(named)
    result = Placement()
    chosen = _chosen(lines)
    open_lines = by_numbers(chosen, only, index, frame, result)
    unplaced: set[int] = set()
    for run in _unbroken(open_lines, chosen, index):
        decided = _decided(run, index, frame)
        if decided < run.stop:
            texts = [run.text(position) for position in range(decided, run.stop)]
            allow_left(texts, frame.origin, index, result)
            unplaced.update(range(decided, run.stop))
            run = _Run(chosen, run.start, decided)
        if run.start < run.stop:
            unplaced.update(_place_run(run, only, index, frame, result))
    for position, line in enumerate(chosen):
        if line.text and not line.cut:
            if line.text not in index.places:
                result.leftover.append(line.text)
            elif position in unplaced:
                result.unplaced.append(Unplaced(len(result.leftover), line.text))
    return result


def _chosen(lines: Sequence[ShownLine]) -> list[ShownLine]:
    """The lines, each as its neighbours' printed numbers and paths say that it is to be read."""
    chosen = list(lines)
    for step in (1, -1):
        order = range(len(chosen)) if step == 1 else range(len(chosen) - 1, -1, -1)
        for position in order:
            other = chosen[position].other
            before = position - step
            if other is None or not 0 <= before < len(chosen):
                continue
            if _numbers_go_on(chosen[before], other, step):
                chosen[position] = replace(other, path=other.path or chosen[position].path)
    return chosen


def _numbers_go_on(one: ShownLine, other: ShownLine, step: int) -> bool:
    """Whether two neighbours were printed in one form, by one command."""
    if one.path != other.path or (one.number is None) != (other.number is None):
        return False
    if one.number is None or other.number is None:
        return one.path is not None
    return one.number * step < other.number * step


def _unbroken(
    positions: Sequence[int], lines: Sequence[ShownLine], index: CorpusIndex
) -> Iterator[_Run]:
    """Runs of neighbouring open lines that all stand somewhere in the corpus."""
    first = last = -2
    for position in positions:
        if lines[position].text not in index.places:
            continue
        if position != last + 1 or lines[position].path != lines[last].path:
            if last >= 0:
                yield _Run(lines, first, last + 1)
            first = position
        last = position
    if last >= 0:
        yield _Run(lines, first, last + 1)


def _decided(run: _Run, index: CorpusIndex, frame: Frame) -> int:
    """Where the lines of a run end that are surely those of the file in the banner above it."""
    first = run.lines[run.start]
    if not (first.below and first.path and frame.is_mixed):
        return run.stop
    return decided_below(run, first.path, frame.origin, index)


def _place_run(
    run: _Run, only: str | None, index: CorpusIndex, frame: Frame, result: Placement
) -> list[int]:
    """Place a run; the positions that have no place in the end."""
    lines = run.lines
    claims = _claims(run, index)
    edges = Edges(
        begins=frame.begins and run.start == 0, ends=frame.ends and run.stop == len(lines)
    )
    around = Around(
        before=_broken(lines, run.start - 1, index),
        after=_broken(lines, run.stop, index),
        edges=edges,
        frame=frame,
        only=lines[run.start].path or only,
        blanks=_blanks(run),
    )
    settled = place_claims(run, claims, around, index, result)
    left: list[int] = []
    for position in settled.open:
        one = lines[position]
        if one.cut and one.text == "":
            continue
        if one.cut or (one.other is not None and not _is_named(one, only, index)):
            _allow_all(one, result)
        else:
            left.append(position)
    return settled.given + place_left(run, left, around, index, result)


def _blanks(run: _Run) -> tuple[int, int]:
    """Blank lines at both ends that are the tool's own."""
    counts: list[int] = []
    for order in (range(run.start, run.stop), range(run.stop - 1, run.start - 1, -1)):
        own = (at for at, one in enumerate(order) if run.text(one) or not run.lines[one].cut)
        counts.append(next(own, len(order)))
    return counts[0], min(counts[1], len(order) - counts[0])


def _claims(run: _Run, index: CorpusIndex) -> list[Claim]:
    """What the corpus-unique lines of a run claim, in order."""
    claims: list[Claim] = []
    for position in range(run.start, run.stop):
        line = run.lines[position]
        if claims and position < claims[-1].stop:
            continue  # a unique line in a claim has its place there
        if line.other is None and not line.cut and index.is_unique(line.text):
            place = index.places[line.text][0]
            claims.append(extended(position, place.path, place.line, run, index))
    return claims


def _broken(lines: Sequence[ShownLine], position: int, index: CorpusIndex) -> str | None:
    """A neighbour of a run that is no line of the corpus as it stands."""
    if not 0 <= position < len(lines):
        return None
    line = lines[position]
    return line.text if line.number is None and line.text not in index.places else None


def _is_named(line: ShownLine, only: str | None, index: CorpusIndex) -> bool:
    """Whether the call named the file of a line as it stands, and not the one printed in it."""
    other = line.other
    return (
        only is not None
        and other is not None
        and other.path not in (None, only)
        and bool(index.lines_in(only, line.text))
    )


def _allow_all(line: ShownLine, result: Placement) -> None:
    """A line that may be read in two ways, or be a part of another: at the upper end only."""
    result.anywhere.append(line.text)
    if line.other is not None:
        result.anywhere.append(line.other.text)
    result.ambiguous += 1
