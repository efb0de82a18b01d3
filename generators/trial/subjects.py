"""What happened to each subject: consent, visits, readings, tablets and events, by the protocol."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from generators.trial.analytes import Analyte
from generators.trial.design import (
    ConsentVersion,
    Visit,
)


@dataclass(frozen=True)
class Measure:
    """One reading at the bedside."""

    test: str
    value: str
    unit: str
    at: str


@dataclass(frozen=True)
class LabResult:
    """One result as a laboratory printed it."""

    analyte: Analyte
    value: Decimal
    accession: str


@dataclass(frozen=True)
class Supply:
    """Study drug handed out at a visit."""

    kit: str
    tablets: int
    dose: int
    """Milligrams a day."""
    per_day: int


@dataclass(frozen=True)
class Return:
    """What became of the last supply."""

    supplied: int
    returned: int

    @property
    def taken(self) -> int:
        """Tablets that did not come back."""
        return self.supplied - self.returned


@dataclass(frozen=True)
class Event:
    """An adverse event."""

    term: str
    grade: int
    onset: date
    related: bool
    action: str
    outcome: str
    serious: bool = False


@dataclass(frozen=True)
class Medication:
    """A medicine taken beside the study drug."""

    name: str
    amount: str
    reason: str


@dataclass(frozen=True)
class Attendance:
    """One visit as it took place."""

    visit: Visit
    form: int
    """The number of its case report form."""
    day: date
    drawn: datetime
    """When blood was taken."""
    central: bool
    """Whether the blood went to the central laboratory."""
    signed: date
    vitals: tuple[Measure, ...]
    ecg: tuple[Measure, ...]
    labs: tuple[LabResult, ...]
    supply: Supply | None
    returned: Return | None
    events: tuple[Event, ...]
    signer: str = ""
    dispenser: str = ""
    """Initials of who handed out the supply."""


@dataclass(frozen=True)
class Subject:
    """One person in the trial."""

    number: str
    site: str
    consent: datetime
    version: ConsentVersion
    age: int
    height: int
    bmi: Decimal
    washout: int
    alcohol: int
    duration: int
    metformin: int
    medicines: tuple[Medication, ...]
    attended: tuple[Attendance, ...]
    informed_by: str = ""
    """Who led the talk before consent."""

    @property
    def first_dose(self) -> date:
        """Day 1."""
        return next(a.day for a in self.attended if a.visit.code == "V2")
