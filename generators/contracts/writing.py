"""Writes one contract: draws a drafter and clauses, renders their templates, lays them out."""

from __future__ import annotations

import importlib.resources
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import yaml
from jinja2 import PackageLoader, StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from authoring.artefacts import Value
from generators.choices import Choices
from generators.contracts.layout import Clause, clause_lines, plain_lines
from generators.contracts.particulars import Particulars
from generators.contracts.plan import UNDER_MASTER, Contract, ContractKind
from generators.contracts.style import Style, StyleWords, draw_style, read_style_words
from generators.contracts.wording import formal, money, ordinal, plural
from generators.world import World

OPTIONAL = " (optional)"
OPTIONAL_IN_THREE = 2
"""An optional clause is there in two contracts of three."""
OWN_WORD: Mapping[ContractKind, str] = {
    "msa": "Agreement",
    "sow": "Statement of Work",
    "nda": "Agreement",
    "dpa": "Agreement",
    "order_form": "Order Form",
    "amendment": "Amendment",
}


class KindLayout(Value):
    """How one kind of contract is put together."""

    titles: tuple[str, ...]
    label: str
    """What stands before its number."""
    groups: tuple[tuple[str, ...], ...]
    """Clauses by group; `(optional)` behind a name makes one so."""
    schedule: bool = False
    core: tuple[str, ...]
    """Clauses that a short contract has too."""
    more: int = 3
    """How many others it has."""

    def names(self, source: random.Random, *, brief: bool) -> list[str]:
        """The clauses of one contract, in order."""
        kept = self._of_short(source) if brief else None
        names: list[str] = []
        for group in self.groups:
            present = [
                name.removesuffix(OPTIONAL)
                for name in group
                if (
                    not name.endswith(OPTIONAL) or source.randrange(3) < OPTIONAL_IN_THREE
                    if kept is None
                    else name.removesuffix(OPTIONAL) in kept
                )
            ]
            names.extend(source.sample(present, len(present)))
        return names

    def _of_short(self, source: random.Random) -> frozenset[str]:
        every = [name.removesuffix(OPTIONAL) for group in self.groups for name in group]
        others = [name for name in every if name not in self.core]
        return frozenset(self.core) | set(source.sample(others, min(self.more, len(others))))


@dataclass(frozen=True)
class Reference:
    """How one section is named elsewhere, and its number and title."""

    number: int
    title: str
    label: str


@dataclass(frozen=True)
class Outline:
    """What others need to know to refer to a contract."""

    contract: Contract
    title: str
    sections: Mapping[str, Reference]
    headings: frozenset[str]
    """The lines of its headings."""


@dataclass(frozen=True)
class Written:
    """A contract in full."""

    outline: Outline
    text: str


def _data(name: str) -> Any:
    source = importlib.resources.files("generators.contracts") / name
    return yaml.safe_load(source.read_text(encoding="utf-8"))


@cache
def make_environment() -> ImmutableSandboxedEnvironment:
    """The templates that ship beside this module, with `choose` and no name that is not given.

    Compiled once a process: that takes ten times as long as writing the contracts.
    """
    return ImmutableSandboxedEnvironment(
        loader=PackageLoader("generators.contracts", "templates"),
        undefined=StrictUndefined,
        extensions=[Choices],
        trim_blocks=True,
        lstrip_blocks=True,
        # Without autoescape: the result is Markdown, not HTML.
        autoescape=False,
    )


