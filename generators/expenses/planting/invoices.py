"""A defect that stands in one invoice, with its sums carried along."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal

from generators.detectors.expenses.papers import InvoicePaper, Posting
from generators.detectors.expenses.sums import ALCOHOL, ROOM
from generators.expenses.planting.scene import Scene, Shown
from generators.expenses.planting.sheet import Sheet
from generators.expenses.vocabulary import read_locals
from generators.money import plain_money, vat_within
from generators.planting import Planted

DRINK = re.compile(r", 0\.\d+ l$")
NUMBER = re.compile(r"(?<=: )-?\d+(?:\.\d+)?(?=[,}])")


def vat_rate(scene: Scene) -> Planted:
    """A night is taxed at the standard rate; its price and all sums stay right."""
    invoice = scene.target(InvoicePaper)
    rule = scene.policy.vat.get(invoice.country)
    rates = {tax.numbers["rate"]: tax for tax in invoice.taxes}
    if rule is None or not {rule.standard, rule.lodging} <= rates.keys():
        raise scene.refusal("does not bear both the rate of lodging and the standard rate")
    if rule.standard == rule.lodging:
        raise scene.refusal("is from a country with one rate for both")
    nights = {item.line: item for item in invoice.items if ROOM.search(item.texts["description"])}
    night = scene.choose(nights, "night")
    gross, before = night.cents("gross"), night.cents("vat")
    tax = vat_within(gross, rule.standard)
    sheet = Sheet(scene.text)
    _set(sheet, night, {"rate": rule.standard}, {"vat": tax, "net": gross - tax})
    lodging, standard, total = rates[rule.lodging], rates[rule.standard], invoice.totals[0]
    _add(sheet, lodging, net=before - gross, vat=-before, gross=-gross)
    _add(sheet, standard, net=gross - tax, vat=tax, gross=gross)
    _add(sheet, total, net=before - tax, vat=tax - before, gross=0)
    return scene.planted(sheet.text, [Shown(scene.path, night.line)])


def wine(scene: Scene) -> Planted:
    """A glass of something stronger in the place of a soft drink, at its price."""
    invoice = scene.target(InvoicePaper)
    texts = {item.line: item.texts["description"] for item in invoice.items}
    soft = {
        line: (line, text)
        for line, text in texts.items()
        if DRINK.search(text) and not ALCOHOL.search(text)
    }
    number, drink = scene.choose(soft, "soft drink")
    on_it = {found[0].lower() for text in texts.values() if (found := ALCOHOL.search(text))}
    names = [
        name
        for name, *_ in read_locals().wines(invoice.country)
        if (found := ALCOHOL.search(name)) and found[0] not in on_it
    ]
    if not names:
        raise scene.refusal("holds every drink of the country already")
    sheet = Sheet(scene.text)
    sheet.replace(number, f'"{drink}"', f'"{names[scene.drawn(len(names), "wine")]}"')
    return scene.planted(sheet.text, [Shown(scene.path, number)])


def _add(sheet: Sheet, posting: Posting, **more: int) -> None:
    _set(sheet, posting, {}, {name: posting.cents(name) + cents for name, cents in more.items()})


def _set(
    sheet: Sheet, posting: Posting, rates: Mapping[str, Decimal], amounts: Mapping[str, int]
) -> None:
    """Other numbers in the places of a posting. Fields stand in the order of the line."""
    new = {name: str(rate) for name, rate in rates.items()}
    new |= {name: plain_money(cents) for name, cents in amounts.items()}
    order = iter(posting.numbers)
    line = NUMBER.sub(lambda match: new.get(next(order), match[0]), sheet.line(posting.line))
    sheet.put(posting.line, line)
