"""What a trip costs, from the way there to the per diems."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from generators.expenses.claims import PerDiem
from generators.expenses.plan import LONG_FLIGHT
from generators.expenses.purse import Claimed, Purse, Spent
from generators.expenses.stays import pay_dinner, pay_lodging
from generators.money import share_of

SATURDAY = 5
RAIL_MINUTES = 110
"""Nearer places are reached by train now and then."""
SHORT_FARES, LONG_FARE = (7000, 21000), 58000
"""EUR cents one way."""
ABOVE_LIMIT = 15000
"""EUR cents by which a congress takes a report above the limit of second approval."""


@dataclass(frozen=True)
class Shared:
    """What two colleagues on one trip have in common: the ride that both take."""

    transit: str
    fare: int
    """EUR cents, about."""
    ride: str


def claim_trip(purse: Purse, hotel: str, restaurants: Sequence[str], shared: Shared) -> Claimed:
    """All that one trip costs. `restaurants`: one, or none where there is no business meal."""
    pay_lodging(purse, hotel)
    if purse.trip.sort == "car":
        _pay_drives(purse)
        for offset in range(purse.trip.nights):
            _pay_parking(purse, offset)
    else:
        by_rail = purse.trip.sort == "pair" and purse.trip.city.minutes < RAIL_MINUTES
        _pay_fares(purse, by_rail=by_rail)
        _pay_taxis(purse, "central station" if by_rail else "airport")
        fare, vat = purse.local(shared.fare), purse.vat(purse.country.transport)
        purse.pay(purse.day(1), "Public transport", Spent(shared.transit, shared.ride, fare, vat))
    dinners = {pay_dinner(purse, name) for name in restaurants}
    if purse.trip.sort == "congress":
        _pay_congress(purse)
    _allow(purse, dinners)
    return purse.claimed


WINDING = 1.25
"""How much longer a road is than the line as the crow flies, about."""
KILOMETRES_A_DEGREE = 111.2


def road_there_and_back(home: tuple[float, float], city: tuple[float, float]) -> int:
    """Kilometres by car, in tens: places far apart cost what they cost."""
    north = (city[0] - home[0]) * KILOMETRES_A_DEGREE
    middle = math.radians((city[0] + home[0]) / 2)
    east = (city[1] - home[1]) * KILOMETRES_A_DEGREE * math.cos(middle)
    return 20 * max(round(math.hypot(north, east) * WINDING / 10), 1)


def _pay_drives(purse: Purse) -> None:
    """Out and back; on the day between a short way with somebody from the customer."""
    trip, limits, words = purse.trip, purse.world.limits, purse.phrases.words
    home, kilometres = trip.employee.department.site, purse.random.randrange(14, 68, 2)
    leg = road_there_and_back(home.at, trip.city.at) // 2
    car, guest = purse.phrases.pick(words.car_routes), purse.random.choice(purse.local_words.guests)
    way = _way(home.city, trip.city.name, out=True)
    _pay_drive(purse, trip.first, f"{car}, {' to '.join(way)}", leg, limits.mileage)
    lift = f"own car, {purse.phrases.pick(words.lifts)}, passenger {guest}"
    _pay_drive(purse, purse.day(1), lift, kilometres, limits.passenger)
    back = f"{car}, {' to '.join(reversed(way))}"
    _pay_drive(purse, trip.last, back, leg, limits.mileage)


def _pay_drive(purse: Purse, day: date, text: str, kilometres: int, rate: int) -> None:
    log = purse.numbers.page(day, purse.trip.employee)
    text = f"{text}, {kilometres} km at 0.{rate:02}"
    spent = Spent("private car", text, kilometres * rate, receipt=log)
    purse.pay(day, "Mileage", spent, local=False)


def _pay_fares(purse: Purse, *, by_rail: bool) -> None:
    """Out and back, by train or by air, on the company card."""
    trip, site = purse.trip, purse.trip.employee.department.site
    far = trip.city.minutes >= LONG_FLIGHT
    line = purse.random.choice(purse.shops.railways if by_rail else purse.shops.airlines)
    base = LONG_FARE if far else purse.between(*SHORT_FARES)
    for day in (trip.first, trip.last):
        if by_rail:
            text = " to ".join(_way(site.city, trip.city.name, out=day == trip.first))
            text += ", second class"
        else:
            text = _flight(purse, _way(site.airport, trip.city.airport, out=day == trip.first))
        amount = base * purse.random.randrange(80, 125) // 100
        spent = Spent(line, text, amount, payer=purse.numbers.charge(day))
        purse.pay(day, "Rail" if by_rail else "Flights", spent, local=False)


def _way(home: str, there: str, *, out: bool) -> list[str]:
    return [home, there] if out else [there, home]


def _flight(purse: Purse, way: Sequence[str]) -> str:
    minutes = purse.trip.city.minutes + 5 * purse.random.randrange(-1, 2)
    cabin = "business" if minutes >= LONG_FLIGHT else "economy"
    code = f"{purse.random.choice('ABDKLNST')}{purse.random.randrange(2, 9)}"
    number = f"{code} {purse.random.randrange(200, 4000)}"
    return f"{number} {' to '.join(way)}, {cabin}, {minutes // 60} h {minutes % 60:02}"


def _pay_taxis(purse: Purse, arrival: str) -> None:
    """On the first two days and the last; at the weekend with a reason."""
    trip, words, pick = purse.trip, purse.phrases.words, purse.phrases.pick
    stem = purse.random.choice(purse.local_words.taxi_stems)
    firm = purse.random.choice(purse.local_words.taxis).format(city=trip.city.name, stem=stem)
    places = ("congress hall",) if trip.sort == "congress" else words.taxi_to
    back = purse.random.choice(("hotel", places[0]))
    routes = {
        trip.first: f"{arrival} to hotel",
        purse.day(1): f"{pick(words.taxi_from)} to {pick(places)}",
        trip.last: f"{back} to {arrival}",
    }
    for day, text in routes.items():
        if day.weekday() >= SATURDAY:
            text += f", {pick(words.taxi_words)} {pick(words.taxi_whys)}"
        fare = purse.local(purse.between(1100, 4200))
        purse.pay(day, "Taxi", Spent(firm, text, fare, purse.vat(purse.country.transport)))


def _pay_parking(purse: Purse, offset: int) -> None:
    local, day = purse.local_words, purse.day(offset)
    stem = purse.random.choice(local.parking_stems)
    house = purse.random.choice(local.parking).format(stem=stem)
    note = purse.phrases.pick(purse.phrases.words.parking_notes)
    amount, vat = purse.local(purse.between(600, 2400)), purse.vat(purse.country.standard)
    charge = purse.numbers.charge(day)
    purse.pay(day, "Parking", Spent(house, note, amount, vat, charge))


def _pay_congress(purse: Purse) -> None:
    """The fee is what takes the report above the limit of second approval."""
    so_far = sum(row.euro for row in purse.claimed.rows)
    least = purse.world.limits.second * 100 + ABOVE_LIMIT - so_far
    fee = purse.local(max(purse.between(68000, 124000, 500), least), 500)
    fair = purse.random.choice(purse.shops.conferences)
    note = purse.phrases.pick(purse.phrases.words.card_notes["Conference"])
    day = purse.day(1)
    vat, charge = purse.vat(purse.country.standard), purse.numbers.charge(day)
    purse.pay(day, "Conference", Spent(fair, note, fee, vat, charge))


def _allow(purse: Purse, dinners: set[date]) -> None:
    """A per diem for each day, less the meals that others paid or the company does."""
    trip, limits, draw = purse.trip, purse.world.limits, purse.random
    share = {"breakfast": limits.breakfast, "lunch": limits.lunch, "dinner": limits.dinner}
    for offset in range(trip.nights + 1):
        day = purse.day(offset)
        full = day not in (trip.first, trip.last)
        provided = ["dinner"] if day in dinners else []
        if full and draw.randrange(3) == 0:
            provided.insert(0, "lunch")
        if full and draw.randrange(4) == 0:
            provided.insert(0, "breakfast")
        base = trip.city.full * 100
        allowance = base if full else trip.city.travel * 100
        euro = allowance - sum(share_of(base, share[meal]) for meal in provided)
        note = _day_note(purse, day)
        purse.claimed.per_diems.append(PerDiem(day, full, note, allowance, tuple(provided), euro))


def _day_note(purse: Purse, day: date) -> str:
    """What was done on a day; at a weekend people only travel."""
    if day.weekday() < SATURDAY:
        return purse.phrases.activity()
    return purse.phrases.way_out() if day == purse.trip.first else purse.phrases.way_home()
