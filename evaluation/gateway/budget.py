"""What a run and a sweep may spend: turns, tokens, dollars.

Money is reserved before a call, by the size of its request and the most it may answer, and settled
with what the upstream says it used. An unknown price is unknown, never zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from authoring.artefacts import Value

Dollars = Annotated[float, Field(ge=0, allow_inf_nan=False)]

CHARACTERS = 3
"""Of a request to a token: fewer than texts have, so that a reservation is rather too large."""

MOST_UNSAID = 32_000
"""Tokens that are reserved for the answer to a request that sets no bound to it."""

MILLION = 1_000_000


class Price(Value):
    """US dollars for a million tokens of one model."""

    input: Dollars
    output: Dollars
    cached: Dollars | None = None
    """Of input read from a cache; None: as any input."""
    cache_written: Dollars | None = None
    """Of input written to a cache; None: as any input."""

    def of(self, tokens: Tokens) -> float:
        """What so many tokens cost, in dollars."""
        fresh = max(tokens.input - tokens.cached - tokens.cache_written, 0)
        cached = self.input if self.cached is None else self.cached
        written = self.input if self.cache_written is None else self.cache_written
        return (
            fresh * self.input
            + tokens.cached * cached
            + tokens.cache_written * written
            + tokens.output * self.output
        ) / MILLION


@dataclass(frozen=True)
class Tokens:
    """What one call used, or all calls of a run."""

    input: int = 0
    """Cached input included."""
    output: int = 0
    cached: int = 0
    """Of the input: read from a cache."""
    cache_written: int = 0
    """Of the input: written to a cache."""

    @property
    def total(self) -> int:
        return self.input + self.output

    def __add__(self, other: Tokens) -> Tokens:
        return Tokens(
            self.input + other.input,
            self.output + other.output,
            self.cached + other.cached,
            self.cache_written + other.cache_written,
        )


@dataclass(frozen=True)
class Caps:
    """What one run may use up; None: as much as it likes."""

    turns: int
    """Calls for an answer, all threads together."""
    tokens: int | None = None
    """Input and output of all calls together, by the upstream's own count."""
    dollars: float | None = None
    """Without a price it bounds nothing: what is unknown cannot be counted."""


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


@dataclass(frozen=True)
class Reservation:
    """What was set aside for one call."""

    tokens: Tokens
    dollars: float


Spent = Literal["turns", "tokens", "dollars", "purse"]


class SpentError(Exception):
    """A call that would go beyond what may be spent."""

    def __init__(self, what: Spent) -> None:
        super().__init__(what)
        self.what = what


class Budget:
    """What one run has used and set aside, within its own caps and the sweep's purse.

    What is *used* is what the upstream told. What is *charged* against caps and purse is that, and
    the estimated input of calls of which it told nothing.
    """

    def __init__(self, caps: Caps, price: Price | None = None, purse: Purse | None = None) -> None:
        self._caps = caps
        self._price = price
        self._purse = purse
        self._turns = 0
        self._charged = 0
        """Tokens, those that are set aside included."""
        self._charged_dollars = 0.0
        self._cost = 0.0
        self.used = Tokens()
        self.uncounted = 0
        """Calls whose usage the upstream did not tell, or not to its end."""
        self.limit = ""
        """The cap that was hit first, with what had been used of it; empty: none was."""
        self.purse_empty = False

    def reserve(self, size: int, most: int | None) -> Reservation:
        """Set aside what a call may use. Raises SpentError.

        `size` is the request's in characters, `most` the bound that it sets to its answer.
        """
        asked = Tokens(size // CHARACTERS, MOST_UNSAID if most is None else most)
        reserved = Reservation(asked, self._dollars(asked))
        self._check(reserved)
        if self._purse is not None and not self._purse.reserve(reserved.dollars):
            self.purse_empty = True
            raise SpentError("purse")
        self._turns += 1
        self._charge(reserved.tokens, reserved.dollars)
        return reserved

    def _check(self, asked: Reservation) -> None:
        caps = self._caps
        if self._turns >= caps.turns:
            self._hit("turns", f"{caps.turns} turns")
        if caps.tokens is not None and self._charged + asked.tokens.total > caps.tokens:
            self._hit("tokens", f"{self.used.total} of {caps.tokens} tokens")
        if caps.dollars is not None and self._charged_dollars + asked.dollars > caps.dollars:
            places = 2 if caps.dollars >= 1 else 4
            used = f"{self._cost:.{places}f} of {caps.dollars:.{places}f} dollars"
            self._hit("dollars", used)

    def _hit(self, what: Spent, limit: str) -> None:
        self.limit = self.limit or limit
        raise SpentError(what)

    def settle(self, reserved: Reservation, used: Tokens | None, *, is_whole: bool = True) -> None:
        """A call is over. None: the upstream did not say what it used; not whole: what it said is
        not the end of it."""
        self.uncounted += used is None or not is_whole
        charged = used or Tokens(input=reserved.tokens.input)
        self._charge(charged, self._dollars(charged), free=reserved)
        if used is not None:
            self.used += used
            self._cost += self._dollars(used)

    def give_back(self, reserved: Reservation, *, turn: bool) -> None:
        """A call came to nothing. One that was never answered is none of the agent's turns."""
        self._turns -= turn
        self._charge(Tokens(), 0.0, free=reserved)

    def _charge(self, tokens: Tokens, dollars: float, free: Reservation | None = None) -> None:
        self._charged += tokens.total
        self._charged_dollars += dollars
        if free is not None:
            self._charged -= free.tokens.total
            self._charged_dollars -= free.dollars
            if self._purse is not None:
                self._purse.settle(free.dollars, dollars)

    def _dollars(self, tokens: Tokens) -> float:
        return self._price.of(tokens) if self._price else 0.0

    @property
    def cost(self) -> float | None:
        """US dollars for what was used; None where the price is unknown."""
        return None if self._price is None else self._cost
