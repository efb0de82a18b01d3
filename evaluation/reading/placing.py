"""Where shown lines stand in the corpus (MEASUREMENT, section 2, "where a shown line stands").

In order: a path or number printed with the line; an unbroken run that holds a corpus-unique line;
the file that the call itself named. What is left is ambiguous: it counts at the upper end only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from evaluation.reading.shown import ShownLine
from generators.lines import CorpusIndex, LinePlace, is_weighty


@dataclass
class Placement:
    """Where the lines of one tool result stand. Filled while placing, then only read."""

    sure: set[LinePlace] = field(default_factory=set)
    possible: set[LinePlace] = field(default_factory=set)
    """Places that an ambiguous line may have; disjoint from nothing."""
    partial: set[LinePlace] = field(default_factory=set)
    """Lines of which only a part was shown."""
    ambiguous: int = 0
    """Shown lines with more than one possible place: each has one source."""


def place(lines: Sequence[ShownLine], named: frozenset[str], index: CorpusIndex) -> Placement:
    """Place every line of one tool result."""
    result = Placement()
    only = next(iter(named)) if len(named) == 1 else None
    open_lines: list[int] = []
    fitting: dict[int, LinePlace] = {}
    for position, line in enumerate(lines):
        spot = _printed(line, only)
        text = index.line(spot.path, spot.line) if spot else None
        if spot is None:
            open_lines.append(position)
        elif text == line.text:
            fitting[position] = spot
        elif text is not None and _is_part(line.text, text):
            result.partial.add(spot)
        elif is_weighty(line.text):
            open_lines.append(position)
        # A blank or short line whose printed number does not fit is the tool's own: the empty
        # last line that a read shows after a final LF.
    result.sure |= _supported(fitting, lines)
    for run in _unbroken(open_lines, lines, index):
        _place_run([lines[position].text for position in run], only, index, result)
    return result


def _supported(fitting: dict[int, LinePlace], lines: Sequence[ShownLine]) -> set[LinePlace]:
    """Lines that stand where their printed numbers say.

    A blank or short line fits many numbers by chance (`tail a.md | cat -n`), so where the tool's
    own table does not vouch for the number, a neighbour of some weight must fit too.
    """
    sure: set[LinePlace] = set()
    run: list[int] = []
    for position in sorted(fitting):
        if run and not _goes_on(fitting[run[-1]], fitting[position], position - run[-1]):
            sure |= _taken(run, fitting, lines)
            run = []
        run.append(position)
    return sure | _taken(run, fitting, lines)


def _goes_on(before: LinePlace, now: LinePlace, steps: int) -> bool:
    return steps == 1 and now == LinePlace(before.path, before.line + 1)


def _taken(
    run: list[int], fitting: dict[int, LinePlace], lines: Sequence[ShownLine]
) -> set[LinePlace]:
    weighty = any(is_weighty(lines[position].text) for position in run)
    return {fitting[position] for position in run if weighty or lines[position].vouched}


def _printed(line: ShownLine, only: str | None) -> LinePlace | None:
    path = line.path or only
    if path is None or line.number is None:
        return None
    return LinePlace(path, line.number)


def _is_part(shown: str, whole: str) -> bool:
    return is_weighty(shown) and len(shown) < len(whole) and shown.strip() in whole


def _unbroken(
    positions: Sequence[int], lines: Sequence[ShownLine], index: CorpusIndex
) -> Iterator[list[int]]:
    """Runs of neighbouring open lines that all stand somewhere in the corpus."""
    run: list[int] = []
    for position in positions:
        known = lines[position].text in index.places
        if run and (not known or position != run[-1] + 1):
            yield run
            run = []
        if known:
            run.append(position)
    if run:
        yield run


def _place_run(run: list[str], only: str | None, index: CorpusIndex, result: Placement) -> None:
    claims = _claims_of_unique_lines(run, index)
    left: list[int] = []
    for position in range(len(run)):
        places = claims[position]
        if len(places) == 1:
            result.sure.update(places)
        elif places:  # the end of one file's run and the start of another's: either may be it
            result.possible.update(places)
            result.ambiguous += 1
        else:
            left.append(position)
    for first, last in _stretches(left):
        _place_stretch(run[first : last + 1], only, index, result)


def _claims_of_unique_lines(run: list[str], index: CorpusIndex) -> list[set[LinePlace]]:
    """For each line, the places that runs around corpus-unique lines give it."""
    claims: list[set[LinePlace]] = [set() for _ in run]
    for position, text in enumerate(run):
        if not index.is_unique(text):
            continue
        spot = index.places[text][0]
        if spot in claims[position]:
            continue
        claims[position].add(spot)
        _extend(run, position, spot, 1, index, claims)
        _extend(run, position, spot, -1, index, claims)
    return claims


def _extend(
    run: list[str],
    position: int,
    spot: LinePlace,
    step: int,
    index: CorpusIndex,
    claims: list[set[LinePlace]],
) -> None:
    """Claim the neighbours of a placed line for as long as they match the file."""
    position += step
    number = spot.line + step
    while 0 <= position < len(run) and index.line(spot.path, number) == run[position]:
        claims[position].add(LinePlace(spot.path, number))
        position += step
        number += step


def _stretches(positions: list[int]) -> Iterator[tuple[int, int]]:
    first = last = -2
    for position in positions:
        if position != last + 1:
            if last >= 0:
                yield first, last
            first = position
        last = position
    if last >= 0:
        yield first, last


def _place_stretch(
    stretch: list[str], only: str | None, index: CorpusIndex, result: Placement
) -> None:
    """Lines with no unique one among them: by the file that the call named, else ambiguous."""
    if only is not None:
        starts = _starts(stretch, index.files[only])
        if starts:
            spots = [{LinePlace(only, s + i) for i in range(len(stretch))} for s in starts]
            if len(spots) == 1:
                result.sure |= spots[0]
            else:
                result.possible |= set[LinePlace]().union(*spots)
                result.ambiguous += len(stretch)
            return
    if not any(map(is_weighty, stretch)):
        return  # blank and short lines take the place their run gives them; here there is none
    for text in stretch:
        result.possible.update(index.places[text])
    result.ambiguous += len(stretch)


def _starts(stretch: list[str], lines: Sequence[str]) -> list[int]:
    """Every line number of the file at which the whole stretch stands."""
    width = len(stretch)
    return [
        start + 1
        for start in range(len(lines) - width + 1)
        if lines[start] == stretch[0] and list(lines[start : start + width]) == stretch
    ]
