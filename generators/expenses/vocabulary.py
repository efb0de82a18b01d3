"""The words of the YAML files beside this module, as typed values."""

from __future__ import annotations

import importlib.resources
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from typing import Any

import yaml

from authoring.artefacts import Value

Words = tuple[str, ...]


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
    departments: Words
    grades: Mapping[str, str]
    first: Words
    last: Words
    guests: Words
    customers: Words


class Merchants(Value):
    """`merchants.yaml`."""

    languages: Mapping[str, str]
    hotels: Words
    hotel_stems: Words
    restaurants: Mapping[str, Words]
    restaurant_stems: Words
    taxis: Words
    taxi_stems: Words
    transit: Words
    parking: Words
    parking_stems: Words
    airlines: Words
    railways: Words
    conferences: Words
    telecom: Words
    stationers: Words
    booksellers: Words
    couriers: Words
    software: Words
    equipment_shops: Words
    equipment: Words
    room_words: Words
    hotel_extras: Words
    streets: Words
    waiters: Words
    dishes: tuple[tuple[str, int, int], ...]
    """Name, least and most it costs in EUR cents."""
    desserts: tuple[tuple[str, int, int], ...]
    drinks: tuple[tuple[str, int, int], ...]
    hot_drinks: tuple[tuple[str, int, int], ...]


class Phrases(Value):
    """`phrases.yaml`."""

    aims: Words
    verbs: Words
    objects: Words
    details: Words
    outcomes: Words
    reasons_to_go: Words
    card_notes: Mapping[str, Words]
    taxi_from: Words
    taxi_to: Words
    taxi_words: Words
    taxi_whys: Words
    transit_notes: Words
    parking_notes: Words
    car_routes: Words
    telecom_notes: Words
    office_notes: Words
    book_notes: Words
    courier_notes: Words
    commute_notes: Words
    remarks: Words
    office_remarks: Words
    praise: Words
    opinions: Words
    grounds: Words
    asides: Words
    hotel_notes: Words
    restaurant_notes: Words
    merchant_codes: Mapping[str, str]
    room_details: Words


class StatementWords(Value):
    """How banks write the statements of card accounts."""

    delimiters: Words
    marks: Words
    """Of decimals."""
    titles: Words
    units: Words
    months: Words
    totals: Words
    columns: Mapping[str, Words]


class Layouts(Value):
    """`layouts.yaml`."""

    titles: Words
    fields: Mapping[str, Words]
    headings: Mapping[str, Words]
    columns: Mapping[str, Words]
    per_diem: Mapping[str, Words]
    summary: Mapping[str, Words]
    sums: Mapping[str, Words]
    vat: Mapping[str, Words]
    sign_off: Mapping[str, Words]
    keys: Mapping[str, Words]
    statements: StatementWords


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
def read_phrases() -> Phrases:
    """What diaries, memos and letters are made of."""
    return Phrases.model_validate(_data("phrases.yaml"))


@cache
def read_layouts() -> Layouts:
    """How forms, invoices and statements differ."""
    return Layouts.model_validate(_data("layouts.yaml"))
