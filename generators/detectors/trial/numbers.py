"""Numbers of subjects and kits, and their check digits.

The digits are weighted 3, 1, 3, 1 … from the left; the check digit brings the sum up to a multiple
of ten, as in ISBN-13 and EAN.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from generators.lines import split_lines

NUMBERED = re.compile(r"\b(?:(\d{3}-\d{4})-(\d)|K(\d{6})-(\d))\b(?!-)")


@dataclass(frozen=True)
class WrongNumber:
    """A number whose check digit is not right, and its line."""

    number: str
    line: int


def check_digit(digits: str) -> str:
    """The check digit of a number; all but digits is left out."""
    values = [int(character) for character in digits if character.isdigit()]
    total = sum(value * (1 if index % 2 else 3) for index, value in enumerate(values))
    return str(-total % 10)


def with_check(number: str) -> str:
    """The number with its check digit behind it."""
    return f"{number}-{check_digit(number)}"


def wrong_numbers(text: str) -> tuple[WrongNumber, ...]:
    """Every number of a text whose check digit is not right."""
    return tuple(
        WrongNumber(found[0], number)
        for number, line in enumerate(split_lines(text), start=1)
        for found in NUMBERED.finditer(line)
        if check_digit(found[1] or found[3]) != (found[2] or found[4])
    )
