"""Reads the figures of a protocol from its text: whatever it asks for, detectors take from here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from generators.detectors.trial.cells import DAY
from generators.detectors.trial.dictionary import canonical

TITLE = re.compile(r"#[^\n]*\bprotocol\b", re.IGNORECASE)
VISIT = re.compile(r"(\w+) *\| *([^|]+?) *\| *(-?\d+) *\| *(?:± *)?(\d+)")
BAND = re.compile(
    r"(?:from (\d+)|below (\d+))(?: kg)?(?: to below (\d+))?[^|]*\| *(\d+) *\| *(\d+)"
)
VERSION = re.compile(rf"(\d+\.\d+) *\| *({DAY.pattern})")
ANALYTE = re.compile(
    r"([\w ]+?) *\| *([\w/%^]+) *\| *([\w/µ%^]+) *\| *([\d.]+)(?: after taking off ([\d.]+))?"
    r" *\| *([\d.]+) to ([\d.]+)"
)
RANGES: Mapping[str, re.Pattern[str]] = {
    "age": re.compile(r"\bage\b[^.]*?from ([\d.]+) to ([\d.]+) years", re.IGNORECASE),
    "bmi": re.compile(r"body mass index[^.]*?from ([\d.]+) to ([\d.]+) kg/m2", re.IGNORECASE),
    "hba1c": re.compile(r"hba1c[^.]*?from ([\d.]+) to ([\d.]+) ?%", re.IGNORECASE),
    "metformin": re.compile(r"metformin[^.]*?from ([\d.]+) to ([\d.]+) mg", re.IGNORECASE),
    "washout": re.compile(r"investigational product within ([\d.]+)() days", re.IGNORECASE),
    "alcohol": re.compile(r"alcohol[^.]*?()above ([\d.]+) units", re.IGNORECASE),
}
REPEATS: Mapping[str, re.Pattern[str]] = {
    "qtcf": re.compile(r"QTcF above (\d+) ms", re.IGNORECASE),
    "systolic": re.compile(r"systolic blood pressure above (\d+) mmHg", re.IGNORECASE),
}
GRADE = re.compile(r"adverse event of grade (\d) or (?:more|higher)", re.IGNORECASE)
REPORT = re.compile(r"within (\d+) hours of", re.IGNORECASE)
EXCURSION = re.compile(r"above 25 °C for more than (\d+) hours", re.IGNORECASE)


@dataclass(frozen=True)
class Window:
    """When a visit is due, counted from day 1, and by how many days it may be off."""

    day: int
    days: int


@dataclass(frozen=True)
class Band:
    """The dose of a band of body weight; kilograms, the upper end not in."""

    least: Decimal
    below: Decimal
    dose: Decimal
    """Milligrams a day."""


@dataclass(frozen=True)
class Range:
    """Both ends in; None: no limit on that side."""

    least: Decimal | None
    most: Decimal | None

    def holds(self, value: Decimal) -> bool:
        """Whether a value is within."""
        return (self.least is None or value >= self.least) and (
            self.most is None or value <= self.most
        )


@dataclass(frozen=True)
class Analyte:
    """In which units an analyte is reported, how they convert, and what is plausible."""

    local: str
    """The unit of local laboratories."""
    central: str
    """The unit of the central laboratory."""
    factor: Decimal
    offset: Decimal
    plausible: Range
    """In the central laboratory's unit."""

    def to_central(self, value: Decimal, unit: str) -> Decimal | None:
        """A value in the central laboratory's unit; None where the unit is neither of the two."""
        if unit == self.central:
            return value
        return (value - self.offset) * self.factor if unit == self.local else None

    def unit_of(self, laboratory: str) -> str:
        """The unit in which a laboratory, by its code, reports."""
        return self.central if laboratory.startswith("CEN") else self.local


@dataclass(frozen=True)
class Protocol:
    """What the protocol asks for."""

    windows: Mapping[str, Window]
    """By code of the visit; the first, on any day before day 1, has none."""
    bands: tuple[Band, ...]
    criteria: Mapping[str, Range]
    repeats: Mapping[str, Decimal]
    """Above which a test is repeated."""
    analytes: Mapping[str, Analyte]
    versions: Mapping[str, date]
    """From when each version of the consent form is in force."""
    grade: int
    """From which grade on a related event stops the study drug."""
    report_hours: int
    excursion_hours: int

    def dose(self, weight: Decimal) -> Decimal | None:
        """The daily dose for a body weight."""
        return next((b.dose for b in self.bands if b.least <= weight < b.below), None)

    def version_on(self, day: date) -> str:
        """The version of the consent form in force on a day."""
        past = {start: version for version, start in self.versions.items() if start <= day}
        return past[max(past)] if past else ""


def read_protocol(text: str) -> Protocol | None:
    """The protocol's figures, or None where the text is no protocol."""
    if not TITLE.match(text):
        return None
    flat = " ".join(text.split())
    return Protocol(
        windows={m[1]: Window(int(m[3]), int(m[4])) for m in _rows(VISIT, text)},
        bands=tuple(_bands(text)),
        criteria=dict(_criteria(flat)),
        repeats={name: Decimal(m[1]) for name, p in REPEATS.items() if (m := p.search(flat))},
        analytes=dict(_analytes(text)),
        versions={m[1]: date.fromisoformat(m[2]) for m in _rows(VERSION, text)},
        grade=_whole(GRADE, flat, 6),
        report_hours=_whole(REPORT, flat, 10_000),
        excursion_hours=_whole(EXCURSION, flat, 10_000),
    )


def _whole(pattern: re.Pattern[str], text: str, otherwise: int) -> int:
    found = pattern.search(text)
    return int(found[1]) if found else otherwise


def _rows(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """The rows of tables that a pattern fits."""
    for line in text.split("\n"):
        if line.startswith("|") and (found := pattern.match(line.strip("| "))):
            yield found


def _bands(text: str) -> Iterator[Band]:
    for found in _rows(BAND, text):
        least, only_below, below, _, dose = found.groups()
        most = only_below or below or "1000"
        yield Band(Decimal(least or 0), Decimal(most), Decimal(dose))


def _criteria(flat: str) -> Iterator[tuple[str, Range]]:
    for name, pattern in RANGES.items():
        if found := pattern.search(flat):
            least, most = (Decimal(end) if end else None for end in found.groups())
            yield name, Range(least, most)


def _analytes(text: str) -> Iterator[tuple[str, Analyte]]:
    known, units = canonical("tests"), canonical("units")
    for found in _rows(ANALYTE, text):
        name = known.get(found[1].casefold().replace(" ", "_"))
        if name is None:
            continue
        local, central = (units.get(unit.casefold(), unit) for unit in (found[2], found[3]))
        plausible = Range(Decimal(found[6]), Decimal(found[7]))
        yield name, Analyte(local, central, Decimal(found[4]), Decimal(found[5] or 0), plausible)
