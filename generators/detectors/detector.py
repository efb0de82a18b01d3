"""The contract of detectors: facts of one file at a time, then a cheap decision over all of them.

A detector knows neither the needle's file nor its text, so that finding a needle proves something.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import NamedTuple, Protocol, TypeVar

Facts = TypeVar("Facts")


class Evidence(NamedTuple):
    """Lines that show a defect, counted from 1, both ends in."""

    path: PurePosixPath
    first: int
    last: int


class Detector(Protocol[Facts]):
    """Finds every defect of one kind. Pure."""

    def extract(self, path: PurePosixPath, text: str) -> Facts:
        """What one file says. Cached by detector and SHA-256 of the text."""
        ...

    def decide(self, facts: Mapping[PurePosixPath, Facts]) -> tuple[Evidence, ...]:
        """The defects among these files. Cheap: it is run for every subset of the corpus."""
        ...
