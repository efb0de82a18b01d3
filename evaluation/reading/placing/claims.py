"""An unbroken run of shown lines, and what its corpus-unique lines claim of it.

A line that stands once in the corpus claims its own place, and its neighbours for as long as they
go on as its file does. Prevents two false results: the end of one file's run credited to the file
whose run follows it, and a blank line that a command printed credited to a file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, pairwise

from evaluation.reading.lines.forms import CUT, is_part
from evaluation.reading.lines.outputs import Claim, Edges, Run
from evaluation.reading.lines.placement import Placement, Span
from generators.lines import CorpusIndex, is_weighty


def extended(position: int, path: str, number: int, run: Run, index: CorpusIndex) -> Claim:
    """What a line that surely stands in a file claims."""
    lines = index.files[path]
    start, stop = position, position + 1
    before, after = number - 2, number
    while start > run.start and before >= 0 and lines[before] == run.text(start - 1):
        start -= 1
        before -= 1
    while stop < run.stop and after < len(lines) and lines[after] == run.text(stop):
        stop += 1
        after += 1
    return Claim(start, stop, path, before + 2)


def settle(
    run: Run,
    claims: Sequence[Claim],
    edges: Edges,
    ends: range,
    index: CorpusIndex,
    result: Placement,
    apart: Collection[int] = (),
) -> list[int]:
    """Place what is claimed, and give the positions that are left. Claims stand in their order.

    `ends` is the run without blank lines of the tool's own. What is claimed of the positions that
    stand `apart` is not placed here.

    A position with one claim is sure, unless it is a short line at the edge of its claim, or may
    be the cut end of a longer line. One with several is ambiguous: the end of one file's run and
    the start of another's.
    """
    left: list[int] = []
    doubted = _cut_ends(run, claims, ends, index, result)
    reached = run.start
    for claim, own in zip(claims, held_alone(claims), strict=True):
        left += range(reached, claim.start)
        unsure = {*_unbacked(claim, run, edges), *doubted}
        _place_alone(claim, own, unsure, apart, result)
        reached = claim.stop
    _allow_overlapped(run, claims, result)
    left += range(reached, run.stop)
    for position in doubted.intersection(left):
        left.remove(position)
        result.scatter([run.text(position)])
    return left


def held_alone(claims: Sequence[Claim]) -> Iterator[range]:
    """The positions of each claim that no other one holds.

    Each holds a unique line, so starts and stops both ascend: only neighbours overlap.
    """
    for place, claim in enumerate(claims):
        before = claims[place - 1].stop if place else claim.start
        after = claims[place + 1].start if place + 1 < len(claims) else claim.stop
        yield range(max(claim.start, before), min(claim.stop, after))


def inwards(claim: Claim) -> tuple[range, range]:
    """The positions of a claim from its first and from its last one on."""
    return range(claim.start, claim.stop), range(claim.stop - 1, claim.start - 1, -1)


def _place_alone(
    claim: Claim, own: range, unsure: set[int], apart: Collection[int], result: Placement
) -> None:
    start = own.start
    for position in sorted(unsure.union(apart).intersection(own)):
        result.sure += claim.spans(start, position)
        if position not in apart:
            result.allow(claim.spans(position, position + 1), 1)
        start = position + 1
    result.sure += claim.spans(start, own.stop)


def _allow_overlapped(run: Run, claims: Sequence[Claim], result: Placement) -> None:
    """Positions with two claims may be of either."""
    for one, following in pairwise(claims):
        both = range(following.start, one.stop)
        if both:
            spans = (claim.spans(both.start, both.stop) for claim in (one, following))
            result.allow(chain(*spans), len(both), map(run.text, both))


def _unbacked(claim: Claim, run: Run, edges: Edges) -> Iterator[int]:
    """Blank and short lines at the edges of a claim: they may be the command's own."""
    downwards, upwards = inwards(claim)
    if not (edges.begins and claim.start == run.start):
        yield from _short(downwards, run)
    if not (edges.ends and claim.stop == run.stop):
        yield from _short(upwards, run)


def _short(positions: Iterable[int], run: Run) -> Iterator[int]:
    for position in positions:
        if is_weighty(run.text(position)):
            return
        yield position


def _cut_ends(
    run: Run, claims: Sequence[Claim], ends: range, index: CorpusIndex, result: Placement
) -> set[int]:
    """The ends of a run, where they may be a part of the line that goes on from a claim."""
    doubted: set[int] = set()
    if not ends:
        return doubted
    first, last = ends[0], ends[-1]
    for claim in claims[-2:]:
        if claim.stop == last and _is_part_after(claim, run.text(last), index, result):
            doubted.add(last)
    for claim in claims[:2]:
        if claim.start == first + 1 and _is_part_before(claim, run.text(first), index, result):
            doubted.add(first)
    return doubted


def mark_partial(
    claims: Sequence[Claim],
    before: str | None,
    after: str | None,
    index: CorpusIndex,
    result: Placement,
) -> None:
    """Lines of which a part stands just before or after what is claimed of a run."""
    if claims and before:
        _is_part_before(claims[0], before, index, result)
    if claims and after:
        _is_part_after(claims[-1], after, index, result)


def _is_part_after(claim: Claim, shown: str, index: CorpusIndex, result: Placement) -> bool:
    number = claim.number(claim.stop)
    whole = index.line(claim.path, number)
    part = CUT.sub("", shown)
    found = whole is not None and whole.startswith(part) and is_part(shown, whole)
    if found:
        result.partial.append(Span(claim.path, number, number))
    return found


def _is_part_before(claim: Claim, shown: str, index: CorpusIndex, result: Placement) -> bool:
    number = claim.first - 1
    whole = index.line(claim.path, number)
    found = whole is not None and whole.endswith(shown) and is_part(shown, whole)
    if found:
        result.partial.append(Span(claim.path, number, number))
    return found
