"""What people spend without travelling: the rows of a month's report."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from generators.expenses.claims import HOME, OWN, Row, VatRate
from generators.expenses.numbers import Numbers
from generators.expenses.plan import Month
from generators.expenses.vocabulary import read_locals, read_merchants
from generators.expenses.wording import Phrasing, workday
from generators.expenses.world import Department, World

KEEP_APART = 3
"""Days beyond the policy's window between two purchases of a team at one shop."""


@dataclass(frozen=True)
class Bought:
    """Where and when somebody of a department bought equipment."""

    shop: str
    day: date


@dataclass(frozen=True)
class Buy:
    """Something to be bought, for so many EUR cents."""

    category: str
    text: str
    least: int
    most: int
    shops: tuple[str, ...] = ()
    """Where; equipment is bought where the department has not been lately."""
    percent: str = ""
    """Of VAT; the standard rate where it is empty."""
    memo: str = ""
    """What the holder of the company card noted; empty where it was paid privately."""


class Office:
    """Draws the rows of months. Remembers where each department bought, so that no clean purchase
    looks like one that was split."""

    def __init__(self, source: random.Random, world: World, numbers: Numbers) -> None:
        self._random = source
        self._world = world
        self._numbers = numbers
        self._shops = read_merchants()
        self._bought: dict[str, list[Bought]] = {}
        self._rides = 0

    def rows(self, month: Month) -> tuple[Row, ...]:
        """Seven to twelve rows, by category."""
        phrases, draw, shops = Phrasing(self._random, HOME), self._random, self._shops
        words, pick, home = phrases.words, phrases.pick, month.employee.department.country
        local = read_locals().homes[home.code]
        bought = [
            Buy("Telecom", pick(words.telecom_notes), 900, 4500, local.telecom),
            Buy("Software", pick(words.software_notes), 1200, 8900, shops.software,
                memo=f"{pick(words.card_notes['Software'])}, {pick(words.software_reasons)}"),
        ]  # fmt: skip
        bought += [
            Buy("Office supplies", pick(words.office_notes), 700, 6800, local.stationers)
            for _ in range(draw.randrange(1, 3))
        ]
        if draw.randrange(2):
            note = pick(words.book_notes)
            bought.append(Buy("Books", note, 2400, 8900, local.booksellers, percent=home.lodging))
        bought.append(Buy("Courier", pick(words.courier_notes), 900, 5900, local.couriers))
        lines = tuple(
            name.format(city=month.employee.department.site.city)
            for name in read_locals().of(home.code).transit
        )
        bought += [
            Buy("Public transport", pick(words.commute_notes), 240, 1900, lines,
                percent=home.transport)
            for _ in range(draw.randrange(1, 3))
        ]  # fmt: skip
        bought += self._equipment(month, phrases)
        rows = [self._row(month, one) for one in bought]
        if month.order or draw.randrange(2):
            rows.append(self._ride(month, phrases))
        return tuple(rows)

    def _ride(self, month: Month, phrases: Phrasing) -> Row:
        """A short way on business, by a vehicle of one's own."""
        limits = self._world.limits
        vehicles = (("motorcycle", limits.motorcycle), ("bicycle", limits.bicycle),
                    ("own car", limits.mileage))  # fmt: skip
        # They take turns, so that no rate is the only one of its kind.
        vehicle, rate = vehicles[self._rides % len(vehicles)]
        self._rides += 1
        kilometres = self._random.randrange(6, 24 if vehicle == "bicycle" else 70)
        day, way = self._day(month), phrases.pick(phrases.words.errands)
        return Row(
            day=day,
            category="Mileage",
            merchant="private car" if vehicle == "own car" else f"own {vehicle}",
            description=f"{vehicle}, {way}, {kilometres} km at 0.{rate:02}",
            payer=OWN,
            currency="EUR",
            amount=kilometres * rate,
            rate=None,
            euro=kilometres * rate,
            vat=None,
            receipt=self._numbers.page(day, month.employee),
        )

    def _day(self, month: Month) -> date:
        """A workday, not at the very ends of the month."""
        span = (month.last - month.first).days
        return workday(month.first + timedelta(days=self._random.randrange(2, span - 2)))

    def _equipment(self, month: Month, phrases: Phrasing) -> list[Buy]:
        """One purchase below the limit; in some months one above it, with its order."""
        limit, things = self._world.limits.purchase * 100, self._shops.equipment
        bought = [Buy("Equipment", phrases.pick(things), limit * 60 // 100, limit * 95 // 100)]
        if month.order:
            text = f"{phrases.pick(things)}, {self._numbers.order(month.first)}"
            bought.append(Buy("Equipment", text, limit * 150 // 100, limit * 220 // 100))
        return bought

    def _row(self, month: Month, buy: Buy) -> Row:
        department = month.employee.department
        day = self._day(month)
        amount = self._random.randrange(buy.least, buy.most, 5)
        shop = self._random.choice(buy.shops) if buy.shops else self._shop(department, day)
        percent = Decimal(buy.percent or department.country.standard)
        return Row(
            day=day,
            category=buy.category,
            merchant=shop,
            description=buy.text,
            payer=self._numbers.charge(day) if buy.memo else OWN,
            currency="EUR",
            amount=amount,
            rate=None,
            euro=amount,
            vat=VatRate(department.country.code, percent),
            receipt=self._numbers.receipt(day, shop),
            memo=buy.memo,
        )

    def _shop(self, department: Department, day: date) -> str:
        """One at which the department has not bought lately; if it can be had, not that month."""
        bought = self._bought.setdefault(department.name, [])
        apart = self._world.limits.split_days + KEEP_APART
        near = {one.shop for one in bought if abs((one.day - day).days) <= apart}
        this_month = {one.shop for one in bought if one.day.replace(day=1) == day.replace(day=1)}
        shops = read_locals().homes[department.country.code].equipment_shops
        free = [shop for shop in shops if shop not in near]
        free = [shop for shop in free if shop not in this_month] or free
        if not free:
            raise AssertionError(f"{department.name} has bought everywhere")
        shop = self._random.choice(free)
        bought.append(Bought(shop, day))
        return shop
