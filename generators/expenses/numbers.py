"""Numbers of receipts, charges and postings: each is given once in a corpus."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date

POOL = 900_000
FORMS = ("R-{n}", "{y}/{n}", "K{n}", "{n}-{y}", "B {n}", "{m}{n}", "INV{n}", "{n}")


class Numbers:
    """Draws six digits at a time, none of them twice."""

    def __init__(self, source: random.Random) -> None:
        self._random = source
        self._digits: Iterator[int] = self._shuffled()

    def _shuffled(self) -> Iterator[int]:
        # Steps through all of them by a stride that shares no factor with their count.
        start, stride = self._random.randrange(POOL), 2 * self._random.randrange(1, POOL // 4) + 1
        while stride % 3 == 0 or stride % 5 == 0:
            stride += 2
        for step in range(POOL):
            yield 100_000 + (start + step * stride) % POOL

    def receipt(self, day: date) -> str:
        """As shops and hotels number their papers."""
        form = self._random.choice(FORMS)
        return form.format(n=next(self._digits), y=day.year % 100, m=f"{day.month:02}")

    def charge(self) -> str:
        """A transaction of a card."""
        return f"T4{next(self._digits)}"

    def posting(self) -> str:
        """A line of an invoice."""
        return f"{self._random.choice('ABCDEFGHKLM')}{next(self._digits)}"

    def order(self) -> str:
        """A purchase order."""
        return f"PO 45{next(self._digits)}"
