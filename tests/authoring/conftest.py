"""A spec that is right, and a catalogue of what it names."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest
from pydantic import Field, model_validator

from authoring.artefacts import Value
from authoring.catalogue import Catalogue, Kind

SPEC = """\
id: letters
title: Letters
seed: 7
corpus:
  generator: letters
  parameters:
    country: no
    version: 1.10
  sizes:
    small: {count: 3}
scope:
  review: ["*.md"]
task:
  prompt: |
    Review {{ files }} files in {{ folder }}.
    {{ instruction }}
  conditions:
    direct: Read them yourself.
needles:
  - id: first
    kind: lost-line
    severity: major
    plant:
      into: {document: letter, position: early}
      planter: drop
      parameters: {lines: 2}
    report:
      statement: A line is lost.
      terms: [[lost, missing]]
budget:
  file: {most: 400}
  corpus:
    small: {most: 2000}
"""


class Letters(Value):
    count: Annotated[int, Field(ge=1)]
    country: str
    version: str = "1"
    ratio: float = 0.5
    loud: bool = False
    tone: Literal["warm", "cold"] = "warm"
    names: tuple[str, ...] = ()
    note: str | None = None

    @model_validator(mode="after")
    def _agrees(self) -> Letters:
        if self.loud and self.tone == "cold":
            raise ValueError("A cold letter is not loud")
        return self


class Drop(Value):
    lines: int
    from_end: bool = False


class Nothing(Value):
    pass


@pytest.fixture
def spec_text() -> str:
    return SPEC


@pytest.fixture
def catalogue() -> Catalogue:
    return Catalogue(
        generators={"letters": Kind("letters", "letters", Letters)},
        planters={"drop": Kind("drop", "drops lines", Drop)},
        kinds={"lost-line": Kind("lost-line", "a line is lost", Nothing)},
    )
