"""The habits of whoever fills in the form of an expense report."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from generators.detectors.expenses.forms import Forms, Words
from generators.expenses.claims import CONGRESS, Report
from generators.expenses.wording import DATE_STYLES, DateStyle

FIELD_STYLES = ("- {label}: {value}", "**{label}:** {value}  ", "| {label} | {value} |")


@dataclass(frozen=True)
class Drafter:
    """The habits of whoever fills in the form."""

    words: Mapping[str, Mapping[str, str]]
    """One word for each thing, by section of `forms.yaml`."""
    title: str
    field: str
    date: DateStyle
    by_category: bool
    """One table for each category, or one for all."""
    by_day: bool
    """Lines in the order of their days, not by category."""
    category_first: bool
    receipt_early: bool
    payer_last: bool
    numbered: bool
    """Headings have numbers."""
    bullets: str
    """What stands before a line of the diary."""

    def word(self, section: str, name: str) -> str:
        """How they call a thing."""
        return self.words[section][name]


def draw_drafter(source: random.Random, forms: Forms, report: Report) -> Drafter:
    """The habits for one report."""

    def one_of_each(choice: Mapping[str, Words]) -> dict[str, str]:
        return {name: source.choice(words) for name, words in choice.items()}

    def turn(words: Words) -> str:
        return words[(report.shape + report.first.day) % len(words)]

    return Drafter(
        words={
            "fields": one_of_each(forms.fields),
            "headings": one_of_each(forms.headings),
            "columns": one_of_each(forms.columns),
            "per_diem": one_of_each(forms.per_diem),
            "summary": one_of_each(forms.summary),
            # Two colleagues with the same allowances call them by another name each.
            "sums": one_of_each(forms.sums) | {"per_diem": turn(forms.sums["per_diem"])},
            "vat": one_of_each(forms.vat),
            "sign_off": one_of_each(forms.sign_off),
        },
        title=source.choice(forms.titles),
        field=source.choice(FIELD_STYLES),
        # Two colleagues on one trip have another shape, and so another style each.
        date=DATE_STYLES[(report.shape + report.first.day) % len(DATE_STYLES)],
        by_category=report.job == CONGRESS and bool(source.randrange(2)),
        by_day=bool(source.randrange(2)),
        category_first=bool(source.randrange(2)),
        receipt_early=bool(source.randrange(2)),
        payer_last=bool(source.randrange(2)),
        numbered=source.randrange(3) == 0,
        bullets=source.choice(("- ", "* ", "")),
    )
