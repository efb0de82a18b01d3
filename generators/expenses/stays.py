"""Nights and dinners: what hotels and restaurants are paid, and the papers that they give."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

from generators.expenses.claims import OWN, HotelBill, HotelLine, MealLine, MealSlip
from generators.expenses.purse import Purse, Spent
from generators.expenses.vocabulary import read_locals

MOST_GUESTS = 2
APART_OF_FIVE = 3
"""So many of five receipts hold an alcoholic drink that was paid apart."""
CHEAPEST, DEAREST = 740, 940
"""Of a thousand parts of the cap: what a night costs."""


def pay_lodging(purse: Purse, hotel: str) -> None:
    """Each night a row, all on one charge of the card and one number."""
    trip, country, numbers = purse.trip, purse.country, purse.numbers
    charge, number = numbers.charge(trip.last), numbers.receipt(trip.last, hotel)
    room = purse.phrases.pick(purse.shops.room_words)
    words = purse.phrases.words
    room_detail = purse.phrases.pick(words.room_details)
    postings = numbers.nights(trip.nights + 1)
    lines: list[HotelLine] = []
    for night in range(trip.nights):
        day = purse.day(night)
        part = purse.random.randrange(CHEAPEST, DEAREST)
        gross = purse.local(trip.city.cap * 100 * part // 1000, 50)
        text = f"{room.lower()}, night {night + 1} of {trip.nights}"
        spent = Spent(hotel, text, gross, purse.vat(country.lodging), charge, number, trip.last)
        purse.pay(day, "Lodging", spent)
        detail = f"{room}, {room_detail}"
        if purse.random.randrange(2):
            detail += f", {purse.phrases.pick(words.night_details)}"
        percent = Decimal(country.lodging or 0)
        lines.append(HotelLine(postings[night], day, detail, gross, percent))
    if trip.sort in ("partner", "abroad", "congress") and country.standard:
        lines.append(_extra(purse, hotel, postings[-1], charge, number))
        purse.claimed.bills.append(
            HotelBill(
                number=number,
                hotel=hotel,
                city=trip.city,
                guest=trip.employee,
                arrival=trip.first,
                departure=trip.last,
                currency=country.currency,
                shape=trip.shape,
                lines=tuple(lines),
            )
        )


def _extra(purse: Purse, hotel: str, posting: str, charge: str, number: str) -> HotelLine:
    """Something at the standard rate, on the last evening."""
    extra, day = purse.random.choice(purse.shops.hotel_extras), purse.day(purse.trip.nights - 1)
    gross = purse.local(purse.between(1200, 4800, 50), 50)
    vat = purse.vat(purse.country.standard)
    purse.pay(
        day, "Other", Spent(hotel, extra.lower(), gross, vat, charge, number, purse.trip.last)
    )
    percent = Decimal(purse.country.standard)
    return HotelLine(posting, day, extra, gross, percent)


def pay_dinner(purse: Purse, restaurant: str) -> date:
    """A business meal on the second day, with its receipt. Gives the day."""
    trip, country = purse.trip, purse.country
    day = trip.first + timedelta(days=1)
    count = purse.random.randrange(1, MOST_GUESTS + 1)
    guests = purse.random.sample(purse.local_words.guests, count)
    by_card = bool(purse.random.randrange(2))
    slip = MealSlip(
        number=purse.numbers.receipt(day, restaurant),
        restaurant=restaurant,
        city=trip.city,
        day=day,
        currency=country.currency,
        covers=len(guests) + 1,
        percent=Decimal(country.meals or 0),
        card=trip.employee.card if by_card else "",
        shape=trip.shape,
        lines=_courses(purse, len(guests) + 1),
    )
    purse.claimed.slips.append(slip)
    text = f"dinner with {' and '.join(guests)}, {trip.customer}"
    payer = purse.numbers.charge(day) if by_card else OWN
    spent = Spent(restaurant, text, slip.gross, purse.vat(country.meals), payer, slip.number)
    purse.pay(day, "Business meal", spent)
    return day


def _courses(purse: Purse, covers: int) -> tuple[MealLine, ...]:
    shops, draw = purse.shops, purse.random
    dishes = [(one, 1) for one in draw.sample(shops.dishes, covers)]
    dishes += [(one, 1) for one in draw.sample(shops.desserts, draw.randrange(1, covers + 1))]
    drinks = [(one, draw.randrange(1, 3)) for one in draw.sample(shops.drinks, 3)]
    chosen = [*dishes, *drinks] if purse.trip.shape else [*drinks, *dishes]
    chosen += [(draw.choice(shops.hot_drinks), covers)]
    lines = [
        MealLine("", name, times, purse.local(purse.between(least, most)))
        for (name, least, most), times in chosen
    ]
    if draw.randrange(5) < APART_OF_FIVE:
        wine, *off = _apart(purse)
        lines.insert(draw.randrange(len(lines)), wine)
        lines += off
    postings = purse.numbers.courses(len(lines))
    return tuple(replace(line, id=posting) for line, posting in zip(lines, postings, strict=True))


def _apart(purse: Purse) -> Iterator[MealLine]:
    """A drink that the company does not pay, and the line that takes it off again."""
    name, least, most = purse.random.choice(read_locals().wines(purse.country.code))
    price = purse.local(purse.between(least, most))
    off = purse.random.choice(purse.shops.paid_apart).format(drink=name)
    yield MealLine("", name, 1, price)
    yield MealLine("", off, 1, -price)
