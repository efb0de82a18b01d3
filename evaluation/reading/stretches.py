"""Neighbouring lines none of which is unique: by the file printed or named, else ambiguous."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from evaluation.reading.claims import Edges, Run
from evaluation.reading.placement import Placement, Span
from evaluation.reading.runs import Around
from generators.lines import CorpusIndex, is_weighty

FEW = 4
"""Comparisons a line of the stretch, up to which each start is tried by itself."""


def place_left(
    run: Run, left: Iterable[int], around: Around, index: CorpusIndex, result: Placement
) -> list[int]:
    """Place what no unique line of a run claims; the positions of which nobody can tell."""
    edges = around.edges
    unplaced: list[int] = []
    stretch: list[int] = []
    for position in (*left, run.stop + 1):
        if stretch and (around.frame.picks or position != stretch[-1] + 1):
            whole = Edges(
                begins=edges.begins and stretch[0] == run.start,
                ends=edges.ends and stretch[-1] == run.stop - 1,
            )
            texts = [run.text(one) for one in stretch]
            if not place_stretch(texts, around, whole, index, result):
                unplaced += stretch
            stretch = []
        stretch.append(position)
    return unplaced


def place_stretch(
    texts: Sequence[str], around: Around, edges: Edges, index: CorpusIndex, result: Placement
) -> bool:
    """Place lines as a whole where they stand in the file; false where they do not."""
    path, origin = around.only, around.frame.origin
    starts = _starts(texts, path, index) if path is not None else []
    if path is not None and starts:
        if len(starts) == 1 and any(map(is_weighty, texts)):
            _place_once(texts, Span(path, starts[0], starts[0] + len(texts) - 1), edges, result)
        else:
            result.allow(_merged(path, starts, len(texts)), len(texts))
        return True
    if not any(map(is_weighty, texts)):
        # Blank and short lines take the place their run gives them; alone they have none.
        result.short += len(texts)
        return False
    if path is not None and origin is not None and origin.is_one:
        found = ((path, number) for text in texts for number in index.lines_in(path, text))
        result.allow([Span(path, number, number) for path, number in found], len(texts))
        return True
    result.anywhere += texts
    result.ambiguous += len(texts)
    return False


def _place_once(texts: Sequence[str], span: Span, edges: Edges, result: Placement) -> None:
    """Surely, but for blank and short lines at the edges, which may be the command's own."""
    path, first, last = span
    weighty = [place for place, text in enumerate(texts) if is_weighty(text)]
    start = first if edges.begins else first + weighty[0]
    stop = last if edges.ends else first + weighty[-1]
    result.add(path, start, stop)
    for one, other in ((first, start - 1), (stop + 1, last)):
        if one <= other:
            result.allow((Span(path, one, other),), other - one + 1)


def _merged(path: str, starts: Sequence[int], width: int) -> list[Span]:
    spans: list[Span] = []
    for start in starts:
        last = start + width - 1
        if spans and start <= spans[-1].last + 1:
            spans[-1] = Span(path, spans[-1].first, last)
        else:
            spans.append(Span(path, start, last))
    return spans


def _starts(texts: Sequence[str], path: str, index: CorpusIndex) -> list[int]:
    """Every line number of the file at which the whole stretch stands, ascending."""
    lines = index.files[path]
    known = [len(index.places.get(text, ())) for text in texts]
    rarest = known.index(min(known))
    if not known[rarest]:
        return []
    found = index.lines_in(path, texts[rarest])
    if len(found) * len(texts) > FEW * (len(lines) + len(texts)):
        return _search(texts, lines)
    wanted = tuple(texts)
    candidates = (number - rarest for number in found)
    return [
        start
        for start in candidates
        if start >= 1 and lines[start - 1 : start - 1 + len(wanted)] == wanted
    ]


def _search(texts: Sequence[str], lines: Sequence[str]) -> list[int]:
    """The same in linear time (Knuth, Morris, Pratt), where many lines are equal."""
    back = [0] * len(texts)
    length = 0
    for place in range(1, len(texts)):
        while length and texts[place] != texts[length]:
            length = back[length - 1]
        length += texts[place] == texts[length]
        back[place] = length
    starts: list[int] = []
    length = 0
    for place, line in enumerate(lines):
        while length and (length == len(texts) or line != texts[length]):
            length = back[length - 1]
        length += line == texts[length]
        if length == len(texts):
            starts.append(place - length + 2)
    return starts
