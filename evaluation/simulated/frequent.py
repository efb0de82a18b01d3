"""The words that a reviewer searches for: they stand in many files, and in few of their lines."""

from __future__ import annotations

import random
import re
from collections import Counter

from evaluation.simulated.assignment import Assignment

WORD = re.compile(r"[a-z]{4,}")
WORDS = 3
"""Searches of a run, where there are as many words."""
MOST_LINES = 80
MOST_BYTES = 9_000
"""Of what one search finds, paths included: tools cut long results, each in its own way."""


def choose_words(run: Assignment, rng: random.Random) -> tuple[str, ...]:
    """Words in small letters, drawn from those that stand in at least half of the review files, or
    from those that stand in most where these are few."""
    lines = [(path, line.casefold()) for path in run.lines for line in run.lines[path]]
    review = frozenset(run.files("review"))
    pairs = {(word, path) for path, line in lines if path in review for word in WORD.findall(line)}
    files = Counter(word for word, _ in pairs)
    pool: list[str] = []
    for word in sorted(files, key=lambda word: (-files[word], word)):
        if 2 * files[word] < len(review) and len(pool) >= WORDS:
            break
        found = [(path, line) for path, line in lines if word in line]
        size = sum(len(f"{run.locate(path)}:{line}".encode()) for path, line in found)
        if len(found) <= min(MOST_LINES, len(lines) // 4) and size <= MOST_BYTES:
            pool.append(word)
    return tuple(rng.sample(pool, min(WORDS, len(pool))))
