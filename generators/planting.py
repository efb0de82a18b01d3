"""How a defect is put into a corpus: the contract of planters, and which file they work on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Protocol

from authoring.spec import Position
from generators.registry import Edit, Span


@dataclass(frozen=True)
class Ground:
    """The clean corpus, before anything is planted in it."""

    texts: Mapping[PurePosixPath, str]
    kinds: Mapping[PurePosixPath, str]
    """What sort of document each file is."""


@dataclass(frozen=True)
class Aim:
    """Where a defect is to go."""

    target: PurePosixPath
    depth: Position | None = None
    """Which third of the file's lines, where there is a choice."""


@dataclass(frozen=True)
class Planted:
    """What a planter did: edits in lines of the planted text, and lines that show the defect."""

    edits: tuple[Edit, ...]
    evidence: tuple[Span, ...]
    witnesses: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """For a defect across files, by evidence file: the texts, by path, of partners with which that
    very file, as it is planted, stands in a corpus without this defect."""


class Planter(Protocol):
    """Makes one defect. Pure: same ground and aim, same result.

    Raises UserError where its anchor matches nothing or several places, and shows the candidates.
    """

    def plant(self, ground: Ground, aim: Aim) -> Planted: ...
