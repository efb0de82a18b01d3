"""The rules that papers are held against: the policy's thresholds, the staff list, the rates."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from generators.detectors.expenses.tables import date_in, decimal_in, read_tables
from generators.lines import split_lines

PERCENT_OF_MEAL = re.compile(r"(\d+) % (?:of the full day )?for (breakfast|lunch|dinner)")
MILEAGE = re.compile(r"EUR (\d+)\.(\d\d) per kilometre")
OTHER_MILEAGE = re.compile(
    r"EUR (\d+)\.(\d\d) with a (passenger)|a (motorcycle|bicycle) at EUR (\d+)\.(\d\d)"
)
CABIN = re.compile(r"less than (\d+) hours")
PURCHASE = re.compile(r"Equipment of more than EUR ([\d,]+)")
SPLIT = re.compile(r"within (\d+) days counts as one")
SECOND = re.compile(r"total of more than EUR ([\d,]+) needs a second approval")
TAXI = re.compile(r"Saturday or a Sunday the line of a taxi also gives the reason")
STAFF_HEAD = "number,name,mail,title,grade,cost centre,account"
STAFF_COLUMNS, CITY_COLUMNS, VAT_COLUMNS, AUTHORITY_COLUMNS = 7, 5, 6, 2
ALCOHOL = re.compile(r"Alcohol is not paid")


@dataclass(frozen=True)
class CityRule:
    """Limits of one city, in cents."""

    cap: int
    full: int
    travel: int


@dataclass(frozen=True)
class VatRule:
    """Rates of one country, in per cent."""

    standard: Decimal
    lodging: Decimal
    meals: Decimal
    transport: Decimal


@dataclass(frozen=True)
class PolicyPaper:
    """What the policy fixes. A rule that its text does not hold is None or empty."""

    cities: Mapping[str, CityRule]
    vat: Mapping[str, VatRule]
    authority: Mapping[str, int]
    """Cents, by grade."""
    meals: Mapping[str, int]
    """Per cent of a full day."""
    mileage: int | None
    """Cents a kilometre by private car."""
    other_mileage: Mapping[str, int]
    """With a `passenger`; by `motorcycle` and `bicycle`."""
    cabin_hours: int | None
    purchase: int | None
    split_days: int | None
    second: int | None
    weekend_taxi: bool
    no_alcohol: bool


@dataclass(frozen=True)
class Person:
    """Somebody on the staff list."""

    number: str
    name: str
    mail: str
    title: str
    grade: str
    cost_centre: str
    account: str


@dataclass(frozen=True)
class StaffPaper:
    """The staff list."""

    people: tuple[Person, ...]


@dataclass(frozen=True)
class RatesPaper:
    """Units of a currency for one euro, by currency and Monday."""

    rates: Mapping[tuple[str, date], Decimal]

    def of(self, currency: str, day: date) -> Decimal | None:
        """The rate of the week of a day."""
        return self.rates.get((currency, day - timedelta(days=day.weekday())))


def read_policy(text: str) -> PolicyPaper | None:
    """Take a policy apart; None where the text is none."""
    if not re.match(r"#\s.*\bpolicy\b", text, re.IGNORECASE):
        return None
    flat = " ".join(text.split())
    cities: dict[str, CityRule] = {}
    vat: dict[str, VatRule] = {}
    authority: dict[str, int] = {}
    for table in read_tables(text):
        subject, width = table.head[0].lower(), len(table.head)
        for row in table.rows:
            numbers = [_number(cell) for cell in row.cells]
            if len(numbers) != width:
                continue
            if subject == "city" and width == CITY_COLUMNS:
                cities[row.cells[0]] = CityRule(*(100 * int(n) for n in numbers[2:]))
            elif subject == "country" and width == VAT_COLUMNS:
                vat[row.cells[1]] = VatRule(*numbers[2:])
            elif subject == "grade" and width == AUTHORITY_COLUMNS:
                authority[row.cells[0]] = 100 * int(numbers[1])
    mileage = MILEAGE.search(flat)
    return PolicyPaper(
        cities=cities,
        vat=vat,
        authority=authority,
        meals={match[2]: int(match[1]) for match in PERCENT_OF_MEAL.finditer(flat)},
        mileage=int(mileage[1] + mileage[2]) if mileage else None,
        other_mileage=dict(_other_mileage(flat)),
        cabin_hours=_stated(CABIN, flat),
        purchase=_cents(_stated(PURCHASE, flat)),
        split_days=_stated(SPLIT, flat),
        second=_cents(_stated(SECOND, flat)),
        weekend_taxi=bool(TAXI.search(flat)),
        no_alcohol=bool(ALCOHOL.search(flat)),
    )


def _other_mileage(text: str) -> Iterator[tuple[str, int]]:
    for match in OTHER_MILEAGE.finditer(text):
        if match[3]:
            yield match[3], int(match[1] + match[2])
        else:
            yield match[4], int(match[5] + match[6])


def _number(cell: str) -> Decimal:
    return decimal_in(cell.replace(",", "")) or Decimal(0)


def _stated(pattern: re.Pattern[str], text: str) -> int | None:
    match = pattern.search(text)
    return int(match[1].replace(",", "")) if match else None


def _cents(euros: int | None) -> int | None:
    return None if euros is None else 100 * euros


def read_staff(text: str) -> StaffPaper | None:
    """The staff list, by its header."""
    lines = split_lines(text)
    if not lines or lines[0] != STAFF_HEAD:
        return None
    rows = [row for row in csv.reader(lines[1:]) if len(row) == STAFF_COLUMNS]
    return StaffPaper(tuple(_person(row) for row in rows))


def _person(row: list[str]) -> Person:
    number, name, mail, title, grade, cost_centre, account = row
    return Person(number, name, mail, title, grade, cost_centre, account.replace(" ", ""))


def read_rates(text: str) -> RatesPaper | None:
    """The table of rates, by its header."""
    lines = split_lines(text)
    if not lines or not lines[0].startswith("week of,"):
        return None
    currencies = lines[0].split(",")[1:]
    rates: dict[tuple[str, date], Decimal] = {}
    for line in lines[1:]:
        week, *cells = line.split(",")
        monday = date_in(week)
        for currency, cell in zip(currencies, cells, strict=False):
            rate = decimal_in(cell)
            if monday and rate:
                rates[currency, monday] = rate
    return RatesPaper(rates)
