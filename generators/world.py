"""A seeded world: one client company, its vendors, their people, addresses, rates and prices.

Every generator that needs companies takes them from here, so that a name, an address or a rate is
the same wherever it occurs. Of Faker only `first_name` and `last_name` of the pinned locale are
used: its word lists change between releases, and with them the bytes of a world. All else comes
from `world_vocabulary.yaml`.
"""

from __future__ import annotations

import importlib.resources
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Annotated

import yaml
from faker import Faker
from pydantic import Field

from authoring.artefacts import Value
from authoring.errors import UserError

LOCALE = "en_US"
SITES = 3
FRIDAY = 4
RATE_STEP = 10
"""Day rates are whole tens of dollars."""

Range = Annotated[tuple[int, int], Field(description="least and most")]


class Form(Value):
    """A legal form, as it ends a name and as a preamble spells it out."""

    short: str
    long: str


class City(Value):
    """A city with its state and the first digits of its postcodes."""

    city: str
    state: str
    code: str
    prefix: str


class Project(Value):
    """Something a vendor may be asked to do once."""

    name: str
    aim: str
    """A verb phrase: "replace the boilers"."""


class Trade(Value):
    """What a vendor does, and the words for it."""

    name: str
    lines: tuple[str, ...]
    """Second words of company names."""
    purpose: str
    services: tuple[str, ...]
    projects: tuple[Project, ...]
    deliverables: tuple[str, ...]
    roles: Mapping[str, Range]
    """US dollars a day."""
    products: Mapping[str, Range]
    """US dollars a year per unit."""
    subjects: tuple[str, ...]
    """Whose personal data the vendor sees."""
    data: tuple[str, ...]


class Vocabulary(Value):
    """The words of `world_vocabulary.yaml`."""

    stems: tuple[str, ...]
    more_stems: tuple[str, ...]
    """Used once there are no `stems` left."""
    forms: tuple[Form, ...]
    places: tuple[City, ...]
    streets: tuple[str, ...]
    vendor_signatories: tuple[str, ...]
    vendor_managers: tuple[str, ...]
    client_signatories: tuple[str, ...]
    client_sponsors: tuple[str, ...]
    client_trades: tuple[str, ...]
    trades: tuple[Trade, ...]


@dataclass(frozen=True)
class Person:
    """Somebody who signs, manages or receives notices."""

    name: str
    role: str
    email: str


@dataclass(frozen=True)
class Company:
    """A legal person with one registered address."""

    name: str
    """In full: `Northgate Hosting, Inc.`"""
    short: str
    """`Northgate`"""
    slug: str
    """For file names: `northgate`"""
    domain: str
    """For mail: `northgatehosting.com`"""
    form: str
    state: str
    """Where it is organised."""
    street: str
    city: str

    @property
    def address(self) -> str:
        """The address on one line."""
        return f"{self.street}, {self.city}"


@dataclass(frozen=True)
class Rate:
    """What a day of one role costs, in whole US dollars."""

    role: str
    day: int


@dataclass(frozen=True)
class Product:
    """What a unit costs a year, in whole US dollars."""

    name: str
    price: int


@dataclass(frozen=True)
class Vendor:
    """A vendor with the people who act for it and what it charges."""

    company: Company
    trade: Trade
    signatory: Person
    manager: Person
    rates: tuple[Rate, ...]
    products: tuple[Product, ...]


@dataclass(frozen=True)
class World:
    """All that recurs."""

    client: Company
    client_trade: str
    signatory: Person
    counsel: Person
    privacy: Person
    sponsors: tuple[Person, ...]
    sites: tuple[str, ...]
    """Cities in which the client has premises, the head office first."""
    vendors: tuple[Vendor, ...]


def read_vocabulary() -> Vocabulary:
    """The vocabulary that ships beside this module."""
    source = importlib.resources.files("generators") / "world_vocabulary.yaml"
    return Vocabulary.model_validate(yaml.safe_load(source.read_text(encoding="utf-8")))


