"""How a defect is put into a corpus: the contract of planters, and which file they work on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Protocol

from generators.registry import Edit, Span


@dataclass(frozen=True)
class Planted:
    """What a planter did: edits in lines of the planted text, and lines that show the defect."""

    edits: tuple[Edit, ...]
    evidence: tuple[Span, ...]


class Planter(Protocol):
    """Makes one defect. Pure: same files, same result.

    Raises UserError where its anchor matches nothing or several places, and shows the candidates.
    """

    def plant(self, files: Mapping[PurePosixPath, str], target: PurePosixPath) -> Planted: ...
