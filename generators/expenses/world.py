"""One company with its departments, people, places, limits and rates of exchange, from a seed."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from generators.expenses.vocabulary import (
    CityWords,
    Country,
    SiteWords,
    read_people,
    read_places,
)
from generators.money import check_digits

START = date(2024, 1, 8)
"""A Monday: the first week of the table of rates."""
LEADS, STAFF = 2, 4
"""In each department, beside its head."""
TRAVEL_DAY_PERCENT = 60
"""Of a full day; per diems are multiples of five, so that this is whole euros."""
DIGITS = "0123456789"


@dataclass(frozen=True)
class Department:
    """A department, its cost centre and where it sits."""

    name: str
    cost_centre: str
    site: SiteWords
    country: Country
    jobs: tuple[str, ...] = ()
    """What its people are sent for."""

    @property
    def slug(self) -> str:
        """For file names."""
        return self.name.lower().replace(" ", "-")


@dataclass(frozen=True)
class Employee:
    """Somebody who travels or approves."""

    number: str
    name: str
    email: str
    title: str
    grade: str
    department: Department
    iban: str
    card: str
    """The last four digits of the company card."""
    extension: int
    """Of the telephone."""

    @property
    def first(self) -> str:
        """How colleagues address them."""
        return self.name.split()[0]


@dataclass(frozen=True)
class City:
    """A destination with the company's limits, in whole EUR."""

    name: str
    country: Country
    cap: int
    """A night, VAT included."""
    full: int
    """A full day."""
    travel: int
    """A day of departure or return."""
    minutes: int
    airport: str
    at: tuple[float, float]
    """Degrees north and east."""


@dataclass(frozen=True)
class Limits:
    """The thresholds of the policy."""

    mileage: int
    """Cents a kilometre by private car; the same with a passenger, by motorcycle, by bicycle."""
    passenger: int
    motorcycle: int
    bicycle: int
    breakfast: int
    """Per cent of a full day that a meal provided costs."""
    lunch: int
    dinner: int
    cabin_hours: int
    """Flights shorter than this are in economy."""
    purchase: int
    """EUR, above which a purchase needs an order."""
    split_days: int
    second: int
    """EUR, above which finance approves too."""
    authority: Mapping[str, int]
    """EUR up to which a grade approves."""


@dataclass(frozen=True)
class World:
    """All that recurs."""

    company: str
    short: str
    domain: str
    departments: tuple[Department, ...]
    people: Mapping[str, tuple[Employee, ...]]
    """By department: the head, the leads, the others."""
    director: Employee
    finance: Employee
    """Gives second approvals."""
    cities: tuple[City, ...]
    limits: Limits
    rates: Mapping[str, Mapping[date, Decimal]]
    """Units of a currency for one euro, by the Monday of the week."""

    def rate(self, currency: str, day: date) -> Decimal:
        """Of the week of a day."""
        return self.rates[currency][day - timedelta(days=day.weekday())]

    @property
    def staff(self) -> tuple[Employee, ...]:
        """Everybody, by number."""
        everybody = [person for group in self.people.values() for person in group]
        return tuple(sorted([*everybody, self.director, self.finance], key=lambda p: p.number))


class _Maker:
    """Draws people; remembers names, so that none is given twice."""

    def __init__(self, source: random.Random, domain: str) -> None:
        self.random = source
        self.domain = domain
        words = read_people()
        self.grades = words.grades
        self.firsts, self.lasts = words.first, words.last
        self.taken: set[str] = set()
        self.numbers = source.sample(range(1000, 10000), 400)
        self.cards = source.sample(range(1000, 10000), 400)
        self.extensions = source.sample(range(100, 1000), 400)

    def person(self, grade: str, title: str, department: Department, others: set[str]) -> Employee:
        """`others`: first names in the department, which none shares."""
        while True:
            first, last = self.random.choice(self.firsts), self.random.choice(self.lasts)
            if f"{first} {last}" not in self.taken and first not in others:
                break
        self.taken.add(f"{first} {last}")
        others.add(first)
        return Employee(
            number=f"E{self.numbers.pop()}",
            name=f"{first} {last}",
            email=f"{first}.{last}@{self.domain}".lower(),
            title=title,
            grade=self.grades[grade],
            department=department,
            iban=draw_iban(self.random, department.country.code),
            card=str(self.cards.pop()),
            extension=self.extensions.pop(),
        )

    def group(self, department: Department) -> tuple[Employee, ...]:
        named: set[str] = set()
        name = department.name
        head = self.person("head", f"Head of {name}", department, named)
        leads = [self.person("lead", f"Team Lead, {name}", department, named) for _ in range(LEADS)]
        staff = [
            self.person("specialist", f"Specialist, {name}", department, named)
            for _ in range(STAFF)
        ]
        return (head, *leads, *staff)


