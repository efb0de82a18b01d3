"""Figures of one set of texts: how it repeats itself, and how long its lines and files are.

Two sets are compared over equal amounts: a share of what occurs again grows with the amount.
"""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import ceil

from generators.lines import normal_form, split_lines
from generators.realism.words import plain_words

SAMPLE_BYTES = 1 << 16
"""Of one sample at most: gzip looks back 32 KiB, so more would tell nothing new."""
MOST_SAMPLES = 8
GRAM = 4


@dataclass(frozen=True)
class Quartiles:
    """A distribution in five numbers."""

    least: int
    lower: int
    median: int
    upper: int
    most: int


def quartiles(values: Sequence[int]) -> Quartiles:
    """By nearest rank. There must be a value."""
    ordered = sorted(values)

    def at(share: float) -> int:
        return ordered[max(0, ceil(share * len(ordered)) - 1)]

    return Quartiles(ordered[0], at(0.25), at(0.5), at(0.75), ordered[-1])


def percentile(values: Sequence[float], share: float) -> float:
    """By nearest rank. There must be a value."""
    ordered = sorted(values)
    return ordered[max(0, ceil(share * len(ordered)) - 1)]


def size_of(texts: Sequence[str]) -> int:
    """Bytes of all texts."""
    return sum(len(text.encode()) for text in texts)


def gzip_ratio(texts: Sequence[str], length: int) -> float:
    """Compressed bytes a byte, the mean over samples of `length` bytes from all over the texts.

    There must be at least so many bytes.
    """
    whole = "".join(texts).encode()
    count = len(whole) // length
    wanted = min(count, MOST_SAMPLES)
    starts = [length * (number * count // wanted) for number in range(wanted)]
    ratios = [
        len(gzip.compress(whole[start : start + length], mtime=0)) / length for start in starts
    ]
    return sum(ratios) / len(ratios)


def part_of(texts: Sequence[str], amount: int) -> list[str]:
    """The beginning of each text in whole lines, as much of each, of about so many bytes in all."""
    share = min(1.0, amount / max(1, size_of(texts)))
    parts = []
    for text in texts:
        whole = [f"{line}\n" for line in split_lines(text)]
        left = share * size_of(whole)
        lines: list[str] = []
        for line in whole:
            left -= len(line.encode())
            if left < 0:
                break
            lines.append(line)
        parts.append("".join(lines))
    return parts


def repeated_lines(texts: Sequence[str]) -> float:
    """The share of lines that are not blank whose text occurs more than once."""
    counts = Counter(
        line for text in texts for line in map(normal_form, split_lines(text)) if line.strip()
    )
    total = sum(counts.values())
    return sum(count for count in counts.values() if count > 1) / total if total else 0.0


def distinct_grams(texts: Sequence[str]) -> float:
    """How many runs of four words are different ones, of all there are; 1 where there is none."""
    grams = [gram for text in texts for gram in _grams(plain_words(text))]
    return len(set(grams)) / len(grams) if grams else 1.0


def _grams(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return zip(*(islice(words, start, None) for start in range(GRAM)), strict=False)


def line_lengths(texts: Sequence[str]) -> list[int]:
    """Characters of every line that is not blank."""
    return [len(line) for text in texts for line in split_lines(text) if line.strip()]


def file_lengths(texts: Sequence[str]) -> list[int]:
    """Lines of every file."""
    return [len(split_lines(text)) for text in texts]
