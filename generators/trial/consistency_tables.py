"""Whether laboratory listings and dispensing logs are right in themselves and fit the forms."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from pathlib import PurePosixPath

from generators.detectors.trial.cells import Cell, Entry
from generators.detectors.trial.dictionary import canonical
from generators.detectors.trial.forms import Form
from generators.detectors.trial.records import Records

Forms = dict[tuple[str, str], Form]
"""By subject and code of the visit."""


def sample_faults(records: Records, most_days: int) -> Iterator[str]:
    """Every sample belongs to a visit and was taken in time; every value on a form has its row."""
    forms = _forms(records)
    consents = {consent.subject: consent for _, consent in records.consents()}
    known = canonical("tests")
    seen: set[tuple[str, str, str]] = set()
    for path, row in records.rows("listing"):
        where = f"{path}:{row.line}"
        form = forms.get((row.text("subject"), row.text("visit")))
        drawn = row.day("collected")
        seen.add((row.text("subject"), row.text("visit"), known[row.text("analyte").casefold()]))
        if form is None or form.day is None or drawn is None:
            yield f"{where}: belongs to no visit"
            continue
        if not timedelta() <= form.day - drawn <= timedelta(days=most_days):
            yield f"{where}: was not taken at the visit or just before"
        consent = consents.get(form.subject)
        if consent is None or consent.date.day is None or drawn < consent.date.day:
            yield f"{where}: was taken before consent"
        if row.text("flag") != _flag(row):
            yield f"{where}: flag {row.text('flag')!r} should be {_flag(row)!r}"
    for (subject, code), form in forms.items():
        for entry in form.of("labs"):
            if (subject, code, known[entry.text("test").casefold()]) not in seen:
                yield f"{subject} {code}: {entry.text('test')} is in no listing"


def _flag(row: Entry) -> str:
    value, low, high = (row.number(field) for field in ("result", "low", "high"))
    if value is None or low is None or high is None:
        return "?"
    return "H" if value > high else "L" if value < low else ""


def log_faults(records: Records, strength: int, share: tuple[Decimal, Decimal]) -> Iterator[str]:
    """Every supply on a form has its line in the log, and every line its form."""
    forms = _forms(records)
    staff = _initials(records)
    logged: dict[tuple[str, str], Entry] = {}
    for path, row in records.rows("log"):
        where = f"{path}:{row.line}"
        key = (row.text("subject"), row.text("visit"))
        logged[key] = row
        form = forms.get(key)
        if form is None or form.day != row.day("dispensed_on"):
            yield f"{where}: was handed out at no visit"
        back = forms.get((row.text("subject"), row.text("back_at")))
        if row.text("back_at") and (back is None or back.day != row.day("returned_on")):
            yield f"{where}: came back at no visit"
        if row.text("staff") not in staff.get(path.parent, set()):
            yield f"{where}: was handed out by nobody of the site"
    for (subject, code), form in forms.items():
        for fault in _drug(form, logged, strength, share):
            yield f"{subject} {code}: {fault}"


def _drug(
    form: Form,
    logged: dict[tuple[str, str], Entry],
    strength: int,
    share: tuple[Decimal, Decimal],
) -> Iterator[str]:
    if form.code == "V1":
        return
    row = logged.get((form.subject, form.code))
    dose, per_day, out = (_number(form, f) for f in ("dose", "per_day", "dispensed"))
    if row is None or out != row.number("tablets"):
        yield "the supply is not that of the log"
    if dose != per_day * strength:
        yield "the dose is not that of the tablets a day"
    if form.code == "V2":
        return
    earlier = [other for key, other in logged.items() if key[0] == form.subject]
    before = next((other for other in earlier if other.text("back_at") == form.code), None)
    brought, back, taken = (_number(form, f) for f in ("brought", "returned", "taken"))
    if before is None or (brought, back) != (before.number("tablets"), before.number("returned")):
        yield "the last supply is not that of the log"
        return
    start = before.day("dispensed_on")
    days = (form.day - start).days if form.day and start else 0
    # The dose of the last visit, which is not on this form, is one of a few.
    least, most = share
    if not any(least <= taken / (n * days) <= most for n in range(1, 5) if days):
        yield "the tablets taken are not those due"


def _number(form: Form, field: str) -> Decimal:
    cell: Cell | None = form.field("drug", field)
    return cell.number if cell and cell.number is not None else Decimal(-1)


def _forms(records: Records) -> Forms:
    return {(form.subject, form.code): form for _, form in records.forms()}


def _initials(records: Records) -> dict[PurePosixPath, set[str]]:
    """Of the staff of each site, by its folder."""
    found: dict[PurePosixPath, set[str]] = {}
    for path, row in records.rows("delegation"):
        found.setdefault(path.parent, set()).add(row.text("initials"))
    return found
