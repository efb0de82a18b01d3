"""A sum of money that calls may not go beyond, reserved before a call and settled after it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from authoring.artefacts import Value
from authoring.errors import UserError
from generators.models.asking import ModelAnswer, ModelClient, ModelRequest
from generators.tokens import count_tokens

MILLION = 1_000_000
INPUT_FACTOR = 1.35
"""What another vendor's tokenizer may count beyond cl100k_base."""
OVERHEAD = 500
"""Tokens of an input that are not in our texts: the frame of tool and messages."""

Dollars = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Price(Value):
    """US dollars a million tokens."""

    input: Dollars
    output: Dollars

    def of(self, input_tokens: float, output_tokens: float) -> float:
        """US dollars of a call."""
        return (self.input * input_tokens + self.output * output_tokens) / MILLION


class CappedClient:
    """Asks only while the worst that a call may cost is still within the cap."""

    def __init__(self, client: ModelClient, price: Price, most: float) -> None:
        self._client = client
        self._price = price
        self._most = most
        self._spent = 0.0

    def ask(self, request: ModelRequest) -> ModelAnswer:
        text = "\n".join((request.system, request.prompt, str(request.shape)))
        expected = count_tokens(text) * INPUT_FACTOR + OVERHEAD
        worst = self._spent + self._price.of(expected, request.most_tokens)
        if worst > self._most:
            raise UserError(
                f"the next call could bring the cost to ${worst:.4f}; at most ${self._most:.4f} is"
                f" allowed, ${self._spent:.4f} is spent",
                remedy="raise most_usd; what was answered so far is kept",
            )
        answer = self._client.ask(request)
        usage = answer.usage
        self._spent += self._price.of(usage.input_tokens, usage.output_tokens)
        return answer
