"""Defects of one form: each yields the ways in which it could be made in a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal

from generators.detectors.trial.cells import Cell, Entry
from generators.detectors.trial.dictionary import canonical, read_dictionary
from generators.detectors.trial.form_rules import value_of
from generators.detectors.trial.forms import Form
from generators.trial.alteration import Alteration, Rewrite, Scene, Shown, lines_of
from generators.trial.design import weekday

LATE_BY = (2, 3, 1)
"""Days beyond the window; the first of these that falls on a working day."""
NEAR_EDGE = Decimal(7)
"""Kilograms: how far a weight may be moved to the other side of an edge."""
LEAST_TAKEN, MOST_TAKEN = Decimal("0.7"), Decimal("1.3")
"""Of the tablets due between two visits."""
DRAW_DAYS = 14
"""From the blood sample to its visit."""


def visit_late(scene: Scene) -> Iterator[Alteration]:
    """A visit some days after the end of its window, all else still being in order."""
    form = scene.record.form
    date_cell, first = _cells(form, "visit", "date", "day_1")
    window = scene.protocol.windows.get(form.code) if form else None
    if form is None or not date_cell or not first or window is None or not window.days:
        return
    old, day_1 = date_cell.day, first.day
    if old is None or day_1 is None:
        return
    end = day_1 + timedelta(days=window.day - 1 + window.days)
    late = [end + timedelta(days=days) for days in LATE_BY]
    new = next(day for day in late if weekday(day) == day)
    if _leaves_all_else_in_order(scene, form, new):
        rewrite = Rewrite(scene.path, date_cell, new.isoformat())
        yield Alteration(date_cell.line, lines_of(scene.path, date_cell, first), (rewrite,))


def _leaves_all_else_in_order(scene: Scene, form: Form, new: date) -> bool:
    """Whether samples, signature, other visits and tablets still fit a visit on another day."""
    signed = form.field("signature", "signed")
    if signed is None or signed.day is None or signed.day <= new:
        return False
    for _, row in scene.records.rows("listing"):
        if (row.text("subject"), row.text("visit")) == (form.subject, form.code):
            drawn = row.day("collected")
            if drawn is None or (new - drawn).days > DRAW_DAYS:
                return False
    forms = [other for _, other in scene.records.forms() if other.subject == form.subject]
    earlier = [one for one in forms if one.code < form.code]
    later = [one for one in forms if one.code > form.code]
    before = max(earlier, key=lambda one: one.code, default=None)
    after = min(later, key=lambda one: one.code, default=None)
    if before is not None and not _fit(before, form, new - (before.day or new)):
        return False
    return after is None or _fit(form, after, (after.day or new) - new)


def _fit(before: Form, after: Form, time: timedelta) -> bool:
    """Whether the tablets taken from one visit to the next fit the time between them."""
    per_day, taken = before.field("drug", "per_day"), after.field("drug", "taken")
    if not per_day or not taken or per_day.number is None or taken.number is None:
        return time.days > 0
    due = per_day.number * time.days
    return LEAST_TAKEN * due <= taken.number <= MOST_TAKEN * due


def weight_over_edge(scene: Scene) -> Iterator[Alteration]:
    """A weight just beyond the edge of the band from which the dose was taken."""
    form = scene.record.form
    dose = form.field("drug", "dose") if form else None
    weight = value_of(form, "vitals", "weight") if form else None
    if not dose or not weight or weight.number is None:
        return
    edges = {band.least for band in scene.protocol.bands if band.least}
    for edge in sorted(edges, key=lambda one: abs(one - (weight.number or one))):
        if abs(edge - weight.number) > NEAR_EDGE:
            continue
        by = Decimal(scene.draw.randrange(4, 15)) / 10
        new = edge + by if weight.number < edge else edge - by
        rewrite = Rewrite(scene.path, weight, f"{new:.1f}")
        yield Alteration(weight.line, lines_of(scene.path, weight, dose), (rewrite,))
        return


def criterion_missed(scene: Scene, criterion: str) -> Iterator[Alteration]:
    """A value of screening on the wrong side of a limit."""
    form, allowed = scene.record.form, scene.protocol.criteria.get(criterion)
    cell = value_of(form, "eligibility", criterion) if form else None
    if cell is None or allowed is None:
        return
    if allowed.most is not None:
        new = allowed.most + scene.draw.randrange(2, 6)
    else:
        new = (allowed.least or Decimal(0)) - scene.draw.randrange(12, 40)
    rewrite = Rewrite(scene.path, cell, str(new))
    yield Alteration(cell.line, lines_of(scene.path, cell), (rewrite,))


def repeat_missing(scene: Scene) -> Iterator[Alteration]:
    """A reading beyond the limit whose repeat, on the next line, is gone."""
    form = scene.record.form
    if form is None:
        return
    for test in scene.protocol.repeats:
        section = "ecg" if test == "qtcf" else "vitals"
        first, again = form.tests(section, test), form.tests(section, f"{test}_repeat")
        if first and again and again[0].line == first[0].line + 1:
            line = first[0].line
            yield Alteration(line, (Shown(scene.path, line, line + 1),), removed=line + 1)


def tablets_wrong(scene: Scene) -> Iterator[Alteration]:
    """A few tablets more, or fewer, said to be taken than are missing."""
    form = scene.record.form
    brought, back, taken = _cells(form, "drug", "brought", "returned", "taken")
    if not brought or not back or not taken or taken.number is None:
        return
    # A twentieth: the share of the tablets due stays within its limits.
    by = max(2, int(taken.number) // 20)
    new = taken.number + scene.draw.choice([-by, by])
    rewrite = Rewrite(scene.path, taken, str(new))
    yield Alteration(taken.line, lines_of(scene.path, brought, back, taken), (rewrite,))


def drug_went_on(scene: Scene) -> Iterator[Alteration]:
    """A severe, related event after which the drug was not stopped.

    Either a severe one has another action, or a mild one after which the drug went on is severe.
    """
    form, answers, actions = scene.record.form, canonical("answers"), canonical("actions")
    for event in form.of("events") if form else ():
        grade, action = event.fields.get("grade"), event.fields.get("action")
        if not grade or not action or answers.get(event.text("related").casefold()) != "yes":
            continue
        if actions.get(action.text.casefold()) == "unchanged":
            rewrite = Rewrite(scene.path, grade, str(scene.protocol.grade))
        else:
            text = scene.draw.choice(read_dictionary().actions["unchanged"])
            rewrite = Rewrite(scene.path, action, text)
        if (grade.number or 0) >= scene.protocol.grade or rewrite.cell is grade:
            shown = (Shown(scene.path, event.line, event.line),)
            yield Alteration(event.line, shown, (rewrite,))


def unit_exchanged(scene: Scene) -> Iterator[Alteration]:
    """A result under the other of the two units in which its analyte is reported."""
    form = scene.record.form
    rows = form.of("labs") if form else scene.record.rows
    names, units = canonical("tests"), canonical("units")
    seen = _spellings(rows)
    for row in rows:
        test = row.text("test") or row.text("analyte")
        analyte = scene.protocol.analytes.get(names.get(test.casefold(), ""))
        cell = row.fields.get("unit")
        if analyte is None or cell is None or analyte.local == analyte.central:
            continue
        is_local = units.get(cell.text.casefold(), cell.text) == analyte.local
        other = analyte.central if is_local else analyte.local
        text = seen.get(other, read_dictionary().units[other][0])
        yield Alteration(row.line, lines_of(scene.path, cell), (Rewrite(scene.path, cell, text),))


def _spellings(rows: Sequence[Entry]) -> dict[str, str]:
    """How a file spells each unit."""
    units = canonical("units")
    found = [row.text("unit") for row in rows]
    return {units.get(text.casefold(), text): text for text in found}


def _cells(form: Form | None, section: str, *fields: str) -> list[Cell | None]:
    return [form.field(section, field) if form else None for field in fields]
