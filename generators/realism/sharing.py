"""How much pairs of files of one kind say in the same words.

Prevents a corpus whose files come from one template being taken for natural: with names, numbers
and dates masked, two fillings of a template are the same text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from generators.realism.measures import percentile
from generators.realism.words import lower_case_words, masked_words, shingles

SHINGLE = 5


@dataclass(frozen=True)
class Pair:
    """Two files, and what share of the shingles of both they have in common."""

    one: str
    other: str
    share: float


@dataclass(frozen=True)
class Sharing:
    """Over all pairs of files of one kind."""

    pairs: int
    upper: float
    """The 95th percentile."""
    most: Pair


def sharing(texts: Mapping[str, str]) -> Sharing | None:
    """None where there are not two files with a shingle each."""
    known = lower_case_words(texts.values())
    numbers: dict[tuple[str, ...], int] = {}
    sets = {
        path: frozenset(
            # Numbers instead of words: sets of them are small, and quick to intersect.
            numbers.setdefault(shingle, len(numbers))
            for shingle in shingles(masked_words(text, known), SHINGLE)
        )
        for path, text in texts.items()
    }
    pairs = [
        Pair(one, other, _share(sets[one], sets[other]))
        for one, other in combinations(sorted(path for path in sets if sets[path]), 2)
    ]
    if not pairs:
        return None
    shares = [pair.share for pair in pairs]
    return Sharing(len(pairs), percentile(shares, 0.95), max(pairs, key=lambda pair: pair.share))


def _share(one: frozenset[int], other: frozenset[int]) -> float:
    common = len(one & other)
    return common / (len(one) + len(other) - common)
