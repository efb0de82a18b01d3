"""Whether the records of a trial agree with each other and with the protocol, by their texts alone.

It knows nothing of the generator: it reads the files as an auditor would. Over a clean corpus it
finds nothing, so that what is found in a planted one was planted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from pathlib import PurePosixPath

from generators.detectors.trial.form_rules import value_of
from generators.detectors.trial.forms import Form
from generators.detectors.trial.kinds import TRIAL_KINDS
from generators.detectors.trial.notes import Consent
from generators.detectors.trial.records import Record, Records, read_record
from generators.trial.consistency_events import event_faults
from generators.trial.consistency_tables import log_faults, sample_faults

SECTIONS: Mapping[str, int] = {"visit": 1, "vitals": 5, "ecg": 4, "labs": 6, "exam": 3}
"""The least number of records in each section of every form."""
TENTH = Decimal("0.1")
SCREENING_DAYS = re.compile(r"any of the (\d+) days before day 1")
SIGN_DAYS = re.compile(r"signed within (\d+) days of the visit")
DRAW_DAYS = re.compile(r"in the (\d+) days before it")
TABLET = re.compile(r"tablet of (\d+) mg")
TAKEN = re.compile(r"between (\d+) and (\d+) % of the tablets")
CONSENTED = re.compile(r"(\d+) (?:had consented|subjects had signed consent|consented)")
DOSED = re.compile(r"(\d+) (?:had (?:taken a first dose|started study drug)|dosed)")
VISITS = re.compile(r"(\d+) visits")
DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True)
class Figures:
    """What the protocol says beside the figures that detectors need."""

    screening: int
    sign: int
    draw: int
    tablet: int
    taken: tuple[Decimal, Decimal]
    """Shares of the tablets due."""

    @classmethod
    def of(cls, text: str) -> Figures:
        """Read them from the protocol."""
        flat = " ".join(text.split())
        one = {
            name: pattern.search(flat)
            for name, pattern in (
                ("screening", SCREENING_DAYS),
                ("sign", SIGN_DAYS),
                ("draw", DRAW_DAYS),
                ("tablet", TABLET),
            )
        }
        whole = {name: int(found[1]) if found else 0 for name, found in one.items()}
        ends = TAKEN.search(flat)
        least, most = (Decimal(end) / 100 for end in ends.groups()) if ends else (Decimal(9),) * 2
        return cls(**whole, taken=(least, most))


def faults(texts: Mapping[str, str]) -> tuple[str, ...]:
    """What is not in order, one sentence each; nothing where all is."""
    paths = {PurePosixPath(path): text for path, text in texts.items()}
    records = Records({path: read_record(path.suffix, paths[path]) for path in sorted(paths)})
    protocols = [path for path, record in records.by_path.items() if record.protocol]
    if len(protocols) != 1:
        return (f"there are {len(protocols)} protocols",)
    figures = Figures.of(paths[protocols[0]])
    return (
        *_by_rule(records),
        *_unread(records, paths),
        *_visits(records, figures),
        *sample_faults(records, figures.draw),
        *log_faults(records, figures.tablet, figures.taken),
        *event_faults(records),
        *_counts(records, paths),
    )


def _by_rule(records: Records) -> Iterator[str]:
    """What the detectors find."""
    for name, kind in TRIAL_KINDS.items():
        for found in kind.make().decide(records.by_path):
            yield f"{found.path}:{found.first}: {name}"


def _unread(records: Records, texts: Mapping[PurePosixPath, str]) -> Iterator[str]:
    """Files that were not understood: whatever stands in them would be checked by nobody."""
    for path, record in records.by_path.items():
        if path.suffix == ".yaml" and record.form is None:
            yield f"{path}: is no form"
        elif path.suffix == ".csv" and not _reads_all(record, texts[path]):
            yield f"{path}: has rows that cannot be read"
        elif path.suffix == ".md" and not _is_known(record):
            yield f"{path}: says nothing that is checked"
        if record.form:
            yield from (f"{path}: {fault}" for fault in _gaps(record.form))


def _reads_all(record: Record, text: str) -> bool:
    return len(record.rows) == text.count("\n") - 1 > 0


def _is_known(record: Record) -> bool:
    return bool(record.protocol or record.rows or record.consent or record.serious or record.heats)


def _gaps(form: Form) -> Iterator[str]:
    for section, least in SECTIONS.items():
        if len(form.of(section)) < least:
            yield f"has fewer than {least} records in {section}"
    wanted = "eligibility" if form.code == "V1" else "drug"
    if not form.of(wanted):
        yield f"has no section {wanted}"
    if not form.field("signature", "by") or not form.field("signature", "signed"):
        yield "is not signed"


def _visits(records: Records, figures: Figures) -> Iterator[str]:
    """Consent, screening, day 1, later visits, signatures: each after the one before."""
    consents = {consent.subject: consent for _, consent in records.consents()}
    forms: dict[str, list[Form]] = {}
    for path, form in records.forms():
        forms.setdefault(form.subject, []).append(form)
        yield from (f"{path}: {fault}" for fault in _signature(records, form, figures))
        yield from (f"{path}: {fault}" for fault in _body(form))
    if set(consents) != set(forms):
        yield f"consents and forms are of other subjects: {set(consents) ^ set(forms)}"
    for subject, own in forms.items():
        own.sort(key=lambda form: form.code)
        yield from (f"{subject}: {fault}" for fault in _order(own, consents.get(subject), figures))


def _order(forms: list[Form], consent: Consent | None, figures: Figures) -> Iterator[str]:
    days = [form.day or date.min for form in forms]
    first = {form.field("visit", "day_1") for form in forms[1:]}
    day_1 = {cell.day for cell in first if cell}
    if sorted(days) != days or len(set(days)) != len(days):
        yield "visits are not in order"
    if day_1 != {days[1]}:
        yield "day 1 is not the same on all forms"
    if not 1 <= (days[1] - days[0]).days <= figures.screening:
        yield "screening is not in the days before day 1"
    if consent is None or (consent.date.day or date.max) > days[0]:
        yield "screening comes before consent"


def _signature(records: Records, form: Form, figures: Figures) -> Iterator[str]:
    name, signed = form.field("signature", "by"), form.field("signature", "signed")
    known = {row.text("name") for _, row in records.rows("delegation")}
    if name is None or name.text not in known:
        yield "is signed by somebody who is in no delegation log"
    late = timedelta(days=figures.sign)
    if form.day is None or signed is None or not signed.day:
        yield "has no day of visit or of signature"
    elif not form.day <= signed.day <= form.day + late:
        yield "is not signed in time"


def _body(form: Form) -> Iterator[str]:
    """Body mass index, and repeats: behind the reading, and below the limit again."""
    weight, height = (value_of(form, "vitals", test) for test in ("weight", "height"))
    bmi = value_of(form, "eligibility", "bmi")
    if bmi and weight and height and weight.number and height.number:
        right = (weight.number * 10_000 / height.number**2).quantize(TENTH)
        if bmi.number != right:
            yield f"body mass index {bmi.text} should be {right}"
    for section, test in (("ecg", "qtcf"), ("vitals", "systolic")):
        one, again = value_of(form, section, test), value_of(form, section, f"{test}_repeat")
        if again and (one is None or again.line != one.line + 1):
            yield f"the repeat of {test} does not follow it"


def _counts(records: Records, texts: Mapping[PurePosixPath, str]) -> Iterator[str]:
    """The figures of monitoring notes."""
    for path, record in records.by_path.items():
        if not record.heats:
            continue
        day = date.fromisoformat((DAY.search(path.name) or ["1970-01-01"])[0])
        site = path.parent.name
        days: dict[str, list[date]] = {}
        for _, form in records.forms():
            if form.subject.startswith(site) and form.day:
                days.setdefault(form.subject, []).append(form.day)
        consents = [c for _, c in records.consents() if c.subject in days]
        expected = (
            sum((c.date.day or date.max) <= day for c in consents),
            sum(sorted(own)[1] <= day for own in days.values()),
            sum(one <= day for own in days.values() for one in own),
        )
        flat = " ".join(texts[path].split())
        said = tuple(int((p.search(flat) or [0, -1])[1]) for p in (CONSENTED, DOSED, VISITS))
        if said != expected:
            yield f"{path}: counts {said} should be {expected}"
