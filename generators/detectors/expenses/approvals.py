"""Rules on who approves, when, and where the money goes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from generators.detectors.detector import Evidence
from generators.detectors.expenses.desk import Desk, line
from generators.detectors.expenses.papers import MailPaper
from generators.detectors.expenses.reference import Person
from generators.detectors.expenses.report import ReportPaper


@dataclass(frozen=True)
class Answered:
    """A report with the mail that approves it."""

    path: PurePosixPath
    report: ReportPaper
    mail_path: PurePosixPath
    mail: MailPaper


def _answered(desk: Desk) -> Iterator[Answered]:
    reports = {report.number: (path, report) for path, report in desk.reports.items()}
    for mail_path, mail in desk.of_type(MailPaper).items():
        if mail.report in reports:
            path, report = reports[mail.report]
            yield Answered(path, report, mail_path, mail)


def second_approval(desk: Desk) -> Iterator[Evidence]:
    """A large report that finance did not approve: the lines between which it should stand."""
    limit = desk.policy.second if desk.policy else None
    for path, report in desk.reports.items():
        submitted = report.steps.get("submitted")
        if limit is None or report.total <= limit or "second" in report.steps or not submitted:
            continue
        yield Evidence(path, submitted.line, submitted.line + 1)


def authority(desk: Desk) -> Iterator[Evidence]:
    """A report approved by somebody who may not approve so much, or by the claimant."""
    grades = desk.policy.authority if desk.policy else {}
    people: Mapping[str, Person] = {person.mail: person for person in desk.people}
    for one in _answered(desk):
        person = people.get(one.mail.sender)
        if person is None or not grades:
            continue
        if one.report.total > grades.get(person.grade, 0) or person.number == one.report.employee:
            yield line(one.mail_path, one.mail.approver_line)
            yield line(one.path, one.report.sums["total"].line)


def late_approval(desk: Desk) -> Iterator[Evidence]:
    """A report that was paid before it was approved."""
    if not desk.policy:
        return
    for one in _answered(desk):
        paid = one.report.steps.get("paid")
        if paid and one.mail.day > paid.day:
            yield line(one.mail_path, one.mail.day_line)
            yield line(one.path, paid.line)


def payee(desk: Desk) -> Iterator[Evidence]:
    """A payment to another account than the claimant's."""
    accounts = {person.number: person.account for person in desk.people}
    for path, report in desk.reports.items():
        paid = report.steps.get("paid")
        known = accounts.get(report.employee)
        if desk.policy and paid and known and report.account != known:
            yield line(path, paid.line)
