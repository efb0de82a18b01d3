"""What long work tells of itself while a session is read and measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Progress:
    """How far it has come."""

    doing: Literal["reading", "measuring"]
    done: int
    """Bytes of the file that is read, or results that were measured."""
    total: int
    """Bytes of that file, or results of the session."""
    what: str = ""
    """The name of the file that is read."""


Tell = Callable[[Progress], None]
"""It is called some hundred times a session at the most, and must not raise."""
