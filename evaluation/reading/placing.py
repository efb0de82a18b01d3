"""Where shown lines stand in the corpus (docs/measurement.md, "where a shown line stands").

In order: a path or number printed with the line; an unbroken run that holds a corpus-unique line;
the file that the call itself named. What is left is ambiguous: it counts at the upper end only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from evaluation.reading.shown import ShownLine
from generators.lines import CorpusIndex, LinePlace, is_weighty

CUT = re.compile(
    r"\s*(?:\[the line is cut here\]"
    r"|(?:\u2026|\.\.\.)\s*(?:\[truncated\]|\(line truncated to [^()]*\))?)$"
)
"""What tools write where they cut a line."""


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

    def doubt(self, places: Iterable[LinePlace]) -> None:
        """Count some of the sure places at the upper end only."""
        doubted = self.sure.intersection(places)
        self.sure -= doubted
        self.possible |= doubted
        self.ambiguous += len(doubted)


@dataclass(frozen=True)
class _Output:
    """What the walks over one tool result need."""

    lines: Sequence[ShownLine]
    only: str | None
    """The one file that the call named."""
    index: CorpusIndex
    has_edges: bool
    """A blank first or last line is the file's: one command alone printed all of this."""


def place(
    lines: Sequence[ShownLine],
    named: frozenset[str],
    index: CorpusIndex,
    *,
    has_edges: bool = True,
) -> Placement:
    """Place every line of one tool result."""
    result = Placement()
    output = _Output(lines, next(iter(named)) if len(named) == 1 else None, index, has_edges)
    open_lines: list[int] = []
    misfits: list[int] = []
    fitting: dict[int, LinePlace] = {}
    for position, line in enumerate(lines):
        spot = _printed(line, output.only)
        text = index.line(spot.path, spot.line) if spot else None
        if spot is None:
            open_lines.append(position)
        elif text == line.text:
            fitting[position] = spot
        elif text is not None and _is_part(line.text, text):
            result.partial.add(spot)
        elif is_weighty(line.text):
            open_lines.append(position)
        else:
            misfits.append(position)
    supported = _supported(fitting, lines)
    result.sure |= {fitting[position] for position in supported}
    misfits += [position for position in fitting if position not in supported]
    open_lines += _carried(misfits, set(open_lines))
    for run in _unbroken(sorted(open_lines), output):
        _place_run(run, output, result)
    return result


def _printed(line: ShownLine, only: str | None) -> LinePlace | None:
    path = line.path or only
    if path is None or line.number is None:
        return None
    return LinePlace(path, line.number)


def _is_part(shown: str, whole: str) -> bool:
    part = CUT.sub("", shown).strip()
    return is_weighty(part) and len(part) < len(whole) and part in whole


def _carried(misfits: list[int], open_lines: set[int]) -> list[int]:
    """Blank and short lines with numbers of another count, beside lines with such numbers.

    Alone, such a line is the tool's own: the empty last line of a read, after a final LF.
    """
    carried: set[int] = set()
    for positions in (sorted(misfits), sorted(misfits, reverse=True)):
        for position in positions:
            if {position - 1, position + 1} & (open_lines | carried):
                carried.add(position)
    return sorted(carried)


def _supported(fitting: dict[int, LinePlace], lines: Sequence[ShownLine]) -> set[int]:
    """Lines that stand where their printed numbers say.

    A blank or short line fits many numbers by chance (`tail a.md | cat -n`), so where the tool's
    own table does not vouch for the number, a neighbour of some weight must fit too.
    """
    supported: set[int] = set()
    run: list[int] = []
    for position in sorted(fitting):
        if run and not _goes_on(fitting[run[-1]], fitting[position], position - run[-1]):
            supported |= _taken(run, lines)
            run = []
        run.append(position)
    return supported | _taken(run, lines)


def _goes_on(before: LinePlace, now: LinePlace, steps: int) -> bool:
    return steps == 1 and now == LinePlace(before.path, before.line + 1)


def _taken(run: list[int], lines: Sequence[ShownLine]) -> set[int]:
    weighty = any(is_weighty(lines[position].text) for position in run)
    return {position for position in run if weighty or lines[position].vouched}


