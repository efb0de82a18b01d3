"""Writes the tables of a site: the laboratory listing and the dispensing log, as CSV."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from generators.detectors.trial.dictionary import read_dictionary
from generators.trial.deck import Deck
from generators.trial.design import Vocabulary
from generators.trial.sites import Site
from generators.trial.subjects import Attendance, LabResult, Subject

DELIMITERS = (",", ";")
LIMIT_SHIFTS = ("0.97", "1", "1.03")
LISTING_COLUMNS = (
    "accession", "lab", "subject", "visit", "collected", "analyte", "result", "unit", "low", "high",
    "flag", "comment",
)  # fmt: skip
LOG_COLUMNS = (
    "row", "dispensed_on", "subject", "visit", "kit", "tablets", "returned_on", "back_at",
    "returned", "staff", "comment",
)  # fmt: skip


class Table:
    """A CSV with columns in an order, under names and with a delimiter of its own."""

    def __init__(self, source: random.Random, columns: Sequence[str]) -> None:
        names = read_dictionary()
        first, *others = columns
        self._order = [first, *source.sample(others, len(others))]
        self._delimiter = source.choice(DELIMITERS)
        self.tests = {name: source.choice(known) for name, known in names.tests.items()}
        self.units = {name: source.choice(known) for name, known in names.units.items()}
        self.header = self._delimiter.join(source.choice(names.columns[c]) for c in self._order)

    def line(self, values: Mapping[str, str]) -> str:
        """One row."""
        return self._delimiter.join(values[column] for column in self._order)


def write_listing(
    source: random.Random, site: Site, subjects: Sequence[Subject], vocabulary: Vocabulary
) -> str:
    """All results of a site by the time the blood was taken."""
    table = Table(source, LISTING_COLUMNS)
    # Each site's laboratories print reference limits of their own.
    shifts = {central: source.choice(LIMIT_SHIFTS) for central in (True, False)}
    comments = Deck(source, [*vocabulary.lab_comments, *[""] * len(vocabulary.lab_comments)])
    samples = sorted(
        ((subject, attendance) for subject in subjects for attendance in subject.attended),
        key=lambda pair: (pair[1].drawn, pair[1].form),
    )
    lines = [table.header]
    for subject, attendance in samples:
        for result in source.sample(attendance.labs, len(attendance.labs)):
            limits = Decimal(shifts[attendance.central])
            values = _result(result, attendance, table, limits)
            lines.append(
                table.line(
                    values
                    | {
                        "lab": "CEN" if attendance.central else site.local_laboratory,
                        "subject": subject.number,
                        "visit": attendance.visit.code,
                        "collected": attendance.drawn.isoformat(timespec="minutes"),
                        "comment": comments.deal(),
                    }
                )
            )
    return "\n".join(lines) + "\n"


def _result(
    result: LabResult, attendance: Attendance, table: Table, shift: Decimal
) -> dict[str, str]:
    analyte, locally = result.analyte, not attendance.central
    low, high = (analyte.shown(end * shift, locally=locally) for end in (analyte.low, analyte.high))
    flag = "H" if result.value > high else "L" if result.value < low else ""
    return {
        "accession": result.accession,
        "analyte": table.tests[analyte.name],
        "result": str(result.value),
        "unit": table.units[analyte.local if locally else analyte.central],
        "low": str(low),
        "high": str(high),
        "flag": flag,
    }


def write_log(
    source: random.Random, site: Site, subjects: Sequence[Subject], vocabulary: Vocabulary
) -> str:
    """All study drug that a site handed out, and what came back of it."""
    table = Table(source, LOG_COLUMNS)
    remarks = Deck(source, [*vocabulary.log_remarks, *[""] * (len(vocabulary.log_remarks) // 3)])
    handed = sorted(_handed(subjects), key=lambda one: one["dispensed_on"] + one["kit"])
    lines = [table.header]
    for number, values in enumerate(handed, start=1):
        row = {"row": f"{site.number}/{number:03}", "comment": remarks.deal()}
        lines.append(table.line(values | row))
    return "\n".join(lines) + "\n"


def _handed(subjects: Sequence[Subject]) -> Iterator[dict[str, str]]:
    for subject in subjects:
        for index, attendance in enumerate(subject.attended):
            supply = attendance.supply
            if supply is None:
                continue
            after = subject.attended[index + 1] if index + 1 < len(subject.attended) else None
            back = after.returned if after else None
            yield {
                "dispensed_on": attendance.day.isoformat(),
                "subject": subject.number,
                "visit": attendance.visit.code,
                "kit": supply.kit,
                "tablets": str(supply.tablets),
                "returned_on": after.day.isoformat() if after and back else "",
                "back_at": after.visit.code if after and back else "",
                "returned": str(back.returned) if back else "",
                "staff": attendance.dispenser,
            }
