"""Where the lines at the edge of a claim go on what stands beside it, as another file does.

Prevents the end of a file without a unique line being credited to the file that was printed after
it, because that one has such lines there too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from evaluation.reading.lines.outputs import Claim, Origin, Run
from evaluation.reading.lines.placement import Span
from evaluation.reading.placing.claims import held_alone, inwards
from generators.lines import CorpusIndex, LinePlace, is_weighty


class _Edge(NamedTuple):
    """One side of a claim, with a line beside it that no claim holds."""

    claim: Claim
    inward: range
    """Positions from the edge on."""

    @property
    def step(self) -> int:
        return self.inward.step


class Joint(NamedTuple):
    """A position of a claim that may be of another place too."""

    claim: Claim
    position: int
    others: Sequence[Span]


def joints(
    run: Run, claims: Sequence[Claim], origin: Origin | None, index: CorpusIndex
) -> Iterator[Joint]:
    """The lines at the edges of claims that fit the end of another file's run beside them, with the
    blank and short ones behind these, which may be the command's own then."""
    for edge, own in _edges(run, claims):
        others = _others(run, edge, origin, index)
        if not others:
            continue
        for position in edge.inward:
            text = run.text(position)
            others = [one for one in others if _is_at(one, position, edge, text, index)]
            if position not in own or index.is_unique(text) or (not others and is_weighty(text)):
                break
            yield Joint(edge.claim, position, tuple(_span(one, position, edge) for one in others))


def _edges(run: Run, claims: Sequence[Claim]) -> Iterator[tuple[_Edge, range]]:
    for place, (claim, own) in enumerate(zip(claims, held_alone(claims), strict=True)):
        downwards, upwards = inwards(claim)
        if claim.start > (claims[place - 1].stop if place else run.start):
            yield _Edge(claim, downwards), own
        if claim.stop < (claims[place + 1].start if place + 1 < len(claims) else run.stop):
            yield _Edge(claim, upwards), own


def _others(run: Run, edge: _Edge, origin: Origin | None, index: CorpusIndex) -> list[LinePlace]:
    """Where else the line beside an edge stands, with those behind it up to one of weight."""
    claim, beside = edge.claim, edge.inward.start - edge.step
    weighty = next(at for at in edge.inward if is_weighty(run.text(at)))
    text = run.text(weighty)
    if index.is_unique(text):
        return []
    behind = weighty - beside
    own = (claim.path, claim.number(weighty))
    return [
        place
        for one in index.places[text]
        if (one.path, one.line) != own
        and (place := LinePlace(one.path, one.line - behind)).line >= 1
        and (origin is None or origin.may_show(one.path))
        and all(
            _is_at(place, position, edge, run.text(position), index)
            for position in range(beside, weighty, edge.step)
        )
    ]


def _is_at(place: LinePlace, position: int, edge: _Edge, text: str, index: CorpusIndex) -> bool:
    """Whether a file has the text of a position, if the one beside the edge stands there."""
    return index.line(place.path, _number(place, position, edge)) == text


def _number(place: LinePlace, position: int, edge: _Edge) -> int:
    return place.line + position - (edge.inward.start - edge.step)


def _span(place: LinePlace, position: int, edge: _Edge) -> Span:
    number = _number(place, position, edge)
    return Span(place.path, number, number)
