"""Worlds in which the same things cost less: reports and the card statements that go with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import PurePosixPath

from generators.detectors.expenses.papers import InvoicePaper, StatementPaper, read_statement
from generators.detectors.expenses.report import ClaimLine, ReportPaper
from generators.expenses.planting.scene import Scene
from generators.expenses.planting.sheet import Sheet, summed
from generators.lines import split_lines
from generators.money import plain_money

STEP = 5
"""Prices are so many cents, or a multiple."""
LEAST_PERCENT = 35
"""Of what something cost: below that no price is credible."""


def shrunk(scene: Scene, path: PurePosixPath, limit: int) -> Mapping[PurePosixPath, str]:
    """A report whose total keeps to a limit, with the statements of its card.

    Only what no invoice shows gets cheaper. Raises UserError where that is not enough.
    """
    report = scene.desk.reports[path]
    loose = _loose(scene, report)
    could = sum(claim.euro for claim in loose)
    percent = 100 * (limit - report.total + could) // could if could else 0
    if percent < LEAST_PERCENT:
        raise scene.refusal("answers a report that cannot be made so much cheaper")
    sheet, charged = Sheet(scene.ground.texts[path]), Counter[str]()
    for claim in loose:
        cents = claim.euro * percent // 100 // STEP * STEP
        sheet.set_euro(claim, cents)
        if claim.transaction:
            charged[claim.transaction] += cents
    statements: dict[PurePosixPath, str] = {}
    for file, paper in scene.desk.of_type(StatementPaper).items():
        names = charged.keys() & {charge.transaction for charge in paper.charges}
        own = {name: charged[name] for name in sorted(names)}
        if own:
            statements[file] = recharged(scene.ground.texts[file], own)
    return {path: summed(sheet.text), **statements}


def _loose(scene: Scene, report: ReportPaper) -> list[ClaimLine]:
    """Lines in euros whose price stands in no other paper than a statement."""
    invoices = {paper.number for paper in scene.desk.of_type(InvoicePaper).values()}
    return [
        claim
        for claim in report.claims
        if claim.rate is None and claim.category != "Mileage" and claim.receipt not in invoices
    ]


def recharged(text: str, cents: Mapping[str, int]) -> str:
    """A card statement with other amounts, by transaction, and its total made right."""
    sheet, statement = Sheet(text), read_statement(text)
    if statement is None or statement.total is None:
        raise AssertionError("a statement that is to be changed is none")
    total = statement.total
    for charge in statement.charges:
        if charge.transaction in cents:
            new = cents[charge.transaction]
            _put(sheet, charge.line, charge.euro, new)
            total += new - charge.euro
    _put(sheet, _total_line(text, statement), statement.total, total)
    return sheet.text


def _put(sheet: Sheet, number: int, old: int, new: int) -> None:
    for mark in (".", ","):
        sheet.replace(number, plain_money(old, mark), plain_money(new, mark))


def _total_line(text: str, statement: StatementPaper) -> int:
    """The line below the last charge that states the total."""
    amounts = {plain_money(statement.total or 0, mark) for mark in (".", ",")}
    return next(
        number
        for number, line in enumerate(split_lines(text), start=1)
        if number > statement.charges[-1].line and any(amount in line for amount in amounts)
    )
