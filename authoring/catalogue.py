"""What a spec may name, as data: generators, planters and kinds of defect with their parameters.

Filled by `generators/catalogue.py` and handed in by the command, so that this stage can check a
spec, and write its schema, without importing the stage after it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import BaseModel


@dataclass(frozen=True)
class Kind:
    """One nameable thing: what it is for, what it takes, and how it is written in YAML."""

    name: str
    summary: str
    parameters: type[BaseModel]
    example: str = ""
    scaffold: str = ""
    """Of a generator: the package whose folder `scaffold/` holds what `ocb author new` writes."""


@dataclass(frozen=True)
class Catalogue:
    """All that a spec may name, by section of the spec."""

    generators: Mapping[str, Kind]
    planters: Mapping[str, Kind]
    kinds: Mapping[str, Kind]
    """Kinds of defect. Each has a detector."""
    detectors: Mapping[str, Kind] = field(default_factory=dict)
    """Those that are told by parameters, for kinds that a spec brings itself."""
