"""Defects across two papers, neither of which shows anything by itself."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from generators.detectors.expenses.desk import Claimed
from generators.detectors.expenses.papers import ChargeLine, InvoicePaper, MailPaper, StatementPaper
from generators.detectors.expenses.reference import Person
from generators.detectors.expenses.report import ReportPaper
from generators.expenses.planting.cheaper import recharged, shrunk
from generators.expenses.planting.scene import Scene, Shown
from generators.expenses.planting.sheet import Sheet, summed
from generators.expenses.wording import DAYS, FRIDAY, MONTHS, long_date, workday
from generators.planting import Planted
from generators.seeding import draw

EXTENSION = re.compile(r"^((?:ext\.|extension|phone|tel\.) )(\d+)$", re.MULTILINE)
MAIL_DAY = re.compile(r"[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4}")
RUN = re.compile(r"run \d\d-\d\d")


class Twin(NamedTuple):
    """A line of the target, and one like it in another report."""

    line: int
    other: Claimed


def late_approval(scene: Scene) -> Planted:
    """The mail is some days younger than the payment."""
    mail = scene.target(MailPaper)
    path, report = scene.report_of(mail.report)
    paid = report.steps["paid"]
    day = workday(paid.day + timedelta(days=3 + scene.drawn(4, "late")))
    sheet = Sheet(scene.text)
    written = f"{DAYS[day.weekday()]}, {day.day:02} {MONTHS[day.month - 1][:3]} {day.year}"
    sheet.put(mail.day_line, MAIL_DAY.sub(written, sheet.line(mail.day_line)))
    varied = Sheet(scene.ground.texts[path])
    later = day + timedelta(days=1 + (FRIDAY - day.weekday() - 1) % 7)
    varied.replace(paid.line, long_date(paid.day), long_date(later))
    run = f"run {later.year % 100:02}-{later.isocalendar().week:02}"
    varied.put(paid.line, RUN.sub(run, varied.line(paid.line)))
    if "second" in report.steps:
        second = report.steps["second"]
        varied.replace(second.line, long_date(second.day), long_date(day))
    return scene.planted(
        sheet.text,
        [Shown(scene.path, mail.day_line), Shown(path, paid.line)],
        {scene.path: {path: varied.text}, path: {scene.path: scene.text}},
    )


def authority(scene: Scene) -> Planted:
    """A team leader approves what is for the head of the department."""
    mail, limits = scene.target(MailPaper), scene.policy.authority
    path, report = scene.report_of(mail.report)
    people = {person.mail: person for person in scene.desk.people}
    before = people.get(mail.sender)
    choice = [
        person
        for person in people.values()
        if person.cost_centre == report.cost_centre
        and person.number != report.employee
        and 0 < limits.get(person.grade, 0) < report.total
    ]
    if before is None or not choice or before in choice:
        raise scene.refusal("answers a report that every approver of the department may approve")
    # Who signs a mail or two anyway is not the odd one out.
    signed = Counter(one.sender for one in scene.desk.of_type(MailPaper).values())
    most = max(signed[person.mail] for person in choice)
    choice = [person for person in choice if signed[person.mail] == most]
    after = choice[scene.drawn(len(choice), "approver")]
    total = report.sums["total"]
    witness = shrunk(scene, path, limits[after.grade])
    return scene.planted(
        _signed_by(scene, before, after),
        [Shown(scene.path, mail.approver_line), Shown(path, total.line)],
        {scene.path: witness, path: {scene.path: scene.text}},
    )


def _signed_by(scene: Scene, before: Person, after: Person) -> str:
    """A mail as somebody else sent it: name, address, title, telephone, first name by itself."""
    text = EXTENSION.sub(rf"\g<1>{_extension(scene, after)}", scene.text)
    for old, new in (
        (before.mail, after.mail),
        (before.name, after.name),
        (before.title, after.title),
    ):
        text = text.replace(old, new)
    first = before.name.split()[0]
    return re.sub(rf"\b{re.escape(first)}\b", after.name.split()[0], text)


def _extension(scene: Scene, person: Person) -> str:
    """That of their other mails; where there is none, one that nobody has."""
    known: dict[str, str] = {}
    for path, mail in scene.desk.of_type(MailPaper).items():
        if match := EXTENSION.search(scene.ground.texts[path]):
            known[mail.sender] = match[2]
    if person.mail in known:
        return known[person.mail]
    free = sorted({str(number) for number in range(100, 1000)} - set(known.values()))
    return free[draw(0, person.mail, "extension") % len(free)]


def same_receipt(scene: Scene) -> Planted:
    """Two colleagues took the same ride at the same price; one hands in the other's ticket."""
    report = scene.target(ReportPaper)
    rides = {
        (claim.day, claim.merchant, claim.amount, claim.description): claim.line
        for claim in report.claims
        if not claim.transaction
    }
    twins: dict[int, Twin] = {}
    for other in scene.desk.claims:
        theirs = other.claim
        line = rides.get((theirs.day, theirs.merchant, theirs.amount, theirs.description))
        if line and other.path != scene.path and not theirs.transaction:
            twins[line] = Twin(line, other)
    twin = scene.choose(twins, "line that a colleague has too")
    line, other = twin.line, twin.other
    sheet = Sheet(scene.text)
    own = sheet.cell(line, "receipt")
    sheet.set_cells(line, {"receipt": other.claim.receipt})
    # In the other world the colleague has the ticket that is left over.
    varied = Sheet(scene.ground.texts[other.path])
    varied.set_cells(other.claim.line, {"receipt": own})
    return scene.planted(
        sheet.text,
        [Shown(scene.path, line), Shown(other.path, other.claim.line)],
        {scene.path: {other.path: varied.text}, other.path: {scene.path: scene.text}},
    )


