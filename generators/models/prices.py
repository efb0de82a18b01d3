"""A sum of money that calls may not go beyond, reserved before a call and settled after it."""

from __future__ import annotations

from threading import Lock
from typing import Annotated

from pydantic import Field

from authoring.artefacts import Value
from authoring.errors import UserError
from generators.models.asking import ModelAnswer, ModelClient, ModelRequest, Usage
from generators.tokens import count_tokens

MILLION = 1_000_000
INPUT_FACTOR = 1.35
"""What another vendor's tokenizer may count beyond cl100k_base."""
CENT = 0.01
OVERHEAD = 500
"""Tokens of an input that are not in our texts: the frame of tool and messages."""

MOST_DOLLARS = 1_000_000
"""A million tokens at more is a slip, and sums beyond what a float holds are none."""

Dollars = Annotated[float, Field(ge=0, le=MOST_DOLLARS, allow_inf_nan=False)]


class Price(Value):
    """US dollars a million tokens."""

    input: Dollars
    output: Dollars

    def of(self, input_tokens: float, output_tokens: float) -> float:
        """US dollars of a call."""
        return (self.input * input_tokens + self.output * output_tokens) / MILLION


class CapReachedError(UserError):
    """The worst that the next call may cost is beyond the cap."""


class CappedClient:
    """Asks only while the worst that a call may cost is still within the cap.

    A call that failed, or whose usage the server does not tell, may have cost its worst, and counts
    so. Several threads may ask at once.
    """

    def __init__(self, client: ModelClient, price: Price, most: float) -> None:
        self._client = client
        self._price = price
        self._most = most
        self._spent = 0.0
        self._open = 0.0
        """What calls under way, or lost, may cost at worst."""
        self._lock = Lock()

    def ask(self, request: ModelRequest) -> ModelAnswer:
        text = "\n".join((request.system, request.prompt, str(request.shape)))
        expected = count_tokens(text) * INPUT_FACTOR + OVERHEAD
        worst = self._price.of(expected, request.most_tokens)
        self._reserve(worst)
        answer = self._client.ask(request)
        if answer.usage is not None:
            self._settle(worst, answer.usage)
        return answer

    def _reserve(self, worst: float) -> None:
        with self._lock:
            cost = self._spent + self._open + worst
            if cost > self._most:
                lost = f" and up to ${self._open:.4f} on its way" if self._open >= CENT else ""
                raise CapReachedError(
                    f"the next call could bring the cost to ${cost:.4f}; at most ${self._most:.4f}"
                    f" is allowed, ${self._spent:.4f} is spent{lost}",
                    remedy="raise most_usd; what was answered so far is kept",
                )
            self._open += worst

    def _settle(self, worst: float, usage: Usage) -> None:
        with self._lock:
            self._open -= worst
            self._spent += self._price.of(usage.input_tokens, usage.output_tokens)
