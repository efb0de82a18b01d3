"""Places an unbroken run of shown lines: what its unique lines claim, then what is left of it.

Both ways to go through an output, line by line and block by block, end here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from evaluation.reading.lines.outputs import Claim, Edges, Frame, Run
from evaluation.reading.lines.placement import Placement, Span
from evaluation.reading.placing.claims import held_alone, inwards, mark_partial, settle
from evaluation.reading.placing.joints import Joint, joints
from generators.lines import CorpusIndex, is_weighty


class Around(NamedTuple):
    """What is known beside a run."""

    before: str | None
    """The line above, if it is no line of the corpus."""
    after: str | None
    edges: Edges
    frame: Frame
    only: str | None
    """The one file that the call named."""
    blanks: tuple[int, int] = (0, 0)
    """Blank lines of the tool's own at its beginning and at its end."""


def place_claims(
    run: Run, claims: Sequence[Claim], around: Around, index: CorpusIndex, result: Placement
) -> Left:
    """Place what unique lines claim."""
    origin = around.frame.origin
    if not claims and (origin is None or not origin.is_one):
        return Left(list(range(run.start, run.stop)), [])
    held = claims
    if origin is not None:
        held = [claim for claim in claims if not origin.doubts(claim, run)]
    mark_partial(held, around.before, around.after, index, result)
    ends = range(run.start + around.blanks[0], run.stop - around.blanks[1])
    edges, apart = around.edges, set[int]()
    if around.frame.picks:
        # A line beside another need not be its neighbour, nor one at the end the last.
        edges = Edges(begins=False, ends=False)
    if around.frame.is_mixed:
        apart = _allow_apart(run, held, around, index, result)
    left = settle(run, held, edges, ends, index, result, apart)
    if around.frame.is_mixed:
        _allow_twins(run, held, around, apart, index, result)
    if origin is None:
        return Left(left, [])
    if origin.is_one:
        own = around.only or ""
        kept = [one for one in left if index.lines_in(own, run.text(one))]
        return Left(kept, [])
    if len(held) == len(claims):
        return Left(left, [])
    given = _given_up(run, set(left), _doubted(claims, held), around.only, index)
    result.scatter(run.text(position) for position in given)
    known = set(given)
    return Left([one for one in left if one not in known], given)


class Left(NamedTuple):
    """Positions that no claim holds."""

    open: list[int]
    given: list[int]
    """Of these, nobody can tell where they stand."""


def _doubted(claims: Sequence[Claim], held: Sequence[Claim]) -> list[Claim]:
    known = set(held)
    return [claim for claim in claims if claim not in known]


def _given_up(
    run: Run, left: set[int], doubted: Iterable[Claim], only: str | None, index: CorpusIndex
) -> list[int]:
    """Lines that may be another file's in another shape, and are no lines of the named one."""
    return sorted(
        {
            position
            for claim in doubted
            for position in range(claim.start, claim.stop)
            if position in left
            and is_weighty(text := run.text(position))
            and not (only is not None and index.lines_in(only, text))
        }
    )


def _allow_apart(
    run: Run, claims: Sequence[Claim], around: Around, index: CorpusIndex, result: Placement
) -> set[int]:
    """Lines at the edges of a claim of which what they look like is no more likely than another
    place: they are at the upper end only. Gives their positions."""
    found: set[int] = set()
    apart: Iterable[Joint] = _joined(run, claims, around, index)
    if around.frame.picks:
        apart = chain(apart, _picked(run, claims, around, index))
    for claim, position, others in apart:
        if position not in found:
            own = claim.spans(position, position + 1)
            result.allow((*own, *others), 1, (run.text(position),))
            found.add(position)
    return found


def _joined(
    run: Run, claims: Sequence[Claim], around: Around, index: CorpusIndex
) -> Iterator[Joint]:
    """Lines that may be of what stands beside their claim: if they have weight, of any twin."""
    for joint in joints(run, claims, around.frame.origin, index):
        claim, position, _ = joint
        text = run.text(position)
        if is_weighty(text):
            twins = _twins(text, claim.path, claim.number(position), around, index)
            yield Joint(claim, position, twins)
        else:
            yield joint


def _picked(
    run: Run, claims: Sequence[Claim], around: Around, index: CorpusIndex
) -> Iterator[Joint]:
    """Where lines were picked or sorted, all from an edge on up to one that can have been printed
    from one place alone."""
    for claim, own in zip(claims, held_alone(claims), strict=True):
        for inward in inwards(claim):
            for position in inward:
                text = run.text(position)
                twins: list[Span] = []
                if is_weighty(text):
                    twins = _twins(text, claim.path, claim.number(position), around, index)
                    if not twins:
                        break
                if position in own:
                    yield Joint(claim, position, twins)


def _allow_twins(
    run: Run,
    claims: Iterable[Claim],
    around: Around,
    apart: Collection[int],
    index: CorpusIndex,
    result: Placement,
) -> None:
    """Lines at the edges of a claim that stand elsewhere too: several commands may have printed
    them. They may be what they look like, or those."""
    for claim in claims:
        for position in _spare(run, claim, around, index):
            text = run.text(position)
            twins = _twins(text, claim.path, claim.number(position), around, index)
            if twins and position not in apart:
                result.allow(twins, 1, (text,))


def _spare(run: Run, claim: Claim, around: Around, index: CorpusIndex) -> Iterator[int]:
    """Weighty lines at the edges of a claim that another command may have printed."""
    picks = around.frame.picks
    whole = claim.stop - claim.start == len(index.files[claim.path])
    if picks or claim.first > 1:
        yield from _edge(range(claim.start, claim.stop), run, index)
    if picks or not whole:
        yield from _edge(range(claim.stop - 1, claim.start - 1, -1), run, index)


def _edge(positions: Iterable[int], run: Run, index: CorpusIndex) -> list[int]:
    """Weighty lines up to the first that stands once in the corpus."""
    found: list[int] = []
    for position in positions:
        text = run.text(position)
        if not is_weighty(text):
            continue
        if index.is_unique(text):
            break
        found.append(position)
    return found


def _twins(text: str, path: str, number: int, around: Around, index: CorpusIndex) -> list[Span]:
    """Where else a line may have been printed from."""
    origin = around.frame.origin
    return [
        Span(one.path, one.line, one.line)
        for one in index.places[text]
        if (one.path, one.line) != (path, number) and (origin is None or origin.may_show(one.path))
    ]
