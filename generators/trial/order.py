"""In which order the parts of a document stand.

Prevents a value from standing always at the same depth: documents that follow each other turn
their parts on, so that over three of them each part stands near the start, in the middle and near
the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

Part = TypeVar("Part")

FEW = 9
"""Fewer documents of a kind than this have one turn for each third of them."""


def turned(parts: Sequence[Part], turn: int) -> list[Part]:
    """The parts with the last one first, as many times as `turn` says."""
    start = -turn % len(parts)
    return [*parts[start:], *parts[:start]]


def turn_of(index: int, count: int) -> int:
    """The turn of one of `count` documents, from 0."""
    return index if count >= FEW else 3 * index // count
