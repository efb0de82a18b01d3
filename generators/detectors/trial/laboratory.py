"""Defects of laboratory values: a unit that is not the laboratory's, a value copied wrongly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import PurePosixPath

from generators.detectors.detector import Evidence
from generators.detectors.trial.cells import Cell, Entry, on_lines
from generators.detectors.trial.dictionary import canonical
from generators.detectors.trial.protocol import Analyte, Protocol
from generators.detectors.trial.records import Records

HALF = Decimal("0.5")


def wrong_lab_unit(records: Records) -> Iterator[Evidence]:
    """A unit that is not the laboratory's, or a value that is implausible in its unit."""
    protocol = records.protocol
    if protocol is None:
        return
    for path, row in records.rows("listing"):
        analyte = analyte_of(row, "analyte", protocol)
        if analyte is None:
            continue
        unit = unit_of(row)
        expected = analyte.unit_of(row.text("lab"))
        if unit != expected or not is_plausible(row.fields["result"], unit, analyte):
            yield Evidence(path, row.line, row.line)
    for path, form in records.forms():
        for entry in form.of("labs"):
            analyte = analyte_of(entry, "test", protocol)
            value = entry.fields.get("value")
            if analyte and value and not is_plausible(value, unit_of(entry), analyte):
                yield from on_lines(path, value, entry.fields.get("unit", value))


def lab_value_differs(records: Records) -> Iterator[Evidence]:
    """A value on a form that is not the listing's, beyond what rounding explains."""
    protocol = records.protocol
    if protocol is None:
        return
    listed: dict[tuple[str, str, str], tuple[PurePosixPath, Entry]] = {}
    known = canonical("tests")
    for path, row in records.rows("listing"):
        name = known.get(row.text("analyte").casefold(), "")
        listed[row.text("subject"), row.text("visit"), name] = (path, row)
    for path, form in records.forms():
        for entry in form.of("labs"):
            name = known.get(entry.text("test").casefold(), "")
            found = listed.get((form.subject, form.code, name))
            analyte = protocol.analytes.get(name)
            value = entry.fields.get("value")
            if found and analyte and value and differ(entry, found[1], analyte):
                yield from on_lines(path, value)
                yield Evidence(found[0], found[1].line, found[1].line)


def differ(entry: Entry, row: Entry, analyte: Analyte) -> bool:
    """Whether form and listing say different things; not where one has another unit altogether."""
    pairs = ((entry.fields["value"], unit_of(entry)), (row.fields["result"], unit_of(row)))
    if not all(is_plausible(cell, unit, analyte) for cell, unit in pairs):
        return False
    one, other = (_measured(cell, unit, analyte) for cell, unit in pairs)
    return not one.meets(other)


@dataclass(frozen=True)
class _Measured:
    """What a rounded value may have been, in the central laboratory's unit."""

    least: Decimal
    most: Decimal

    def meets(self, other: _Measured) -> bool:
        """Whether both may have been the same."""
        return self.least <= other.most and other.least <= self.most


def _measured(cell: Cell, unit: str, analyte: Analyte) -> _Measured:
    value = cell.number or Decimal(0)
    half = HALF.scaleb(int(value.as_tuple().exponent))
    ends = (analyte.to_central(value - half, unit), analyte.to_central(value + half, unit))
    return _Measured(ends[0] or Decimal(0), ends[1] or Decimal(0))


def is_plausible(cell: Cell, unit: str, analyte: Analyte) -> bool:
    """Whether the protocol takes a value in this unit for possible."""
    value = cell.number
    central = None if value is None else analyte.to_central(value, unit)
    return central is not None and analyte.plausible.holds(central)


def analyte_of(entry: Entry, field: str, protocol: Protocol) -> Analyte | None:
    """What a row or a record measures."""
    name = canonical("tests").get(entry.text(field).casefold(), "")
    return protocol.analytes.get(name)


def unit_of(entry: Entry) -> str:
    """The unit, as the data dictionary spells it."""
    unit = entry.text("unit")
    return canonical("units").get(unit.casefold(), unit)
