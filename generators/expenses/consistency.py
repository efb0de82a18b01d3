"""Proves from the texts alone that a clean corpus is in order: every sum, date, rate and number.

It reads what a reader sees and knows nothing of how the papers were made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import PurePosixPath

from generators.detectors.expenses.desk import Desk, read_paper
from generators.detectors.expenses.kinds import EXPENSE_KINDS
from generators.detectors.expenses.papers import InvoicePaper, MailPaper, StatementPaper
from generators.detectors.expenses.report import ReportPaper
from generators.detectors.expenses.sums import invoice_faults
from generators.money import is_valid_iban

STEPS = ("submitted", "second", "paid")


def faults(texts: Mapping[str, str]) -> tuple[str, ...]:
    """Everything that is not in order, by path and line; empty where all is."""
    papers = {}
    found: list[str] = []
    for path in sorted(texts):
        paper = read_paper(texts[path])
        if paper is None:
            found.append(f"{path}: cannot be read")
        else:
            papers[PurePosixPath(path)] = paper
    desk = Desk(papers)
    for kind, entry in EXPENSE_KINDS.items():
        hits = entry.make().decide(dict(papers))
        found += [f"{hit.path}:{hit.first}: {kind}" for hit in hits]
    found += chain(
        _invoices(desk), _statements(desk), _reports(desk), _mails(desk), _accounts(desk)
    )
    return tuple(found)


def _invoices(desk: Desk) -> Iterator[str]:
    """Each adds up, has a number of its own, and is claimed to the cent."""
    claimed = Counter[tuple[str, str]]()
    for one in desk.claims:
        claimed[one.claim.receipt, one.claim.currency] += one.claim.amount
    numbers = Counter(invoice.number for invoice in desk.of_type(InvoicePaper).values())
    for path, invoice in desk.of_type(InvoicePaper).items():
        yield from (f"{path}:{line}: does not add up" for line in invoice_faults(invoice))
        if len(invoice.totals) != 1 or not invoice.taxes:
            yield f"{path}: has no sums"
        if numbers[invoice.number] > 1:
            yield f"{path}: its number is given twice"
        gross = sum(item.cents("gross") for item in invoice.items)
        if claimed[invoice.number, invoice.currency] != gross:
            yield f"{path}: {gross} cents, claimed are {claimed[invoice.number, invoice.currency]}"
        if invoice.account and not is_valid_iban(invoice.account):
            yield f"{path}: wrong check digits"


def _statements(desk: Desk) -> Iterator[str]:
    """Each adds up; what is charged is claimed and what is claimed is charged, once."""
    claims = [one for one in desk.claims if one.claim.transaction]
    claimed = {one.claim.transaction for one in claims}
    charged = Counter(one.charge.transaction for one in desk.charges)
    for path, statement in desk.of_type(StatementPaper).items():
        if statement.total != sum(charge.euro for charge in statement.charges):
            yield f"{path}: does not add up"
        for charge in statement.charges:
            if charge.transaction not in claimed or charged[charge.transaction] > 1:
                yield f"{path}:{charge.line}: not claimed, or charged twice"
    for one in claims:
        if one.claim.transaction not in charged:
            yield f"{one.path}:{one.claim.line}: was not charged"


def _reports(desk: Desk) -> Iterator[str]:
    """Each was handed in after its last day, countersigned and paid in this order; per diems run
    from first to last day; receipts are counted."""
    for path, report in desk.reports.items():
        days = [report.steps[step].day for step in STEPS if step in report.steps]
        if "submitted" not in report.steps or "paid" not in report.steps:
            yield f"{path}: lacks a step"
        elif days != sorted(days) or report.last >= days[0]:
            yield f"{path}: steps are out of order"
        if report.paid_amount != report.sums["payable"].cents:
            yield f"{path}: what was paid is not what is due"
        yield from (f"{path}: {fault}" for fault in _report_faults(report))


def _report_faults(report: ReportPaper) -> Iterator[str]:
    length = (report.last - report.first).days + 1
    if report.city and len({one.day for one in report.allowances}) != length:
        yield "per diems are not one a day"
    nights = [claim for claim in report.claims if claim.category == "Lodging"]
    if report.city and len({claim.day for claim in nights}) != length - 1:
        yield "nights are not one a night"
    receipts = len({claim.receipt for claim in report.claims})
    if f"{receipts} receipts" not in report.steps["submitted"].text:
        yield "receipts are miscounted"
    categories = {claim.category for claim in report.claims}
    if {one.label for one in report.subtotals} != categories:
        yield "categories and their sums differ"
    rates = {claim.vat for claim in report.claims if claim.vat}
    if {one.label for one in report.taxes} != rates:
        yield "rates of VAT and their sums differ"
    for claim in report.claims:
        if claim.rate is None and claim.amount != claim.euro:
            yield f"line {claim.line}: an amount in euros is another one in euros"


def _mails(desk: Desk) -> Iterator[str]:
    """Each report has one mail, sent after submission and before finance countersigned."""
    mails = {mail.report: (path, mail) for path, mail in desk.of_type(MailPaper).items()}
    known = {person.mail for person in desk.people}
    if len(mails) != len(desk.of_type(MailPaper)):
        yield "a report was approved twice"
    for path, report in desk.reports.items():
        if report.number not in mails:
            yield f"{path}: was not approved"
            continue
        mail_path, mail = mails[report.number]
        second = report.steps.get("second")
        if mail.day < report.steps["submitted"].day or (second and mail.day > second.day):
            yield f"{mail_path}: comes too early or too late"
        if mail.sender not in known:
            yield f"{mail_path}: from nobody on the staff list"


def _accounts(desk: Desk) -> Iterator[str]:
    """Check digits of the staff list."""
    for person in desk.people:
        if not is_valid_iban(person.account):
            yield f"staff list: wrong check digits of {person.number}"
