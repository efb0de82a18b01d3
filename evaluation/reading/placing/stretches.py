"""Neighbouring lines none of which is unique: by the file printed or named, else ambiguous."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from evaluation.reading.lines.outputs import Edges, Origin, Run
from evaluation.reading.lines.placement import Place, Placement, Span
from evaluation.reading.placing.runs import Around
from generators.lines import CorpusIndex, is_weighty

MOST_SPANS = 32
"""Places in the named files beyond those for each line, up to which they are told apart."""
MOST_AGAIN = 16
"""Lines of a stretch, up to which its places are kept: it may be shown again and again."""
FEW = 4
"""Comparisons a line of the stretch, up to which each start is tried by itself."""


def place_left(
    run: Run, left: Iterable[int], around: Around, index: CorpusIndex, result: Placement
) -> list[int]:
    """Place what no unique line of a run claims; the positions of which nobody can tell."""
    edges = around.edges
    unplaced: list[int] = []
    stretch: list[int] = []
    left = list(left)
    beside = _beside_weighty(run, left) if around.frame.picks else frozenset()
    for position in (*left, run.stop + 1):
        if stretch and (around.frame.picks or position != stretch[-1] + 1):
            whole = Edges(
                begins=edges.begins and stretch[0] == run.start,
                ends=edges.ends and stretch[-1] == run.stop - 1,
            )
            texts = [run.text(one) for one in stretch]
            if not place_stretch(texts, around, whole, index, result):
                unplaced += stretch
                if not beside.isdisjoint(stretch):
                    result.short -= len(texts)
                    _allow(texts, _alone(around), index, result)
            stretch = []
        stretch.append(position)
    return unplaced


def _beside_weighty(run: Run, left: Sequence[int]) -> frozenset[int]:
    """Blank and short lines with no place, among neighbours of which one is weighty: of a file
    that was printed line by line they stand wherever it does."""
    found: set[int] = set()
    short: list[int] = []
    is_told = False
    before = -1
    for position in (*left, run.stop + 1):
        if position != before + 1:
            found.update(short if is_told else ())
            short, is_told = [], False
        before = position
        if position < run.stop and not is_weighty(run.text(position)):
            short.append(position)
        else:
            is_told = True
    return frozenset(found)


def place_stretch(
    texts: Sequence[str], around: Around, edges: Edges, index: CorpusIndex, result: Placement
) -> bool:
    """Place lines as a whole where they stand in the file; false where they do not."""
    path, origin, alone = around.only, around.frame.origin, _alone(around)
    weighs = any(map(is_weighty, {*texts}))
    if path is None and alone and weighs:
        path = _told_apart(texts, alone, index)
    if path is not None and len(texts) <= MOST_AGAIN and result.allow_again(Place(path, (*texts,))):
        return True
    starts = _starts(texts, path, index) if path is not None else []
    if path is not None and starts:
        if len(starts) == 1 and weighs:
            _place_once(texts, Span(path, starts[0], starts[0] + len(texts) - 1), edges, result)
        else:
            result.allow(_merged(path, starts, len(texts)), len(texts), texts)
            if len(texts) <= MOST_AGAIN:
                result.repeated[Place(path, (*texts,))] = result.fits[-1]
        return True
    if not weighs:
        # Blank and short lines take the place their run gives them; alone they have none.
        result.short += len(texts)
        return False
    if path is not None and origin is not None and origin.is_one:
        found = ((path, number) for text in texts for number in index.lines_in(path, text))
        result.allow([Span(path, number, number) for path, number in found], len(texts), texts)
        return True
    return _allow(texts, alone, index, result)


def allow_left(
    texts: Sequence[str], origin: Origin | None, index: CorpusIndex, result: Placement
) -> None:
    """Place lines at the upper end only: in the few files that the call may have shown, if each
    stands in one of them, else wherever the corpus has them."""
    _allow(texts, origin.alone if origin is not None else (), index, result)


def _alone(around: Around) -> tuple[str, ...]:
    """The files that alone can have been shown; none where nobody knows."""
    origin = around.frame.origin
    if origin is None:
        return ()
    if around.only is None:
        return origin.alone
    return (around.only,) if around.only in origin.alone else ()


def _told_apart(texts: Iterable[str], named: Sequence[str], index: CorpusIndex) -> str | None:
    """The one of the named files that has any of the weighty lines."""
    weighty = [text for text in dict.fromkeys(texts) if is_weighty(text)]
    holding = [path for path in named if any(index.lines_in(path, text) for text in weighty)]
    return holding[0] if len(holding) == 1 else None


def _allow(
    texts: Sequence[str], named: Sequence[str], index: CorpusIndex, result: Placement
) -> bool:
    """Place lines at the upper end: in the named files, where each stands in one of them."""
    spans: list[Span] = []
    most = MOST_SPANS + FEW * len(texts)
    for text in dict.fromkeys(texts) if named else ():
        found = [Span(path, n, n) for path in named for n in index.lines_in(path, text)]
        spans += found
        if not found or len(spans) > most:
            break
    else:
        if named:
            result.allow(spans, len(texts), texts)
            return True
    result.scatter(texts)
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
    if len(texts) > len(lines):
        return []
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
