"""What a run and a sweep may spend: turns, tokens, dollars.

Money is reserved before a call, by the size of its request and the most it may answer, and settled
with what the upstream says it used. An unknown price is unknown, never zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from authoring.artefacts import Value

Dollars = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Price(Value):
    """US dollars for a million tokens of one model."""

    input: Dollars
    output: Dollars
    cached: Dollars | None = None
    """Of input read from a cache; None: as any input."""
    cache_written: Dollars | None = None
    """Of input written to a cache; None: as any input."""


@dataclass(frozen=True)
class Caps:
    """What one run may use up; None: as much as it likes."""

    turns: int
    """Calls for an answer, all threads together."""
    tokens: int | None = None
    """Input and output of all calls together, by the upstream's own count."""
    dollars: float | None = None


class Purse:
    """The money of a whole sweep, from which all its runs draw."""

    def __init__(self, dollars: float | None = None, spent: float = 0.0) -> None:
        self._dollars = dollars
        self.spent = spent
        self._reserved = 0.0

    def reserve(self, dollars: float) -> bool:
        """Set money aside for a call. False where there is not enough left."""
        if self._dollars is not None and self.spent + self._reserved + dollars > self._dollars:
            return False
        self._reserved += dollars
        return True

    def settle(self, reserved: float, used: float) -> None:
        """A call is over: what was set aside is free again, what it used is spent."""
        self._reserved -= reserved
        self.spent += used

    @property
    def left(self) -> float | None:
        """None: nobody set a limit."""
        return None if self._dollars is None else self._dollars - self.spent - self._reserved
