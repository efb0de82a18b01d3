"""One thing that the answerer says of its own reading."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from evaluation.judging.rules.thing import Thing

Strength = Literal["read", "glance", "weak"]
"""`glance`: reading that does not claim to be whole; `weak`: a verb that is said of much else."""


@dataclass(frozen=True)
class Assertion:
    """One thing that the answerer says it read, or did not open; offsets into the response."""

    thing: Thing
    strength: Strength
    start: int
    end: int
    fully: bool = False
    partly: bool = False
    denied: bool = False
    doubtful: bool = False
    """Perhaps no reading, or not of all that it seems to be of."""
    narrowed: bool = False
    """Doubtful since it may be of a part of the scope."""


class Found(NamedTuple):
    """What a form of clause made of the words from some word on."""

    assertions: tuple[Assertion, ...]
    last: int
    """The first word behind the clause."""


@dataclass(frozen=True)
class Manner:
    """How a clause speaks of reading."""

    strength: Strength = "read"
    fully: bool = False
    partly: bool = False
    own: bool = True
    """Names the answerer as the one who did it."""
    passive: bool = False
    excluded: int = 0
    """Files that were taken out before the verb."""
