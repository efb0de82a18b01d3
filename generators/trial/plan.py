"""Who is where, who came when and who signed: the whole trial before a file is written."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from itertools import islice
from pathlib import PurePosixPath
from typing import Annotated, Self

from pydantic import Field, model_validator

from authoring.artefacts import Value
from generators.trial.design import Design, Vocabulary, draw_design, weekday
from generators.trial.recruiting import Recruiter
from generators.trial.sites import CONSENT as TALK
from generators.trial.sites import DISPENSE, SIGN, Site, draw_sites
from generators.trial.subjects import Attendance, Event, Subject

LEAVES_AT = 0.55
"""The share of a site's forms that are signed when its second investigator leaves."""


class TrialParameters(Value):
    """How large the trial is."""

    sites: Annotated[int, Field(ge=1, le=100)] = 4
    subjects: Annotated[int, Field(ge=1, le=2000)] = 9
    """In all; dealt to the sites in turn."""
    visits: Annotated[int, Field(ge=3, le=7)] = 4
    """Of each subject at most, screening and day 1 among them; one subject in four has one less."""
    serious: Annotated[int, Field(ge=0)] = 4
    """Serious adverse events, each with a report."""
    monitoring: Annotated[int, Field(ge=0, le=12)] = 1
    """Monitoring visits to each site."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.subjects < self.sites:
            raise ValueError("there are more sites than subjects")
        if self.serious > self.subjects:
            raise ValueError("there are more serious events (serious) than subjects")
        return self


@dataclass(frozen=True)
class Serious:
    """A serious event and what the site did about it."""

    number: str
    subject: Subject
    event: Event
    told: Attendance
    """The visit whose form lists it."""
    aware: datetime
    sent: datetime

    @property
    def path(self) -> PurePosixPath:
        return PurePosixPath(f"sites/{self.subject.site}/safety/{self.number.lower()}.md")


@dataclass(frozen=True)
class Trial:
    """Everything that is written down somewhere in the corpus."""

    design: Design
    sites: tuple[Site, ...]
    subjects: tuple[Subject, ...]
    """By site, in the order of their numbers."""
    serious: tuple[Serious, ...]

    def at(self, site: Site) -> tuple[Subject, ...]:
        """The subjects of a site."""
        return tuple(subject for subject in self.subjects if subject.site == site.number)


def plan_trial(source: random.Random, vocabulary: Vocabulary, parameters: TrialParameters) -> Trial:
    """The trial of one seed; its cost is linear in the number of subjects."""
    design = draw_design(source, vocabulary)
    sites = draw_sites(source, design, vocabulary, parameters.sites)
    recruiter = Recruiter(source, design, vocabulary)
    serious = frozenset(_with_serious(source, parameters))
    numbers = [source.randrange(20, 400) for _ in sites]
    recruited: dict[str, list[Subject]] = {site.number: [] for site in sites}
    for index in range(parameters.subjects):
        turn = index % len(sites)
        numbers[turn] = _next_number(numbers[turn] + source.randrange(1, 9))
        # A subject with a serious event has come to all visits: there is one on which it is told.
        fewer = index % 4 == 3 and index not in serious and parameters.visits > 3
        recruited[sites[turn].number].append(
            recruiter.recruit(
                sites[turn].number,
                numbers[turn],
                parameters.visits - fewer,
                serious=index in serious,
            )
        )
    staffed = tuple(_staffed(site, recruited[site.number]) for site in sites)
    subjects = tuple(
        _attributed(source, site, subject) for site in staffed for subject in recruited[site.number]
    )
    return Trial(design, staffed, subjects, tuple(_reports(source, design, subjects)))


def _next_number(number: int) -> int:
    """The number, or the next one whose last two digits differ."""
    while number // 10 % 10 == number % 10:
        number += 1
    return number


def _with_serious(source: random.Random, parameters: TrialParameters) -> Iterator[int]:
    """Which subjects have a serious event: one of each site, then another of each, and so on."""
    at_site = [
        source.sample(range(turn, parameters.subjects, parameters.sites), count)
        for turn in range(parameters.sites)
        if (count := len(range(turn, parameters.subjects, parameters.sites)))
    ]
    rounds = (
        subject
        for taken in range(len(at_site[0]))
        for subject in (own[taken] for own in source.sample(at_site, len(at_site)) if own[taken:])
    )
    return islice(rounds, parameters.serious)


def _staffed(site: Site, subjects: Sequence[Subject]) -> Site:
    """The site with the change of investigators in the middle of its forms."""
    days = sorted(a.signed for subject in subjects for a in subject.attended)
    return site.with_change(days[int(LEAVES_AT * len(days))])


def _attributed(source: random.Random, site: Site, subject: Subject) -> Subject:
    """The same subject with the names of those who signed, informed and handed out."""

    def signer(day: date) -> str:
        return source.choice(site.who(SIGN, day)).name

    def dispenser(day: date) -> str:
        return source.choice(site.who(DISPENSE, day)).initials

    return replace(
        subject,
        informed_by=source.choice(site.who(TALK, subject.consent.date())).name,
        attended=tuple(
            replace(a, signer=signer(a.signed), dispenser=dispenser(a.day))
            for a in subject.attended
        ),
    )


def _reports(source: random.Random, design: Design, subjects: Sequence[Subject]) -> list[Serious]:
    found = [
        (subject, attendance, event)
        for subject in subjects
        for attendance in subject.attended
        for event in attendance.events
        if event.serious
    ]
    number = 200 + source.randrange(600)
    reports = []
    for subject, attendance, event in found:
        number += source.randrange(1, 6)
        aware = datetime.combine(
            weekday(event.onset + timedelta(days=source.randrange(3))),
            time(8 + source.randrange(8), source.randrange(60)),
        )
        hours = source.randrange(2, design.report_hours - 2)
        sent = aware + timedelta(hours=hours, minutes=source.randrange(60))
        reports.append(Serious(f"S-{number:04}", subject, event, attendance, aware, sent))
    return reports