def _unbroken(positions: Sequence[int], output: _Output) -> Iterator[range]:
    """Runs of neighbouring open lines that all stand somewhere in the corpus."""
    lines = output.lines
    first = last = -2
    for position in positions:
        if lines[position].text not in output.index.places:
            continue
        if position != last + 1 or lines[position].path != lines[last].path:
            if last >= 0:
                yield range(first, last + 1)
            first = position
        last = position
    if last >= 0:
        yield range(first, last + 1)


def _place_run(run: range, output: _Output, result: Placement) -> None:
    claims = _claims_of_unique_lines(run, output)
    backed = _backed(run, output, claims)
    left: list[int] = []
    for position in run:
        places = claims[position]
        if len(places) == 1 and position in backed:
            result.sure.update(places)
        elif places:
            # The end of one file's run and the start of another's: either may be it. Or a blank
            # line at the edge of a run inside an output: the command itself may have made it.
            result.possible.update(places)
            result.ambiguous += 1
        else:
            left.append(position)
    for first, last in _stretches(left):
        _place_stretch(range(first, last + 1), output, result)


Claims = dict[int, set[LinePlace]]


def _claims_of_unique_lines(run: range, output: _Output) -> Claims:
    """For each line, the places that runs around corpus-unique lines give it."""
    claims: Claims = {position: set() for position in run}
    for position in run:
        text = output.lines[position].text
        if not output.index.is_unique(text):
            continue
        spot = output.index.places[text][0]
        if spot in claims[position]:
            continue
        claims[position].add(spot)
        for step in (1, -1):
            _extend(position, spot, step, output, claims)
    return claims


def _extend(position: int, spot: LinePlace, step: int, output: _Output, claims: Claims) -> None:
    """Claim the neighbours of a placed line for as long as they match the file."""
    position += step
    number = spot.line + step
    while position in claims and output.index.line(spot.path, number) == _text(output, position):
        claims[position].add(LinePlace(spot.path, number))
        position += step
        number += step


def _text(output: _Output, position: int) -> str:
    return output.lines[position].text


def _backed(run: range, output: _Output, claims: Claims) -> set[int]:
    """Lines that their run holds: those of weight, and blank or short ones inside of it.

    A blank line at the edge of a run may be the command's own (`head -9 a; echo`), unless the whole
    output begins or ends there.
    """
    held_before = _held(run, output, claims, 1, 0)
    held_after = _held(reversed(run), output, claims, -1, len(output.lines) - 1)
    weighty = {position for position in run if is_weighty(_text(output, position))}
    return weighty | (held_before & held_after)


def _held(
    positions: Iterable[int], output: _Output, claims: Claims, step: int, edge: int
) -> set[int]:
    """Lines with one of weight before them in the same run of one file, or none at all."""
    held: set[int] = set()
    for position in positions:
        if position == edge and output.has_edges:
            held.add(position)
            continue
        before = position - step
        goes_on = any(
            LinePlace(spot.path, spot.line - step) in claims.get(before, ())
            for spot in claims[position]
        )
        if goes_on and (before in held or is_weighty(_text(output, before))):
            held.add(position)
    return held


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


def _place_stretch(stretch: range, output: _Output, result: Placement) -> None:
    """Lines with no unique one among them: by the file printed or named, else ambiguous."""
    texts = [_text(output, position) for position in stretch]
    path = output.lines[stretch[0]].path or output.only
    if path is not None:
        starts = _starts(texts, output.index.files[path])
        if starts:
            spots = [{LinePlace(path, s + i) for i in range(len(texts))} for s in starts]
            if len(spots) == 1 and any(map(is_weighty, texts)):
                result.sure |= spots[0]
            else:
                result.possible |= set[LinePlace]().union(*spots)
                result.ambiguous += len(texts)
            return
    if not any(map(is_weighty, texts)):
        return  # blank and short lines take the place their run gives them; here there is none
    for text in texts:
        result.possible.update(output.index.places[text])
    result.ambiguous += len(texts)


def _starts(stretch: list[str], lines: Sequence[str]) -> list[int]:
    """Every line number of the file at which the whole stretch stands."""
    width = len(stretch)
    return [
        start + 1
        for start in range(len(lines) - width + 1)
        if lines[start] == stretch[0] and list(lines[start : start + width]) == stretch
    ]