def card_difference(scene: Scene) -> Planted:
    """The card was charged with less than the report says."""
    statement = scene.target(StatementPaper)
    claims: dict[str, list[Claimed]] = {}
    for one in scene.desk.claims:
        claims.setdefault(one.claim.transaction, []).append(one)
    # Where the invoice is there as data, it would say which of the two is right.
    invoices = {paper.number for paper in scene.desk.of_type(InvoicePaper).values()}
    single: dict[int, tuple[ChargeLine, Claimed]] = {
        charge.line: (charge, claims[charge.transaction][0])
        for charge in statement.charges
        if charge.currency == "EUR"
        and len(claims.get(charge.transaction, ())) == 1
        and claims[charge.transaction][0].claim.receipt not in invoices
    }
    charge, claimed = scene.choose(single, "charge in euros of one line")
    cents = charge.euro - charge.euro * (40 + scene.drawn(80, "card")) // 1000 - 5
    varied = Sheet(scene.ground.texts[claimed.path])
    varied.set_euro(claimed.claim, cents)
    return scene.planted(
        recharged(scene.text, {charge.transaction: cents}),
        [Shown(scene.path, charge.line), Shown(claimed.path, claimed.claim.line)],
        {
            scene.path: {claimed.path: summed(varied.text)},
            claimed.path: {scene.path: scene.text},
        },
    )


def split_purchase(scene: Scene) -> Planted:
    """A purchase at the shop, and in the days, of a colleague's: together they need an order."""
    report, policy = scene.target(ReportPaper), scene.policy
    limit, chances = policy.purchase or 0, dict[int, tuple[Claimed, Claimed]]()
    loose = [
        one
        for one in scene.desk.claims
        if one.claim.category == "Equipment"
        and one.report.cost_centre == report.cost_centre
        and one.claim.euro <= limit
        and "PO " not in one.claim.description
    ]
    for own in loose:
        for other in loose:
            apart = own.path == scene.path != other.path
            apart = apart and own.claim.merchant != other.claim.merchant
            within = report.first <= other.claim.day <= report.last
            if apart and within and own.claim.euro + other.claim.euro > limit:
                chances[own.claim.line] = own, other
    own, other = scene.choose(chances, "purchase beside one of a colleague")
    sheet = Sheet(scene.text)
    line = own.claim.line
    sheet.redate(line, own.claim.day, _near(other.claim.day, report, scene))
    sheet.set_cells(
        line,
        {
            "merchant": other.claim.merchant,
            "description": other.claim.description,
            "receipt": _number_after(other.claim.receipt, scene),
        },
    )
    varied = Sheet(scene.ground.texts[other.path])
    varied.set_cells(other.claim.line, {"merchant": _elsewhere(scene, own, other, loose)})
    return scene.planted(
        sheet.text,
        [Shown(scene.path, line), Shown(other.path, other.claim.line)],
        {scene.path: {other.path: varied.text}, other.path: {scene.path: scene.text}},
    )


def _elsewhere(scene: Scene, own: Claimed, other: Claimed, team: Sequence[Claimed]) -> str:
    """A shop at which nobody else of the team bought in the days of a purchase."""
    window = timedelta(days=scene.policy.split_days or 0)
    taken = {
        one.claim.merchant for one in team if abs(one.claim.day - other.claim.day) <= window
    } | {other.claim.merchant}
    country = own.claim.vat[:2]
    shops = {
        one.claim.merchant
        for one in scene.desk.claims
        if one.claim.category == "Equipment" and one.claim.vat[:2] == country
    }
    free = sorted(shops - taken)
    if own.claim.merchant not in taken:
        return own.claim.merchant
    if not free:
        raise scene.refusal("is of a team that has bought everywhere in those days")
    return free[scene.drawn(len(free), "elsewhere")]


def _near(day: date, report: ReportPaper, scene: Scene) -> date:
    """The same day or one of the next two, on which shops are open."""
    near = workday(day + timedelta(days=scene.drawn(3, "near")))
    return near if near <= report.last else day


def _number_after(receipt: str, scene: Scene) -> str:
    """`R-481993` is followed by `R-481997`, which nobody has; the longest run of digits counts."""
    match = max(re.finditer(r"\d+", receipt), key=lambda found: len(found[0]))
    taken = {one.claim.receipt for one in scene.desk.claims}
    number = int(match[0]) + 1 + scene.drawn(5, "receipt")
    while True:
        digits = f"{number:0{len(match[0])}}"
        after = f"{receipt[: match.start()]}{digits}{receipt[match.end() :]}"
        if after not in taken:
            return after
        number += 1
