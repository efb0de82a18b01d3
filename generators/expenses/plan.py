"""When and by whom: the trips and monthly reports of a corpus, before anything is claimed.

What a trip is like goes round in fives, so that any five trips on end hold every sort: two
colleagues together, a foreign currency, a car, a congress or a long flight.
"""

from __future__ import annotations

import random
from calendar import monthrange
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from authoring.artefacts import Value
from generators.expenses.world import START, City, Department, Employee, World

Sort = Literal["pair", "partner", "abroad", "car", "congress"]
SORTS: tuple[Sort, ...] = ("pair", "partner", "abroad", "car", "congress")
WEEKS_AFTER = 8
"""Of rates beyond the last month."""
MARGIN = 14
"""Days before the end of the last month in which no trip starts."""
SUNDAY = 6
WEDNESDAY = 2
LONG_FLIGHT = 300
"""Minutes."""
RECENT = 3
"""A city is not visited again by the next few trips."""


class ExpensesParameters(Value):
    """How much there is. Invoices, receipts, statements and approvals follow from the reports."""

    trips: Annotated[int, Field(ge=1, le=800, description="reports of trips")] = 15
    monthly: Annotated[int, Field(ge=1, le=300, description="reports of a month's expenses")] = 8
    departments: Annotated[int, Field(ge=1, le=14, description="departments that travel")] = 4
    months: Annotated[int, Field(ge=1, le=11, description="months, from January 2024")] = 2

    @model_validator(mode="after")
    def _months_hold_the_monthly_reports(self) -> Self:
        # A person hands in one report a month; two of a department belong together.
        if self.monthly > self.departments * self.months * 4:
            raise ValueError("more monthly reports than people and months")
        return self

    @property
    def weeks(self) -> int:
        """Of rates of exchange."""
        return (month_end(self.months - 1) - START).days // 7 + WEEKS_AFTER


@dataclass(frozen=True)
class Trip:
    """Who goes where, when, and how."""

    number: str
    sort: Sort
    employee: Employee
    city: City
    first: date
    nights: int
    aim: str
    customer: str

    @property
    def last(self) -> date:
        """The day of return."""
        return self.first + timedelta(days=self.nights)


@dataclass(frozen=True)
class Month:
    """Whose expenses of which month."""

    number: str
    employee: Employee
    first: date
    last: date


@dataclass(frozen=True)
class Plan:
    """All reports to come, in the order of their numbers."""

    trips: tuple[Trip, ...]
    months: tuple[Month, ...]


def month_end(index: int) -> date:
    """The last day of a month, counted from the first one."""
    first = START.replace(month=START.month + index, day=1)
    return first.replace(day=monthrange(first.year, first.month)[1])


@dataclass(frozen=True)
class _Slot:
    """A report without its number."""

    opened: date
    order: int
    trip: Trip | None = None
    month: Month | None = None


def make_plan(
    source: random.Random,
    world: World,
    parameters: ExpensesParameters,
    aims: Sequence[str],
    customers: Sequence[str],
) -> Plan:
    """Draw dates, people and places, and number the reports by when they were opened."""
    slots = [
        *_trips(source, world, parameters, aims, customers),
        *_months(source, world, parameters),
    ]
    slots.sort(key=lambda slot: (slot.opened, slot.order))
    number = source.randrange(110, 320)
    trips: list[Trip] = []
    months: list[Month] = []
    for slot in slots:
        number += source.randrange(1, 5)
        name = f"ER-24-{number:04}"
        if slot.trip:
            trips.append(replace(slot.trip, number=name))
        if slot.month:
            months.append(replace(slot.month, number=name))
    return Plan(tuple(trips), tuple(months))


