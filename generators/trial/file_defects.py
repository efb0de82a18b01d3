"""Defects of consents, reports and logs, and those that only two files together show."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from pathlib import PurePosixPath

from generators.detectors.trial.cells import Cell, Entry
from generators.detectors.trial.dictionary import canonical
from generators.detectors.trial.laboratory import analyte_of, differ, is_plausible, unit_of
from generators.detectors.trial.notes import SUBJECT
from generators.detectors.trial.numbers import check_digit, with_check
from generators.detectors.trial.protocol import Analyte
from generators.trial.alteration import Alteration, Rewrite, Scene, Shown, lines_of
from generators.trial.design import weekday

SHIFTS = ("1.14", "0.86", "1.18", "0.82", "1.24")
"""By what a copied value is off: it stays plausible."""


def old_consent(scene: Scene) -> Iterator[Alteration]:
    """The version before the one in force; where there is none, the one that comes after it."""
    consent = scene.record.consent
    versions = sorted(scene.protocol.versions, key=lambda v: scene.protocol.versions[v])
    if consent is None or consent.version.text not in versions:
        return
    index = versions.index(consent.version.text)
    old = versions[index - 1 if index else 1]
    yield Alteration(
        consent.version.line,
        lines_of(scene.path, consent.version, consent.date),
        (Rewrite(scene.path, consent.version, old),),
    )


def report_late(scene: Scene) -> Iterator[Alteration]:
    """A serious event that the sponsor heard of a day or two late."""
    report = scene.record.serious
    aware = report.aware.moment if report else None
    if report is None or aware is None:
        return
    late = timedelta(
        hours=scene.protocol.report_hours + scene.draw.randrange(6, 50),
        minutes=scene.draw.randrange(60),
    )
    text = (aware + late).strftime("%Y-%m-%d %H:%M")
    yield Alteration(
        report.sent.line,
        lines_of(scene.path, report.aware, report.sent),
        (Rewrite(scene.path, report.sent, text),),
    )


def check_digit_wrong(scene: Scene) -> Iterator[Alteration]:
    """Two digits of a subject's number that changed places, so that the check digit is off.

    The last two before the check digit, where any subject of the table has two that differ: a
    number that is far from all others of its site would be seen without reading.
    """
    cells = [row.fields["subject"] for row in scene.record.rows if "subject" in row.fields]
    for place in (6, 5, 4):
        wrong = [(cell, text) for cell in cells if (text := _exchanged(cell.text, place))]
        for cell, text in wrong:
            shown = lines_of(scene.path, cell)
            yield Alteration(cell.line, shown, (Rewrite(scene.path, cell, text),))
        if wrong:
            return


def _exchanged(number: str, place: int) -> str:
    """A subject's number with two digits exchanged; empty where it is none or stays valid."""
    if not SUBJECT.fullmatch(number):
        return ""
    text = number[:place] + number[place + 1] + number[place] + number[place + 2 :]
    return text if check_digit(text[:-2]) != text[-1] else ""


def consent_after_visit(scene: Scene) -> Iterator[Alteration]:
    """Consent given some days after screening. In order, were screening on that later day."""
    consent = scene.record.consent
    if consent is None:
        return
    visits = [
        (form.day, path, form)
        for path, form in scene.records.forms()
        if form.subject == consent.subject and form.day
    ]
    if len(visits) < 2:
        return
    visits.sort(key=lambda visit: visit[0])
    (day, path, form), (second, *_) = visits[:2]
    new = weekday(day + timedelta(days=scene.draw.randrange(1, 4)))
    version = scene.protocol.version_on(new)
    date = form.field("visit", "date")
    if new >= second or version != consent.version.text or date is None:
        return
    yield Alteration(
        consent.date.line,
        lines_of(scene.path, consent.date) + lines_of(path, date),
        (Rewrite(scene.path, consent.date, new.isoformat()),),
        varied=(Rewrite(path, date, new.isoformat()),),
    )


def count_differs(scene: Scene) -> Iterator[Alteration]:
    """Tablets brought back that are others on the form, sum and all, than in the log."""
    form = scene.record.form
    if form is None:
        return
    brought, returned, taken = (
        form.field("drug", field) for field in ("brought", "returned", "taken")
    )
    if not brought or not returned or not taken or not brought.number or not returned.number:
        return
    for path, row in scene.records.rows("log"):
        if (row.text("subject"), row.text("back_at")) != (form.subject, form.code):
            continue
        new = returned.number + scene.draw.choice([3, 5, 7, 9])
        yield Alteration(
            returned.line,
            (*lines_of(scene.path, returned), Shown(path, row.line, row.line)),
            (
                Rewrite(scene.path, returned, str(new)),
                Rewrite(scene.path, taken, str(brought.number - new)),
            ),
            varied=(Rewrite(path, row.fields["returned"], str(new)),),
        )


