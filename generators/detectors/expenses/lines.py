"""Rules that one line of a report breaks by itself, held against the policy."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from generators.detectors.detector import Evidence
from generators.detectors.expenses.desk import Desk, line
from generators.money import to_euro

SATURDAY = 5
REASON = re.compile(r"\b(?:because|since|as|due to|owing to|for lack of|reason)\b", re.IGNORECASE)
PER_KILOMETRE = re.compile(r"(\d+(?:\.\d+)?) km at (?:EUR )?(\d+)\.(\d\d)")
FLIGHT_TIME = re.compile(r"\b(\d+) h (\d\d)\b")
PREMIUM = re.compile(r"\b(?:business|first)(?: class)?\b", re.IGNORECASE)
COMPANION = re.compile(r"\bwith\s+[A-Z]")


def room_above_cap(desk: Desk) -> Iterator[Evidence]:
    """A night costs more than the cap of the city."""
    cities = desk.policy.cities if desk.policy else {}
    for one in desk.claims:
        rule = cities.get(one.report.city)
        if one.claim.category == "Lodging" and rule and one.claim.euro > rule.cap:
            yield one.evidence


def weekend_taxi(desk: Desk) -> Iterator[Evidence]:
    """A taxi on a Saturday or Sunday without a reason."""
    if not (desk.policy and desk.policy.weekend_taxi):
        return
    for one in desk.claims:
        weekend = one.claim.day.weekday() >= SATURDAY
        if one.claim.category == "Taxi" and weekend and not REASON.search(one.claim.description):
            yield one.evidence


def mileage(desk: Desk) -> Iterator[Evidence]:
    """A kilometre is paid at more than the policy's rate for the vehicle that the line names."""
    if desk.policy is None:
        return
    other, car = desk.policy.other_mileage, desk.policy.mileage
    for one in desk.claims:
        text = one.claim.description
        rate = next((cents for name, cents in other.items() if name in text), car)
        match = PER_KILOMETRE.search(text)
        if rate is not None and match and int(match[2] + match[3]) > rate:
            yield one.evidence


def cabin(desk: Desk) -> Iterator[Evidence]:
    """A short flight in another cabin than economy."""
    hours = desk.policy.cabin_hours if desk.policy else None
    for one in desk.claims:
        time = FLIGHT_TIME.search(one.claim.description)
        if hours is None or not time or one.claim.category != "Flights":
            continue
        if int(time[1]) < hours and PREMIUM.search(one.claim.description):
            yield one.evidence


def outside_dates(desk: Desk) -> Iterator[Evidence]:
    """A line dated before the first or after the last day of its report."""
    if not desk.policy:
        return
    for one in desk.claims:
        if not one.report.first <= one.claim.day <= one.report.last:
            yield one.evidence


def exchange_rate(desk: Desk) -> Iterator[Evidence]:
    """A foreign amount at another rate than that of its week, or divided wrongly."""
    table = desk.rates
    for one in desk.claims:
        rate = table.of(one.claim.currency, one.claim.day) if table else None
        if rate is None:
            continue
        stated = one.claim.rate
        if stated != rate or one.claim.euro != to_euro(one.claim.amount, rate):
            yield one.evidence


def guests_unnamed(desk: Desk) -> Iterator[Evidence]:
    """A business meal whose line names no guest."""
    for one in desk.claims if desk.policy else ():
        meal = one.claim.category == "Business meal"
        if meal and not COMPANION.search(one.claim.description):
            yield one.evidence


def allowance(desk: Desk) -> Iterator[Evidence]:
    """A per diem of a kind that the day does not have, at another rate, or with less taken off."""
    policy = desk.policy
    if policy is None:
        return
    for path, report in desk.reports.items():
        rule = policy.cities.get(report.city)
        for one in report.allowances:
            full = report.first < one.day < report.last
            base = (rule.full if full else rule.travel) if rule else one.allowance
            share = sum(policy.meals.get(meal, 0) for meal in one.provided)
            off = Decimal((rule.full if rule else 0) * share) / 100
            if one.full != full or one.allowance > base or one.euro > one.allowance - off:
                yield line(path, one.line)
