"""A search for misspelt words without a dictionary: rare words one letter from a frequent one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from validation.shortcuts.corpus import Corpus
from validation.shortcuts.features import Bags, Scores
from validation.shortcuts.search import Look, Unit, of_lines, quoted

SHORTEST = 5
"""Letters: among shorter words most are one letter from another."""
LONGEST = 64
"""Letters: what is longer is no word, and costs its length squared."""
RARE = 2
"""Lines, at the most, in which a misspelt word stands."""
FREQUENT = 8
"""Lines, at the least, in which the word stands that was meant."""
ENDINGS = frozenset({"s", "d", "r", "n", "y"})
"""Letters by which good words differ at their end: `rate`, `rates`, `rated`."""


@dataclass(frozen=True)
class Misspelling:
    """Ranks lines by the rare word in them that is nearest to being a frequent one."""

    name: str = "spelling"
    does: str = "Ranks lines by rare words that are one letter away from a frequent word."
    unit: Unit = "lines"

    def look(self, corpus: Corpus) -> Look:
        words = corpus.material.words
        found = words.lines_with(corpus.counts())
        meant = _meant(words, found)
        weights = np.zeros(len(words.names))
        for rare, frequent in meant.items():
            weights[rare] = np.log(found[frequent] / found[rare])

        def seen(line: int) -> str:
            rare = [one for one in words.of_line(int(corpus.lines[line])) if int(one) in meant]
            if not rare:
                return "no rare word near a frequent one"
            first = max(rare, key=lambda one: weights[one])
            frequent = words.names[meant[int(first)]]
            return f"{quoted(words.names[first])} is one letter from {quoted(frequent)}"

        return Look(of_lines(corpus, words.most(weights)), seen)


def _meant(words: Bags, found: Scores) -> Mapping[int, int]:
    """The frequent word that each rare one may stand for.

    Two words are one letter apart when what is left of each without at most one letter is the same
    (two letters that changed places count too).
    """
    long = np.array([SHORTEST <= len(word) <= LONGEST for word in words.names], dtype=bool)
    stems: dict[str, int] = {}
    for index in np.flatnonzero(long & (found >= FREQUENT)):
        for stem in _stems(words.names[index]):
            if stem not in stems or found[stems[stem]] < found[index]:
                stems[stem] = int(index)
    meant: dict[int, int] = {}
    for index in np.flatnonzero(long & (found <= RARE)):
        word = words.names[index]
        near = {stems[stem] for stem in _stems(word) if stem in stems}
        near = {one for one in near if not _inflected(word, words.names[one])}
        if near:
            meant[int(index)] = max(near, key=lambda one: (found[one], one))
    return meant


def _stems(word: str) -> Iterator[str]:
    yield word
    for index in range(len(word)):
        yield word[:index] + word[index + 1 :]


def _inflected(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    if len(shorter) == len(longer):
        return shorter[:-1] == longer[:-1]
    return longer[:-1] == shorter and longer[-1] in ENDINGS
