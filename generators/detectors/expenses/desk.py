"""All papers of a corpus on one desk, and the one detector that hands them to a rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import PurePosixPath
from typing import TypeVar

from generators.detectors.detector import Evidence
from generators.detectors.expenses.papers import (
    ChargeLine,
    InvoicePaper,
    MailPaper,
    StatementPaper,
    read_invoice,
    read_mail,
    read_statement,
)
from generators.detectors.expenses.reference import (
    Person,
    PolicyPaper,
    RatesPaper,
    StaffPaper,
    read_policy,
    read_rates,
    read_staff,
)
from generators.detectors.expenses.report import ClaimLine, ReportPaper, read_report

Paper = (
    ReportPaper | InvoicePaper | StatementPaper | MailPaper | PolicyPaper | StaffPaper | RatesPaper
)
PaperType = TypeVar("PaperType")
KEPT = 4096
"""Papers that are remembered: every rule reads the same ones."""


@lru_cache(maxsize=KEPT)
def read_paper(text: str) -> Paper | None:
    """What a text is, by what it says and not by its name; None where it is none of these."""
    if text.startswith("# "):
        return read_report(text) or read_policy(text)
    if text.startswith("{"):
        return read_invoice(text)
    return read_staff(text) or read_rates(text) or read_statement(text) or read_mail(text)


@dataclass(frozen=True)
class Claimed:
    """A line of a report, with the report and where it lies."""

    path: PurePosixPath
    report: ReportPaper
    claim: ClaimLine

    @property
    def evidence(self) -> Evidence:
        """The line."""
        return Evidence(self.path, self.claim.line, self.claim.line)


@dataclass(frozen=True)
class Charged:
    """A line of a statement, and where it lies."""

    path: PurePosixPath
    charge: ChargeLine


@dataclass(frozen=True)
class Desk:
    """The papers of a corpus by path, byte-sorted."""

    papers: Mapping[PurePosixPath, Paper]

    def of_type(self, kind: type[PaperType]) -> dict[PurePosixPath, PaperType]:
        """The papers of one type."""
        return {path: paper for path, paper in self.papers.items() if isinstance(paper, kind)}

    @cached_property
    def reports(self) -> dict[PurePosixPath, ReportPaper]:
        """All reports."""
        return self.of_type(ReportPaper)

    @cached_property
    def policy(self) -> PolicyPaper | None:
        """The policy, where there is one."""
        return next(iter(self.of_type(PolicyPaper).values()), None)

    @cached_property
    def rates(self) -> RatesPaper | None:
        """The table of rates, where there is one."""
        return next(iter(self.of_type(RatesPaper).values()), None)

    @cached_property
    def people(self) -> tuple[Person, ...]:
        """The staff list."""
        return next((staff.people for staff in self.of_type(StaffPaper).values()), ())

    @cached_property
    def claims(self) -> tuple[Claimed, ...]:
        """The lines of all reports."""
        return tuple(
            Claimed(path, report, claim)
            for path, report in self.reports.items()
            for claim in report.claims
        )

    @cached_property
    def charges(self) -> tuple[Charged, ...]:
        """The lines of all statements."""
        return tuple(
            Charged(path, charge)
            for path, statement in self.of_type(StatementPaper).items()
            for charge in statement.charges
        )


Rule = Callable[[Desk], Iterable[Evidence]]
"""The lines that break one rule of the policy."""


def line(path: PurePosixPath, number: int) -> Evidence:
    """One line as evidence."""
    return Evidence(path, number, number)


@dataclass(frozen=True)
class PaperCheck:
    """A detector: reads papers one by one, and has its rule look at all of them."""

    rule: Rule

    def extract(self, path: PurePosixPath, text: str) -> Paper | None:
        """What one file is. The path plays no part."""
        del path
        return read_paper(text)

    def decide(self, facts: Mapping[PurePosixPath, Paper | None]) -> tuple[Evidence, ...]:
        """The lines that break the rule, each once."""
        known = {path: paper for path in sorted(facts) if (paper := facts[path]) is not None}
        return tuple(dict.fromkeys(self.rule(Desk(known))))
