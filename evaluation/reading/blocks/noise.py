"""Output that shows no line of the corpus in any way: logs, listings, what tests print.

Told by its words alone, so that most of what is no text of a file costs next to nothing. Of what is
called noise here, no way to place lines would place any.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import chain

from evaluation.reading.frames.headings import HEADED
from evaluation.reading.lines.forms import BEHIND_NUMBERS
from evaluation.reading.lines.paths import paths_of
from evaluation.reading.lines.shown import holds
from evaluation.reading.lines.words import FEWEST, words_of
from generators.lines import CorpusIndex, is_weighty, normal_form

LETTERS = "".join(chr(code) if chr(code).isalpha() else " " for code in range(128))
"""Each letter of ASCII, or a space: a number may stand right before the text of a line."""
MAY_HIDE = ("\\", "^", "M-", "...", "@@ -")
"""Text that holds one of these may show lines in other letters, in halves, or by numbers alone."""
BLAMED = re.compile(r"\n\^?[0-9a-f]{7}")
"""How each line of `git blame` begins."""

WordsOf = Callable[[str], Sequence[str]]


def letters_of(text: str) -> list[str]:
    """The words of a text without digits."""
    return text.translate(LETTERS).split()


class LaterNoise:
    """Made when so much was asked about that it costs no more than it saves."""

    def __init__(self, index: CorpusIndex) -> None:
        self._index = index
        self._left = sum(map(len, index.places))

    def is_noise(self, text: str, normals: Sequence[str]) -> bool:
        """What `Noise` says; False as long as too little was asked about."""
        self._left -= len(text)
        return self._left < 0 and self._index.kept(Noise).is_noise(text, normals)


class Noise:
    """The corpus by the words of its lines. Made in time linear in it."""

    def __init__(self, index: CorpusIndex) -> None:
        self._index = index
        self._light = frozenset(text for text in index.places if not is_weighty(text))
        # A line too short to touch a file is looked for by its words too, where it has enough.
        spoken = [
            text
            for text in index.places
            if text not in self._light or len(words_of(text)) >= FEWEST
        ]
        self._by_letters = _Lines(spoken, letters_of)
        self._by_digits = _Lines([text for text in spoken if not letters_of(text)], words_of)

    def is_noise(self, text: str, normals: Sequence[str]) -> bool:
        """Whether a command's output shows no line. `normals` are its lines, in normal form."""
        return (
            text.isascii()
            and self._light.isdisjoint(normals)
            and not self._by_letters.may_stand_in(text)
            and not self._by_digits.may_stand_in(text)
            and not any(holds(text, part) for part in MAY_HIDE)
            and not self._has_forms(f"\n{text}")
        )

    def _has_forms(self, text: str) -> bool:
        """Whether numbers or names alone may tell of lines, or of a short one."""
        return (
            self._index.kept(paths_of).may_be_in(text)
            or not self._light.isdisjoint(map(normal_form, BEHIND_NUMBERS.findall(text)))
            or HEADED.search(text) is not None
            or BLAMED.search(text) is not None
        )


class _Lines:
    """Lines by the two of their words that are the rarest among all."""

    def __init__(self, lines: Sequence[str], words_of: WordsOf) -> None:
        count = Counter(chain.from_iterable(map(words_of, lines))).__getitem__
        found: dict[str, dict[str, list[str]]] = {}
        for line in lines:
            words = words_of(line)  # again: to keep those of all lines takes much memory
            if words:
                rarest = min(words, key=count)
                rest = [word for word in words if word != rarest]
                other = min(rest, key=count) if rest else rarest
                found.setdefault(rarest, {}).setdefault(other, []).append(line)
        self._by_words: Mapping[str, Mapping[str, Sequence[str]]] = found
        self._words_of = words_of

    def may_stand_in(self, text: str) -> bool:
        """Whether a text may hold a line: all of it as it stands, or all of its words."""
        if not self._by_words:
            return False
        words = set(self._words_of(text))
        for rarest in self._by_words.keys() & words:
            by_other = self._by_words[rarest]
            for other in by_other.keys() & words:
                if any(self._may_stand(line, text, words) for line in by_other[other]):
                    return True
        return False

    def _may_stand(self, line: str, text: str, words: set[str]) -> bool:
        if len(words_of(line)) < FEWEST and "\t" not in text:
            return line.strip() in text
        return words.issuperset(self._words_of(line))
