"""Cards that are dealt until the deck is out, then shuffled again."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Generic, TypeVar

Card = TypeVar("Card")


class Deck(Generic[Card]):
    """Deals each card once before any comes again, so that a rare one is never long in coming."""

    def __init__(self, source: random.Random, cards: Sequence[Card]) -> None:
        self._random = source
        self._cards = tuple(cards)
        self._left: list[Card] = []

    def deal(self) -> Card:
        """The next card."""
        if not self._left:
            self._left = self._random.sample(self._cards, len(self._cards))
        return self._left.pop()
