"""When and by whom: the trips and monthly reports of a corpus, before anything is claimed.

What a trip is like goes round in fives, so that any five trips on end hold every sort: two
colleagues together, a foreign currency, a car, a congress or a long flight. Months have equally
many trips, and the departments take turns at the sorts: wherever one looks, there is every sort.
"""

from __future__ import annotations

import math
import random
from calendar import monthrange
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from authoring.artefacts import Value
from generators.expenses.claims import CONGRESS
from generators.expenses.vocabulary import Job, Locals
from generators.expenses.wording import HOLIDAYS
from generators.expenses.world import START, City, Department, Employee, World

Sort = Literal["pair", "partner", "abroad", "car", "congress"]
SORTS: tuple[Sort, ...] = ("pair", "partner", "abroad", "car", "congress")
WEEKS_AFTER = 8
"""Of rates beyond the last month."""
SHAPES: Mapping[Sort, int] = {"pair": 0, "partner": 1, "abroad": 2, "car": 1, "congress": 0}
"""Of the papers of the first five trips: see `Trip.shape`."""
FIRST_DAY = 8
"""Of a month: a trip that starts a few days earlier still starts in it."""
MARGIN, LAST_MARGIN = 9, 14
"""Days before the end of a month in which no trip starts; of the last month, none ends later."""
NEAR = 5
"""So many of the cities are near enough to go there by car."""
SUNDAY = 6
WEDNESDAY = 2
LONG_FLIGHT = 300
"""Minutes."""
RECENT = 3
"""A city is not visited again by the next few trips."""


class ExpensesParameters(Value):
    """How much there is. Invoices, receipts, statements and approvals follow from the reports."""

    trips: Annotated[int, Field(ge=1, le=800, description="reports of trips")] = 15
    monthly: Annotated[int, Field(ge=1, le=300, description="reports of a month's expenses")] = 6
    departments: Annotated[int, Field(ge=1, le=14, description="departments that travel")] = 4
    months: Annotated[int, Field(ge=1, le=11, description="months, from January 2024")] = 3

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
    job: str
    """In `phrases.yaml`."""
    aim: str
    customer: str
    shape: int
    """0 to 2: whether what is claimed stands early, in the middle or late in its papers."""

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
    shape: int
    """As that of a trip."""
    order: bool
    """Whether something dear was bought, on an order."""


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
    jobs: Mapping[str, Job],
    places: Locals,
) -> Plan:
    """Draw dates, people and places, and number the reports by when they were opened."""
    slots = [
        *_trips(source, world, parameters, jobs, places),
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
    jobs: Mapping[str, Job],
    places: Locals,
) -> list[_Slot]:
    turns = _Turns(source, world)
    slots: list[_Slot] = []
    before: Trip | None = None
    for order, opened in enumerate(_opening_days(parameters)):
        block, turn = divmod(order, len(SORTS))
        sort = SORTS[turn]
        shape = (SHAPES[sort] + block) % 3
        if sort == "partner" and before:
            colleague = turns.person(before.employee.department, before.first, before.last)
            trip = replace(before, sort=sort, employee=colleague, shape=shape)
            opened = slots[-1].opened
        else:
            # Two colleagues share a turn; in the next five trips each department has another sort.
            department = world.departments[(max(turn - 1, 0) + block) % len(world.departments)]
            city = turns.city(_cities_for(world, sort, block, department))
            first, nights = _dates(source, opened, sort, city)
            if HOLIDAYS & {first + timedelta(days=day) for day in range(nights + 1)}:
                first -= timedelta(weeks=1)
            job = CONGRESS if sort == "congress" else source.choice(department.jobs)
            trip = Trip(
                number="",
                sort=sort,
                employee=turns.person(department, first, first + timedelta(days=nights)),
                city=city,
                first=first,
                nights=nights,
                job=job,
                aim=turns.fresh(jobs[job].aims),
                customer=turns.fresh(places.of(city.country.code).customers),
                shape=shape,
            )
        slots.append(_Slot(opened, order, trip=trip))
        before = trip
    return slots


def _opening_days(parameters: ExpensesParameters) -> list[date]:
    """The same number of trips in every month, over as many of its days as may be."""
    count, months = parameters.trips, parameters.months
    days = []
    for month in range(months):
        orders = range(math.ceil(month * count / months), math.ceil((month + 1) * count / months))
        end = month_end(month)
        first = end.replace(day=FIRST_DAY)
        margin = LAST_MARGIN if month == months - 1 else MARGIN
        span = (end - first).days - margin
        days += [first + timedelta(days=span * n // len(orders)) for n in range(len(orders))]
    return days


def _cities_for(world: World, sort: Sort, block: int, department: Department) -> list[City]:
    """Every second congress is beyond the sea; by car one goes to places near by."""
    if sort == "car":
        euro = [city for city in world.cities if city.country.currency == "EUR"]
        away = [city for city in euro if city.country.code != department.country.code]
        return sorted(away, key=lambda city: math.dist(city.at, department.site.at))[:NEAR]
    far = sort == "congress" and block % 2 == 1
    foreign = sort == "abroad"
    return [
        city
        for city in world.cities
        if (city.minutes >= LONG_FLIGHT) == far
        and (far or (city.country.currency != "EUR") == foreign)
        and city.country.code not in ("DE", "AT", "NL")
    ]


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
        self._trips: dict[str, int] = {}
        self._back: dict[str, date] = {}
        self._recent: list[City] = []
        self._drawn: list[str] = []

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

    def fresh(self, choice: Sequence[str]) -> str:
        """One of several that no trip had lately."""
        free = [one for one in choice if one not in self._drawn] or list(choice)
        drawn = self._random.choice(free)
        self._drawn = [*self._drawn[-3 * len(SORTS) :], drawn]
        return drawn


def _months(source: random.Random, world: World, parameters: ExpensesParameters) -> list[_Slot]:
    """Two people of one department and month on end, so that reports of a team can be compared.

    A report is opened, and numbered, when its first receipt comes in.
    """
    slots: list[_Slot] = []
    pairs = (parameters.monthly + 1) // 2
    people: dict[tuple[int, str], list[Employee]] = {}
    for order in range(parameters.monthly):
        pair, member = divmod(order, 2)
        month = pair * parameters.months // pairs
        department = world.departments[(pair + 1) % len(world.departments)]
        group = world.people[department.name][1:]
        waiting = people.setdefault((month, department.name), source.sample(group, len(group)))
        last = month_end(month)
        first = last.replace(day=1)
        opened = first + timedelta(days=source.randrange(3, last.day))
        report = Month("", waiting.pop(), first, last, (pair + member) % 3, order=member == 0)
        slots.append(_Slot(opened, order, month=report))
    return slots
