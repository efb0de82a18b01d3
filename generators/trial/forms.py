"""Writes case report forms: what stands on them, section by section."""

from __future__ import annotations

import random
from collections.abc import Sequence

from generators.detectors.trial.dictionary import read_dictionary
from generators.trial.design import Design, Vocabulary
from generators.trial.hand import Hand, Names, Row, Section
from generators.trial.order import turned
from generators.trial.subjects import Attendance, Event, LabResult, Measure, Subject

FORM_LABS = 6
"""How many of the results are copied to the form."""
GROUPS = (
    ("eligibility", "vitals", "drug", "medication"),
    ("visit", "labs", "exam", "events"),
    ("ecg", "notes", "signature"),
)
"""Sections that a form keeps together, in any order; each group is about a third of its lines."""


class FormWriter:
    """Writes the forms of one site."""

    def __init__(self, design: Design, vocabulary: Vocabulary, names: Names) -> None:
        self._design = design
        self._words = vocabulary
        self._names = names

    def write(
        self,
        source: random.Random,
        subject: Subject,
        attendance: Attendance,
        note: Sequence[str],
        turn: int,
    ) -> str:
        """One form; the same randomness gives the same text.

        `note`: its sentences. `turn`: which of the groups of sections comes first.
        """
        hand = Hand(source, attendance, self._names)
        sections = {s.name: s for s in self._sections(source, subject, attendance)}
        lines = list(hand.heading(subject, self._design))
        for group in turned(GROUPS, turn):
            for name in source.sample(group, len(group)):
                if name == "notes":
                    lines += hand.prose(note)
                elif name in sections:
                    lines += hand.section(sections[name])
        return "\n".join(lines) + "\n"

    def _sections(
        self, source: random.Random, subject: Subject, attendance: Attendance
    ) -> list[Section]:
        first = attendance.visit.code == "V1"
        sections = [Section("visit", (self._visit(subject, attendance),), ("flow", "pairs"))]
        if first:
            sections.append(self._eligibility(subject))
        vitals = _measured(_in_some_order(source, attendance.vitals))
        ecg = _measured(_in_some_order(source, attendance.ecg))
        sections.append(Section("vitals", vitals, ("flow", "keyed", "pairs", "plain")))
        sections.append(Section("ecg", ecg, ("flow", "keyed", "pairs", "plain")))
        sections.append(self._labs(source, attendance))
        sections.append(self._exam(source))
        if attendance.supply:
            sections.append(self._drug(attendance))
        if attendance.events:
            events = tuple(_event(source, event) for event in attendance.events)
            sections.append(Section("events", events, ("flow", "pairs")))
        if first or source.randrange(2):
            sections.append(self._medication(source, subject, whole=first))
        signed = Row({"by": attendance.signer, "signed": attendance.signed.isoformat()})
        sections.append(Section("signature", (signed,), ("flow", "pairs")))
        return sections

    def _visit(self, subject: Subject, attendance: Attendance) -> Row:
        fields = {
            "subject": subject.number,
            "code": attendance.visit.code,
            "date": attendance.day.isoformat(),
        }
        if attendance.visit.day > 0:
            fields["day_1"] = subject.first_dose.isoformat()
        return Row(fields)

    def _eligibility(self, subject: Subject) -> Section:
        values = (
            ("age", str(subject.age), "years"),
            ("bmi", str(subject.bmi), "kg/m2"),
            ("washout", str(subject.washout), "days"),
            ("alcohol", str(subject.alcohol), "units/week"),
            ("duration", str(subject.duration), "years"),
            ("metformin", str(subject.metformin), "mg/day"),
        )
        rows = tuple(Row({"test": t, "value": v, "unit": u}) for t, v, u in values)
        return Section("eligibility", rows, ("flow", "keyed", "pairs", "plain"))

    def _labs(self, source: random.Random, attendance: Attendance) -> Section:
        locally = bool(source.randrange(2))
        chosen = source.sample(attendance.labs, FORM_LABS)
        rows = tuple(_copied(result, attendance, locally=locally) for result in chosen)
        return Section("labs", rows, ("flow", "keyed", "pairs", "plain"))

    def _exam(self, source: random.Random) -> Section:
        systems = source.sample(sorted(self._words.systems), source.randrange(3, 7))
        rows = tuple(
            Row({"test": system, "finding": source.choice(self._words.systems[system])})
            for system in systems
        )
        return Section("exam", rows, ("flow", "keyed", "pairs", "plain"))

    def _drug(self, attendance: Attendance) -> Section:
        supply, returned = attendance.supply, attendance.returned
        if supply is None:
            raise AssertionError("no study drug is handed out at screening")
        rows = [
            Row(
                {
                    "dose": str(supply.dose),
                    "per_day": str(supply.per_day),
                    "dispensed": str(supply.tablets),
                }
            )
        ]
        if returned:
            counts = (returned.supplied, returned.returned, returned.taken)
            names = ("brought", "returned", "taken")
            rows.append(Row(dict(zip(names, map(str, counts), strict=True))))
        return Section("drug", tuple(rows), ("flow", "pairs"))

    def _medication(self, source: random.Random, subject: Subject, *, whole: bool) -> Section:
        count = len(subject.medicines) if whole else source.randrange(1, 3)
        rows = tuple(
            Row({"medicine": taken.name, "amount": taken.amount, "indication": taken.reason})
            for taken in source.sample(subject.medicines, count)
        )
        return Section("medication", rows, ("flow", "pairs"))


def _measured(measures: Sequence[Measure]) -> tuple[Row, ...]:
    return tuple(
        Row({"test": m.test, "value": m.value, "unit": m.unit, "time": m.at}) for m in measures
    )


def _in_some_order(source: random.Random, measures: Sequence[Measure]) -> list[Measure]:
    """Shuffled, but a repeat stays behind the reading it repeats, and neither is the last."""
    groups: list[list[Measure]] = []
    for measure in measures:
        if measure.test.endswith("_repeat"):
            groups[-1].append(measure)
        else:
            groups.append([measure])
    source.shuffle(groups)
    if len(groups[-1]) > 1:
        groups.insert(0, groups.pop())
    return [measure for group in groups for measure in group]


def _copied(result: LabResult, attendance: Attendance, *, locally: bool) -> Row:
    """A result as the site writes it: in its own unit, converted from the printed value."""
    analyte = result.analyte
    central = analyte.central_of(result.value, locally=not attendance.central)
    value = analyte.shown(central, locally=locally)
    if locally != attendance.central:
        value = result.value
    unit = analyte.local if locally else analyte.central
    return Row({"test": analyte.name, "value": str(value), "unit": unit})


def _event(source: random.Random, event: Event) -> Row:
    words = read_dictionary()
    answer = {True: words.answers["yes"], False: words.answers["no"]}
    return Row(
        {
            "term": event.term,
            "grade": str(event.grade),
            "onset": event.onset.isoformat(),
            "related": source.choice(answer[event.related]),
            "serious": source.choice([a for a in answer[event.serious] if "suspected" not in a]),
            "action": source.choice(words.actions[event.action]),
            "outcome": event.outcome,
        }
    )
