"""The rendered parts of a contract, and how they become its lines once their order is settled."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from generators.contracts.arrangement import Extent
from generators.contracts.layout import (
    Clause,
    Compositor,
    clause_lines,
    expected_lines,
    plain_lines,
)
from generators.contracts.plan import Contract
from generators.contracts.style import Style

REFERENCE = re.compile(r"<<(\w+)>>")


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
    style: Style
    """What it calls things, which holds for all that stands under it."""


def reference_to(name: str) -> str:
    """What stands for a section of the same contract until it has its number."""
    return f"<<{name}>>"


@dataclass(frozen=True)
class Drafts:
    """The parts of one contract, rendered."""

    preamble: str
    recitals: str
    clauses: Mapping[str, str]
    signatures: str
    schedule: str
    """Empty where a kind has none."""

    def extent(self, style: Style) -> Extent:
        """How many lines the parts take, about."""

        def lines(text: str) -> int:
            return expected_lines(text, style.width, len(style.below_heading)) if text else 0

        return Extent(
            before=lines(self.preamble) + lines(self.recitals),
            clauses={name: lines(text) for name, text in self.clauses.items()},
            after=lines(self.signatures),
            schedule=lines(self.schedule),
        )

    def lines(self, outline: Outline, compositor: Compositor, terms: str) -> Iterator[str]:
        """The contract, with its clauses in the order of an outline.

        `terms`: the heading above them where the schedule stands before them; else empty.
        """

        def resolved(text: str) -> str:
            return REFERENCE.sub(lambda match: outline.sections[match[1]].label, text)

        title, body = self.preamble.split("\n", 1)
        yield title
        yield ""
        yield from plain_lines(resolved(body), compositor)
        yield from plain_lines(resolved(self.recitals), compositor)
        if terms:
            yield from plain_lines(resolved(self.schedule), compositor)
            yield f"# {terms}"
            yield ""
        for name, place in outline.sections.items():
            text = resolved(self.clauses[name])
            yield from clause_lines(Clause(place.number, place.title, text), compositor)
        yield from plain_lines(resolved(self.signatures), compositor)
        if self.schedule and not terms:
            yield from plain_lines(resolved(self.schedule), compositor)
