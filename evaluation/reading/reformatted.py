"""Lines whose words a command printed in another shape: `jq .`, `column -t`, a data frame.

Looked for in shown lines that have no place in the corpus, so it costs nothing where all have.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evaluation.reading.lines.placement import Span
from evaluation.reading.lines.words import RareWords, words_of
from generators.lines import CorpusIndex

REACH = 4
"""Words, of which the next one of the line has to be one: at most three others stand between."""
MOST = 1 << 20
"""Characters that are looked at together, so that memory has a bound."""
OVERLAP = 1 << 16
"""Characters of the ones before that are looked at again."""


class Reshaped:
    """Finds lines by their words."""

    def __init__(self, index: CorpusIndex) -> None:
        self._index = index

    def spans(self, remains: Sequence[str]) -> list[Span]:
        """The lines of the corpus whose words stand in order and close together."""
        if not remains:
            return []
        found: set[str] = set()
        for part in _parts("\n".join(remains)):
            self._find(part, found)
        spots = (spot for line in found for spot in self._index.places[line])
        return [Span(spot.path, spot.line, spot.line) for spot in spots]

    def _find(self, text: str, found: set[str]) -> None:
        if "\\" in text:
            text = text.replace("\\n", "\n").replace("\\t", "\t")
        rare = self._index.kept(RareWords.of).lines
        shown = words_of(text)
        known = set(shown)
        # Lines whose words all stand somewhere in the output, before where is looked at.
        wanted: dict[str, dict[str, list[str]]] = {}
        for rarest in rare.keys() & known:
            for line, other in rare[rarest]:
                if other in known and line not in found and known.issuperset(words_of(line)):
                    wanted.setdefault(rarest, {})[line] = words_of(line)
        if not wanted:
            return
        for place, word in enumerate(shown):
            for line, words in wanted.get(word, {}).items():
                if line not in found and _stands(words, shown, place):
                    found.add(line)


def _parts(text: str) -> Iterator[str]:
    start = 0
    while True:
        yield text[start : start + MOST]
        start += MOST
        if start >= len(text):
            return
        start -= OVERLAP


def _stands(words: Sequence[str], shown: Sequence[str], place: int) -> bool:
    """Whether the words of a line stand around the place of one of them, each near the next."""
    own = words.index(shown[place])
    after, before = range(own + 1, len(words)), range(own - 1, -1, -1)
    return _follow(words, after, shown, place) and _follow(words, before, shown, place)


def _follow(words: Sequence[str], order: range, shown: Sequence[str], place: int) -> bool:
    for wanted in order:
        for distance in range(1, REACH + 1):
            near = place + order.step * distance
            if 0 <= near < len(shown) and shown[near] == words[wanted]:
                place = near
                break
        else:
            return False
    return True
