"""What cheap searches look at in a line: characters, words, its shape, its marks.

Each is kept as arrays over the distinct lines, so that a search over a large corpus is a few sums.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.int64]
Scores = NDArray[np.float64]

TOKEN = re.compile(r"[^\W\d_]+|\d+|[^\w\s]|_")
DIGIT = re.compile(r"\d")
WORD = re.compile(r"[^\W\d_]+")
SHAPE = re.compile(
    r"(?P<X>[A-Z]{2,}(?![a-z]))|(?P<A>[A-Z][^\W\d_]*)|(?P<a>[^\W\d_]+)|(?P<n>\d+)|\s+"
)
RUN = re.compile(r"a(?: a)+")
SALT = 20_250_106
"""Seeds the numbers by which lines are told apart; any will do."""
WEIGHED = 3
"""Tokens that a line needs to have an average."""


def tally(ids: Indices, weights: Indices | Scores, size: int) -> Scores:
    """The sum of the weights of each id from 0 to `size` - 1."""
    return np.bincount(ids, weights=weights, minlength=size).astype(np.float64)


class Counts(NamedTuple):
    """How often each distinct line stands in a corpus, or in the files of one group.

    What needles share is as rare as if one of them held it: eight odd lines of one sort are odd.
    """

    lines: Indices
    """All lines of each text."""
    kept: Indices
    """Those that no needle touches."""
    touched: Indices
    """1 for a text that stands in a needle's line, else 0."""

    def of(self, ids: Indices, owners: Indices, size: int) -> Scores:
        """In how many lines each id stands; `owners` are the distinct lines of `ids`.

        The lines of all needles together count as one.
        """
        shared = tally(ids, self.touched[owners], size) > 0
        return tally(ids, self.kept[owners], size) + shared

    @property
    def weights(self) -> Indices:
        """The lines of each text that no needle touches, and one for those that one does."""
        return self.kept + self.touched


@dataclass(frozen=True)
class Bags:
    """The features of each distinct line, one after the other."""

    names: tuple[str, ...]
    """Every feature there is."""
    ids: Indices
    """The features of the first line, then of the second, and so on."""
    sizes: Indices
    """How many each line has."""

    @classmethod
    def of(cls, texts: Sequence[str], features: Callable[[str], Iterable[str]]) -> Bags:
        """What `features` gives for each text."""
        numbers: dict[str, int] = {}
        ids, sizes = array("q"), array("q")
        for text in texts:
            before = len(ids)
            ids.extend(numbers.setdefault(one, len(numbers)) for one in features(text))
            sizes.append(len(ids) - before)
        return cls(tuple(numbers), np.array(ids, dtype=np.int64), np.array(sizes, dtype=np.int64))

    def lines_with(self, counts: Counts) -> Scores:
        """In how many lines each feature stands; at least 1."""
        return np.maximum(counts.of(self.ids, self.owners, len(self.names)), 1.0)

    def of_line(self, line: int) -> Indices:
        """The features of one distinct line."""
        start = int(self.starts[line])
        return self.ids[start : start + int(self.sizes[line])]

    def of_lines(self, lines: Indices) -> Indices:
        """The features of several distinct lines, those of one line after those of the other."""
        sizes = self.sizes[lines]
        inside = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        features: Indices = self.ids[np.repeat(self.starts[lines], sizes) + inside]
        return features

    def most(self, weights: Scores) -> Scores:
        """The largest weight of each line's features; 0 for a line without."""
        return self._reduced(np.maximum, weights)

    def mean(self, weights: Scores) -> Scores:
        """The mean weight of each line's features; 0 for a line with fewer than three."""
        sums = self._reduced(np.add, weights)
        return np.where(self.sizes >= WEIGHED, sums / np.maximum(self.sizes, 1), 0.0)

    def sums(self, weights: Scores) -> Scores:
        """The sum of the weights of each line's features."""
        return self._reduced(np.add, weights)

    def most_of(self, values: Scores) -> Scores:
        """The largest of the values that stand with each line's features, one for each of `ids`."""
        return self._each(np.maximum, values)

    def _reduced(self, how: np.ufunc, weights: Scores) -> Scores:
        return self._each(how, weights[self.ids])

    def _each(self, how: np.ufunc, values: Scores) -> Scores:
        result = np.zeros(len(self.sizes))
        filled = self.sizes > 0
        if filled.any():
            result[filled] = how.reduceat(values, self.starts[filled])
        return result

    @cached_property
    def owners(self) -> Indices:
        """Of each of `ids`, the line it stands in."""
        return np.repeat(np.arange(len(self.sizes), dtype=np.int64), self.sizes)

    @cached_property
    def starts(self) -> Indices:
        """Where the features of each line begin."""
        return np.cumsum(self.sizes) - self.sizes


