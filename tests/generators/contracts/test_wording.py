from __future__ import annotations

from datetime import date

import pytest

from generators.contracts.wording import (
    day_first,
    formal,
    letter,
    money,
    month_first,
    number_words,
    roman,
)


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "zero"),
        (7, "seven"),
        (13, "thirteen"),
        (20, "twenty"),
        (45, "forty-five"),
        (99, "ninety-nine"),
        (100, "one hundred"),
        (120, "one hundred twenty"),
        (315, "three hundred fifteen"),
    ],
)
def test_numbers_are_written_in_words(number: int, words: str) -> None:
    assert number_words(number) == words


def test_a_quantity_that_matters_has_words_and_digits() -> None:
    assert formal(30, "day") == "thirty (30) days"
    assert formal(1, "business day") == "one (1) business day"


@pytest.mark.parametrize(
    ("number", "numeral"), [(1, "I"), (4, "IV"), (9, "IX"), (14, "XIV"), (40, "XL"), (58, "LVIII")]
)
def test_roman_numerals(number: int, numeral: str) -> None:
    assert roman(number) == numeral


def test_letters_go_on_after_z() -> None:
    assert [letter(n) for n in (1, 26, 27, 28)] == ["a", "z", "aa", "bb"]


def test_dates_and_sums_do_not_depend_on_the_locale() -> None:
    assert day_first(date(2023, 3, 4)) == "4 March 2023"
    assert month_first(date(2023, 3, 4)) == "March 4, 2023"
    assert money(123_456_705, "USD") == "USD 1,234,567.05"
    assert money(90, "$") == "$0.90"
