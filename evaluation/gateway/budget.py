"""What a run and a sweep may spend: turns, tokens, dollars.

Money is reserved before a call, by the size of its request and the most it may answer, and settled
with what the upstream says it used, as far as that can be. An unknown price is unknown, never zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import Field

from authoring.artefacts import Value
from validation.reading_costs import DATED

Dollars = Annotated[float, Field(ge=0, allow_inf_nan=False)]

CHARACTERS = 3
"""Of a request to a token: fewer than texts have, so that a reservation is rather too large."""

MOST_UNSAID = 32_000
"""Tokens that are reserved for the answer to a request that sets no bound to it."""

OVERHEAD = 10_000
"""Tokens that a server may add to what it was sent: its own instructions, marks between messages.
Beyond them a token is at least one character of the request, and usage that says more is wrong."""

MOST_ANSWERED = 1_000_000
"""Tokens that one answer may be said to have where its request allows no more."""

MILLION = 1_000_000


def in_dollars(amount: float) -> str:
    """In cents; what is less, in as many digits as tell it from nothing."""
    return f"${amount:,.2f}" if amount >= 0.01 or not amount else f"${amount:.1g}"


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


def price_of(prices: Mapping[str, Price], model: str) -> Price | None:
    """By a model's name with or without a date; None where it is not known."""
    return prices.get(model) or prices.get(DATED.sub("", model))


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

    def refusal(self, dollars: float, *, alone: bool = False) -> str:
        """Why so much cannot be set aside for a call, in numbers; empty where it can.

        `alone`: as if no other call were under way.
        """
        if self._dollars is None:
            return ""
        reserved = 0.0 if alone else self._reserved
        left = max(self._dollars - self.spent - reserved, 0.0)
        if dollars <= left:
            return ""
        # Both in the digits that tell them apart, and what is left from nothing.
        in_cents = f"{dollars:.2f}" != f"{left:.2f}" and not 0 < left < 0.01
        places = 2 if in_cents else 6
        told = (
            f"the next call may cost ${dollars:,.{places}f},"
            f" of {in_dollars(self._dollars)} ${left:,.{places}f} is left"
        )
        others = f"; {in_dollars(reserved)} are set aside for others"
        return told + others if reserved > 0 else told

    def spent_up(self) -> str:
        """That nothing is left, in numbers; empty where something is."""
        if self._dollars is None or self.spent < self._dollars:
            return ""
        return f"the money is spent: {in_dollars(self.spent)} of {in_dollars(self._dollars)}"

    @property
    def left(self) -> float | None:
        """None: nobody set a limit."""
        return None if self._dollars is None else self._dollars - self.spent - self._reserved


@dataclass(frozen=True)
class Reservation:
    """What was set aside for one call."""

    tokens: Tokens
    dollars: float
    size: int = 0
    """Characters of its request."""
    model: str = ""
    """That it asks for; empty: it names none."""
    price: Price | None = None
    """Of that model."""

    def believable(self, told: Tokens) -> Tokens:
        """Usage, as far as it can be true of this call."""
        most = self.size + OVERHEAD
        cached = min(told.cached, most)
        return Tokens(
            input=min(told.input, most),
            output=min(told.output, max(self.tokens.output, MOST_ANSWERED)),
            cached=cached,
            cache_written=min(told.cache_written, most - cached),
        )


@dataclass(frozen=True)
class Unpaid:
    """A call that did not go out, since the sweep's money did not hold it."""

    dollars: float
    """What would have been set aside for it."""
    reason: str
    """With what was left, in words."""


Spent = Literal["turns", "tokens", "dollars", "purse", "price"]
"""`price`: nobody knows what the call costs, and its run or its sweep has a limit in dollars."""


class SpentError(Exception):
    """A call that would go beyond what may be spent."""

    def __init__(self, what: Spent) -> None:
        super().__init__(what)
        self.what = what