def _trips(
    source: random.Random,
    world: World,
    parameters: ExpensesParameters,
    aims: Sequence[str],
    customers: Sequence[str],
) -> list[_Slot]:
    span = (month_end(parameters.months - 1) - START).days - MARGIN
    turns = _Turns(source, world)
    slots: list[_Slot] = []
    before: Trip | None = None
    for order in range(parameters.trips):
        sort = SORTS[order % len(SORTS)]
        opened = START + timedelta(days=span * order // max(1, parameters.trips))
        if sort == "partner" and before:
            colleague = turns.person(before.employee.department, before.first, before.last)
            trip = replace(before, sort=sort, employee=colleague)
            opened = slots[-1].opened
        else:
            block = order // len(SORTS)
            city = turns.city(_cities_for(world, sort, block))
            first, nights = _dates(source, opened, sort, city)
            last = first + timedelta(days=nights)
            trip = Trip(
                number="",
                sort=sort,
                employee=turns.person(turns.department(), first, last),
                city=city,
                first=first,
                nights=nights,
                aim=source.choice(aims),
                customer=source.choice(customers),
            )
        slots.append(_Slot(opened, order, trip=trip))
        before = trip
    return slots


def _cities_for(world: World, sort: Sort, block: int) -> list[City]:
    """Every second congress is beyond the sea."""
    far = sort == "congress" and block % 2 == 1
    foreign = sort == "abroad"
    return [
        city
        for city in world.cities
        if (city.minutes >= LONG_FLIGHT) == far
        and (far or (city.country.currency != "EUR") == foreign)
        and city.country.code not in ("DE", "AT", "NL")
    ] + ([city for city in world.cities if city.country.code == "DE"] if sort == "car" else [])


def _dates(source: random.Random, opened: date, sort: Sort, city: City) -> tuple[date, int]:
    """Some trips start on a Sunday or end on a Saturday; a stay abroad lies within one week."""
    if city.minutes >= LONG_FLIGHT:
        return opened - timedelta(days=opened.weekday()), 4
    if sort == "abroad":
        return opened + timedelta(days=(WEDNESDAY - opened.weekday()) % 7), 3
    if sort == "car":
        monday = opened - timedelta(days=opened.weekday())
        return monday + timedelta(days=source.randrange(3)), 2
    sunday = opened + timedelta(days=(SUNDAY - opened.weekday()) % 7)
    return sunday, 3 if sort != "congress" else source.randrange(4, 6)


class _Turns:
    """Whose turn it is: departments and people go round, cities do not come back at once."""

    def __init__(self, source: random.Random, world: World) -> None:
        self._random = source
        self._people: Mapping[str, Sequence[Employee]] = world.people
        self._departments = list(world.departments)
        self._next = 0
        self._trips: dict[str, int] = {}
        self._back: dict[str, date] = {}
        self._recent: list[City] = []

    def department(self) -> Department:
        self._next += 1
        return self._departments[(self._next - 1) % len(self._departments)]

    def person(self, department: Department, first: date, last: date) -> Employee:
        """The one with the fewest trips who is not away; leads travel too, heads do not."""
        group = self._people[department.name][1:]
        free = [p for p in group if self._back.get(p.number, START) < first] or group
        person = min(free, key=lambda p: (self._trips.get(p.number, 0), self._random.random()))
        self._trips[person.number] = self._trips.get(person.number, 0) + 1
        self._back[person.number] = last
        return person

    def city(self, choice: Sequence[City]) -> City:
        fresh = [city for city in choice if city not in self._recent] or list(choice)
        city = self._random.choice(fresh)
        self._recent = [*self._recent[-RECENT:], city]
        return city


def _months(source: random.Random, world: World, parameters: ExpensesParameters) -> list[_Slot]:
    """Two people of one department and month on end, so that reports of a team can be compared."""
    slots: list[_Slot] = []
    cells = [
        (month, department)
        for month in range(parameters.months)
        for department in world.departments
    ]
    rounds = 1 + parameters.monthly // max(1, 2 * len(cells))
    people = {
        (month, department.name): source.sample(world.people[department.name][1:], 2 * rounds)
        if 2 * rounds <= len(world.people[department.name]) - 1
        else list(world.people[department.name][1:])
        for month, department in cells
    }
    chosen = _spread(cells, parameters.monthly)
    for order, (month, department) in enumerate(chosen):
        last = month_end(month)
        first = last.replace(day=1)
        person = people[month, department.name].pop()
        slots.append(_Slot(last, order, month=Month("", person, first, last)))
    return slots


def _spread(cells: Sequence[tuple[int, Department]], count: int) -> list[tuple[int, Department]]:
    """Pairs of reports over the cells, evenly; the last of an odd count joins the first pair."""
    pairs = (count + 1) // 2
    chosen = []
    for index in range(pairs):
        cell = cells[index * len(cells) // pairs if pairs <= len(cells) else index % len(cells)]
        chosen += [cell, cell]
    return chosen[:count]
