"""The words of the YAML files beside this module, as typed values."""

from __future__ import annotations

import importlib.resources
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from typing import Any

import yaml

from authoring.artefacts import Value
from generators.detectors.expenses.forms import Words


class Country(Value):
    """A country with its VAT rates in per cent; empty where no input VAT is recovered."""

    name: str
    code: str
    currency: str
    standard: str
    lodging: str
    meals: str
    transport: str


class CityWords(Value):
    """A city, its country's code, and what it costs in EUR before a world departs from it."""

    city: str
    country: str
    cap: int
    full: int
    minutes: int
    """Of the flight."""
    airport: str
    at: tuple[float, float]
    """Degrees north and east."""


class SiteWords(Value):
    """Where departments sit."""

    city: str
    country: str
    airport: str
    at: tuple[float, float]
    """Degrees north and east."""


class Places(Value):
    """`places.yaml`."""

    countries: tuple[Country, ...]
    rates: Mapping[str, Decimal]
    cities: tuple[CityWords, ...]
    sites: tuple[SiteWords, ...]

    def country(self, code: str) -> Country:
        """By code."""
        return next(country for country in self.countries if country.code == code)


class People(Value):
    """`people.yaml`."""

    companies: Words
    trades: Words
    departments: Mapping[str, Words]
    """What each is sent for: names of jobs in `phrases.yaml`."""
    grades: Mapping[str, str]
    first: Words
    last: Words


class Merchants(Value):
    """`merchants.yaml`."""

    airlines: Words
    railways: Words
    conferences: Words
    software: Words
    equipment: Words
    room_words: Words
    hotel_extras: Words
    dishes: tuple[tuple[str, int, int], ...]
    """Name, least and most it costs in EUR cents."""
    desserts: tuple[tuple[str, int, int], ...]
    drinks: tuple[tuple[str, int, int], ...]
    hot_drinks: tuple[tuple[str, int, int], ...]
    wines: tuple[tuple[str, int, int], ...]
    """Paid apart; what else holds alcohol, too."""
    paid_apart: Words
    """How a receipt takes a drink off again."""


class Local(Value):
    """Who is paid and met where one language is spoken."""

    hotels: Words
    hotel_stems: Words
    restaurants: Words
    restaurant_stems: Words
    taxis: Words
    taxi_stems: Words
    transit: Words
    parking: Words
    parking_stems: Words
    streets: Words
    """With `{n}` for the number of the house."""
    waiters: Words
    wines: Words
    """Names of some of `Merchants.wines` that are drunk there."""
    guests: Words
    customers: Words


class Home(Value):
    """The shops of a country in which departments sit."""

    telecom: Words
    stationers: Words
    booksellers: Words
    couriers: Words
    equipment_shops: Words


class Locals(Value):
    """`locals.yaml`."""

    languages: Mapping[str, str]
    """By country."""
    everywhere: Words
    """Wines that are drunk in every country."""
    locals: Mapping[str, Local]
    homes: Mapping[str, Home]

    def of(self, country: str) -> Local:
        """By code of the country."""
        return self.locals[self.languages[country]]

    def wines(self, country: str) -> tuple[tuple[str, int, int], ...]:
        """What is drunk in a country, as in `merchants.yaml`."""
        names = {*self.everywhere, *self.of(country).wines}
        return tuple(one for one in read_merchants().wines if one[0].split(",")[0] in names)


class Journeys(Value):
    """How people write of a day on which they only travelled."""

    out: Words
    after: Words
    before: Words
    home: Words


class Work(Value):
    """Verbs, objects and details that all go with each other."""

    verbs: Words
    """In the past tense: `checked`."""
    objects: Words
    details: Words


class Job(Value):
    """What people of a department are sent for."""

    work: Words
    """Names of the groups of work that it consists of."""
    aims: Words
    reasons: Words
    outcomes: Words
    others: Words
    """Who worked beside them."""


class Opinion(Value):
    """What an approver thinks of one matter, and the reasons that go with it."""

    say: Words
    why: Words


class Phrases(Value):
    """`phrases.yaml`."""

    work: Mapping[str, Work]
    journeys: Journeys
    jobs: Mapping[str, Job]
    card_notes: Mapping[str, Words]
    taxi_from: Words
    taxi_to: Words
    taxi_words: Words
    taxi_whys: Words
    transit_notes: Words
    parking_notes: Words
    car_routes: Words
    lifts: Words
    errands: Words
    telecom_notes: Words
    office_notes: Words
    book_notes: Words
    courier_notes: Words
    commute_notes: Words
    software_notes: Words
    software_reasons: Words
    remarks: Words
    office_remarks: Words
    praise: Words
    office_praise: Words
    opinions: tuple[Opinion, ...]
    office_opinions: tuple[Opinion, ...]
    asides: Words
    office_asides: Words
    hotel_notes: Words
    restaurant_notes: Words
    merchant_codes: Mapping[str, str]
    room_details: Words
    night_details: Words


def _data(name: str) -> Any:
    source = importlib.resources.files("generators.expenses") / name
    return yaml.safe_load(source.read_text(encoding="utf-8"))


@cache
def read_places() -> Places:
    """Countries, cities, sites, rates of exchange."""
    return Places.model_validate(_data("places.yaml"))


@cache
def read_people() -> People:
    """The company, its departments, names."""
    return People.model_validate(_data("people.yaml"))


@cache
def read_merchants() -> Merchants:
    """Who is paid for what."""
    return Merchants.model_validate(_data("merchants.yaml"))


@cache
def read_locals() -> Locals:
    """Who is paid and met where."""
    return Locals.model_validate(_data("locals.yaml"))


@cache
def read_phrases() -> Phrases:
    """What diaries, memos and letters are made of."""
    return Phrases.model_validate(_data("phrases.yaml"))
