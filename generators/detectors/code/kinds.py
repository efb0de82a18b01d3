"""The kinds of defect of any code, by name: for the catalogue."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from generators.detectors.code.silent_except import SilentExcept
from generators.detectors.detector import Detector


@dataclass(frozen=True)
class CodeKind:
    """One kind of defect: what it is and what finds it."""

    summary: str
    make: Callable[[], Detector[Any]]


CODE_KINDS: Mapping[str, CodeKind] = {
    "silent-except": CodeKind(
        "Python code catches an exception and does nothing about it", SilentExcept
    ),
}
