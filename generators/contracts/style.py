"""How one drafter writes: what things are called, how sections are numbered, how numbers look."""

from __future__ import annotations

import importlib.resources
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from typing import Literal

import yaml

from authoring.artefacts import Value
from generators.contracts.manner import Manner, quantity
from generators.contracts.plan import ContractKind
from generators.contracts.wording import (
    day_first,
    letter,
    money,
    month_first,
    roman,
)
from generators.world import Company

Numbering = Literal["decimal", "upper", "section", "article", "roman", "plain"]
NUMBERINGS: tuple[Numbering, ...] = ("decimal", "upper", "section", "article", "roman", "plain")
NUMBERED = NUMBERINGS[:-1]
ITEMS = ("-", "(a)", "(i)", "*")
WIDTHS = range(89, 96)
QUANTITIES: tuple[Manner, ...] = ("formal", "formal", "formal", "formal", "digits", "words")
"""Most write `ten (10) days`."""


class PartyNames(Value):
    """What the two sides are called."""

    customer: str
    supplier: str


class StyleWords(Value):
    """The words of `style_words.yaml`."""

    parties: tuple[PartyNames, ...]
    fees: tuple[str, ...]
    deliverables: tuple[str, ...]
    services: tuple[str, ...]
    modal: tuple[str, ...]

    def allow(self, title: str, style: Style) -> bool:
        """Whether a heading calls fees and deliverables nothing that its drafter does not."""
        others = {*self.fees, *self.deliverables} - {style.fees, style.deliverables}
        return not any(re.search(rf"\b{other}\b", title) for other in others)


@dataclass(frozen=True)
class Style:
    """The habits of one drafter, kept through a whole document."""

    customer: str
    supplier: str
    article: str
    """`the ` where parties are `the Customer`, else empty."""
    party: str
    fees: str
    deliverables: str
    services: str
    modal: str
    quantity: Manner
    month_first: bool
    currency: str
    numbering: Numbering
    numbered_paragraphs: bool
    items: str
    width: int
    below_heading: tuple[str, ...]
    """Nothing, or one blank line."""

    def date(self, day: date) -> str:
        """A date in words."""
        return month_first(day) if self.month_first else day_first(day)

    def quantity_of(self, number: int, unit: str) -> str:
        """A quantity in the drafter's manner: `ten (10) days`, `10 days`, `ten days`."""
        return quantity(number, unit, self.quantity)

    def with_terms_of(self, other: Style) -> Style:
        """This drafter, calling things what another document calls them."""
        return replace(
            self,
            customer=other.customer,
            supplier=other.supplier,
            article=other.article,
            party=other.party,
            fees=other.fees,
            deliverables=other.deliverables,
            services=other.services,
        )

    def usd(self, cents: int) -> str:
        """A sum with its currency."""
        return money(cents, self.currency)

    def heading(self, number: int, title: str) -> str:
        """The heading of a section, with its marks."""
        shown: Mapping[Numbering, str] = {
            "decimal": f"{number}. {title}",
            "upper": f"{number}. {title.upper()}",
            "section": f"Section {number}: {title}",
            "article": f"Article {number} — {title}",
            "roman": f"Article {roman(number)}. {title}",
            "plain": title,
        }
        return f"## {shown[self.numbering]}"

    def subheading(self, number: int, part: int, title: str) -> str:
        """The heading of a part of a section, with its marks."""
        numbered = self.numbering in ("decimal", "upper", "section")
        return f"### {number}.{part} {title}" if numbered else f"### {title}"

    def paragraph(self, number: int, part: int) -> str:
        """What stands before a paragraph that is one of several."""
        if not self.numbered_paragraphs or self.numbering == "plain":
            return ""
        if self.numbering in ("article", "roman"):
            return f"({letter(part)}) "
        return f"{number}.{part}. " if self.numbering == "upper" else f"{number}.{part} "

    def item(self, part: int) -> str:
        """What stands before an item of a list."""
        if self.items == "(a)" and self.numbering not in ("article", "roman"):
            return f"({letter(part)}) "
        if self.items in ("(a)", "(i)"):
            return f"({roman(part).lower()}) "
        return f"{self.items} "

    def label(self, number: int, title: str) -> str:
        """How a section is referred to."""
        if self.numbering == "plain":
            return f'the section "{title}"'
        if self.numbering == "roman":
            return f"Article {roman(number)}"
        return f"Article {number}" if self.numbering == "article" else f"Section {number}"

    @property
    def unit(self) -> str:
        """What a section calls itself."""
        return "Article" if self.numbering in ("article", "roman") else "Section"


def read_style_words() -> StyleWords:
    """The words that ship beside this module."""
    source = importlib.resources.files("generators.contracts") / "style_words.yaml"
    return StyleWords.model_validate(yaml.safe_load(source.read_text(encoding="utf-8")))


def draw_style(
    source: random.Random,
    words: StyleWords,
    client: Company,
    vendor: Company,
    *,
    kind: ContractKind,
) -> Style:
    """A drafter of one kind of contract.

    In confidentiality agreements parties are called by their companies' names. In long ones, master
    agreements, sections have numbers and text follows its heading without a blank line.
    """
    pick = partial(_pick, source)
    parties = source.choice(words.parties)
    if kind == "nda" or pick(0, 0, 0, 1):
        parties = PartyNames(customer=client.short, supplier=vendor.short)
        article = ""
    else:
        article = source.choice(["the ", ""])
    return Style(
        customer=parties.customer,
        supplier=parties.supplier,
        article=article,
        party=source.choice(["party", "Party"]),
        fees=source.choice(words.fees),
        deliverables=source.choice(words.deliverables),
        services=source.choice(words.services),
        modal=source.choice(words.modal),
        quantity=source.choice(QUANTITIES),
        month_first=bool(pick(0, 1)),
        currency=source.choice(["USD", "US$", "$"]),
        numbering=source.choice(NUMBERED if kind == "msa" else NUMBERINGS),
        numbered_paragraphs=bool(pick(1, 1, 0)),
        items=source.choice(ITEMS),
        width=source.choice(WIDTHS),
        below_heading=() if kind == "msa" or pick(0, 1) else ("",),
    )


def _pick(source: random.Random, *options: int) -> int:
    return source.choice(options)
