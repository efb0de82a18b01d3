"""Defects that stand in one report, with all its sums carried along."""

from __future__ import annotations

import re
from datetime import timedelta
from decimal import Decimal

from generators.detectors.expenses.lines import PER_KILOMETRE
from generators.detectors.expenses.papers import InvoicePaper, MailPaper
from generators.detectors.expenses.report import IBAN, ReportPaper, read_report
from generators.expenses.planting.scene import Scene, Shown
from generators.expenses.planting.sheet import Sheet, summed
from generators.money import check_digits, grouped, money, share_of, to_euro
from generators.planting import Planted

STEP = 50
"""Rooms cost so many cents, or a multiple."""
LEAST_ROOM_PERCENT = 45
"""Of the cap: a night that gives way stays credible."""
LEAST_FOREIGN = 1000
"""EUR cents: on less another rate makes no difference worth a finding."""
NEAR_WEEKS = 5


def room(scene: Scene) -> Planted:
    """One night goes above the cap, the others below: the stay costs the same."""
    report, policy = scene.target(ReportPaper), scene.policy
    invoices = {paper.number for paper in scene.desk.of_type(InvoicePaper).values()}
    nights = [
        claim
        for claim in report.claims
        if claim.category == "Lodging" and claim.rate is None and claim.receipt not in invoices
    ]
    rule = policy.cities.get(report.city)
    if rule is None or len(nights) < 2:
        raise scene.refusal("holds no stay of two nights in euros without an invoice as data")
    dear = scene.choose({claim.line: claim for claim in nights}, "night")
    others = [claim for claim in nights if claim is not dear]
    extra = rule.cap + 600 + STEP * scene.drawn(40, "room") - dear.euro
    part, rest = divmod(extra // STEP, len(others))
    sheet = Sheet(scene.text)
    sheet.set_euro(dear, dear.euro + extra // STEP * STEP)
    for index, claim in enumerate(others):
        cents = claim.euro - STEP * (part + (index < rest))
        if cents * 100 < rule.cap * LEAST_ROOM_PERCENT:
            raise scene.refusal("holds nights too cheap to give way")
        sheet.set_euro(claim, cents)
    return scene.planted(summed(sheet.text), [Shown(scene.path, dear.line)])


def mileage(scene: Scene) -> Planted:
    """A drive alone is claimed at the rate for two."""
    report, policy = scene.target(ReportPaper), scene.policy
    rate = policy.other_mileage.get("passenger", 0)
    drives = {
        claim.line: (claim, match)
        for claim in report.claims
        if (match := PER_KILOMETRE.search(claim.description))
        and int(match[2] + match[3]) == policy.mileage
    }
    claim, match = scene.choose(drives, "drive by car without a passenger")
    if rate <= (policy.mileage or 0):
        raise scene.refusal("is held against a policy without a rate for passengers")
    text = f"{match[1]} km at {rate // 100}.{rate % 100:02}"
    sheet = Sheet(scene.text)
    sheet.replace(claim.line, match[0], text)
    sheet.set_euro(claim, int(match[1]) * rate)
    return scene.planted(_carried(scene, sheet), [Shown(scene.path, claim.line)])


def allowance(scene: Scene) -> Planted:
    """A day of departure or return is paid as a full day."""
    report, policy = scene.target(ReportPaper), scene.policy
    rule = policy.cities.get(report.city)
    ends = {one.line: one for one in report.allowances if one.day in (report.first, report.last)}
    one = scene.choose(ends, "travel day")
    if rule is None:
        raise scene.refusal("is for a city that the policy does not name")
    off = share_of(rule.full, sum(policy.meals[meal] for meal in one.provided))
    sheet = Sheet(scene.text)
    values = {"day": "full day", "allowance": money(rule.full), "euro": money(rule.full - off)}
    sheet.set_cells(one.line, values)
    return scene.planted(_carried(scene, sheet), [Shown(scene.path, one.line)])


def outside_dates(scene: Scene) -> Planted:
    """Something bought after the return, before the report was handed in."""
    report = scene.target(ReportPaper)
    rows = {
        claim.line: claim
        for claim in report.claims
        if not claim.transaction
        and claim.rate is None
        and claim.category not in ("Taxi", "Mileage", "Lodging", "Equipment", "Business meal")
    }
    claim = scene.choose(rows, "line in euros that the claimant paid and that may stand alone")
    day = report.last + timedelta(days=1 + scene.drawn(3, "day"))
    sheet = Sheet(scene.text)
    sheet.redate(claim.line, claim.day, day)
    return scene.planted(sheet.text, [Shown(scene.path, claim.line)])


def exchange(scene: Scene) -> Planted:
    """A foreign amount at the rate of a week near by: the one that changes it most."""
    report, table = scene.target(ReportPaper), scene.desk.rates
    own = {
        claim.line: claim
        for claim in report.claims
        if claim.rate and not claim.transaction and claim.euro >= LEAST_FOREIGN
    }
    claim = scene.choose(own, "foreign line of the claimant")
    near = [claim.day + timedelta(weeks=weeks) for weeks in range(-NEAR_WEEKS, NEAR_WEEKS + 1)]
    rates = [rate for day in near if table and (rate := table.of(claim.currency, day))]
    right = claim.rate or Decimal(0)
    rate = max(rates, key=lambda rate: abs(rate - right), default=right)
    if to_euro(claim.amount, rate) == claim.euro:
        raise scene.refusal("has no other rate near by")
    sheet = Sheet(scene.text)
    euro = money(to_euro(claim.amount, rate))
    sheet.set_cells(claim.line, {"rate": str(rate), "euro": euro})
    return scene.planted(_carried(scene, sheet), [Shown(scene.path, claim.line)])


def account(scene: Scene) -> Planted:
    """The money goes to another account of the same bank; its check digits are right."""
    report = scene.target(ReportPaper)
    paid = report.steps.get("paid")
    match = IBAN.search(paid.text) if paid else None
    if paid is None or match is None:
        raise scene.refusal("was not paid")
    digits = report.account[4:]
    tail = (int(digits[-6:]) + 1 + scene.drawn(999_998, "account")) % 1_000_000
    number = f"{digits[:-6]}{tail:06}"
    country = report.account[:2]
    sheet = Sheet(scene.text)
    new = grouped(f"{country}{check_digits(country, number)}{number}")
    sheet.replace(paid.line, match[0], new)
    return scene.planted(sheet.text, [Shown(scene.path, paid.line)])


def _carried(scene: Scene, sheet: Sheet) -> str:
    """The report with its sums made right.

    Raises UserError where the new total would need another approval: a defect of its own.
    """
    text = summed(sheet.text)
    before, after = scene.target(ReportPaper), read_report(text)
    mails = scene.desk.of_type(MailPaper).values()
    senders = {mail.sender for mail in mails if mail.report == before.number}
    grades = [person.grade for person in scene.desk.people if person.mail in senders]
    limits = [scene.policy.authority.get(grade, 0) for grade in grades]
    if "second" not in before.steps:
        limits.append(scene.policy.second or 0)
    if after is None or any(after.total > limit for limit in limits):
        raise scene.refusal("would need another approval")
    return text


def misadded(scene: Scene) -> Planted:
    """Two digits of a category's sum change places."""
    report = scene.target(ReportPaper)
    rows = {one.line: one for one in report.subtotals if _swapped(money(one.cents))}
    one = scene.choose(rows, "sum with two digits to change places")
    sheet = Sheet(scene.text)
    sheet.replace(one.line, f" {money(one.cents)} ", f" {_swapped(money(one.cents))} ")
    return scene.planted(sheet.text, [Shown(scene.path, one.line)])


def _swapped(amount: str) -> str:
    """`143.20` is `134.20`; empty where the last two euros are the same."""
    match = re.search(r"(\d)(\d)\.", amount)
    if not match or match[1] == match[2] or (match[2] == "0" and match.start() == 0):
        return ""
    return f"{amount[: match.start()]}{match[2]}{match[1]}.{amount[match.end() :]}"
