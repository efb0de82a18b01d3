"""Searches by what stands beside what: a cheap stand-in for a model of the language of a corpus."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter

import numpy as np

from validation.shortcuts.corpus import Corpus
from validation.shortcuts.features import Indices, Scores, TokenSequence, tally
from validation.shortcuts.search import Look, Unit, of_lines, quoted

ENOUGH = 8
"""Times that the same surroundings stand, before one can say what they expect."""


@dataclass(frozen=True)
class StrangePairs:
    """Ranks lines by common tokens that stand side by side nowhere else."""

    name: str = "strange pairs"
    does: str = (
        "Ranks lines by the most common two tokens that stand side by side there and hardly "
        "anywhere else."
    )
    unit: Unit = "lines"

    def look(self, corpus: Corpus) -> Look:
        pairs, tokens = corpus.material.pairs, corpus.material.pair_tokens
        counts = corpus.counts()
        alone = dict(zip(tokens.names, tokens.lines_with(counts), strict=True))
        together = pairs.lines_with(counts)
        rarer = np.array([min(map(alone.__getitem__, pair.split(" "))) for pair in pairs.names])
        strangeness = np.log(rarer) - np.log(together)

        def seen(line: int) -> str:
            features = pairs.of_line(int(corpus.lines[line]))
            if not len(features):
                return "no pair"
            first = features[np.argmax(strangeness[features])]
            return (
                f"{quoted(pairs.names[first])} stands side by side in {int(together[first])}, "
                f"each of the two in {int(rarer[first])} or more"
            )

        return Look(of_lines(corpus, pairs.most(strangeness)), seen)


@dataclass(frozen=True)
class OddInPlace:
    """Ranks lines by a token that is not what stands elsewhere in the same surroundings."""

    name: str
    does: str
    surroundings: Callable[[TokenSequence], Indices]
    """Of each token, a number for what stands around it."""
    where: str
    """What the surroundings are, as a sentence has it."""
    unit: Unit = "lines"

    def look(self, corpus: Corpus) -> Look:
        tokens = corpus.material.sequence
        gap_of = self.surroundings(tokens)
        names = tokens.bags.names
        _, filling_of = np.unique(gap_of * len(names) + tokens.bags.ids, return_inverse=True)
        counts, owners = corpus.counts(), tokens.owners
        weights = counts.weights[owners]
        gaps = counts.of(gap_of, owners, int(gap_of.max(initial=-1)) + 1)[gap_of]
        fillings = int(filling_of.max(initial=-1)) + 1
        found = np.where(
            # A number that needles share is no word of theirs: for far ones there is a search.
            np.array([name.isdecimal() for name in names], dtype=bool)[tokens.bags.ids],
            tally(filling_of, counts.lines[owners], fillings)[filling_of],
            counts.of(filling_of, owners, fillings)[filling_of],
        )
        found = np.minimum(found, gaps)
        surprise = _surprise(found, gaps, gap_of, weights)

        def seen(line: int) -> str:
            start = int(tokens.bags.starts[corpus.lines[line]])
            size = int(tokens.bags.sizes[corpus.lines[line]])
            if not size:
                return "no token"
            first = start + int(np.argmax(surprise[start : start + size]))
            return (
                f"{self.where} {quoted(names[tokens.bags.ids[first]])} stands in "
                f"{int(found[first])} of {int(gaps[first])} places"
            )

        return Look(of_lines(corpus, tokens.bags.most_of(surprise)), seen)


def _surprise(found: Scores, gaps: Scores, gap_of: Indices, weights: Indices) -> Scores:
    """By how much each token is more surprising than those of the same surroundings on average."""
    known = gaps >= ENOUGH
    own = np.log(np.maximum(gaps, 1.0)) - np.log(np.maximum(found, 1.0))
    size = int(gap_of.max(initial=-1)) + 1
    weighed = np.maximum(tally(gap_of, weights, size), 1.0)
    mean = (tally(gap_of, own * weights, size) / weighed)[gap_of]
    return np.where(known, np.maximum(own - mean, 0.0), 0.0)


BESIDE = OddInPlace(
    name="odd in its place",
    does=(
        "Ranks lines by a word, number or mark that is less to be expected between the two beside "
        "it than what else stands between these."
    ),
    surroundings=attrgetter("beside"),
    where="between the two beside it",
)
AROUND = OddInPlace(
    name="odd one out",
    does=(
        "Ranks lines by a word, number or mark in which they differ from lines that are otherwise "
        "the same, digits apart."
    ),
    surroundings=attrgetter("around"),
    where="in lines that are otherwise the same",
)