@dataclass(frozen=True)
class TokenSequence:
    """The tokens of all lines in their order, one line after the other."""

    bags: Bags
    """In lower case; a token that stands twice in a line is there twice."""
    levelled: Indices
    """Of each token, a number that it shares with those that differ in digits alone."""

    @classmethod
    def of(cls, texts: Sequence[str]) -> TokenSequence:
        bags = Bags.of(texts, lambda text: TOKEN.findall(text.lower()))
        numbers: dict[str, int] = {}
        levels = [numbers.setdefault(DIGIT.sub("0", name), len(numbers)) for name in bags.names]
        return cls(bags, np.array(levels, dtype=np.int64))

    @property
    def owners(self) -> Indices:
        """Of each token, the line it stands in."""
        return self.bags.owners

    @cached_property
    def beside(self) -> Indices:
        """Of each token, a number for the two tokens beside it, the ends of lines among them."""
        end = len(self.levelled)
        ids = self.levelled[self.bags.ids]
        before, after = np.full(len(ids), end), np.full(len(ids), end)
        same = self.owners[1:] == self.owners[:-1]
        before[1:][same] = ids[:-1][same]
        after[:-1][same] = ids[1:][same]
        return np.unique(before * (end + 1) + after, return_inverse=True)[1]

    @cached_property
    def around(self) -> Indices:
        """Of each token, a number for all else that stands in its line.

        The numbers come from sums of random multiples: equal for equal lines with the same place
        left out, and for others as good as never.
        """
        positions = np.arange(len(self.owners)) - self.bags.starts[self.owners]
        factors = np.random.default_rng(SALT).integers(
            1, 1 << 62, int(self.bags.sizes.max(initial=0)), dtype=np.uint64
        )
        terms = (self.levelled[self.bags.ids].astype(np.uint64) + 1) * factors[positions]
        totals = np.zeros(len(self.bags.sizes), dtype=np.uint64)
        np.add.at(totals, self.owners, terms)
        return np.unique(totals[self.owners] - terms, return_inverse=True)[1]


@dataclass(frozen=True)
class Material:
    """The distinct lines of both corpora, and their features, computed when first asked for."""

    texts: tuple[str, ...]

    @cached_property
    def characters(self) -> Bags:
        return Bags.of(self.texts, set)

    @cached_property
    def tokens(self) -> Bags:
        """Words in lower case, numbers, marks."""
        return Bags.of(self.texts, lambda text: dict.fromkeys(TOKEN.findall(text.lower())))

    @cached_property
    def words(self) -> Bags:
        """Words in lower case."""
        return Bags.of(self.texts, lambda text: dict.fromkeys(WORD.findall(text.lower())))

    @cached_property
    def pairs(self) -> Bags:
        """Tokens that follow each other, every digit as 0."""
        return Bags.of(self.texts, _pairs)

    @cached_property
    def pair_tokens(self) -> Bags:
        """The tokens of those pairs."""
        return Bags.of(self.texts, lambda text: dict.fromkeys(_levelled(text)))

    @cached_property
    def sequence(self) -> TokenSequence:
        return TokenSequence.of(self.texts)

    @cached_property
    def marks(self) -> Bags:
        """Marks that follow each other, what stands between them left out."""
        return Bags.of(self.texts, _marks)

    @cached_property
    def white(self) -> Bags:
        """What is unusual in its white space."""
        return Bags.of(self.texts, _white)

    @cached_property
    def shapes(self) -> tuple[str, ...]:
        """Each line with words, numbers and white space normalised."""
        return tuple(map(shape, self.texts))


def shape(text: str) -> str:
    """A line's form: `Fee: 12 EUR per day` is `A: n X a`."""
    return RUN.sub("a", SHAPE.sub(lambda match: match.lastgroup or " ", text)).strip()


def _levelled(text: str) -> list[str]:
    return TOKEN.findall(DIGIT.sub("0", text.lower()))


def _pairs(text: str) -> Iterable[str]:
    return dict.fromkeys(f"{one} {other}" for one, other in pairwise(_levelled(text)))


def _marks(text: str) -> Iterable[str]:
    marks = [character for character in text if not character.isalnum() and not character.isspace()]
    return dict.fromkeys(map("".join, pairwise(["^", *marks, "$"])))


WHITE = {
    "white space at the end": re.compile(r"\s\Z"),
    "a tab": re.compile(r"\t"),
    "two blanks inside": re.compile(r"\S  +\S"),
    "an unusual blank": re.compile(r"[^\S \t]"),
    "an invisible character": re.compile(r"[\x00-\x08\x0e-\x1f\x7f\u00ad\u200b-\u200f\ufeff]"),
}


def _white(text: str) -> Iterable[str]:
    return [name for name, pattern in WHITE.items() if pattern.search(text)]