def draw_iban(source: random.Random, country: str) -> str:
    """A valid account number of Germany, Austria or the Netherlands, without spaces."""
    if country == "NL":
        bank = "".join(source.choice("ABCDEFGHIKLMNPRSTUVW") for _ in range(4))
        account = bank + "".join(source.choice(DIGITS) for _ in range(10))
    else:
        length = 18 if country == "DE" else 16
        account = source.choice("123456789")
        account += "".join(source.choice(DIGITS) for _ in range(length - 1))
    return f"{country}{check_digits(country, account)}{account}"


def build_world(source: random.Random, departments: int, weeks: int) -> World:
    """The world of one seed, with rates for so many weeks."""
    people, places = read_people(), read_places()
    short, trade = source.choice(people.companies), source.choice(people.trades)
    company = f"{short} {trade}"
    maker = _Maker(source, f"{ascii_slug(short)}.example")
    sites = source.sample(places.sites, len(places.sites))
    centres = source.sample(range(41, 99), departments)
    made = tuple(
        Department(
            name,
            f"{centre}{source.randrange(10)}0",
            sites[index % len(sites)],
            places.country(sites[index % len(sites)].country),
            people.departments[name],
        )
        for index, (name, centre) in enumerate(
            zip(sorted(source.sample(list(people.departments), departments)), centres, strict=True)
        )
    )
    board = Department("Management", "1000", sites[0], places.country(sites[0].country))
    named: set[str] = set()
    return World(
        company=company,
        short=short,
        domain=maker.domain,
        departments=made,
        people={department.name: maker.group(department) for department in made},
        director=maker.person("director", "Director of Operations", board, named),
        finance=maker.person("director", "Director of Finance", board, named),
        cities=tuple(_city(source, words) for words in places.cities),
        limits=_limits(source, people.grades),
        rates={currency: _walk(source, start, weeks) for currency, start in places.rates.items()},
    )


def _city(source: random.Random, words: CityWords) -> City:
    full = words.full + source.choice((-5, 0, 0, 5))
    return City(
        name=words.city,
        country=read_places().country(words.country),
        cap=words.cap + 5 * source.randrange(-2, 4),
        full=full,
        travel=full * TRAVEL_DAY_PERCENT // 100,
        minutes=words.minutes + 5 * source.randrange(-1, 2),
        airport=words.airport,
        at=words.at,
    )


def _limits(source: random.Random, grades: Mapping[str, str]) -> Limits:
    mileage = source.choice((28, 30, 30, 32))
    return Limits(
        mileage=mileage,
        passenger=mileage + source.choice((4, 5, 6)),
        motorcycle=source.choice((18, 20)),
        bicycle=source.choice((8, 10)),
        breakfast=20,
        lunch=30,
        dinner=40,
        cabin_hours=source.choice((5, 6)),
        purchase=source.choice((350, 400, 450)),
        split_days=source.choice((7, 10)),
        second=source.choice((1900, 2000, 2200)),
        authority={
            grades["lead"]: source.choice((750, 800)),
            grades["head"]: source.choice((3500, 4000)),
            grades["director"]: 12000,
        },
    )


def _walk(source: random.Random, start: Decimal, weeks: int) -> dict[date, Decimal]:
    """Rates that move by less than one per cent a week and never stay the same."""
    rate, rates = start, {}
    for week in range(-1, weeks):
        rates[START + timedelta(weeks=week)] = rate
        step = source.choice((-1, 1)) * source.randrange(15, 80)
        rate = (rate * (10000 + step) / 10000).quantize(Decimal("0.0001"))
    return rates


def ascii_slug(text: str) -> str:
    """Lower case, letters and digits only, joined by hyphens."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    words = "".join(c if c.isalnum() else " " for c in plain).split()
    return "-".join(words)
