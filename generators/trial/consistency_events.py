"""Whether adverse events are in order, and serious ones told twice in the same way."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from generators.detectors.trial.cells import Entry
from generators.detectors.trial.dictionary import canonical
from generators.detectors.trial.forms import Form
from generators.detectors.trial.records import Records

GRADES = frozenset("12345")


def event_faults(records: Records) -> Iterator[str]:
    """Events after consent, before the visit at which they are told; serious ones have a report."""
    consents = {consent.subject: consent.date.day for _, consent in records.consents()}
    reported = {report.subject for _, report in records.serious()}
    serious: dict[str, Entry] = {}
    for path, form in records.forms():
        for event in form.of("events"):
            start = consents.get(form.subject) or date.max
            yield from (f"{path}:{event.line}: {f}" for f in _event(form, event, start))
            if canonical("answers").get(event.text("serious").casefold()) == "yes":
                serious[form.subject] = event
    if set(serious) != reported:
        yield f"serious events and reports are of other subjects: {set(serious) ^ reported}"
    for path, report in records.serious():
        known = serious.get(report.subject)
        aware, sent = report.aware.moment, report.sent.moment
        onset = known.day("onset") if known else None
        if aware is None or sent is None or sent < aware:
            yield f"{path}: was sent before the site knew of it"
        elif onset is None or aware.date() < onset:
            yield f"{path}: was known before it began"


def _event(form: Form, event: Entry, consent: date) -> Iterator[str]:
    onset = event.day("onset")
    if onset is None or form.day is None or not consent <= onset <= form.day:
        yield "did not begin between consent and this visit"
    if event.text("grade") not in GRADES:
        yield "has no grade"
    if event.text("action").casefold() not in canonical("actions"):
        yield "says nothing of study drug"
    if event.text("related").casefold() not in canonical("answers"):
        yield "says nothing of a relation"
