"""Rules on arithmetic: what is stated as a sum is one, and bears the right tax."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from decimal import Decimal

from generators.detectors.detector import Evidence
from generators.detectors.expenses.desk import Desk, line
from generators.detectors.expenses.papers import InvoicePaper, Posting
from generators.detectors.expenses.reference import VatRule
from generators.detectors.expenses.report import ReportPaper
from generators.money import vat_within

ROOM = re.compile(r"\b(?:room|night|stay|accommodation|lodging)\b", re.IGNORECASE)
FREE = re.compile(r"[- ]free\b", re.IGNORECASE)
ALCOHOL = re.compile(
    r"\b(?:wine|riesling|grauburgunder|sauvignon|chardonnay|merlot|rioja|chianti|barbera|pinot|"
    r"pils(?:ner)?|lager|ale|stout|beer|cider|prosecco|cava|champagne|sherry|port|gin|rum|whisk[e]?y|"
    r"vodka|aquavit|grappa|brandy|liqueur|aperitif|spritz|cremant|veltliner|albarino|"
    r"syrah|chenin|tempranillo|vinho verde)\b",
    re.IGNORECASE,
)
"""Drinks. What only tastes of one (`ginger beer`, `red wine sauce`) is told by the words near."""
NO_DRINK = re.compile(
    r"ginger beer|root beer|beer-battered|cider-braised|\bwine (?:vinegar|sauce|gum)|"
    r"\bin (?:red|white) wine\b",
    re.IGNORECASE,
)


def category_sum(desk: Desk) -> Iterator[Evidence]:
    """A sum of a report that its lines do not give."""
    if not desk.policy:
        return
    for path, report in desk.reports.items():
        for number in _wrong_sums(report):
            yield line(path, number)


def _wrong_sums(report: ReportPaper) -> Iterator[int]:
    by_category = Counter[str]()
    for claim in report.claims:
        by_category[claim.category] += claim.euro
    for one in report.subtotals:
        if one.cents != by_category[one.label]:
            yield one.line
    allowances = sum(one.euro for one in report.allowances)
    total = by_category.total() + allowances
    card = sum(claim.euro for claim in report.claims if claim.transaction)
    right = {"per_diem": allowances, "total": total, "card": card, "payable": total - card}
    for name, stated in report.sums.items():
        if stated.cents != right[name]:
            yield stated.line
    yield from _wrong_taxes(report)


def _wrong_taxes(report: ReportPaper) -> Iterator[int]:
    gross = Counter[str]()
    for claim in report.claims:
        if claim.vat:
            gross[claim.vat] += claim.euro
    for one in report.taxes:
        rate = Decimal(one.label.split()[1])
        if (one.cents, one.tax) != (gross[one.label], vat_within(gross[one.label], rate)):
            yield one.line
    if report.all_taxes:
        stated = (report.all_taxes.cents, report.all_taxes.tax)
        if stated != (gross.total(), sum(one.tax for one in report.taxes)):
            yield report.all_taxes.line


def vat_rate(desk: Desk) -> Iterator[Evidence]:
    """A line of an invoice taxed at another rate than the policy's table has for it."""
    rules = desk.policy.vat if desk.policy else {}
    for path, invoice in desk.of_type(InvoicePaper).items():
        rule = rules.get(invoice.country)
        for item in invoice.items if rule else ():
            if rule and "rate" in item.numbers and item.numbers["rate"] != _rate_for(item, rule):
                yield line(path, item.line)


def _rate_for(item: Posting, rule: VatRule) -> Decimal:
    return rule.lodging if ROOM.search(item.texts["description"]) else rule.standard


def alcohol(desk: Desk) -> Iterator[Evidence]:
    """An alcoholic drink on a receipt, unless another line of the receipt takes it off again."""
    if not (desk.policy and desk.policy.no_alcohol):
        return
    for path, invoice in desk.of_type(InvoicePaper).items():
        drinks = [(item, name) for item in invoice.items if (name := _alcoholic(item))]
        off = Counter((name, -item.cents("gross")) for item, name in drinks)
        for item, name in drinks:
            cents = item.cents("gross")
            if cents > 0 and off[name, cents]:
                off[name, cents] -= 1
            elif cents > 0:
                yield line(path, item.line)


def _alcoholic(item: Posting) -> str:
    """The word for the drink; empty where there is no alcohol in it."""
    text = NO_DRINK.sub("", item.texts["description"])
    match = ALCOHOL.search(text)
    return "" if match is None or FREE.search(text) else match[0].lower()


def invoice_faults(invoice: InvoicePaper) -> Iterator[int]:
    """Lines of an invoice or receipt that do not add up: for the checker of a clean corpus."""
    by_rate: dict[Decimal, Counter[str]] = {}
    for item in invoice.items:
        if not _item_adds_up(item):
            yield item.line
        if "rate" in item.numbers:
            by_rate.setdefault(item.numbers["rate"], Counter()).update(_amounts(item))
    for tax in invoice.taxes:
        expected = by_rate.get(tax.numbers["rate"])
        parts = tax.cents("net") + tax.cents("vat")
        if parts != tax.cents("gross") or (expected and _amounts(tax) != dict(expected)):
            yield tax.line
    gross = sum(item.cents("gross") for item in invoice.items)
    taxes = sum(tax.cents("vat") for tax in invoice.taxes)
    for total in invoice.totals:
        if _amounts(total) != {"net": gross - taxes, "vat": taxes, "gross": gross}:
            yield total.line


def _item_adds_up(item: Posting) -> bool:
    numbers = item.numbers
    if "quantity" in numbers:
        return numbers["quantity"] * numbers["unit_price"] == numbers["gross"]
    gross, tax = item.cents("gross"), item.cents("vat")
    return item.cents("net") + tax == gross and tax == vat_within(gross, numbers["rate"])


def _amounts(posting: Posting) -> Mapping[str, int]:
    return {name: posting.cents(name) for name in ("net", "vat", "gross")}
