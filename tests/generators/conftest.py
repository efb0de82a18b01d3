"""A tiny generator: letters, notes and a rule book, enough to see every law of a build."""

from __future__ import annotations

import random
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Annotated

import pytest
from pydantic import Field

from authoring.artefacts import Value
from authoring.catalogue import Kind
from authoring.loading import load_spec
from authoring.spec import ScenarioSpec
from generators.catalogue import NoParameters, Registered, Registrations, installed
from generators.detectors.detector import Evidence
from generators.document import Document

WIDTH = 60
NAMES = ("Ada", "Ben", "Cleo", "Dev", "Eve", "Finn", "Gus", "Hana")

SPEC = """\
id: letters
title: Letters with a wrong deadline
seed: 7
corpus:
  generator: letters
  parameters:
    country: no
  sizes:
    small: {letters: 6}
    standard: {letters: 9, notes: 3}
scope:
  review: ["letters/**", "notes/*.md"]
  reference: [rules.md]
task:
  prompt: |
    Review the {{ files }} files in {{ folder }}. {{ instruction }}
    Put the whole report in your final message.
  conditions:
    direct: Read them yourself.
needles:
  - id: long-deadline
    kind: long-deadline
    severity: major
    plant:
      into: {document: letter, position: early}
      planter: replace-text
      parameters:
        heading: Deadline
        pattern: The answer is due within (\\w+) days
        replacement: The answer is due within four hundred days
    report:
      statement: The letter leaves 400 days for an answer.
      terms: [[deadline, due], ["400", four hundred]]
    breaks: {path: rules.md, heading: Deadlines}
  - id: no-contact
    kind: no-contact
    severity: minor
    plant:
      into: {document: letter, position: late}
      planter: remove-section
      parameters: {heading: Contact, renumber: true}
    report:
      statement: The letter names nobody to ask.
      terms: [[contact]]
budget:
  file: {most: 400}
  corpus:
    small: {most: 2000}
    standard: {most: 3000}
"""

RULES = """\
# Rules

## Deadlines

An answer is due within
thirty days.

## Else

Be kind.
"""


class LettersParameters(Value):
    letters: Annotated[int, Field(ge=1)]
    notes: Annotated[int, Field(ge=0)] = 1
    country: str


class LettersGenerator:
    """Numbered letters with three sections each, short notes, and one rule book."""

    def __init__(self, parameters: LettersParameters, randomness: random.Random) -> None:
        self._parameters = parameters
        self._random = randomness

    def documents(self) -> Iterator[Document]:
        for number in range(1, self._parameters.letters + 1):
            name, days = self._random.choice(NAMES), self._random.choice(("ten", "twenty"))
            paragraphs = (
                f"# Letter {number}",
                "## 1. Greeting",
                _wrapped(f"Dear {name}, greetings from {self._parameters.country}."),
                "## 2. Deadline",
                _wrapped(
                    f"Thank you for the parcel that came on Monday. The answer is due within"
                    f" {days} days. After that day we shall write to you again."
                ),
                "## 3. Contact",
                f"3.1 Ask {self._random.choice(NAMES)}.",
                "## 4. End",
                f"4.1 See Section 2. Yours, {self._random.choice(NAMES)}",
            )
            text = "\n\n".join(paragraphs) + "\n"
            yield Document(PurePosixPath(f"letters/{number:02}.md"), "letter", text)
        for number in range(1, self._parameters.notes + 1):
            yield Document(PurePosixPath(f"notes/{number}.md"), "note", "A note\nof two lines\n")
        yield Document(PurePosixPath("rules.md"), "rules", RULES)


def _wrapped(text: str) -> str:
    return "\n".join(textwrap.wrap(text, WIDTH))


class NothingFound:
    """A detector that finds nothing."""

    def extract(self, path: PurePosixPath, text: str) -> None:
        return None

    def decide(self, facts: object) -> tuple[Evidence, ...]:
        return ()


def registrations() -> Registrations:
    """The planters of ocb, and the letters."""
    kind = Kind("letters", "letters with deadlines", LettersParameters)
    kinds = ("long-deadline", "no-contact")
    return replace(
        installed(),
        generators={"letters": Registered(kind, LettersGenerator, version="3")},
        kinds={
            name: Registered(Kind(name, "a defect of letters", NoParameters), NothingFound)
            for name in kinds
        },
    )


@pytest.fixture(name="registrations", scope="session")
def registrations_fixture() -> Registrations:
    return registrations()


@pytest.fixture
def spec_path(tmp_path: Path) -> Path:
    """The spec of the letters, in a file that a test may change."""
    path = tmp_path / "letters.yaml"
    path.write_text(SPEC)
    return path


@pytest.fixture
def spec(spec_path: Path, registrations: Registrations) -> ScenarioSpec:
    return load_spec(spec_path, registrations.catalogue())
