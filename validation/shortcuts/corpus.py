"""A corpus as searches see it: its review lines as numbers, each distinct text once.

The planted corpus and its clean twin share their texts, so that what is dear to compute of a line
is computed once for both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from generators.lines import split_lines
from validation.shortcuts.features import Counts, Indices, Material

PEERS = 3
"""Files of one kind, at the least, that are compared with each other; those of rarer kinds are
compared with one another."""


@dataclass(frozen=True)
class Corpus:
    """The review files of a corpus; files and lines count from 0, in the order of the paths."""

    paths: tuple[str, ...]
    texts: tuple[str, ...]
    """The whole text of each file."""
    times: Indices
    """When each file was changed, in nanoseconds; all equal where nobody can tell."""
    material: Material
    """The distinct lines."""
    lines: Indices
    """Of each line, which of the distinct ones it is."""
    file_of: Indices
    """Of each line, its file."""
    starts: Indices
    """Of each file, its first line."""
    group_of: Indices
    """Of each file, its peers: the files of its kind."""
    touched: NDArray[np.bool_]
    """Of each line, whether it is a needle's."""

    @property
    def groups(self) -> range:
        """The groups of peers."""
        return range(int(self.group_of.max(initial=-1)) + 1)

    @property
    def line_group(self) -> Indices:
        """Of each line, the peers of its file."""
        return self.group_of[self.file_of]

    def counts(self, group: int | None = None) -> Counts:
        """How many lines, of all or of one group, each distinct text is."""
        inside = slice(None) if group is None else self.line_group == group
        lines, touched = self.lines[inside], self.touched[inside]
        size = len(self.material.texts)
        everything = np.bincount(lines, minlength=size)
        kept = np.bincount(lines[~touched], minlength=size)
        return Counts(everything, kept, (kept < everything).astype(np.int64))

    def with_needles(self, lines: Iterable[int]) -> Corpus:
        """The same corpus, these lines being the needles'."""
        touched = np.zeros(len(self.lines), dtype=bool)
        touched[list(lines)] = True
        return replace(self, touched=touched)

    def text(self, line: int) -> str:
        """A line as it stands."""
        return self.material.texts[int(self.lines[line])]


class Twins(NamedTuple):
    """A corpus with its needles and the same corpus without them."""

    planted: Corpus
    clean: Corpus


def twins(
    planted: Mapping[str, str],
    clean: Mapping[str, str],
    kinds: Mapping[str, str],
    times: Mapping[str, int],
) -> Twins:
    """Both corpora, from path to text; `times` are those of the planted files.

    The clean corpus lies on no disk: its files are all of one time.
    """
    paths = tuple(kinds)
    numbers: dict[str, int] = {}
    split = {
        which: [
            [numbers.setdefault(line, len(numbers)) for line in split_lines(texts[path])]
            for path in paths
        ]
        for which, texts in enumerate((planted, clean))
    }
    material = Material(tuple(numbers))
    groups = _groups(tuple(kinds.values()))
    stamps = np.array([times.get(path, 0) for path in paths], dtype=np.int64)

    def corpus(texts: Mapping[str, str], files: Sequence[Sequence[int]], when: Indices) -> Corpus:
        lengths = np.array([len(file) for file in files], dtype=np.int64)
        return Corpus(
            paths=paths,
            texts=tuple(texts[path] for path in paths),
            times=when,
            material=material,
            lines=np.array([line for file in files for line in file], dtype=np.int64),
            file_of=np.repeat(np.arange(len(paths), dtype=np.int64), lengths),
            starts=np.concatenate((np.zeros(1, dtype=np.int64), lengths.cumsum()))[:-1],
            group_of=groups,
            touched=np.zeros(int(lengths.sum()), dtype=bool),
        )

    return Twins(corpus(planted, split[0], stamps), corpus(clean, split[1], np.zeros_like(stamps)))


def _groups(kinds: Sequence[str]) -> Indices:
    """A number for each kind of enough files; 0 for all others together, where there are any."""
    files = Counter(kinds)
    large = sorted(kind for kind, count in files.items() if count >= PEERS)
    first = 0 if len(large) == len(files) else 1
    number = {kind: index for index, kind in enumerate(large, start=first)}
    return np.array([number.get(kind, 0) for kind in kinds], dtype=np.int64)
