"""Writes one contract: draws a drafter and clauses, renders their templates, lays them out."""

from __future__ import annotations

import importlib.resources
import random
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from typing import Any

import yaml
from jinja2 import PackageLoader, StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from generators.choices import Choices
from generators.contracts.arrangement import KindLayout, arrange
from generators.contracts.drafts import Drafts, Outline, Reference, reference_to
from generators.contracts.layout import Compositor, plain_lines
from generators.contracts.particulars import Particulars
from generators.contracts.plan import LAWS, UNDER_MASTER, Contract, ContractKind
from generators.contracts.style import Style, StyleWords, draw_style, read_style_words
from generators.contracts.wording import money, ordinal
from generators.world import World

TERMS = ("Terms", "Terms and conditions", "Terms of agreement", "General terms", "Agreed terms")
"""What stands above the clauses where the schedules come first."""
OWN_WORD: Mapping[ContractKind, str] = {
    "msa": "Agreement",
    "sow": "Statement of Work",
    "nda": "Agreement",
    "dpa": "Agreement",
    "order_form": "Order Form",
    "amendment": "Amendment",
}


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
        self.states: Mapping[str, str] = _data("states.yaml")
        self.particulars = Particulars(world, _data("measures.yaml"))

    def write(
        self,
        contract: Contract,
        source: random.Random,
        *,
        used: AbstractSet[str] = frozenset(),
        master: Outline | None = None,
    ) -> Written:
        """One contract; the same randomness gives the same text.

        `used`: lines of other contracts, left to them where other titles or line ends will do.
        """
        layout = self.kinds[contract.kind]
        style = draw_style(
            source,
            self.style_words,
            self.world.client,
            contract.vendor.company,
            kind=contract.kind,
        )
        if master is not None:
            style = style.with_terms_of(master.style)
        title = source.choice(layout.titles)
        if contract.kind == "amendment":
            title = f"{ordinal(contract.order + 1).title()} {title}"
        values = self._values(contract, title, layout, style, source, master)
        drafts = self._drafts(contract, layout, values, source)
        arranged = arrange(source, layout, drafts.extent(style), contract.turn)
        terms = source.choice(TERMS) if arranged.schedule_first else ""
        sections = self._sections(contract, arranged.names, style, source, used)
        outline = Outline(contract, title, sections, style)
        lines = drafts.lines(outline, Compositor(style, used), terms)
        return Written(outline, "\n".join(lines).rstrip("\n") + "\n")

    def write_playbook(self, revised: Contract, source: random.Random) -> str:
        """The playbook; `revised` lends its date."""
        style = draw_style(
            source,
            self.style_words,
            self.world.client,
            revised.vendor.company,
            kind="nda",
        )
        values = {
            "draw": source.randrange,
            "client": self.world.client,
            "counsel": self.world.counsel,
            "privacy": self.world.privacy,
            "doc": revised,
            "date": style.date,
            "usd": style.usd,
            "laws": LAWS,
        }
        rendered = self.environment.get_template("playbook.j2").render(values)
        title, body = rendered.split("\n", 1)
        lines = [title, "", *plain_lines(body, Compositor(style))]
        return "\n".join(lines).rstrip("\n") + "\n"

    def _sections(
        self,
        contract: Contract,
        names: Sequence[str],
        style: Style,
        source: random.Random,
        used: AbstractSet[str],
    ) -> dict[str, Reference]:
        sections = {}
        for number, name in enumerate(names, start=1):
            titles = self.headings.get(f"{contract.kind}.{name}") or self.headings[name]
            fitting = [title for title in titles if self.style_words.allow(title, style)]
            shuffled = source.sample(fitting, len(fitting))
            free = (title for title in shuffled if style.heading(number, title) not in used)
            title = next(free, shuffled[0])
            sections[name] = Reference(number, title, style.label(number, title))
        return sections

    def _drafts(
        self,
        contract: Contract,
        layout: KindLayout,
        values: Mapping[str, object],
        source: random.Random,
    ) -> Drafts:
        """All parts of a contract, each rendered with randomness of its own."""
        kind = contract.kind
        seed = source.getrandbits(64)

        def render(name: str, *others: str) -> str:
            own = random.Random(f"{seed} {name}")
            return self._render((name, *others), {**values, "draw": own.randrange})

        names = sorted(layout.draw_clauses(source, brief=self.brief))
        return Drafts(
            preamble=render("common/preamble"),
            recitals=render(f"{kind}/recitals"),
            clauses={name: render(f"{kind}/{name}", f"common/{name}") for name in names},
            signatures=render("common/signatures"),
            schedule=render(f"{kind}/schedule") if layout.schedule else "",
        )

    def _render(self, names: Sequence[str], values: Mapping[str, object]) -> str:
        """The first template there is: a kind's own before the common one."""
        return self.environment.select_template([f"{name}.j2" for name in names]).render(values)

    def _values(
        self,
        contract: Contract,
        title: str,
        layout: KindLayout,
        style: Style,
        source: random.Random,
        master: Outline | None,
    ) -> dict[str, object]:
        vendor = contract.vendor
        own = OWN_WORD[contract.kind]
        values: dict[str, object] = {
            "brief": self.brief,
            "doc": contract,
            "t": contract.terms,
            "title": title,
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
            "q": style.quantity_of,
            "date": style.date,
            "usd": style.usd,
            "usd_plain": _plain_money,
            "an": _with_article,
            "city": lambda company: company.city.partition(",")[0],
            "seat": lambda company: self.states[company.city.split()[-2]],
            "ref": reference_to,
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
