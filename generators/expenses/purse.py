"""What one trip gathers: rows in the money of the place, and the papers that go with them."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal

from generators.expenses.claims import OWN, HotelBill, MealSlip, PerDiem, Row, VatRate
from generators.expenses.numbers import Numbers
from generators.expenses.plan import Trip
from generators.expenses.vocabulary import Country, Local, Merchants, read_locals, read_merchants
from generators.expenses.wording import Phrasing
from generators.expenses.world import World
from generators.money import rounded, to_euro

WHOLE_COINS = 4
"""Where a euro is more units than this, prices come in coins ten times as large."""


@dataclass(frozen=True)
class Spent:
    """What was paid to whom, and by what means."""

    merchant: str
    description: str
    amount: int
    """Cents of the currency."""
    vat: VatRate | None = None
    payer: str = OWN
    receipt: str = ""
    """A new one where it is empty."""
    charged: date | None = None
    """The day of the card charge, where it is another."""


@dataclass
class Claimed:
    """The rows of one trip and its papers."""

    rows: list[Row] = field(default_factory=list)
    per_diems: list[PerDiem] = field(default_factory=list)
    bills: list[HotelBill] = field(default_factory=list)
    slips: list[MealSlip] = field(default_factory=list)


class Purse:
    """Pays for one trip, and keeps what was claimed."""

    def __init__(self, source: random.Random, world: World, numbers: Numbers, trip: Trip) -> None:
        self.random = source
        self.world = world
        self.numbers = numbers
        self.trip = trip
        self.phrases = Phrasing(source, trip.job)
        self.shops: Merchants = read_merchants()
        self.country: Country = trip.city.country
        self.local_words: Local = read_locals().of(self.country.code)
        self.claimed = Claimed()

    def day(self, offset: int) -> date:
        """A day of the trip, the first one being 0."""
        return self.trip.first + timedelta(days=offset)

    def between(self, least: int, most: int, step: int = 10) -> int:
        """So many cents or a few more."""
        return self.random.randrange(least, most + 1, step)

    def local(self, euro_cents: int, step: int = 10) -> int:
        """About so much in the currency of the place, in steps of so many cents."""
        rate = self._rate(self.trip.first) or Decimal(1)
        coin = step * 10 if rate > WHOLE_COINS else step
        return max(coin, rounded(Decimal(euro_cents) * rate / coin) * coin)

    def vat(self, percent: str) -> VatRate | None:
        """A rate of the place; none where no VAT is recovered."""
        return VatRate(self.country.code, Decimal(percent)) if percent else None

    def pay(self, day: date, category: str, spent: Spent, *, local: bool = True) -> None:
        """Claim something, in the currency of the place or in euros."""
        rate = self._rate(day) if local else None
        self.claimed.rows.append(
            Row(
                day=day,
                category=category,
                merchant=spent.merchant,
                description=spent.description,
                payer=spent.payer,
                currency=self.country.currency if local else "EUR",
                amount=spent.amount,
                rate=rate,
                euro=to_euro(spent.amount, rate) if rate else spent.amount,
                vat=spent.vat,
                receipt=spent.receipt or self.numbers.receipt(day, spent.merchant),
                memo=self._memo(category) if spent.payer != OWN else "",
                charged=spent.charged,
            )
        )

    def _rate(self, day: date) -> Decimal | None:
        currency = self.country.currency
        return None if currency == "EUR" else self.world.rate(currency, day)

    def _memo(self, category: str) -> str:
        trip, draw, notes = self.trip, self.random.choice, self.phrases.words.card_notes
        note = self.phrases.pick(notes.get(category, notes["Lodging"]))
        why = draw((trip.aim, f"{trip.aim}, {trip.customer}", self.phrases.task()))
        return draw((f"{note}, {why}", f"{why}: {note}", f"{note} ({why})"))
