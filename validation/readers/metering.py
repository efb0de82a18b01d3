"""What calls were made, and what they cost as far as that is known."""

from __future__ import annotations

from threading import Lock

from authoring.artefacts import Value
from generators.models.asking import ModelAnswer, ModelClient, ModelRequest
from generators.models.prices import Price


class Account(Value):
    """The calls behind some samples."""

    asked: int
    """Calls to the server; what the SDK repeats within one is not counted."""
    answered: int
    """Of those, in the shape asked for."""
    cached: int
    """Samples that an earlier call had answered."""
    input_tokens: int
    """As far as the server told."""
    output_tokens: int
    spent_usd: float | None
    """Of the calls whose usage the server told; None where the price is not known."""
    untold: int
    """Calls that failed or came without usage: what they cost is not known."""
    cap_usd: float | None
    """None: no limit was set."""


class Meter:
    """Counts calls, from any thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self.asked = 0
        self.answered = 0
        self.untold = 0
        self.input_tokens = 0
        self.output_tokens = 0

    def begin(self) -> None:
        with self._lock:
            self.asked += 1
            self.untold += 1

    def end(self, answer: ModelAnswer) -> None:
        with self._lock:
            if answer.usage is not None:
                self.untold -= 1
                self.input_tokens += answer.usage.input_tokens
                self.output_tokens += answer.usage.output_tokens

    def accept(self) -> None:
        with self._lock:
            self.answered += 1

    def account(self, samples: int, price: Price | None, cap_usd: float | None) -> Account:
        """The figures, where so many samples were answered with or without a call."""
        tokens = self.input_tokens, self.output_tokens
        return Account(
            asked=self.asked,
            answered=self.answered,
            cached=samples - self.answered,
            input_tokens=self.input_tokens,
            output_tokens=self.output_tokens,
            spent_usd=price.of(*tokens) if price else None,
            untold=self.untold,
            cap_usd=cap_usd,
        )


class MeteredClient:
    """Asks, and has it counted."""

    def __init__(self, client: ModelClient, meter: Meter) -> None:
        self._client = client
        self._meter = meter

    def ask(self, request: ModelRequest) -> ModelAnswer:
        self._meter.begin()
        answer = self._client.ask(request)
        self._meter.end(answer)
        return answer
