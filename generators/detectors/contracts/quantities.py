"""Quantities of time in legal prose: `forty-five (45) days`, `a 12-month period`, `two weeks`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

SMALL: Mapping[str, int] = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
    "thirteen": 13,
    "fourteen": 14,
    "fifteen": 15,
    "sixteen": 16,
    "seventeen": 17,
    "eighteen": 18,
    "nineteen": 19,
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
}
WORD = r"(?:" + "|".join(sorted([*SMALL, "hundred"], key=len, reverse=True)) + r")"
WORDS = rf"\b{WORD}\b(?:[\s-]+(?:and\s+)?{WORD}\b)*"
NUMBER = rf"(?:(?P<words>{WORDS})(?:\s*\(\s*(?P<inner>\d+)\s*\))?|(?P<digits>\d+))"
TIME = re.compile(
    rf"(?<![\w.,$]){NUMBER}[\s-]+"
    r"(?:(?:calendar|business|working|consecutive|full|clear|running)\s+)?"
    r"(?P<unit>hour|day|week|month|year|quarter)(?:s\b|\b)(?:['\u2019]s?)?",
    re.IGNORECASE,
)
DAYS: Mapping[str, Fraction] = {
    "hour": Fraction(1, 24),
    "day": Fraction(1),
    "week": Fraction(7),
    "month": Fraction(30),
    "quarter": Fraction(90),
    "year": Fraction(360),
}
"""A year has twelve months of thirty days here, so that a year and twelve months are equal."""


@dataclass(frozen=True)
class Duration:
    """A stated length of time and where it stands in the text."""

    days: Fraction
    """Business days count as days: what is too short or too long by them is so by either count."""
    unit: str
    start: int
    end: int

    @property
    def months(self) -> Fraction:
        """In months of thirty days."""
        return self.days / 30

    @property
    def hours(self) -> Fraction:
        """In hours, 24 a day."""
        return self.days * 24


def number_of(words: str) -> int:
    """`one hundred and twenty` is 120."""
    total = 0
    for word in re.split(r"[\s-]+", words.lower()):
        if word == "hundred":
            total = max(1, total) * 100
        elif word != "and":
            total += SMALL[word]
    return total


def matched_number(match: re.Match[str]) -> int:
    """The number of a match of `NUMBER`; digits in parentheses count before words."""
    digits = match["inner"] or match["digits"]
    return int(digits) if digits else number_of(match["words"])


def durations(text: str) -> Iterator[Duration]:
    """Every length of time in a text, in order."""
    for match in TIME.finditer(text):
        unit = match["unit"].lower()
        days = matched_number(match) * DAYS[unit]
        yield Duration(days, unit, match.start(), match.end())
