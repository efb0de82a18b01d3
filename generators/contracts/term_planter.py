"""`contract-term`: one term of a contract says something else, or is not there.

Of several wordings the contract decides which one it gets, so that copies of a needle differ. What
shows the defect is made of lines that stand nowhere else; where it would not be, the contract is
refused and another one takes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Annotated, Self

from pydantic import Field, model_validator

from authoring.artefacts import Value
from authoring.errors import Place, UserError
from generators.contracts.lines_shown import repeated
from generators.contracts.manner import manner_of, restated
from generators.planters.remove_section import RemoveSection, RemoveSectionParameters
from generators.planters.replace_text import ReplaceText, ReplaceTextParameters
from generators.planting import Aim, Ground, Planted, Planter
from generators.seeding import draw

SUMMARY = "one term of a contract says something else, in one of several wordings, or is not there"
EXAMPLE = """\
planter: contract-term
parameters:
  pattern: (?<=law\\sof\\s)the State of (?:New York|Delaware)
  replacements: [the State of Ohio, the State of Georgia]
"""
PEERS = 3
"""A wording that stands in so many other files is no rarer than one that stands in more."""


class ContractTermParameters(Value):
    """A passage and what may take its place, or the section that goes."""

    heading: str | None = None
    """Look only under this heading. Without a pattern, the section that goes."""
    pattern: str | None = None
    """A regular expression that matches one place. A space in it also matches a line end."""
    replacements: tuple[Annotated[str, Field(min_length=1)], ...] = ()
    r"""The wordings. `\1` and `\\g<name>` stand for groups of the pattern. A length of time that is
    written as `ten (10) days` takes the manner of the contract: `10 days`, `ten days`."""

    @model_validator(mode="after")
    def _says_what_to_do(self) -> Self:
        if (self.pattern is None) != (not self.replacements):
            raise ValueError("pattern and replacements need each other")
        if self.pattern is None and self.heading is None:
            raise ValueError("give a pattern with replacements, or the heading of a section")
        # Both planters refuse what they cannot use.
        self.planters()
        return self

    def planters(self) -> tuple[Planter, ...]:
        """One for each wording."""
        if self.pattern is None:
            return (RemoveSection(RemoveSectionParameters(heading=self.heading or "")),)
        return tuple(self.replacing(replacement) for replacement in self.replacements)

    def replacing(self, wording: str) -> Planter:
        """What puts a wording in the place of the passage."""
        return ReplaceText(
            ReplaceTextParameters(
                heading=self.heading, pattern=self.pattern or "", replacement=wording
            )
        )


class ContractTerm:
    """Changes or removes a term of one contract."""

    def __init__(self, parameters: ContractTermParameters) -> None:
        self._parameters = parameters

    def plant(self, ground: Ground, aim: Aim) -> Planted:
        again: list[str] = []
        for planter in self._planters(ground, aim.target):
            planted = planter.plant(ground, aim)
            again = repeated(ground, planted)
            if not again:
                return planted
        raise UserError(
            f"what would show the defect stands elsewhere too: {again[0]}",
            place=Place(str(aim.target)),
        )

    def _planters(self, ground: Ground, target: PurePosixPath) -> Iterator[Planter]:
        """One for each wording, those first that other contracts use as well."""
        manner = manner_of(ground.texts[target])
        wordings = [restated(wording, manner) for wording in self._parameters.replacements]
        if not wordings:
            yield from self._parameters.planters()
        others = [text for path, text in ground.texts.items() if path != target]

        def rank(words: str) -> tuple[int, int]:
            # A line may end between any two words.
            wording = re.compile(r"(?<!\w)" + r"\s+".join(map(re.escape, words.split())))
            peers = sum(bool(wording.search(text)) for text in others)
            # Of equal ones the contract decides.
            return -min(peers, PEERS), draw(0, "contract-term", str(target), words)

        for words in sorted(wordings, key=rank):
            yield self._parameters.replacing(words)
