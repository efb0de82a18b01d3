"""Lines of the corpus that a model wrote into a call: an echo, or a note that is read back.

Prevents credit for text that a command printed because the model had written it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from evaluation.reading.context import ContextText
from evaluation.reading.shown import strings_in
from evaluation.reading.words import WORD, LineBeginnings
from generators.lines import TAB_STOP, CorpusIndex


class Echoes:
    """What the calls of a run hold. Looked through when first asked for."""

    def __init__(self, texts: Iterable[ContextText], index: CorpusIndex) -> None:
        self._texts = texts
        self._index = index

    @cached_property
    def lines(self) -> Mapping[str, Sequence[int]]:
        """Weighty lines that stand in any argument of any call, by file, ascending."""
        written = {part for text in self._texts for part in strings_in(text.arguments)}
        places = self._index.places
        echoed = {line for part in written for line in _lines_in(part, self._index)}
        found: dict[str, list[int]] = {}
        for place in (place for line in echoed for place in places[line]):
            found.setdefault(place.path, []).append(place.line)
        return {path: sorted(numbers) for path, numbers in found.items()}


def _lines_in(written: str, index: CorpusIndex) -> Iterator[str]:
    """Lines that stand in a text, whole words at their ends."""
    known = index.kept(LineBeginnings)
    yield from _whole_lines(written.expandtabs(TAB_STOP), known)
    if "\\" in written:
        # As a command would print it: `printf 'one\ntwo'`, or text inside of JSON.
        plain = written.replace("\\n", "\n").replace("\\t", "\t").replace('\\"', '"')
        yield from _whole_lines(plain.expandtabs(TAB_STOP), known)


def _whole_lines(written: str, known: LineBeginnings) -> Iterator[str]:
    words = list(WORD.finditer(written))
    for place, word in enumerate(words):
        start = word.start()
        beginning = known.of(word[0])
        if beginning is None:
            continue
        for width in beginning.widths:
            if place + width > len(words):
                continue
            core = written[start : words[place + width - 1].end()]
            for line in beginning.lines.get(core, ()):
                if written.startswith(line, max(0, start - line.find(core))):
                    yield line
