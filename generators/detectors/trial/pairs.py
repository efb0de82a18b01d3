"""Defects that only two files together show: forms beside consents, logs and delegations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from generators.detectors.detector import Evidence
from generators.detectors.trial.cells import Entry, on_lines
from generators.detectors.trial.forms import Form
from generators.detectors.trial.records import Records


def procedure_before_consent(records: Records) -> Iterator[Evidence]:
    """A visit on a day before the subject gave consent."""
    consents = {consent.subject: (path, consent) for path, consent in records.consents()}
    for path, form in records.forms():
        found, date = consents.get(form.subject), form.field("visit", "date")
        if found is None or date is None or date.day is None:
            continue
        where, consent = found
        signed = consent.date.day
        if signed and date.day < signed:
            yield from on_lines(where, consent.date)
            yield from on_lines(path, date)


def tablet_count_differs(records: Records) -> Iterator[Evidence]:
    """Tablets handed out or brought back that are not the same on form and log."""
    forms = {(form.subject, form.code): (path, form) for path, form in records.forms()}
    for path, row in records.rows("log"):
        subject, code = row.text("subject"), row.text("visit")
        places = (
            ("tablets", "dispensed", forms.get((subject, code))),
            ("returned", "returned", forms.get((subject, row.text("back_at")))),
        )
        for column, field, place in places:
            yield from _different(path, row, column, field, place)


def _different(
    path: PurePosixPath,
    row: Entry,
    column: str,
    field: str,
    place: tuple[PurePosixPath, Form] | None,
) -> Iterator[Evidence]:
    logged = row.fields.get(column)
    said = place[1].field("drug", field) if place else None
    if place is None or logged is None or said is None or logged.number is None:
        return
    if said.number != logged.number:
        yield from on_lines(path, logged)
        yield from on_lines(place[0], said)


def signature_outside_delegation(records: Records) -> Iterator[Evidence]:
    """A form signed by somebody who was not, or no longer, delegated on that day."""
    staff = {row.text("name"): (path, row) for path, row in records.rows("delegation")}
    for path, form in records.forms():
        name, signed = form.field("signature", "by"), form.field("signature", "signed")
        found = staff.get(name.text) if name else None
        if found is None or name is None or signed is None or signed.day is None:
            continue
        where, row = found
        start, end = row.day("start"), row.day("end")
        if (start and signed.day < start) or (end and signed.day > end):
            yield from on_lines(path, name, signed)
            yield Evidence(where, row.line, row.line)


def reused_kit(records: Records) -> Iterator[Evidence]:
    """A kit that was handed out twice."""
    rows: dict[str, list[tuple[PurePosixPath, Entry]]] = {}
    for path, row in records.rows("log"):
        rows.setdefault(row.text("kit"), []).append((path, row))
    for same in rows.values():
        if len(same) > 1:
            for path, row in same:
                yield Evidence(path, row.line, row.line)
