"""A search for numbers that are out of line with those in the same place of lines of one form."""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from validation.shortcuts.corpus import Corpus
from validation.shortcuts.features import Indices, Scores, shape, tally
from validation.shortcuts.search import Look, Unit, of_lines

NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
PEERS = 12
"""Numbers in one place that are needed to say that one of them is far out."""
MOST = 24
"""Numbers of a line that are looked at."""
THOUSAND = 3
"""Digits after a mark that groups digits and divides no fraction."""
LONGEST = 15
"""Digits of a number that a person still reads as one."""
LEAST_SPREAD = 0.05
"""Added to the spread, so that beside equal numbers a slightly different one is not far out."""


class _Numbers(NamedTuple):
    """Every number of every distinct line."""

    values: Scores
    """Magnitudes: the logarithm of 1 more than the number."""
    owners: Indices
    """The distinct line that each stands in."""
    columns: Indices
    """Which place of which shape it stands in."""


@dataclass(frozen=True)
class FarNumber:
    """Ranks lines by the number in them that is farthest from its peers."""

    name: str = "far number"
    does: str = (
        "Ranks lines by how far a number in them is, in magnitude, from those that stand in the "
        "same place of lines of the same shape."
    )
    unit: Unit = "lines"

    def look(self, corpus: Corpus) -> Look:
        numbers = _numbers(corpus.material.texts)
        distances = _distances(numbers, corpus.counts().kept[numbers.owners])
        scores = np.zeros(len(corpus.material.texts))
        np.maximum.at(scores, numbers.owners, distances)

        def seen(line: int) -> str:
            inside = np.flatnonzero(numbers.owners == corpus.lines[line])
            if not len(inside):
                return "no number"
            first = inside[np.argmax(distances[inside])]
            return f"{np.expm1(numbers.values[first]):.6g} is far from what stands in its place"

        return Look(of_lines(corpus, scores), seen)


def _numbers(texts: Sequence[str]) -> _Numbers:
    values, owners, columns = array("d"), array("q"), array("q")
    places: dict[tuple[str, int], int] = {}
    for owner, text in enumerate(texts):
        found = NUMBER.findall(text)
        if not found:
            continue
        form = shape(NUMBER.sub("0", text))
        for position, number in enumerate(found[:MOST]):
            values.append(math.log1p(_value(number)))
            owners.append(owner)
            columns.append(places.setdefault((form, position), len(places)))
    return _Numbers(
        np.array(values, dtype=np.float64),
        np.array(owners, dtype=np.int64),
        np.array(columns, dtype=np.int64),
    )


def _value(number: str) -> float:
    """`1,250.50` and `1.250,50` are both 1250.5; digits that nobody reads as a number are 0."""
    head, mark, tail = number.rpartition("." if number.rfind(".") > number.rfind(",") else ",")
    whole, part = (head, tail) if mark and len(tail) != THOUSAND else (number, "0")
    digits = whole.replace(".", "").replace(",", "")
    return float(f"{digits}.{part}") if len(digits) + len(part) <= LONGEST else 0.0


def _distances(numbers: _Numbers, counts: Indices) -> Scores:
    """How many mean deviations each number is from the median of its column; 0 in a short one.

    `counts` leaves out the lines of needles: what only these hold is held against the others and
    itself.
    """
    size = int(numbers.columns.max(initial=-1)) + 1
    order = np.repeat(np.arange(len(counts)), counts)
    order = order[np.lexsort((numbers.values[order], numbers.columns[order]))]
    lengths = np.bincount(numbers.columns[order], minlength=size)
    starts = np.cumsum(lengths) - lengths
    medians = np.zeros(size)
    filled = lengths > 0
    medians[filled] = numbers.values[order][(starts + lengths // 2)[filled]]
    off = np.abs(numbers.values - medians[numbers.columns])
    deviations = tally(numbers.columns, off * counts, size)
    alone = counts == 0
    peers = lengths[numbers.columns] + alone
    spread = (deviations[numbers.columns] + off * alone) / np.maximum(peers, 1)
    return np.where(peers >= PEERS, off / (spread + LEAST_SPREAD), 0.0)