class Writer:
    """Writes the contracts of one world. Holds templates and word lists, nothing that changes."""

    def __init__(self, world: World, *, brief: bool = False) -> None:
        self.world = world
        self.brief = brief
        """Whether contracts are short."""
        self.environment = make_environment()
        self.style_words: StyleWords = read_style_words()
        self.headings: Mapping[str, list[str]] = _data("headings.yaml")
        self.kinds = {
            name: KindLayout.model_validate(layout) for name, layout in _data("kinds.yaml").items()
        }
        self.particulars = Particulars(world, _data("measures.yaml"))

    def write(
        self,
        contract: Contract,
        source: random.Random,
        *,
        taken: frozenset[str] = frozenset(),
        master: Outline | None = None,
    ) -> Written:
        """One contract; the same randomness gives the same text.

        `taken`: lines of headings in other contracts, left to them where another title will do.
        """
        layout = self.kinds[contract.kind]
        style = draw_style(
            source,
            self.style_words,
            self.world.client,
            contract.vendor.company,
            by_name=contract.kind == "nda",
            compact=contract.kind == "msa",
        )
        outline = self._outline(contract, layout, style, source, taken)
        values = self._values(outline, layout, style, source, master)
        lines = list(self._lines(outline, layout, style, values))
        return Written(outline, "\n".join(lines).rstrip("\n") + "\n")

    def write_playbook(self, revised: Contract, source: random.Random) -> str:
        """The playbook; `revised` lends its date."""
        style = draw_style(
            source,
            self.style_words,
            self.world.client,
            revised.vendor.company,
            by_name=True,
            compact=False,
        )
        values = {
            "draw": source.randrange,
            "client": self.world.client,
            "counsel": self.world.counsel,
            "privacy": self.world.privacy,
            "doc": revised,
            "date": style.date,
            "usd": style.usd,
        }
        rendered = self.environment.get_template("playbook.j2").render(values)
        title, body = rendered.split("\n", 1)
        lines = [title, "", *plain_lines(body, style)]
        return "\n".join(lines).rstrip("\n") + "\n"

    def _outline(
        self,
        contract: Contract,
        layout: KindLayout,
        style: Style,
        source: random.Random,
        taken: frozenset[str],
    ) -> Outline:
        names = layout.names(source, brief=self.brief)
        sections = {}
        for number, name in enumerate(names, start=1):
            titles = self.headings.get(f"{contract.kind}.{name}") or self.headings[name]
            shuffled = source.sample(titles, len(titles))
            free = (title for title in shuffled if style.heading(number, title) not in taken)
            title = next(free, shuffled[0])
            sections[name] = Reference(number, title, style.label(number, title))
        title = source.choice(layout.titles)
        if contract.kind == "amendment":
            title = f"{ordinal(contract.order + 1).title()} {title}"
        lines = frozenset(style.heading(place.number, place.title) for place in sections.values())
        return Outline(contract, title, sections, lines)

    def _lines(
        self, outline: Outline, layout: KindLayout, style: Style, values: Mapping[str, object]
    ) -> Iterator[str]:
        kind = outline.contract.kind
        preamble = self._render(("common/preamble",), values)
        title, body = preamble.split("\n", 1)
        yield title
        yield ""
        yield from plain_lines(body, style)
        yield from plain_lines(self._render((f"{kind}/recitals",), values), style)
        for name, place in outline.sections.items():
            source = self._render((f"{kind}/{name}", f"common/{name}"), values)
            clause = Clause(place.number, place.title, source)
            yield from clause_lines(clause, style)
        yield from plain_lines(self._render(("common/signatures",), values), style)
        if layout.schedule:
            yield from plain_lines(self._render((f"{kind}/schedule",), values), style)

    def _render(self, names: Sequence[str], values: Mapping[str, object]) -> str:
        """The first template there is: a kind's own before the common one."""
        return self.environment.select_template([f"{name}.j2" for name in names]).render(values)

    def _values(
        self,
        outline: Outline,
        layout: KindLayout,
        style: Style,
        source: random.Random,
        master: Outline | None,
    ) -> dict[str, object]:
        contract = outline.contract
        vendor = contract.vendor
        own = OWN_WORD[contract.kind]
        values: dict[str, object] = {
            "draw": source.randrange,
            "brief": self.brief,
            "doc": contract,
            "t": contract.terms,
            "title": outline.title,
            "title_short": own,
            "number_label": layout.label,
            "world": self.world,
            "client": self.world.client,
            "signatory": self.world.signatory,
            "counsel": self.world.counsel,
            "privacy": self.world.privacy,
            "sponsor": self.particulars.sponsor(contract),
            "vendor": vendor,
            "trade": vendor.trade,
            "rates": vendor.rates,
            "C": f"{style.article}{style.customer}",
            "S": f"{style.article}{style.supplier}",
            "bareC": style.customer,
            "bareS": style.supplier,
            "A": f"this {own}",
            "P": style.party,
            "parties": "Parties" if style.party == "Party" else "parties",
            "CI": "Confidential Information",
            "D": style.deliverables,
            "F": style.fees,
            "SVC": style.services,
            "shall": style.modal,
            "unit": style.unit,
            "f": formal,
            "q": style.quantity_of,
            "plural": plural,
            "date": style.date,
            "usd": style.usd,
            "usd_plain": _plain_money,
            "an": _with_article,
            "ref": lambda name: outline.sections[name].label,
        }
        if contract.kind in UNDER_MASTER:
            values |= _master_values(master)
        return values | self.particulars.of(contract, source)


def _master_values(master: Outline | None) -> dict[str, object]:
    if master is None:
        raise AssertionError("a contract under a master agreement needs its outline")
    return {
        "master": master.contract,
        "master_title": f"the {master.title}",
        "master_ref": lambda name: master.sections[name].label,
    }


def _plain_money(cents: int) -> str:
    return money(cents, " ").strip()


def _with_article(word: str) -> str:
    return f"an {word}" if word[0] in "AEIO" else f"a {word}"
