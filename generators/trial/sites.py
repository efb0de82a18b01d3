"""The sites of a trial and the people who work there, with the days they may do so."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from faker import Faker

from generators.trial.design import Design, Vocabulary, weekday
from generators.world import LOCALE

FIRST_SITE = 104
SIGN, CONSENT, DISPENSE, STORE = "sign", "consent", "dispense", "store"
VITALS, BLOOD, TRACE, ENTRY, FILING = "vitals", "blood", "trace", "entry", "filing"


@dataclass(frozen=True)
class Member:
    """Somebody at a site, with what was delegated to whom from when to when."""

    name: str
    initials: str
    role: str
    tasks: tuple[str, ...]
    start: date
    end: date | None = None

    def may(self, task: str, day: date) -> bool:
        """Whether a task is delegated to this person on a day."""
        return task in self.tasks and self.start <= day and (self.end is None or day <= self.end)


@dataclass(frozen=True)
class Site:
    """One hospital or clinic."""

    number: str
    hospital: str
    city: str
    staff: tuple[Member, ...]
    """The one who leaves is the second, the one who comes for them the third."""
    monitor: str
    """Who visits from the sponsor."""

    @property
    def principal(self) -> Member:
        """Who is answerable for the site."""
        return self.staff[0]

    @property
    def local_laboratory(self) -> str:
        """The code of the laboratory on the spot."""
        return f"LOC-{self.number}"

    def who(self, task: str, day: date) -> tuple[Member, ...]:
        """Those to whom a task is delegated on a day."""
        return tuple(member for member in self.staff if member.may(task, day))

    def with_change(self, day: date) -> Site:
        """The same site, whose second investigator leaves on a day and is followed by another."""
        first, leaving, coming, *others = self.staff
        coming = replace(coming, start=weekday(day - timedelta(days=21)))
        return replace(self, staff=(first, replace(leaving, end=day), coming, *others))


class _People:
    """Draws names; none is given twice, and none shares initials within a site."""

    def __init__(self, source: random.Random) -> None:
        self._faker = Faker(LOCALE)
        self._faker.seed_instance(source.getrandbits(32))
        self._names: set[str] = set()

    def name(self, initials: set[str]) -> str:
        """A new name, whose initials are added to those in use."""
        while True:
            first, last = self._faker.first_name(), self._faker.last_name()
            letters = f"{first[0]}{last[0]}"
            if f"{first} {last}" not in self._names and letters not in initials:
                self._names.add(f"{first} {last}")
                initials.add(letters)
                return f"{first} {last}"


def draw_sites(
    source: random.Random, design: Design, vocabulary: Vocabulary, count: int
) -> tuple[Site, ...]:
    """Sites, byte-sorted by number."""
    people = _People(source)
    hospitals = _dealt(source, vocabulary.hospitals, count)
    places = _dealt(source, vocabulary.cities, count)
    numbers = sorted(source.sample(range(FIRST_SITE, FIRST_SITE + 8 * count), count))
    return tuple(
        _site(source, design, vocabulary, people, str(number), hospital, place)
        for number, hospital, place in zip(numbers, hospitals, places, strict=True)
    )


def _site(
    source: random.Random,
    design: Design,
    vocabulary: Vocabulary,
    people: _People,
    number: str,
    hospital: str,
    place: str,
) -> Site:
    initials: set[str] = set()
    opened = weekday(design.start + timedelta(days=source.randrange(15)))
    roles = (
        ("principal", (SIGN, CONSENT)),
        ("sub", (SIGN, CONSENT)),
        ("sub", (SIGN, CONSENT)),
        ("nurse", (VITALS, BLOOD)),
        ("nurse", (VITALS, BLOOD, TRACE)),
        ("coordinator", (ENTRY, FILING)),
        ("pharmacist", (DISPENSE, STORE)),
    )
    staff = []
    for role, tasks in roles:
        name = people.name(initials)
        first, last = name.split(" ", 1)
        title = source.choice(vocabulary.staff_roles[role])
        start = weekday(opened - timedelta(days=source.randrange(12)))
        staff.append(Member(name, f"{first[0]}{last[0]}", title, tasks, start))
    monitor = people.name(set())
    return Site(number, hospital, place, tuple(staff), monitor)


def _dealt(source: random.Random, items: Sequence[str], count: int) -> list[str]:
    """Like dealing from shuffled packs: nothing comes twice before everything came once."""

    def packs() -> Iterator[str]:
        while True:
            yield from source.sample(items, len(items))

    pack = packs()
    return [next(pack) for _ in range(count)]
