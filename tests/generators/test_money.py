from __future__ import annotations

from decimal import Decimal

import pytest

from generators.money import (
    check_digits,
    grouped,
    is_valid_iban,
    money,
    plain_money,
    share_of,
    to_euro,
    vat_within,
)


@pytest.mark.parametrize(
    ("amount", "rate", "euro"),
    [
        (10000, "0.8000", 12500),
        (1, "2", 1),  # half a cent goes up
        (1, "2.0001", 0),
        (151000, "4.3432", 34767),
    ],
)
def test_a_foreign_amount_is_divided_by_the_rate(amount: int, rate: str, euro: int) -> None:
    assert to_euro(amount, Decimal(rate)) == euro


@pytest.mark.parametrize(
    ("gross", "rate", "tax"),
    [(11000, "10", 1000), (11900, "19", 1900), (10000, "8.1", 749), (5000, "0", 0)],
)
def test_tax_is_the_part_of_the_gross_amount(gross: int, rate: str, tax: int) -> None:
    assert vat_within(gross, Decimal(rate)) == tax


def test_a_share_is_rounded_to_the_cent() -> None:
    assert (share_of(4500, 30), share_of(1, 50)) == (1350, 1)


@pytest.mark.parametrize(
    ("cents", "written", "plain"),
    [
        (123450, "1,234.50", "1234.50"),
        (5, "0.05", "0.05"),
        (100000000, "1,000,000.00", "1000000.00"),
        (-620, "-6.20", "-6.20"),
        (-5, "-0.05", "-0.05"),
    ],
)
def test_money_has_two_places(cents: int, written: str, plain: str) -> None:
    assert (money(cents), plain_money(cents)) == (written, plain)


PUBLISHED = [
    "DE89 3704 0044 0532 0130 00",
    "NL91 ABNA 0417 1643 00",
    "AT61 1904 3002 3457 3201",
    "GB82 WEST 1234 5698 7654 32",
]
"""Examples of the standard's registry."""


@pytest.mark.parametrize("iban", PUBLISHED)
def test_check_digits_are_those_of_the_standard(iban: str) -> None:
    compact = iban.replace(" ", "")
    assert check_digits(compact[:2], compact[4:]) == compact[2:4]
    assert is_valid_iban(iban)
    assert grouped(compact) == iban


@pytest.mark.parametrize(
    "iban",
    ["DE89 3704 0044 0532 0130 01", "DE98 3704 0044 0532 0130 00", "NL91 ABNA 0417 1634 00", ""],
)
def test_a_wrong_digit_makes_an_account_invalid(iban: str) -> None:
    assert not is_valid_iban(iban)
