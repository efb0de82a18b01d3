"""Writes invoices and receipts as JSON, as the many systems of hotels and restaurants export them.

Keys, their order and how deep they lie differ from file to file; a posting stands on one line.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from generators.detectors.expenses.forms import Forms, read_forms
from generators.expenses.claims import HOME, HotelBill, MealSlip
from generators.expenses.rendering import upper_first
from generators.expenses.vocabulary import Country, read_locals
from generators.expenses.wording import Phrasing
from generators.expenses.world import World
from generators.money import check_digits, grouped, plain_money, vat_within

ACCOUNT_LENGTHS: Mapping[str, int] = {"DE": 18, "AT": 16, "DK": 14, "SE": 20, "CH": 17}
"""Digits after the check digits, of countries whose account numbers hold no further check."""


@dataclass(frozen=True)
class Amount:
    """Cents, written with two places."""

    cents: int


Scalar = str | int | Decimal | Amount
Pairs = Sequence[tuple[str, Scalar]]


class Schema:
    """One system's words for things: those of a house, whenever it writes an invoice."""

    def __init__(self, house: str, forms: Forms) -> None:
        source = self.random = random.Random(f"the system of {house}")
        self.nested = bool(source.randrange(2))
        self.indent = source.choice(("  ", "    ", "  "))
        joins = ("snake", "camel", "kebab", "spaced")
        self._join = source.choice(joins)
        self._keys = {name: source.choice(words) for name, words in forms.keys.items()}

    def key(self, name: str) -> str:
        """The key of a field."""
        words = self._keys[name].split()
        if self._join == "camel":
            return words[0] + "".join(word.capitalize() for word in words[1:])
        return {"snake": "_", "kebab": "-", "spaced": " "}[self._join].join(words)

    def pair(self, name: str, value: Scalar) -> tuple[str, Scalar]:
        """A field with its key."""
        return self.key(name), value


def write_bill(source: random.Random, world: World, bill: HotelBill) -> str:
    """A hotel's invoice."""
    schema, phrases = Schema(bill.hotel, read_forms()), Phrasing(source, HOME)
    pair = schema.pair
    lines = []
    for line in bill.lines:
        tax = vat_within(line.gross, line.percent)
        lines.append(
            [
                pair("id", line.id),
                pair("date", line.day.isoformat()),
                pair("description", line.text),
                pair("net", Amount(line.gross - tax)),
                pair("rate", line.percent),
                pair("vat", Amount(tax)),
                pair("gross", Amount(line.gross)),
            ]
        )
    parties = _seller(schema, bill.hotel, bill.city.name, bill.city.country, bank=True)
    buyer = [
        pair("company", world.company),
        pair("guest", bill.guest.name),
        pair("arrival", bill.arrival.isoformat()),
        pair("departure", bill.departure.isoformat()),
        pair("room", source.randrange(101, 640)),
    ]
    sums = _sums((line.gross, line.percent) for line in bill.lines)
    head = [pair("number", bill.number), pair("issued", bill.departure.isoformat())]
    head.append(pair("currency", bill.currency))
    payment = [pair("method", "card"), pair("card", bill.guest.card)]
    payment.append(pair("paid_on", bill.departure.isoformat()))
    words = [phrases.pick(phrases.words.hotel_notes) for _ in range(source.randrange(4, 8))]
    sides: dict[str, Pairs] = {"seller": parties, "buyer": buyer}
    return _document(schema, Parts(head, sides, lines, sums, payment, words, bill.shape))


def write_slip(source: random.Random, slip: MealSlip) -> str:
    """A restaurant's receipt."""
    schema, phrases = Schema(slip.restaurant, read_forms()), Phrasing(source, HOME)
    pair = schema.pair
    lines = [
        [
            pair("id", line.id),
            pair("description", line.text),
            pair("quantity", line.quantity),
            pair("unit_price", Amount(line.unit)),
            pair("gross", Amount(line.quantity * line.unit)),
        ]
        for line in slip.lines
    ]
    parties = _seller(schema, slip.restaurant, slip.city.name, slip.city.country, bank=False)
    place = [
        pair("table", source.randrange(1, 40)),
        pair("covers", slip.covers),
        pair("server", source.choice(read_locals().of(slip.city.country.code).waiters)),
    ]
    sums = _sums([(slip.gross, slip.percent)])
    head = [pair("number", slip.number), pair("issued", slip.day.isoformat())]
    head.append(pair("currency", slip.currency))
    payment = [pair("method", "card" if slip.card else "cash")]
    payment += [pair("card", slip.card)] if slip.card else []
    words = [phrases.pick(phrases.words.restaurant_notes) for _ in range(source.randrange(4, 7))]
    sides: dict[str, Pairs] = {"seller": parties, "": place}
    return _document(schema, Parts(head, sides, lines, sums, payment, words, slip.shape))