def kit_again(scene: Scene) -> Iterator[Alteration]:
    """A kit that another site handed out already."""
    others = [
        row for path, row in scene.records.rows("log") if path != scene.path and row.text("kit")
    ]
    paths = [path for path, _ in scene.records.rows("log") if path != scene.path]
    for row in scene.record.rows if others else ():
        kit = row.fields.get("kit")
        if row.section != "log" or kit is None:
            continue
        index = scene.draw.randrange(len(others))
        theirs, path = others[index].fields["kit"], paths[index]
        yield Alteration(
            row.line,
            lines_of(scene.path, kit) + lines_of(path, theirs),
            (Rewrite(scene.path, kit, theirs.text),),
            varied=(Rewrite(path, theirs, _unused(scene, theirs.text)),),
        )


def _unused(scene: Scene, kit: str) -> str:
    """A number near that of a kit that no log has."""
    taken = {row.text("kit") for _, row in scene.records.rows("log")}
    number = int(kit[1:7])
    while (fresh := with_check(f"K{number:06}")) in taken:
        number += 1
    return fresh


def value_copied_wrongly(scene: Scene) -> Iterator[Alteration]:
    """A result on the form that is not that of the listing."""
    form, names = scene.record.form, canonical("tests")
    listed = {
        (row.text("visit"), names.get(row.text("analyte").casefold())): (path, row)
        for path, row in scene.records.rows("listing")
        if form and row.text("subject") == form.subject
    }
    for entry in form.of("labs") if form else ():
        partner = listed.get((form.code if form else "", names.get(entry.text("test").casefold())))
        analyte = analyte_of(entry, "test", scene.protocol)
        # What decides on entry is left alone: that would be a defect of another kind.
        if (
            partner is None
            or analyte is None
            or names.get(entry.text("test").casefold()) == "hba1c"
        ):
            continue
        found = _wrong_copy(scene, entry, partner[0], partner[1], analyte)
        if found:
            yield found


def _wrong_copy(
    scene: Scene, entry: Entry, path: PurePosixPath, row: Entry, analyte: Analyte
) -> Alteration | None:
    cell, listed = entry.fields.get("value"), row.fields["result"]
    if cell is None or cell.number is None:
        return None
    new = _like(cell, cell.number * Decimal(scene.draw.choice(SHIFTS)))
    changed = Entry(entry.section, {**entry.fields, "value": new}, entry.line)
    if not differ(changed, row, analyte) or not is_plausible(new, unit_of(entry), analyte):
        return None
    central = analyte.to_central(Decimal(new.text), unit_of(entry)) or Decimal(0)
    there = central
    if unit_of(row) == analyte.local:
        there = central / analyte.factor + analyte.offset
    return Alteration(
        cell.line,
        (*lines_of(scene.path, cell), Shown(path, row.line, row.line)),
        (Rewrite(scene.path, cell, new.text),),
        varied=(Rewrite(path, listed, _like(listed, there).text),),
    )


def _like(cell: Cell, value: Decimal) -> Cell:
    """A value with as many places as the one that stands there."""
    places = int((cell.number or Decimal(0)).as_tuple().exponent)
    text = str(value.quantize(Decimal(1).scaleb(places)))
    return Cell(text, cell.line, cell.column)


def signed_by_leaver(scene: Scene) -> Iterator[Alteration]:
    """A form signed by an investigator of the site whose delegation was over."""
    form = scene.record.form
    name = form.field("signature", "by") if form else None
    signed = form.field("signature", "signed") if form else None
    if name is None or signed is None or signed.day is None:
        return
    staff = [(path, row) for path, row in scene.records.rows("delegation")]
    here = {path for path, row in staff if row.text("name") == name.text}
    for path, row in staff:
        end = row.fields.get("end")
        if path not in here or end is None or end.day is None or end.day >= signed.day:
            continue
        later = weekday(signed.day + timedelta(days=scene.draw.randrange(5, 40)))
        yield Alteration(
            name.line,
            (*lines_of(scene.path, name, signed), Shown(path, row.line, row.line)),
            (Rewrite(scene.path, name, row.text("name")),),
            varied=(Rewrite(path, end, later.isoformat()),),
        )
