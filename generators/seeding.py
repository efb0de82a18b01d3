"""One seed, many independent streams of randomness: each purpose has its own.

By SHA-256, never by `hash()`, so that a seed means the same in every process; and a new purpose
leaves the bytes of all others as they were.
"""

from __future__ import annotations

import hashlib
import random


def draw(seed: int, *purpose: str) -> int:
    """A number of 256 bits that a seed and a purpose always give."""
    text = "\0".join((str(seed), *purpose))
    return int.from_bytes(hashlib.sha256(text.encode()).digest())


def randomness(seed: int, *purpose: str) -> random.Random:
    """A stream of its own for a purpose."""
    return random.Random(draw(seed, *purpose))
