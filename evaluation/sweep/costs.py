"""What runs may cost: the user's price table (`ocb.prices/1`), and the two ends of an estimate.

Prevents a false sum: a model that is not in the table costs an unknown amount, never nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field

from authoring.artefacts import Value
from authoring.errors import Place, Problem, SpecError
from authoring.typed import to_typed
from authoring.yaml_source import Scalar, entries_at, node_at, read_yaml
from evaluation.gateway.budget import MILLION, Price, Tokens
from evaluation.run import Limits
from generators.models.prices import Dollars
from validation.feasibility import Reading
from validation.reading_costs import DATED, Date, HarnessCost

CALL_TOKENS = 100
"""Output that a call for one more file is taken to need."""
REPORT_TOKENS = 2000
"""Output that the final response is taken to need."""
READINGS = 2
"""Full readings at the upper end; no limit may be below as many."""


class ModelPrice(Value):
    """US dollars for a million tokens of one model."""

    name: str
    """As it is asked for; one without a date stands for the dated ones too."""
    input: Dollars
    output: Dollars
    cached: Dollars | None = None
    """Of input read from a cache; without it as any input."""
    cache_written: Dollars | None = None
    """Of input written to a cache; without it as any input."""
    date: Date
    source: str
    """Who says so."""


class PriceTable(Value):
    """A user's table of prices, in YAML."""

    schema_: Annotated[Literal["ocb.prices/1"], Field(alias="schema")]
    models: Annotated[tuple[ModelPrice, ...], Field(min_length=1)]


@dataclass(frozen=True)
class Prices:
    """What is known of prices."""

    models: Mapping[str, Price] = field(default_factory=dict)
    """By name."""

    def of(self, model: str) -> Price | None:
        """By its name with or without a date; None where it is not known."""
        return self.models.get(model) or self.models.get(DATED.sub("", model))


def load_prices(path: Path) -> Prices:
    """Read a table. Raises SpecError with every problem at its line."""
    source = read_yaml(path)
    typed = to_typed(source.root, PriceTable, place=source.root.place)
    problems = list(typed.problems)
    seen: dict[str, Place] = {}
    for entry in entries_at(source.root, "models"):
        name = node_at(entry.value, "name")
        if isinstance(name, Scalar):
            if name.text in seen:
                what = (
                    f"the model {name.text!r} has a price already, in line {seen[name.text].line}"
                )
                problems.append(Problem("duplicate-model", name.place, what, "keep one of them"))
            seen.setdefault(name.text, name.place)
    if problems or typed.value is None:
        raise SpecError(problems)
    return Prices(
        {
            one.name: Price(
                input=one.input,
                output=one.output,
                cached=one.cached,
                cache_written=one.cache_written,
            )
            for one in typed.value.models
        }
    )


class CostRange(Value):
    """US dollars.

    `least`: one full reading, a file a call, of which each token is paid for once as new input (at
    the price of writing it to a cache, where there is one) and every time after that at the price
    of cached input. `most`: two full readings of which nothing is cached, or the caps where they
    are lower. Each call is taken to answer with 100 tokens, the final response with 2,000. Agents
    that read less cost less; sub-agents' own instructions and runs made again come on top.
    """

    least: float
    most: float

    def times(self, runs: int) -> CostRange:
        """What so many of them cost."""
        return CostRange(least=self.least * runs, most=self.most * runs)

    def plus(self, other: CostRange) -> CostRange:
        """Both together."""
        return CostRange(least=self.least + other.least, most=self.most + other.most)

    def within(self, cap: float | None) -> CostRange:
        """No more than a cap."""
        if cap is None:
            return self
        return CostRange(least=min(self.least, cap), most=min(self.most, cap))


FREE = CostRange(least=0.0, most=0.0)


@dataclass(frozen=True)
class ReadingTokens:
    """What one full reading sends and gets back, by the vendor's own count."""

    entered: int
    """Input that is new in its call."""
    sent: int
    """Input of all calls together."""
    answered: int

    @classmethod
    def of(cls, reading: Reading, harness: HarnessCost, prompt: int, factor: float) -> Self:
        """`prompt`: tokens of the task; `factor`: the vendor's tokens for one of ours."""
        return cls(
            entered=math.ceil((harness.fixed_tokens + prompt + reading.tokens) * factor),
            sent=math.ceil(reading.sent * factor),
            answered=reading.reads * CALL_TOKENS + REPORT_TOKENS,
        )

    def uncached(self, price: Price) -> float:
        """US dollars, where nothing is cached."""
        return price.of(Tokens(input=self.sent, output=self.answered))

    def cached(self, price: Price) -> float:
        """US dollars, where every call but the first finds its history in a cache."""
        entered = min(self.entered, self.sent)
        tokens = Tokens(
            input=self.sent,
            output=self.answered,
            cached=self.sent - entered,
            cache_written=entered,
        )
        # A cache that costs more than it saves is none.
        return min(price.of(tokens), self.uncached(price))


def cost_of(tokens: ReadingTokens, price: Price, limits: Limits) -> CostRange:
    """What one run may cost."""
    both = CostRange(least=tokens.cached(price), most=READINGS * tokens.uncached(price))
    whole = both.within(limits.dollars)
    if limits.tokens is None:
        return whole
    dearest = max(price.input, price.output, price.cache_written or 0.0)
    return whole.within(limits.tokens * dearest / MILLION)
