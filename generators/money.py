"""Money in whole cents, rates as decimals, and the check digits of account numbers.

No floating point: a sum that is off by a cent would be a defect nobody planted.
"""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

MODULUS = 97
GROUP = 4
"""Account numbers are printed in groups of four."""


def rounded(value: Decimal) -> int:
    """The nearest whole number; half goes up."""
    return int(value.quantize(Decimal(1), rounding=ROUND_HALF_UP))


def to_euro(amount: int, rate: Decimal) -> int:
    """Cents of a currency as euro cents, at so many units of it for a euro."""
    return rounded(Decimal(amount) / rate)


def vat_within(gross: int, rate: Decimal) -> int:
    """The tax in a gross amount, in cents; `rate` is per cent."""
    return rounded(Decimal(gross) * rate / (100 + rate))


def share_of(amount: int, percent: int) -> int:
    """So many per cent of an amount."""
    return rounded(Decimal(amount * percent) / 100)


def money(cents: int) -> str:
    """`1,234.50`"""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100:,}.{abs(cents) % 100:02}"


def plain_money(cents: int, point: str = ".") -> str:
    """`1234.50`"""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}{point}{abs(cents) % 100:02}"


def cents_of(text: str) -> int:
    """`1,234.50` is 123450."""
    whole, _, part = text.replace(",", "").partition(".")
    return int(whole + part)


def check_digits(country: str, account: str) -> str:
    """The two digits that make an IBAN of a country code and an account number (ISO 13616)."""
    return f"{MODULUS + 1 - _remainder(f'{account}{country}00'):02}"


def is_valid_iban(iban: str) -> bool:
    """Whether the check digits of an IBAN are right; spaces do not matter."""
    compact = iban.replace(" ", "")
    return compact.isalnum() and _remainder(compact[4:] + compact[:4]) == 1


def _remainder(text: str) -> int:
    return int("".join(str(int(character, 36)) for character in text)) % MODULUS


def grouped(iban: str) -> str:
    """In groups of four, as people print it."""
    return " ".join(iban[start : start + GROUP] for start in range(0, len(iban), GROUP))
