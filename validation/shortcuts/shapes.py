"""A search by shape: how far a line is from the clusters of forms that its kind of file has.

A shape is a line with words, numbers and white space normalised; two shapes are as near as the
cosine of the counts of their runs of three. A line is near the clusters when many lines have shapes
near its own, so that a few odd lines of one form are no cluster of their own.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from validation.shortcuts.corpus import Corpus
from validation.shortcuts.features import Bags, Scores, tally
from validation.shortcuts.search import Look, Unit, by_peers, quoted

CLUSTERS = 24
"""Shapes of a kind of file that lines are held against, the most frequent ones."""
SHARPNESS = 4
"""The power of the cosine: a line half as near counts for a sixteenth."""


@dataclass(frozen=True)
class OddShape:
    """Ranks lines by their distance from the clusters of shapes."""

    name: str = "odd shape"
    does: str = (
        "Ranks lines by how far their shape, with words and numbers normalised, is from those "
        "that are common in their kind of file."
    )
    unit: Unit = "lines"

    def look(self, corpus: Corpus) -> Look:
        shapes = corpus.material.shapes
        distinct = {shape: index for index, shape in enumerate(dict.fromkeys(shapes))}
        shape_of = np.array([distinct[shape] for shape in shapes], dtype=np.int64)
        texts = np.arange(len(shapes), dtype=np.int64)
        trigrams = Bags.of(tuple(distinct), _trigrams)

        def score(group: int | None) -> Scores:
            found = corpus.counts(group).of(shape_of, texts, len(distinct))
            return _distance(trigrams, found)[shape_of]

        def seen(line: int) -> str:
            return f"its shape is {quoted(shapes[corpus.lines[line]])}"

        return Look(by_peers(corpus, score), seen)


def _trigrams(shape: str) -> list[str]:
    framed = f"^{shape}$"
    return [framed[start : start + 3] for start in range(max(1, len(framed) - 2))]


def _distance(trigrams: Bags, found: Scores) -> Scores:
    """Of each shape, with `found` lines of each: minus the logarithm of the lines near it."""
    used = np.flatnonzero(found > 0)
    common = used[np.argsort(-found[used], kind="stable")][:CLUSTERS]
    norms = np.sqrt(_squares(trigrams))
    near: Scores = np.ones(len(found))
    for centre in common:
        weights = np.bincount(trigrams.of_line(int(centre)), minlength=len(trigrams.names))
        cosine = trigrams.sums(weights.astype(float)) / (norms * norms[centre])
        near += found[centre] * cosine**SHARPNESS
    distance: Scores = -np.log(near).round(9)
    return distance


def _squares(bags: Bags) -> Scores:
    """Of each bag, the squared length of its vector of counts."""
    owners = np.repeat(np.arange(len(bags.sizes)), bags.sizes)
    keys, counts = np.unique(owners * len(bags.names) + bags.ids, return_counts=True)
    return tally(keys // len(bags.names), counts**2, len(bags.sizes))
