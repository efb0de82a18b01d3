"""The tables of a contract: effort, items, milestones, rates. All sums are in whole cents."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from generators.world import Person, Vendor

WHOLE = 100
FRIDAY = 4
SHARES = ((30, 40, 30), (25, 25, 50), (40, 60), (20, 30, 30, 20), (50, 50), (30, 70))
EVENTS = (
    "signature",
    "interim report accepted",
    "draft results delivered",
    "results in use",
    "final acceptance",
    "kick-off held",
)


@dataclass(frozen=True)
class Line:
    """Quantity times unit price."""

    name: str
    quantity: int
    unit: int
    amount: int


@dataclass(frozen=True)
class Part:
    """A share of a fixed price."""

    name: str
    share: int
    """Per cent."""
    amount: int


@dataclass(frozen=True)
class NewRate:
    """A day rate before and after, in cents."""

    role: str
    old: int
    new: int


@dataclass(frozen=True)
class Deliverable:
    """Something to be handed over by a date."""

    reference: str
    name: str
    due: date
    approver: str


@dataclass(frozen=True)
class Phase:
    """A stretch of a project."""

    name: str
    starts: date
    ends: date
    lead: str
    result: str


@dataclass(frozen=True)
class Step:
    """Something to be done before a subscription starts."""

    name: str
    due: date
    owner: str


@dataclass(frozen=True)
class Order:
    """The items of an order form and what they come to."""

    items: tuple[Line, ...]
    subtotal: int
    discount: int
    """Per cent."""
    discount_amount: int
    total: int


def effort(source: random.Random, vendor: Vendor) -> tuple[Line, ...]:
    """Days by role, at the vendor's rates."""
    count = source.randrange(3, len(vendor.rates) + 1)
    chosen = sorted(source.sample(range(len(vendor.rates)), count))
    lines = []
    for rate in (vendor.rates[index] for index in chosen):
        days = source.randrange(6, 58)
        lines.append(Line(rate.role, days, rate.day * WHOLE, days * rate.day * WHOLE))
    return tuple(lines)


def milestones(source: random.Random, total: int) -> tuple[Part, ...]:
    """Shares that make up the whole; the last takes what rounding leaves."""
    shares = source.choice(SHARES)
    names = ["signature", *source.sample(EVENTS[1:4], len(shares) - 2), "final acceptance"]
    amounts = [total * share // WHOLE for share in shares[:-1]]
    amounts.append(total - sum(amounts))
    return tuple(
        Part(name, share, amount)
        for name, share, amount in zip(names, shares, amounts, strict=True)
    )


def order(source: random.Random, vendor: Vendor) -> Order:
    """Items at the vendor's prices, perhaps with a discount."""
    count = source.randrange(3, len(vendor.products) + 1)
    chosen = sorted(source.sample(range(len(vendor.products)), count))
    items = []
    for product in (vendor.products[index] for index in chosen):
        # Cheap items are bought by the hundred, dear ones one by one.
        quantity = source.randrange(2, max(5, min(400, 60_000 // product.price)))
        price = product.price * WHOLE
        items.append(Line(product.name, quantity, price, quantity * price))
    subtotal = sum(line.amount for line in items)
    discount = source.choice([0, 0, 3, 5, 8])
    amount = subtotal * discount // WHOLE
    return Order(tuple(items), subtotal, discount, amount, subtotal - amount)


def new_rates(vendor: Vendor, uplift: int, earlier: int) -> tuple[NewRate, ...]:
    """Rates before and after an increase; so many increases went before it."""
    found = []
    for rate in vendor.rates:
        day = rate.day
        for _ in range(earlier):
            day = raised(day, uplift)
        found.append(NewRate(rate.role, day * WHOLE, raised(day, uplift) * WHOLE))
    return tuple(found)


def raised(day: int, uplift: int) -> int:
    """A day rate after an increase in per cent, rounded to whole dollars, half up."""
    return (day * (WHOLE + uplift) + WHOLE // 2) // WHOLE


def deliverables(
    source: random.Random, vendor: Vendor, starts: date, ends: date, approvers: Sequence[Person]
) -> tuple[Deliverable, ...]:
    """Some of the vendor's usual results, due one after the other, the last at the end."""
    names = vendor.trade.deliverables
    count = source.randrange(4, len(names) + 1)
    chosen = sorted(source.sample(range(len(names)), count))
    letters = source.choice(["D", "R", "No. ", "WP-"])
    step = (ends - starts).days // count
    found = []
    for place, index in enumerate(chosen, start=1):
        due = ends if place == count else _weekday(starts + timedelta(days=step * place))
        approver = source.choice(approvers).name
        found.append(Deliverable(f"{letters}{place}", names[index], due, approver))
    return tuple(found)


def _weekday(day: date) -> date:
    return day - timedelta(days=max(0, day.weekday() - FRIDAY))


PHASES = (
    ("survey", "findings agreed"),
    ("preparation", "plan approved"),
    ("execution", "results in use"),
    ("trial operation", "open points closed"),
    ("handover", "final acceptance"),
)
STEPS = (
    "kick-off call",
    "accounts and access data",
    "delivery of items",
    "set-up and first check",
    "briefing of users",
    "sign-off",
)


def phases(
    source: random.Random, starts: date, ends: date, leads: Sequence[str]
) -> tuple[Phase, ...]:
    """Phases that follow each other without a gap, from start to end."""
    count = source.randrange(3, len(PHASES) + 1)
    chosen = [PHASES[index] for index in sorted(source.sample(range(len(PHASES)), count))]
    step = (ends - starts).days // count
    found = []
    begins = starts
    for place, (name, result) in enumerate(chosen, start=1):
        finish = ends if place == count else _weekday(starts + timedelta(days=step * place))
        found.append(Phase(name, begins, finish, source.choice(leads), result))
        begins = finish + timedelta(days=3 if finish.weekday() == FRIDAY else 1)
    return tuple(found)


def steps(source: random.Random, starts: date, owners: Sequence[str]) -> tuple[Step, ...]:
    """What happens in the days before a start, in order."""
    count = source.randrange(4, len(STEPS) + 1)
    chosen = [STEPS[index] for index in sorted(source.sample(range(len(STEPS)), count))]
    return tuple(
        Step(name, _weekday(starts - timedelta(days=2 * (count - place))), source.choice(owners))
        for place, name in enumerate(chosen, start=1)
    )
