"""How one form is filled in: names, layouts, the order of fields.

Whatever stands on one line is a record of its own with a number of its own, so that every line with
a value is the only one of its text.
"""

from __future__ import annotations

import random
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from generators.detectors.trial.dictionary import read_dictionary
from generators.trial.design import Design
from generators.trial.subjects import Attendance, Subject

Layout = Literal["flow", "keyed", "pairs", "plain"]
"""Lists of mappings, mappings of mappings, lists of `name value; …`, plain `test: value`."""
UNIT_SUFFIXES: Mapping[str, str] = {
    "kg": "kg", "cm": "cm", "mmHg": "mmhg", "bpm": "bpm", "ms": "ms", "C": "degc",
    "years": "years", "days": "days",
}  # fmt: skip
"""Units that may stand in the name of a test: `weight_kg`."""


@dataclass(frozen=True)
class Row:
    """One record of a section, by field as the dictionary knows it; `ref` is added."""

    fields: Mapping[str, str]


@dataclass(frozen=True)
class Section:
    """One section before it is laid out."""

    name: str
    rows: tuple[Row, ...]
    layouts: tuple[Layout, ...]


@dataclass(frozen=True)
class Names:
    """What the coordinators of one site call things: two names for most of them, one for units."""

    sections: Mapping[str, Sequence[str]]
    fields: Mapping[str, Sequence[str]]
    tests: Mapping[str, Sequence[str]]
    units: Mapping[str, str]


def draw_names(source: random.Random) -> Names:
    """The names of one site, out of the data dictionary."""
    known = read_dictionary()

    def two(names: Mapping[str, Sequence[str]]) -> Mapping[str, Sequence[str]]:
        return {name: source.sample(others, min(2, len(others))) for name, others in names.items()}

    return Names(
        sections=two(known.sections),
        fields=two(known.fields),
        tests=two(known.tests),
        units={unit: source.choice(_plain(others)) for unit, others in known.units.items()},
    )


def _plain(names: Sequence[str]) -> list[str]:
    """Those that YAML takes without quotation marks."""
    return [name for name in names if not name.startswith("%")]


class Hand:
    """How one form is filled in: names, layouts, the order of fields. One hand a form."""

    def __init__(self, source: random.Random, attendance: Attendance, names: Names) -> None:
        self._random = source
        self._attendance = attendance
        self._item = 0
        self._names = names

    def _ref(self) -> str:
        # Empty items of a page are not entered, so that numbers leave gaps.
        self._item += self._random.choice((1, 1, 2))
        return f"{self._attendance.form}-{self._item:02}"

    def heading(self, subject: Subject, design: Design) -> Iterator[str]:
        """The lines above the sections."""
        visit, form = self._attendance.visit, self._attendance.form
        title = self._random.choice(
            [
                f"# {design.number} case report form {form}",
                f"# form {form} of {subject.number} ({visit.name})",
                f"# {visit.code} {visit.name} - {subject.number}",
                f"# page set {form} for site {subject.site}",
            ]
        )
        yield title
        optional = [
            f"study: {design.number}",
            f"site: {subject.site}",
            f"visit_name: {visit.name}",
            f"form_number: {form}",
            f"crf_release: {self._random.choice(['2.3', '2.4', '2.4a', '3.0'])}",
            f"source: {self._random.choice(['paper chart', 'clinic system', 'worksheet'])}",
        ]
        yield from self._random.sample(optional, self._random.randrange(2, 5))

    def section(self, section: Section) -> Iterator[str]:
        """The lines of one section."""
        layout = self._random.choice(section.layouts)
        yield f"{self._random.choice(self._names.sections[section.name])}:"
        fields = sorted({field for row in section.rows for field in row.fields})
        self._random.shuffle(fields)
        if "time" in fields and self._random.randrange(2):
            fields.remove("time")
        named = {field: self._random.choice(self._names.fields[field]) for field in fields}
        reference = self._random.choice(self._names.fields["ref"])
        write: Mapping[Layout, Callable[[Row, Mapping[str, str], str], str]] = {
            "flow": self._flow,
            "pairs": self._pairs,
            "keyed": self._keyed,
            "plain": self._plain,
        }
        suffixes = bool(self._random.randrange(2))
        for row in section.rows:
            worded = self._worded(row)
            if layout == "plain" and suffixes and row.fields.get("unit") in UNIT_SUFFIXES:
                worded = _suffixed(worded, row.fields["unit"])
            yield write[layout](worded, named, reference)

    def _worded(self, row: Row) -> Row:
        """The same in this form's names for tests and units."""
        fields = dict(row.fields)
        if fields.get("test") in self._names.tests:
            fields["test"] = self._random.choice(self._names.tests[fields["test"]])
        if "unit" in fields:
            fields["unit"] = self._names.units[fields["unit"]]
        return Row(fields)

    def _flow(self, row: Row, named: Mapping[str, str], reference: str) -> str:
        parts = [f"{named[f]}: {row.fields[f]}" for f in named if f in row.fields]
        return f"  - {{{reference}: {self._ref()}, {', '.join(parts)}}}"

    def _pairs(self, row: Row, named: Mapping[str, str], reference: str) -> str:
        parts = [f"{named[f]} {row.fields[f]}" for f in named if f in row.fields]
        return f"  - {reference} {self._ref()}; {'; '.join(parts)}"

    def _keyed(self, row: Row, named: Mapping[str, str], reference: str) -> str:
        parts = [f"{named[f]}: {row.fields[f]}" for f in named if f in row.fields and f != "test"]
        return f"  {row.fields['test']}: {{{', '.join(parts)}, {reference}: {self._ref()}}}"

    def _plain(self, row: Row, named: Mapping[str, str], reference: str) -> str:
        fields = row.fields
        value = fields.get("finding") or f"{fields['value']} {fields.get('unit', '')}".strip()
        time = f" {fields['time']}" if "time" in fields and "time" in named else ""
        return f"  {fields['test']}: {value}  # {self._ref()}{time}"

    def prose(self, note: Sequence[str]) -> Iterator[str]:
        """The visit note."""
        yield f"{self._random.choice(self._names.sections['notes'])}: {self._random.choice('|>')}"
        width = self._random.randrange(84, 98)
        yield from textwrap.wrap(" ".join(note), width, initial_indent="  ", subsequent_indent="  ")


def _suffixed(row: Row, unit: str) -> Row:
    """`weight` in `kg` as `weight_kg`."""
    fields = {field: value for field, value in row.fields.items() if field != "unit"}
    return Row(fields | {"test": f"{fields['test']}_{UNIT_SUFFIXES[unit]}"})
