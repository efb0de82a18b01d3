"""Makes subjects and what happens to them, visit by visit, all by the protocol."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal

from generators.detectors.trial.numbers import with_check
from generators.trial.analytes import ANALYTES
from generators.trial.deck import Deck
from generators.trial.design import (
    STRENGTH,
    Design,
    Visit,
    Vocabulary,
    weekday,
)
from generators.trial.subjects import (
    Attendance,
    Event,
    LabResult,
    Measure,
    Medication,
    Return,
    Subject,
    Supply,
)

TENTH = Decimal("0.1")
BMI = (26.0, 36.5)
"""At screening; within the limits of every protocol."""
ENROLMENT_DAYS = 210
"""From the opening of a site to its last consent."""


@dataclass(frozen=True)
class Decks:
    """What must come round every so often, however few subjects there are."""

    qtcf_high: Deck[bool]
    systolic_high: Deck[bool]
    event: Deck[str]
    related: Deck[bool]
    """Of events that are not severe."""
    medicine: Deck[int]


class Recruiter:
    """Makes the subjects of one trial, one after another. No number is used twice."""

    def __init__(self, source: random.Random, design: Design, vocabulary: Vocabulary) -> None:
        self._random = source
        self._design = design
        self._words = vocabulary
        self._form = 40_000 + source.randrange(9_000)
        self._sample = 310_000 + source.randrange(90_000)
        self._kit = 400_000 + source.randrange(90_000)
        self._decks = Decks(
            qtcf_high=Deck(source, [True, False, False]),
            systolic_high=Deck(source, [True, False, False, False]),
            event=Deck(source, ["severe", "mild", "mild", "moderate"]),
            related=Deck(source, [True, False]),
            medicine=Deck(source, list(range(len(vocabulary.medicines)))),
        )

    def recruit(self, site: str, number: int, visits: int, *, serious: bool) -> Subject:
        """A subject who has come to so many visits; to the last with a serious event, or not."""
        draw, design = self._random, self._design
        consent = weekday(design.start + timedelta(days=18 + draw.randrange(ENROLMENT_DAYS)))
        weight = draw.choice(design.edges) + Decimal(draw.randrange(-70, 70)) * TENTH
        height = round(100 * math.sqrt(float(weight) / draw.uniform(*BMI)))
        subject = _Course(
            weight=weight,
            height=height,
            levels={a.name: draw.uniform(*a.usual) for a in ANALYTES},
        )
        days = tuple(self._days(consent, visits))
        attended: list[Attendance] = []
        for index, (visit, day) in enumerate(days):
            before = attended[-1] if attended else None
            later = days[index + 1 :]
            is_last = serious and not later
            attended.append(self._attend(visit, day, subject, before, later, serious=is_last))
        chosen = {self._decks.medicine.deal() for _ in range(draw.randrange(3, 6))} | {0}
        medicines = tuple(self._medicine(index) for index in sorted(chosen))
        return Subject(
            number=with_check(f"{site}-{number:04}"),
            site=site,
            consent=datetime.combine(consent, time(7, 30 + draw.randrange(30))),
            version=design.version_on(consent),
            age=draw.randrange(design.age[0] + 14, design.age[1] - 2),
            height=height,
            bmi=_bmi(attended[0].vitals, height),
            washout=design.washout + draw.randrange(20, 700),
            alcohol=draw.randrange(design.alcohol - 3),
            duration=draw.randrange(1, 19),
            # The first medicine is metformin, which all subjects take; two forms state its dose.
            metformin=daily_dose(medicines[0].amount),
            medicines=medicines,
            attended=tuple(attended),
        )

    def _medicine(self, index: int) -> Medication:
        medicine, draw = self._words.medicines[index], self._random
        return Medication(
            medicine.name, draw.choice(medicine.amounts), draw.choice(medicine.reasons)
        )

    def _days(self, consent: date, visits: int) -> Iterator[tuple[Visit, date]]:
        """The visits of a subject, screening on the day of consent or soon after."""
        draw = self._random
        screening = weekday(consent + timedelta(days=draw.randrange(3)))
        first = weekday(screening + timedelta(days=draw.randrange(10, 24)))
        for visit in self._design.visits[:visits]:
            if visit.code == "V1":
                yield visit, screening
            elif visit.code == "V2":
                yield visit, first
            else:
                due = first + timedelta(days=visit.day - 1)
                near = [due + timedelta(days=d) for d in range(-visit.window, visit.window + 1)]
                working = [day for day in near if weekday(day) == day]
                # Late in the window more often than early, as in life.
                yield visit, max(draw.choice(working), draw.choice(working))

    def _attend(
        self,
        visit: Visit,
        day: date,
        subject: _Course,
        before: Attendance | None,
        after: Sequence[tuple[Visit, date]],
        *,
        serious: bool,
    ) -> Attendance:
        draw = self._random
        self._form += draw.randrange(1, 4)
        drawn = day if visit.code in ("V1", "V2") else _draw_day(draw, day)
        # Consent is signed before eight; on the same day nothing is done before nine.
        hour = 9 if visit.code == "V1" else 7
        subject.move_on(draw)
        central = bool(draw.randrange(3))
        minutes = Minutes(hour * 60 + draw.randrange(30, 150))
        vitals = tuple(self._vitals(visit, subject, minutes))
        return Attendance(
            visit=visit,
            form=self._form,
            day=day,
            drawn=datetime.combine(drawn, time(hour + draw.randrange(3), draw.randrange(60))),
            central=central,
            signed=weekday(day + timedelta(days=draw.randrange(14, 27))),
            vitals=vitals,
            ecg=tuple(self._ecg(minutes)),
            labs=tuple(self._results(subject, central=central)),
            supply=self._supply(day, subject, after) if visit.code != "V1" else None,
            returned=self._returned(before, day),
            events=tuple(self._events(before, day, serious=serious)) if before else (),
        )

    def _vitals(self, visit: Visit, subject: _Course, minutes: Minutes) -> Iterator[Measure]:
        draw, limit = self._random, self._design.systolic
        yield Measure("weight", str(subject.weight), "kg", minutes.next(draw))
        if visit.code == "V1":
            yield Measure("height", str(subject.height), "cm", minutes.next(draw))
        high = self._decks.systolic_high.deal()
        systolic = draw.randrange(limit + 1, limit + 14) if high else draw.randrange(112, limit - 8)
        yield Measure("systolic", str(systolic), "mmHg", minutes.next(draw))
        if high:
            again = draw.randrange(limit - 22, limit - 2)
            yield Measure("systolic_repeat", str(again), "mmHg", minutes.next(draw, 6))
        yield Measure("diastolic", str(draw.randrange(64, 94)), "mmHg", minutes.next(draw))
        yield Measure("pulse", str(draw.randrange(56, 92)), "bpm", minutes.next(draw))
        yield Measure("temperature", f"36.{draw.randrange(1, 10)}", "C", minutes.next(draw))
        if draw.randrange(2):
            rate = str(draw.randrange(12, 19))
            yield Measure("respiration", rate, "breaths/min", minutes.next(draw))

    def _ecg(self, minutes: Minutes) -> Iterator[Measure]:
        draw, limit = self._random, self._design.qtcf
        high = self._decks.qtcf_high.deal()
        qtcf = draw.randrange(limit + 2, limit + 18) if high else draw.randrange(385, limit - 6)
        yield Measure("ventricular", str(draw.randrange(54, 92)), "bpm", minutes.next(draw))
        yield Measure("qtcf", str(qtcf), "ms", minutes.next(draw))
        if high:
            again = draw.randrange(limit - 30, limit - 3)
            yield Measure("qtcf_repeat", str(again), "ms", minutes.next(draw, 12))
        yield Measure("pr", str(draw.randrange(128, 198)), "ms", minutes.next(draw))
        yield Measure("qrs", str(draw.randrange(78, 112)), "ms", minutes.next(draw))

    def _results(self, subject: _Course, *, central: bool) -> Iterator[LabResult]:
        """The results of one blood sample."""
        draw = self._random
        self._sample += draw.randrange(2, 30)
        sample = f"{'C' if central else 'L'}{self._sample}"
        for index, analyte in enumerate(ANALYTES, start=1):
            raw = subject.levels[analyte.name] * draw.uniform(0.95, 1.05)
            if analyte.name == "hba1c":
                raw = min(max(raw, 54.2), 84.5)
            value = analyte.shown(Decimal(raw), locally=not central)
            yield LabResult(analyte, value, f"{sample}.{index:02}")

    def _supply(self, day: date, subject: _Course, after: Sequence[tuple[Visit, date]]) -> Supply:
        """Enough for the time to the next visit and some days more."""
        self._kit += self._random.randrange(3, 40)
        per_day = self._design.per_day(subject.weight)
        gap = (after[0][1] - day).days if after else 42
        tablets = -(-(gap + 9) * per_day // 10) * 10
        return Supply(with_check(f"K{self._kit}"), tablets, per_day * STRENGTH, per_day)

    def _returned(self, before: Attendance | None, day: date) -> Return | None:
        if before is None or before.supply is None:
            return None
        due = (day - before.day).days * before.supply.per_day
        taken = min(round(due * self._random.uniform(0.93, 1.02)), before.supply.tablets - 1)
        return Return(before.supply.tablets, before.supply.tablets - taken)

    def _events(self, before: Attendance, day: date, *, serious: bool) -> Iterator[Event]:
        draw, words = self._random, self._words
        count = draw.choice([0, 1, 1, 2]) if not before.supply else draw.choice([1, 1, 2, 2, 3])
        for term in draw.sample(words.events, count):
            # Nothing is related to a drug that was not yet taken.
            sort = self._decks.event.deal() if before.supply else "mild"
            related = before.supply is not None and (sort == "severe" or self._decks.related.deal())
            grade = 3 if sort == "severe" else 2 if sort == "moderate" else 1
            yield Event(
                term=draw.choice(words.severe_events) if sort == "severe" else term,
                grade=grade,
                onset=_between(draw, before.day, day),
                related=related,
                action="interrupted" if sort == "severe" else "unchanged",
                outcome=draw.choice(words.outcomes),
            )
        if serious:
            yield Event(
                term=draw.choice(words.serious_events),
                grade=draw.choice([3, 4]),
                onset=_between(draw, before.day, day),
                related=False,
                action=draw.choice(["interrupted", "unchanged"]),
                outcome=draw.choice(words.outcomes),
                serious=True,
            )


class Minutes:
    """The clock of one morning."""

    def __init__(self, start: int) -> None:
        self._minutes = start

    def next(self, draw: random.Random, wait: int = 1) -> str:
        """The time of the next reading, some minutes on."""
        self._minutes += wait + draw.randrange(4)
        return f"{self._minutes // 60:02}:{self._minutes % 60:02}"


class _Course:
    """How one subject's body goes on from visit to visit."""

    def __init__(self, *, weight: Decimal, height: int, levels: dict[str, float]) -> None:
        self.weight, self.height, self.levels = weight, height, levels

    def move_on(self, draw: random.Random) -> None:
        """To the next visit: a little lighter, a little lower in sugar."""
        self.weight += Decimal(draw.randrange(-12, 6)) * TENTH
        for name in ("glucose", "hba1c"):
            self.levels[name] *= draw.uniform(0.95, 1.0)


def _bmi(vitals: Sequence[Measure], height: int) -> Decimal:
    weight = next(Decimal(m.value) for m in vitals if m.test == "weight")
    return (weight * 10_000 / (height * height)).quantize(TENTH)


def _draw_day(draw: random.Random, day: date) -> date:
    """Blood is taken at the visit or on one of the working days just before."""
    earlier = day - timedelta(days=draw.randrange(3))
    return earlier if weekday(earlier) == earlier else day


def _between(draw: random.Random, first: date, last: date) -> date:
    """When something began after one visit and before the next."""
    return first + timedelta(days=draw.randrange(6, max(7, (last - first).days - 1)))


TIMES_A_DAY = {"once": 1, "twice": 2, "three times": 3}


def daily_dose(amount: str) -> int:
    """Milligrams a day of an amount such as `850 mg twice daily`."""
    milligrams, times = amount.removesuffix(" daily").split(" mg ")
    return int(milligrams) * TIMES_A_DAY[times]