class Budget:
    """What one run has used and set aside, within its own caps and the sweep's purse.

    What is *used* is what the upstream told. What is *charged* against caps and purse is that, and
    of calls of which it did not tell all, the estimated input and the answer as far as it came.

    A call costs by the price of the model that it asks for. `price` is for one that names none, and
    for all where there is no table.
    """

    def __init__(
        self,
        caps: Caps,
        price: Price | None = None,
        purse: Purse | None = None,
        prices: Mapping[str, Price] = MappingProxyType({}),
    ) -> None:
        self._caps = caps
        self._price = price
        self._prices = prices
        self._purse = purse
        self._turns = 0
        self._charged = 0
        """Tokens, those that are set aside included."""
        self._charged_dollars = 0.0
        self._cost = 0.0
        self.used = Tokens()
        self.uncounted = 0
        """Calls whose usage the upstream did not tell, or not to its end, or not as it can be."""
        self.unpriced = ""
        """The first model that was asked for without a known price; empty: there was none."""
        self._is_cost_known = True
        self.limit = ""
        """The cap that was hit first, with what had been used of it; empty: none was."""
        self.unpaid: Unpaid | None = None
        """The first call that the purse did not hold."""

    def reserve(self, size: int, most: int | None, model: str = "") -> Reservation:
        """Set aside what a call may use. Raises SpentError.

        `size` is the request's in characters, `most` the bound that it sets to its answer, `model`
        the one that it asks for.
        """
        asked = Tokens(size // CHARACTERS, MOST_UNSAID if most is None else most)
        price = self._price_of(model)
        reserved = Reservation(asked, _dollars(price, asked), size, model, price)
        self._check(reserved)
        if self._purse is not None and not self._purse.reserve(reserved.dollars):
            refusal = self._purse.refusal(reserved.dollars)
            self.unpaid = self.unpaid or Unpaid(reserved.dollars, refusal)
            raise SpentError("purse")
        self._turns += 1
        self._charge(reserved.tokens, reserved.dollars)
        return reserved

    def _check(self, asked: Reservation) -> None:
        caps = self._caps
        if asked.price is None and self._is_priced:
            self.unpriced = self.unpriced or asked.model
            if caps.dollars is not None or (self._purse and self._purse.left is not None):
                raise SpentError("price")
        least = "at least " if self.uncounted else ""
        if self._turns >= caps.turns:
            self._hit("turns", f"{caps.turns} turns")
        if caps.tokens is not None and self._charged + asked.tokens.total > caps.tokens:
            self._hit("tokens", f"{least}{self.used.total} of {caps.tokens} tokens")
        if caps.dollars is not None and self._charged_dollars + asked.dollars > caps.dollars:
            places = 2 if caps.dollars >= 1 else 4
            used = f"{self._cost:.{places}f} of {caps.dollars:.{places}f} dollars"
            self._hit("dollars", least + used)

    def _hit(self, what: Spent, limit: str) -> None:
        self.limit = self.limit or limit
        raise SpentError(what)

    def settle(
        self,
        reserved: Reservation,
        told: Tokens | None,
        *,
        is_whole: bool = True,
        said: int = 0,
        answered: str = "",
    ) -> None:
        """A call is over.

        `told` is what the upstream says it used; None: it did not. Not whole: that is not the end
        of it. `said` is what came of the answer, in characters, `answered` the model it names.
        """
        is_whole = is_whole and told is not None
        told = told or Tokens()
        used = reserved.believable(told)
        has_input = told.input > 0 or not reserved.size
        is_counted = is_whole and has_input and used == told
        self.uncounted += not is_counted
        charged = used
        if not is_counted:
            least = 0 if is_whole and told.output else said // CHARACTERS
            charged = replace(
                used,
                input=used.input or reserved.tokens.input,
                output=max(used.output, least),
            )
        price = reserved.price if reserved.model else self._price_of(answered)
        self._charge(charged, _dollars(price, charged), free=reserved)
        self.used += used
        self._cost += _dollars(price, used)
        self._is_cost_known = self._is_cost_known and price is not None

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

    @property
    def _is_priced(self) -> bool:
        return self._price is not None or bool(self._prices)

    def _price_of(self, model: str) -> Price | None:
        if not model or not self._prices:
            return self._price
        return price_of(self._prices, model)

    @property
    def cost(self) -> float | None:
        """US dollars for what was used; None where the price of any of it is unknown."""
        return self._cost if self._is_priced and self._is_cost_known else None

    @property
    def charged(self) -> float | None:
        """US dollars that count against caps and purse, without the calls of which the price is
        unknown; None where it is of all."""
        return self._charged_dollars if self._is_priced else None

    @property
    def turns(self) -> int:
        """Calls for an answer that went out, less those that were turned away."""
        return self._turns


def _dollars(price: Price | None, tokens: Tokens) -> float:
    return price.of(tokens) if price else 0.0
