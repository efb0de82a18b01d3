"""The words of the corpus: which are rare, and which lines begin with them.

Each index is made when it is first asked for, once per corpus, in time linear in it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from generators.lines import CorpusIndex, is_weighty

WORD = re.compile(r"\w+")
BREAKS = "".join(chr(code) if chr(code).isalnum() else " " for code in range(128))
"""Each character of ASCII, or a space in the place of one that ends a word."""
RARE = 3
"""A word is rare if it stands in at most so many lines of the corpus."""
FEWEST = 3
"""Words that a line needs for it to be known when it was reformatted."""


def words_of(text: str) -> list[str]:
    """The words of a text: what stands between white space and ASCII punctuation."""
    return text.translate(BREAKS).split()


class RareLine(NamedTuple):
    """A line that has a rare word."""

    text: str
    other: str
    """Another of its words: most lines are passed over by it."""


@dataclass(frozen=True)
class RareWords:
    """Lines of at least three words, by one of their words that is rare."""

    lines: dict[str, tuple[RareLine, ...]]

    @classmethod
    def of(cls, index: CorpusIndex) -> RareWords:
        """The rare words of a corpus."""
        words = {text: words_of(text) for text in index.places}
        known = Counter(chain.from_iterable(map(set, words.values())))
        for text, places in index.places.items():
            if len(places) > 1:
                known.update(dict.fromkeys(words[text], len(places) - 1))
        rare = {word for word, count in known.items() if count <= RARE}
        lines: dict[str, list[RareLine]] = {}
        for text, found in words.items():
            if len(found) >= FEWEST and not rare.isdisjoint(found):
                word = min(rare.intersection(found))
                other = found[-1] if found[0] == word else found[0]
                lines.setdefault(word, []).append(RareLine(text, other))
        return cls({word: tuple(texts) for word, texts in lines.items()})


class LineBeginnings:
    """Weighty lines by what stands from their first word to their last."""

    def __init__(self, index: CorpusIndex) -> None:
        self._lines: dict[str, list[str]] = {}
        """By their first word."""
        for text in index.places:
            first = WORD.search(text)
            if first is not None:
                self._lines.setdefault(first[0], []).append(text)
        self._known: dict[str, Beginning] = {}

    def may_begin_in(self, words: Sequence[str]) -> bool:
        """Whether a line may begin with two words that stand so in a text, or with one if it has
        no other: most texts are passed over by it."""
        for place, word in enumerate(words, start=1):
            if word in self._lines:
                beginning = self.of(word)
                if beginning is not None and beginning.may_go_on(words[place : place + 1]):
                    return True
        return False

    def of(self, word: str) -> Beginning | None:
        """The lines that begin with a word."""
        if word not in self._lines:
            return None
        if word not in self._known:
            self._known[word] = Beginning.of(self._lines[word])
        return self._known[word]


@dataclass(frozen=True)
class Beginning:
    """Lines that begin with one word."""

    widths: frozenset[int]
    """How many words they have."""
    fewest: float
    """The least of that; without end where there is none."""
    seconds: frozenset[str]
    """Their second words."""
    lines: dict[str, tuple[str, ...]]
    """By what stands from their first word to their last."""

    @classmethod
    def of(cls, texts: Iterable[str]) -> Beginning:
        """The weighty ones of some lines."""
        widths: set[int] = set()
        seconds: set[str] = set()
        lines: dict[str, tuple[str, ...]] = {}
        for text in filter(is_weighty, texts):
            words = list(WORD.finditer(text))
            widths.add(len(words))
            seconds.update(word[0] for word in words[1:2])
            core = text[words[0].start() : words[-1].end()]
            lines[core] = (*lines.get(core, ()), text)
        fewest = min(widths, default=math.inf)
        return cls(frozenset(widths), fewest, frozenset(seconds), lines)

    def may_go_on(self, following: Sequence[str]) -> bool:
        """Whether a line may be one word alone, or go on with what follows the first."""
        return self.fewest == 1 or not self.seconds.isdisjoint(following)
