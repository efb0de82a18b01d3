"""Searches over files: what a listing of the folder shows, and how much of a file is its own."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from validation.shortcuts.corpus import Corpus
from validation.shortcuts.features import tally
from validation.shortcuts.search import Look, Unit


@dataclass(frozen=True)
class Largest:
    """Ranks files by size."""

    name: str = "size"
    does: str = "Ranks files by their size, the largest first."
    unit: Unit = "files"

    def look(self, corpus: Corpus) -> Look:
        sizes = np.array([len(text.encode()) for text in corpus.texts], dtype=float)
        return Look(sizes, lambda file: f"it has {int(sizes[file]):,} bytes")


@dataclass(frozen=True)
class OddSize:
    """Ranks files by how far their size is from that of their peers."""

    name: str = "size among peers"
    does: str = (
        "Ranks files by how many times larger or smaller they are than others of their kind."
    )
    unit: Unit = "files"

    def look(self, corpus: Corpus) -> Look:
        sizes = np.log([max(1, len(text.encode())) for text in corpus.texts])
        middles = np.zeros(len(corpus.paths))
        for group in corpus.groups:
            inside = corpus.group_of == group
            middles[inside] = np.median(sizes[inside]) if inside.any() else 0.0
        times = np.exp(np.abs(sizes - middles))
        return Look(times, lambda file: f"its size is {times[file]:.2f} times off that of its kind")


@dataclass(frozen=True)
class Newest:
    """Ranks files by the time of their last change."""

    name: str = "time"
    does: str = "Ranks files by the time of their last change, the newest first."
    unit: Unit = "files"

    def look(self, corpus: Corpus) -> Look:
        times = corpus.times.astype(float)
        return Look(times, lambda file: f"it was changed at {times[file] / 1e9:.0f}")


@dataclass(frozen=True)
class OddName:
    """Ranks files by how unusual their name is."""

    name: str = "name"
    does: str = "Ranks files by how rare the runs of characters in their names are, digits as one."
    unit: Unit = "files"

    def look(self, corpus: Corpus) -> Look:
        names = [_levelled(path) for path in corpus.paths]
        found = Counter(pair for name in names for pair in set(pairwise(name)))
        total = np.log(max(1, len(names)))
        scores = np.array(
            [
                np.mean([total - np.log(found[pair]) for pair in pairwise(name)])
                if len(name) > 1
                else 0.0
                for name in names
            ]
        )
        return Look(scores, lambda file: "its name is unlike the others")


def _levelled(path: str) -> str:
    name = path.rpartition("/")[2].lower()
    return "".join("0" if character.isdigit() else character for character in f"^{name}$")


@dataclass(frozen=True)
class OwnTokens:
    """Ranks files by the share of their words that no other file holds."""

    name: str = "words of its own"
    does: str = "Ranks files by the share of their distinct words that stand in no other file."
    unit: Unit = "files"

    def look(self, corpus: Corpus) -> Look:
        words = corpus.material.words
        size = max(1, len(words.names))
        held = np.repeat(corpus.file_of, words.sizes[corpus.lines]) * size
        distinct = np.unique(held + words.of_lines(corpus.lines))
        owners, ids = distinct // size, distinct % size
        alone = np.bincount(ids, minlength=size)[ids] == 1
        count = len(corpus.paths)
        own = tally(owners, alone.astype(np.int64), count)
        shares = own / np.maximum(np.bincount(owners, minlength=count), 1)
        return Look(shares, lambda file: f"{int(own[file])} of its words stand in no other file")
