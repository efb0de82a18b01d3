"""What the protocol of one trial asks for, drawn before a word of it is written."""

from __future__ import annotations

import importlib.resources
import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

import yaml

from authoring.artefacts import Value

STRENGTH = 25
"""Milligrams of one tablet."""
FRIDAY = 4
FIRST_GAP, LEAST_GAP = 28, 90
"""Days between the first two, and between later versions of the consent form."""


class Medicine(Value):
    """A medicine that subjects take beside the study drug."""

    name: str
    amounts: tuple[str, ...]
    reasons: tuple[str, ...]


class Vocabulary(Value):
    """The words of `vocabulary.yaml`."""

    compounds: tuple[str, ...]
    sponsors: tuple[str, ...]
    prefixes: tuple[str, ...]
    hospitals: tuple[str, ...]
    cities: tuple[str, ...]
    events: tuple[str, ...]
    severe_events: tuple[str, ...]
    serious_events: tuple[str, ...]
    outcomes: tuple[str, ...]
    medicines: tuple[Medicine, ...]
    systems: Mapping[str, tuple[str, ...]]
    lab_comments: tuple[str, ...]
    log_remarks: tuple[str, ...]
    staff_roles: Mapping[str, tuple[str, ...]]


def read_vocabulary() -> Vocabulary:
    """The vocabulary that ships beside this module."""
    source = importlib.resources.files("generators.trial") / "vocabulary.yaml"
    return Vocabulary.model_validate(yaml.safe_load(source.read_text(encoding="utf-8")))


@dataclass(frozen=True)
class Visit:
    """A visit of the schedule. Screening has no window: it is on any of the days before day 1."""

    code: str
    name: str
    day: int
    window: int


@dataclass(frozen=True)
class ConsentVersion:
    """A version of the consent form and the day from which it is used."""

    number: str
    start: date
    change: str


@dataclass(frozen=True)
class Design:
    """All figures of one protocol."""

    number: str
    compound: str
    sponsor: str
    start: date
    """The first day on which a site may be open."""
    visits: tuple[Visit, ...]
    edges: tuple[int, int]
    """Kilograms between the three bands of body weight."""
    tablets: tuple[int, int, int]
    """A day, by band; each of `STRENGTH` milligrams."""
    age: tuple[int, int]
    bmi: tuple[str, str]
    hba1c: tuple[str, str]
    metformin: tuple[int, int]
    washout: int
    alcohol: int
    qtcf: int
    systolic: int
    grade: int
    report_hours: int
    excursion_hours: int
    sign_days: int
    draw_days: int
    versions: tuple[ConsentVersion, ...]

    def per_day(self, weight: Decimal) -> int:
        """Tablets a day for a body weight."""
        return self.tablets[sum(weight >= edge for edge in self.edges)]

    def version_on(self, day: date) -> ConsentVersion:
        """The version of the consent form in force on a day."""
        return [version for version in self.versions if version.start <= day][-1]


SCHEDULES: tuple[tuple[tuple[int, int], ...], ...] = (
    ((4, 3), (8, 4), (12, 4), (18, 5), (24, 5)),
    ((3, 3), (6, 3), (12, 4), (18, 5), (26, 5)),
    ((4, 4), (8, 4), (16, 5), (24, 5), (32, 5)),
)
"""Weeks after the first dose, and days that a visit may be off."""


def draw_design(source: random.Random, vocabulary: Vocabulary) -> Design:
    """The protocol of one seed."""
    index = source.randrange(len(vocabulary.sponsors))
    start = weekday(date(2023, 9, 4) + timedelta(days=source.randrange(60)))
    schedule = source.choice(SCHEDULES)
    visits = [
        Visit("V1", "screening", -28, 0),
        Visit("V2", "day 1", 1, 0),
        *(
            Visit(f"V{number}", f"week {weeks}", weeks * 7 + 1, window)
            for number, (weeks, window) in enumerate(schedule, start=3)
        ),
    ]
    # Few have signed the first version: it was in force for some weeks only.
    second = weekday(start + timedelta(days=FIRST_GAP + source.randrange(8)))
    third = weekday(second + timedelta(days=LEAST_GAP + source.randrange(30)))
    return Design(
        number=f"{vocabulary.prefixes[index]}-{source.randrange(110, 890)}",
        compound=source.choice(vocabulary.compounds),
        sponsor=vocabulary.sponsors[index],
        start=start,
        visits=tuple(visits),
        edges=source.choice([(72, 88), (75, 92), (70, 86), (74, 90)]),
        tablets=source.choice([(2, 3, 4), (1, 2, 3)]),
        age=(source.choice([18, 21]), source.choice([72, 75, 78])),
        bmi=(source.choice(["24.0", "25.0"]), source.choice(["39.0", "40.0", "42.0"])),
        hba1c=("7.0", source.choice(["10.0", "10.5"])),
        metformin=(1000, source.choice([2000, 2550])),
        washout=source.choice([60, 90]),
        alcohol=source.choice([14, 21]),
        qtcf=source.choice([450, 455, 460]),
        systolic=source.choice([155, 160]),
        grade=3,
        report_hours=source.choice([24, 24, 36]),
        excursion_hours=source.choice([8, 12, 16]),
        sign_days=30,
        draw_days=14,
        versions=(
            ConsentVersion("1.0", start, "first version used at the sites"),
            ConsentVersion("2.0", second, "new wording on the storage of blood samples"),
            ConsentVersion("3.0", third, "adds the risk of low blood pressure on standing"),
        ),
    )


def weekday(day: date) -> date:
    """The day, or the Monday after it where it is on a weekend."""
    while day.weekday() > FRIDAY:
        day += timedelta(days=1)
    return day
