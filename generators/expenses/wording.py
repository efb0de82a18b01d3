"""Sentences about the work, and dates as people write them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta

from generators.expenses.vocabulary import Opinion, Phrases, Work, read_phrases

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
FRIDAY = 4
SUMMER_TIME = date(2024, 3, 31)
WINTER_TIME = date(2024, 10, 27)
HOLIDAYS = frozenset(
    {
        date(2024, 1, 1), date(2024, 3, 29), date(2024, 4, 1), date(2024, 5, 1),
        date(2024, 12, 25), date(2024, 12, 26), date(2025, 1, 1),
    }
)  # fmt: skip
"""On which nobody works, approves or pays."""
DateStyle = Callable[[date], str]


def long_date(day: date) -> str:
    """`4 March 2024`, whatever the locale."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def day_first(day: date) -> str:
    """`Mon 4 Mar 2024`"""
    return f"{DAYS[day.weekday()]} {day.day} {MONTHS[day.month - 1][:3]} {day.year}"


def iso_with_day(day: date) -> str:
    """`2024-03-04 Mon`"""
    return f"{day.isoformat()} {DAYS[day.weekday()]}"


def day_and_iso(day: date) -> str:
    """`Mon 2024-03-04`"""
    return f"{DAYS[day.weekday()]} {day.isoformat()}"


DATE_STYLES: tuple[DateStyle, ...] = (day_first, iso_with_day, day_and_iso)


def mail_date(moment: datetime) -> str:
    """`Thu, 14 Mar 2024 09:12:44 +0100` (RFC 5322)."""
    day = moment.date()
    summer = SUMMER_TIME <= day < WINTER_TIME
    month = MONTHS[day.month - 1][:3]
    return (
        f"{DAYS[day.weekday()]}, {day.day:02} {month} {day.year} "
        f"{moment:%H:%M:%S} {'+0200' if summer else '+0100'}"
    )


def workday(day: date) -> date:
    """The day itself, or the next one on which people work."""
    while day.weekday() > FRIDAY or day in HOLIDAYS:
        day += timedelta(days=1)
    return day


class Phrasing:
    """Draws phrases; what it has drawn lately does not come again."""

    def __init__(self, source: random.Random, job: str) -> None:
        self.random = source
        self.words: Phrases = read_phrases()
        self.job = self.words.jobs[job]
        self._recent: list[str] = []

    def pick(self, choice: tuple[str, ...]) -> str:
        """One of several, not lately drawn where that can be had."""
        fresh = [one for one in choice if one not in self._recent] or list(choice)
        drawn = self.random.choice(fresh)
        self._recent = [*self._recent[-30:], drawn]
        return drawn

    def activity(self, told: str = "") -> str:
        """`checked the wear plates with the shift mechanic`; often without a detail.

        `told`: what has been said before, with whose things nothing is done again.
        """
        work = self._work()
        fresh = tuple(one for one in work.objects if one not in told) or work.objects
        task = f"{self.pick(work.verbs)} {self.pick(fresh)}"
        return f"{task} {self.pick(work.details)}" if self.random.randrange(5) < 3 else task

    def way_out(self) -> str:
        """`travelled in the evening and unpacked the samples`"""
        words = self.words.journeys
        return f"{self.pick(words.out)} and {self.pick(words.after)}"

    def way_home(self) -> str:
        """`packed the samples and took the first connection home`"""
        words = self.words.journeys
        return f"{self.pick(words.before)} and {self.pick(words.home)}"

    def task(self) -> str:
        """`checked the wear plates`"""
        work = self._work()
        return f"{self.pick(work.verbs)} {self.pick(work.objects)}"

    def thing(self) -> str:
        """`the wear plates`"""
        return self.pick(self._work().objects)

    def opinion(self, matters: Sequence[Opinion]) -> str:
        """`the rides make sense to me, with that much luggage`"""
        matter = self.random.choice(matters)
        return f"{self.pick(matter.say)}, {self.pick(matter.why)}"

    def _work(self) -> Work:
        return self.words.work[self.random.choice(self.job.work)]
