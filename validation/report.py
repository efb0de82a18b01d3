"""`validation.json` (`ocb.validation/1`): every check of a build, with its evidence; the seal.

It speaks of one tree and one registry by their hashes: change either and the seal is broken.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from authoring.artefacts import Value
from authoring.spec import Identifier
from generators.manifest import Hash
from validation.check import Check
from validation.feasibility import FeasibilityFigures
from validation.gradient import Gradient
from validation.measurability import LineFigures
from validation.readers.figures import ReaderFigures
from validation.shortcuts.figures import ShortcutFigures

Level = Literal["structural", "read"]
"""`structural`: detectors found every needle. `read`: so did a model reader, at a stated rate."""


class Figures(Value):
    """What was measured on the way; None where it was not."""

    lines: LineFigures | None = None
    shortcuts: ShortcutFigures | None = None
    gradient: Gradient | None = None
    feasibility: FeasibilityFigures | None = None
    reader: ReaderFigures | None = None


class ValidationReport(Value):
    """All checks of one build."""

    schema_: Annotated[Literal["ocb.validation/1"], Field(alias="schema")] = "ocb.validation/1"
    scenario: Identifier
    build: str
    ocb: str
    """The version of ocb that checked it."""
    tree: Hash
    registry_sha256: Hash
    manifest_sha256: Hash
    """Of the whole manifest: roles and counts are sealed with the tree."""
    level: Level | None
    """None: not sealed, since a check failed."""
    checks: tuple[Check, ...]
    figures: Figures = Figures()

    @property
    def failures(self) -> tuple[Check, ...]:
        """The checks that did not pass."""
        return tuple(check for check in self.checks if not check.passed)
