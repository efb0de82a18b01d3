"""Defects that one form shows beside the protocol: windows, doses, criteria, repeats, sums."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import PurePosixPath

from generators.detectors.detector import Evidence
from generators.detectors.trial.cells import Cell, Entry, on_lines
from generators.detectors.trial.dictionary import canonical
from generators.detectors.trial.forms import Form
from generators.detectors.trial.protocol import Protocol
from generators.detectors.trial.records import Records


def visit_outside_window(records: Records) -> Iterator[Evidence]:
    """A visit earlier or later than its window, counted from day 1."""
    protocol = records.protocol
    if protocol is None:
        return
    for path, form in records.forms():
        window = protocol.windows.get(form.code)
        date, first = form.field("visit", "date"), form.field("visit", "day_1")
        if window is None or date is None or first is None or not date.day or not first.day:
            continue
        day = (date.day - first.day).days + 1
        if abs(day - window.day) > window.days:
            yield from on_lines(path, date, first)


def dose_not_by_weight(records: Records) -> Iterator[Evidence]:
    """A daily dose that is not that of the band in which the subject's weight lies."""
    protocol = records.protocol
    if protocol is None:
        return
    for path, form in records.forms():
        dose = form.field("drug", "dose")
        weight = value_of(form, "vitals", "weight")
        if dose is None or weight is None or dose.number is None or weight.number is None:
            continue
        if protocol.dose(weight.number) not in (None, dose.number):
            yield from on_lines(path, weight, dose)


def ineligible_subject(records: Records) -> Iterator[Evidence]:
    """A criterion of entry that was not met at screening."""
    protocol = records.protocol
    if protocol is None:
        return
    for path, form in records.forms():
        for name, allowed in protocol.criteria.items():
            cell = value_of(form, "eligibility", name)
            if cell and cell.number is not None and not allowed.holds(cell.number):
                yield from on_lines(path, cell)


def missing_repeat_test(records: Records) -> Iterator[Evidence]:
    """A reading that the protocol has repeated, and no repeat: its line and the next one."""
    protocol = records.protocol
    if protocol is None:
        return
    for path, form in records.forms():
        for test, limit in protocol.repeats.items():
            section = "ecg" if test == "qtcf" else "vitals"
            cell = value_of(form, section, test)
            over = cell and cell.number is not None and cell.number > limit
            if cell and over and not form.tests(section, f"{test}_repeat"):
                yield Evidence(path, cell.line, cell.line + 1)


def tablets_do_not_add_up(records: Records) -> Iterator[Evidence]:
    """Tablets taken that are not those of the last supply less those brought back."""
    for path, form in records.forms():
        for entry in form.of("drug"):
            brought, back, taken = (entry.fields.get(f) for f in ("brought", "returned", "taken"))
            if not brought or not back or not taken:
                continue
            if _number(brought) - _number(back) != _number(taken):
                yield from on_lines(path, brought, back, taken)


def wrong_drug_action(records: Records) -> Iterator[Evidence]:
    """A severe, related event after which the study drug went on."""
    protocol = records.protocol
    if protocol is None:
        return
    for path, form in records.forms():
        for event in form.of("events"):
            if _must_stop(event, protocol) and _meaning(event, "action", "actions") == "unchanged":
                yield Evidence(path, event.line, event.line)


def _must_stop(event: Entry, protocol: Protocol) -> bool:
    grade = event.number("grade")
    related = _meaning(event, "related", "answers") == "yes"
    return grade is not None and grade >= protocol.grade and related


def _meaning(event: Entry, field: str, what: str) -> str:
    return canonical(what).get(event.text(field).casefold(), "")


def value_of(form: Form, section: str, test: str) -> Cell | None:
    """The value of the first measurement of a test."""
    found = form.tests(section, test)
    return found[0].fields.get("value") if found else None


def _number(cell: Cell) -> Decimal:
    return cell.number if cell.number is not None else Decimal(0)


def wrong_check_digit(records: Records) -> Iterator[Evidence]:
    """A number of a subject or a kit that its check digit does not fit."""
    for path, record in records.by_path.items():
        for line in sorted({wrong.line for wrong in record.wrong_numbers}):
            yield Evidence(path, line, line)


def storage_excursion(records: Records) -> Iterator[Evidence]:
    """Kits that stayed in use after a stretch above the limit, longer than the protocol allows."""
    protocol = records.protocol
    if protocol is None:
        return
    for path, record in records.by_path.items():
        for heat in record.heats:
            if heat.hours > protocol.excursion_hours:
                yield Evidence(PurePosixPath(path), heat.first, heat.last)


def late_serious_report(records: Records) -> Iterator[Evidence]:
    """A serious event that the sponsor heard of later than the protocol allows."""
    protocol = records.protocol
    if protocol is None:
        return
    for path, report in records.serious():
        aware, sent = report.aware.moment, report.sent.moment
        if aware and sent and (sent - aware).total_seconds() > protocol.report_hours * 3600:
            yield from on_lines(path, report.aware, report.sent)


def outdated_consent(records: Records) -> Iterator[Evidence]:
    """A consent form signed in a version other than the one in force on that day."""
    protocol = records.protocol
    if protocol is None:
        return
    for path, consent in records.consents():
        day = consent.date.day
        if day and consent.version.text != protocol.version_on(day):
            yield from on_lines(path, consent.version, consent.date)