@dataclass(frozen=True)
class Sum:
    """What bears one rate, in cents."""

    percent: Decimal
    gross: int
    tax: int


def _sums(parts: Iterator[tuple[int, Decimal]] | Sequence[tuple[int, Decimal]]) -> list[Sum]:
    """By rate; the tax is summed line by line, as the lines show it."""
    sums: dict[Decimal, Sum] = {}
    for gross, percent in parts:
        before = sums.get(percent, Sum(percent, 0, 0))
        tax = before.tax + vat_within(gross, percent)
        sums[percent] = Sum(percent, before.gross + gross, tax)
    return list(sums.values())


def _seller(
    schema: Schema, name: str, city: str, country: Country, *, bank: bool
) -> list[tuple[str, Scalar]]:
    draw = schema.random
    streets = read_locals().of(country.code).streets
    street = draw.choice(streets).format(n=draw.randrange(1, 120))
    pairs = [
        schema.pair("seller_name", name),
        schema.pair("street", street),
        schema.pair("city", city),
        schema.pair("country", country.code),
    ]
    if bank and country.code in ACCOUNT_LENGTHS:
        digits = "".join(str(draw.randrange(10)) for _ in range(ACCOUNT_LENGTHS[country.code]))
        iban = f"{country.code}{check_digits(country.code, digits)}{digits}"
        pairs.append(schema.pair("bank", grouped(iban)))
    return pairs


@dataclass(frozen=True)
class Parts:
    """What a paper holds, whatever its system calls it."""

    head: Pairs
    parties: Mapping[str, Pairs]
    """By name; what has none stands at the top level."""
    lines: Sequence[Pairs]
    sums: Sequence[Sum]
    payment: Pairs
    words: Sequence[str]
    shape: int
    """0 to 2: whether the items stand early, in the middle or late."""


def _document(schema: Schema, parts: Parts) -> str:
    """The parts in one of several orders; parties as objects or flat."""
    sides = [
        _object(schema, name, pairs) if name and schema.nested else _scalars(schema, pairs)
        for name, pairs in parts.parties.items()
    ]
    items = _list(schema, "items", [_inline(one) for one in parts.lines])
    sums = [_list(schema, "summary", [_inline(_taxed(schema, one)) for one in parts.sums])]
    sums.append([f'"{schema.key("totals")}": {_inline(_totals(schema, parts.sums))}'])
    schema.random.shuffle(sums)
    end = [[f'"{schema.key("payment")}": {_inline(parts.payment)}']]
    end.append(_list(schema, "notes", [json.dumps(f"{upper_first(one)}.") for one in parts.words]))
    schema.random.shuffle(end)
    orders = (
        [items, *sums, *sides, *end],
        [*sides, items, *sums, *end],
        [*sides, *end, *sums, items],
    )
    blocks = [_scalars(schema, parts.head), *orders[parts.shape]]
    body: list[str] = []
    for index, block in enumerate(blocks):
        body += block[:-1]
        body.append(block[-1] + ("," if index < len(blocks) - 1 else ""))
    return "\n".join(["{", *(f"{schema.indent}{line}" for line in body), "}"]) + "\n"


def _taxed(schema: Schema, one: Sum) -> Pairs:
    return [
        schema.pair("rate", one.percent),
        schema.pair("net", Amount(one.gross - one.tax)),
        schema.pair("vat", Amount(one.tax)),
        schema.pair("gross", Amount(one.gross)),
    ]


def _totals(schema: Schema, sums: Sequence[Sum]) -> Pairs:
    gross, tax = sum(one.gross for one in sums), sum(one.tax for one in sums)
    return [
        schema.pair("net", Amount(gross - tax)),
        schema.pair("vat", Amount(tax)),
        schema.pair("gross", Amount(gross)),
    ]


def _value(value: Scalar) -> str:
    if isinstance(value, Amount):
        return plain_money(value.cents)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value)


def _inline(pairs: Pairs) -> str:
    return "{" + ", ".join(f'"{key}": {_value(value)}' for key, value in pairs) + "}"


def _scalars(schema: Schema, pairs: Pairs) -> list[str]:
    """Pairs at the top level, a line each; all but the last with a comma."""
    lines = [f'"{key}": {_value(value)}' for key, value in pairs]
    return [*(f"{line}," for line in lines[:-1]), lines[-1]]


def _object(schema: Schema, name: str, pairs: Pairs) -> list[str]:
    inner = [f"{schema.indent}{line}" for line in _scalars(schema, pairs)]
    return [f'"{schema.key(name)}": {{', *inner, "}"]


def _list(schema: Schema, name: str, items: Sequence[str]) -> list[str]:
    inner = [f"{schema.indent}{item}," for item in items]
    inner[-1] = inner[-1].removesuffix(",")
    return [f'"{schema.key(name)}": [', *inner, "]"]
