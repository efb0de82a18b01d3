"""Changes lines of papers, and carries what changed into every sum that stands on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import date
from decimal import Decimal

from generators.detectors.expenses.forms import read_forms
from generators.detectors.expenses.report import ClaimLine, ReportPaper, read_report
from generators.detectors.expenses.tables import MONEY, columns, read_tables
from generators.expenses.wording import DATE_STYLES
from generators.lines import split_lines
from generators.money import money, vat_within


class Sheet:
    """The lines of a paper, to be changed. Lines count from 1; none is added or taken out."""

    def __init__(self, text: str) -> None:
        self._lines = split_lines(text)
        self._places = _places(text)

    @property
    def text(self) -> str:
        """The paper as it now is."""
        return "\n".join(self._lines) + "\n"

    def line(self, number: int) -> str:
        """A line as it now is."""
        return self._lines[number - 1]

    def put(self, number: int, line: str) -> None:
        """Another line in the place of one."""
        self._lines[number - 1] = line

    def replace(self, number: int, old: str, new: str) -> None:
        """Every `old` in a line becomes `new`."""
        self._lines[number - 1] = self._lines[number - 1].replace(old, new)

    def set_cells(self, number: int, values: Mapping[str, str]) -> None:
        """Cells of a row of expenses or per diems, by field; a table without the field is left."""
        cells = self.line(number).strip().strip("|").split("|")
        for name, value in values.items():
            if name in self._places[number]:
                cells[self._places[number][name]] = f" {value} "
        self.put(number, f"|{'|'.join(cells)}|")

    def cell(self, number: int, name: str) -> str:
        """A cell of such a row."""
        return self.line(number).strip().strip("|").split("|")[self._places[number][name]].strip()

    def redate(self, number: int, old: date, new: date) -> None:
        """Another day in a row, written as the old one was."""
        for style in DATE_STYLES:
            if self.cell(number, "date") == style(old):
                self.set_cells(number, {"date": style(new)})

    def set_euro(self, claim: ClaimLine, cents: int) -> None:
        """Another amount of a claim in euros."""
        self.set_cells(claim.line, {"euro": money(cents)})
        if claim.rate is None:
            self.set_cells(claim.line, {"amount": money(cents)})

    def set_amounts(self, number: int, *cents: int) -> None:
        """The last amounts of a line, in order."""
        line = self.line(number)
        places = list(MONEY.finditer(line))[-len(cents) :]
        for place, value in zip(reversed(places), reversed(cents), strict=True):
            line = line[: place.start()] + money(value) + line[place.end() :]
        self.put(number, line)


def _places(text: str) -> dict[int, Mapping[str, int]]:
    """Where the fields stand in each row of expenses or per diems."""
    forms, places = read_forms(), dict[int, Mapping[str, int]]()
    for table in read_tables(text):
        for words in (forms.columns, forms.per_diem):
            found = columns(table.head, words)
            if {"date", "euro"} <= found.keys() and {"receipt", "allowance"} & found.keys():
                places |= {row.line: found for row in table.rows}
    return places


def summed(text: str) -> str:
    """A report with every sum made right by its lines, up to what is paid out."""
    report = read_report(text)
    if report is None:
        raise AssertionError("a report that was changed is no report any more")
    sheet = Sheet(text)
    by_category = Counter[str]()
    for claim in report.claims:
        by_category[claim.category] += claim.euro
    for one in report.subtotals:
        sheet.set_amounts(one.line, by_category[one.label])
    allowances = sum(one.euro for one in report.allowances)
    total = by_category.total() + allowances
    card = sum(claim.euro for claim in report.claims if claim.transaction)
    right = {"per_diem": allowances, "total": total, "card": card, "payable": total - card}
    for name, stated in report.sums.items():
        sheet.set_amounts(stated.line, right[name])
    _taxes(sheet, report)
    if "paid" in report.steps:
        sheet.set_amounts(report.steps["paid"].line, total - card)
    return sheet.text


def _taxes(sheet: Sheet, report: ReportPaper) -> None:
    gross = Counter[str]()
    for claim in report.claims:
        if claim.vat:
            gross[claim.vat] += claim.euro
    taxes = 0
    for one in report.taxes:
        tax = vat_within(gross[one.label], Decimal(one.label.split()[1]))
        sheet.set_amounts(one.line, gross[one.label], tax)
        taxes += tax
    if report.all_taxes:
        sheet.set_amounts(report.all_taxes.line, gross.total(), taxes)
