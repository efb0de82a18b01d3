"""How numbers, dates and sums are written in contracts: `thirty (30) days`, `USD 1,200.00`."""

from __future__ import annotations

from datetime import date

ONES = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
)
TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
ROMAN = (
    (50, "L"),
    (40, "XL"),
    (10, "X"),
    (9, "IX"),
    (5, "V"),
    (4, "IV"),
    (1, "I"),
)
ORDINALS = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
)


def number_words(number: int) -> str:
    """A whole number from 0 to 999 in English words: `forty-five`, `one hundred twenty`."""
    if number < len(ONES):
        return ONES[number]
    hundreds, rest = divmod(number, 100)
    if hundreds:
        head = f"{ONES[hundreds]} hundred"
        return f"{head} {number_words(rest)}" if rest else head
    tens, ones = divmod(number, 10)
    return f"{TENS[tens]}-{ONES[ones]}" if ones else TENS[tens]


def formal(number: int, unit: str) -> str:
    """As contracts write a quantity that matters: `thirty (30) days`, `one (1) month`."""
    return f"{number_words(number)} ({number}) {plural(number, unit)}"


def plural(number: int, unit: str) -> str:
    """`day` or `days`."""
    return unit if number == 1 else f"{unit}s"


def roman(number: int) -> str:
    """Upper-case Roman numerals, from 1 to 89."""
    digits = ""
    for value, letters in ROMAN:
        while number >= value:
            digits += letters
            number -= value
    return digits


def letter(number: int) -> str:
    """`a` for 1, `z` for 26, `aa` for 27."""
    repeats, index = divmod(number - 1, 26)
    return chr(ord("a") + index) * (repeats + 1)


def day_first(day: date) -> str:
    """`14 March 2023`, whatever the locale."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def month_first(day: date) -> str:
    """`March 14, 2023`, whatever the locale."""
    return f"{MONTHS[day.month - 1]} {day.day}, {day.year}"


def money(cents: int, prefix: str) -> str:
    """`USD 1,200.00`; a sign such as `$` stands close, a code with a space."""
    gap = " " if prefix[-1].isalpha() else ""
    return f"{prefix}{gap}{cents // 100:,}.{cents % 100:02}"


def ordinal(number: int) -> str:
    """`first` to `tenth`, then `further (11)`."""
    return ORDINALS[number - 1] if number <= len(ORDINALS) else f"further ({number})"
