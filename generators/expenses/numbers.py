"""Numbers of receipts, charges and postings: each is given once in a corpus.

They rise as those of real tills do: every merchant counts by itself, from a number of its own and
by so many papers a day; the bank counts the charges of all its customers.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date

from generators.expenses.world import START, Employee

FORMS = ("R-{n}", "{y}/{n}", "K{n}", "{n}-{y}", "B {n}", "{m}{n}", "INV{n}", "{n}")
LETTERS = "ABCDEFGHKLM"
PACES = (4, 9, 17, 38, 74, 120)
"""About so many papers a merchant gives out a day."""
BANK_PACE, ORDER_PACE = 1700, 23
PAGES = range(30, 90)
"""Of a driver's log at the start of the year."""
STEPS = (1, 1, 1, 2, 3)
"""Between two postings of one table; others are served meanwhile."""


@dataclass(frozen=True)
class Till:
    """Where a merchant's numbers begin, how fast they rise, and how they are written."""

    first: int
    pace: int
    form: str


class Numbers:
    """Draws numbers, none of them twice."""

    def __init__(self, source: random.Random) -> None:
        # A stream of its own: how often a number is taken already changes nothing else.
        self._random = random.Random(source.getrandbits(64))
        self._tills: dict[str, Till] = {}
        self._pages: dict[str, int] = {}
        self._given: set[str] = set()
        draw = self._random
        self._bank = Till(draw.randrange(110_000, 190_000), BANK_PACE, "T4{n}")
        self._orders = Till(draw.randrange(210_000, 640_000), ORDER_PACE, "PO 45{n}")

    def receipt(self, day: date, merchant: str) -> str:
        """As a shop or hotel numbers its papers."""
        if merchant not in self._tills:
            self._tills[merchant] = self._draw_till()
        return self._next(self._tills[merchant], day)

    def charge(self, day: date) -> str:
        """A transaction of a card."""
        return self._next(self._bank, day)

    def order(self, day: date) -> str:
        """A purchase order."""
        return self._next(self._orders, day)

    def courses(self, count: int) -> list[str]:
        """The postings of one table, as they are keyed in."""
        return self._postings([self._random.choice(STEPS) for _ in range(count)])

    def nights(self, count: int) -> list[str]:
        """The postings of one stay, a day apart each."""
        return self._postings([self._random.randrange(23, 190) for _ in range(count)])

    def page(self, day: date, driver: Employee) -> str:
        """A page of the log that somebody keeps of their drives."""
        first = self._pages.setdefault(driver.number, self._random.choice(PAGES))
        page = first + (day - START).days // 3
        while f"log {driver.number[1:]}-{page:03}" in self._given:
            page += 1
        return self._give(f"log {driver.number[1:]}-{page:03}")

    def _draw_till(self) -> Till:
        draw = self._random
        pace = draw.choice(PACES) + draw.randrange(4)
        return Till(draw.randrange(12, 99) * 10 ** draw.randrange(2, 5), pace, draw.choice(FORMS))

    def _next(self, till: Till, day: date) -> str:
        """A number of that day: the later the day, the higher."""
        number = till.first + (day - START).days * till.pace + self._random.randrange(till.pace)
        while (text := _written(till, number, day)) in self._given:
            number += self._random.randrange(1, 4)
        return self._give(text)

    def _postings(self, steps: list[int]) -> list[str]:
        letter, number = self._random.choice(LETTERS), self._random.randrange(1000, 90_000)
        given = []
        for step in steps:
            number += step
            given.append(f"{letter}{number}")
        return given

    def _give(self, text: str) -> str:
        self._given.add(text)
        return text


def _written(till: Till, number: int, day: date) -> str:
    return till.form.format(n=number, y=day.year % 100, m=f"{day.month:02}")