class _Maker:
    """Draws companies and people; remembers names so that none is given twice."""

    def __init__(self, vocabulary: Vocabulary, source: random.Random, companies: int) -> None:
        self.words = vocabulary
        self.random = source
        self.faker = Faker(LOCALE)
        self.faker.seed_instance(source.getrandbits(32))
        self.stems = source.sample(vocabulary.stems, len(vocabulary.stems))
        if companies > len(self.stems):
            more = source.sample(vocabulary.more_stems, len(vocabulary.more_stems))
            self.stems = more + self.stems
        self.names: list[str] = []

    def person(self, role: str, company: Company) -> Person:
        while True:
            first, last = self.faker.first_name(), self.faker.last_name()
            if f"{first} {last}" not in self.names:
                break
        self.names.append(f"{first} {last}")
        local = f"{first}.{last}".lower().replace("'", "")
        return Person(f"{first} {last}", role, f"{local}@{company.domain}")

    def company(self, second: str, place: City) -> Company:
        stem = self.stems.pop()
        form = self.random.choice(self.words.forms)
        slug = stem.lower().replace(" ", "")
        # Most are organised in Delaware, as in life; the rest at home.
        state = self.random.choice(["Delaware", "Delaware", place.state])
        comma = "," if form.short in ("Inc.", "L.P.") else ""
        return Company(
            name=f"{stem} {second}{comma} {form.short}",
            short=stem,
            slug=slug,
            domain=f"{slug}{second.split()[0].lower()}.com",
            form=form.long,
            state=state,
            street=f"{self.random.randrange(10, 990)} {self.random.choice(self.words.streets)}",
            city=f"{place.city}, {place.code} {place.prefix}{self.random.randrange(1, 99):02}",
        )

    def vendor(self, trade: Trade, place: City) -> Vendor:
        company = self.company(self.random.choice(trade.lines), place)
        return Vendor(
            company=company,
            trade=trade,
            signatory=self.person(self.random.choice(self.words.vendor_signatories), company),
            manager=self.person(self.random.choice(self.words.vendor_managers), company),
            rates=tuple(
                Rate(role, self.random.randrange(low, high + 1, RATE_STEP))
                for role, (low, high) in trade.roles.items()
            ),
            products=tuple(
                Product(name, self.random.randrange(low, high + 1))
                for name, (low, high) in trade.products.items()
            ),
        )


def _dealt(source: random.Random, items: Sequence[Trade], count: int) -> list[Trade]:
    """Like dealing from shuffled packs: nothing comes twice before everything came once."""
    dealt: list[Trade] = []
    while len(dealt) < count:
        dealt.extend(source.sample(items, len(items)))
    return dealt[:count]


def build_world(source: random.Random, vendors: int) -> World:
    """The world of one seed. Raises UserError where there are fewer names than companies."""
    vocabulary = read_vocabulary()
    most = len(vocabulary.stems) + len(vocabulary.more_stems) - 1
    if vendors > most:
        raise UserError(f"a world has names for {most} vendors, {vendors} were asked for")
    maker = _Maker(vocabulary, source, vendors + 1)
    home, *elsewhere = source.sample(vocabulary.places, SITES)
    client = maker.company("Industries", home)
    return World(
        client=client,
        client_trade=source.choice(vocabulary.client_trades),
        signatory=maker.person(source.choice(vocabulary.client_signatories), client),
        counsel=maker.person("General Counsel", client),
        privacy=maker.person("Data Protection Officer", client),
        sponsors=tuple(maker.person(role, client) for role in vocabulary.client_sponsors),
        sites=tuple(f"{place.city}, {place.code}" for place in (home, *elsewhere)),
        vendors=tuple(
            maker.vendor(trade, source.choice(vocabulary.places))
            for trade in _dealt(source, vocabulary.trades, vendors)
        ),
    )


def business_day(source: random.Random, first: date, last: date) -> date:
    """A day from Monday to Friday in a range, both ends in."""
    day = first + timedelta(days=source.randrange((last - first).days + 1))
    while day.weekday() > FRIDAY:
        day -= timedelta(days=1)
    return day
