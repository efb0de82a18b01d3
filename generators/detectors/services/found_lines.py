"""Detectors that need to see one file only: lines are found or they are not."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Protocol

from generators.detectors.detector import Evidence
from generators.detectors.services.python_code import Lines


class FindLines(Protocol):
    """The lines of one file that have the defect."""

    def __call__(self, path: PurePosixPath, text: str) -> tuple[Lines, ...]: ...


class FoundLines:
    """A detector from a function that looks at one file."""

    def __init__(self, find: FindLines) -> None:
        self._find = find

    def extract(self, path: PurePosixPath, text: str) -> tuple[Lines, ...]:
        """The lines of one file that have the defect."""
        return self._find(path, text)

    def decide(self, facts: Mapping[PurePosixPath, tuple[Lines, ...]]) -> tuple[Evidence, ...]:
        """All of them."""
        return tuple(lines.evidence(path) for path in sorted(facts) for lines in facts[path])
