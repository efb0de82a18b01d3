"""A rate with its interval.

Prevents two false results: 0 of 5 shown as exactly 0 %, and 0 of 0 shown as any number at all.
"""

from __future__ import annotations

from typing import Literal, Self

from pydantic import model_validator
from statsmodels.stats.proportion import proportion_confint

from authoring.artefacts import Value

CONFIDENCE = 0.95


class Rate(Value):
    """`successes` of `n`. Estimate and interval are None for 0 of 0: there is no data."""

    successes: int
    n: int
    estimate: float | None
    least: float | None
    most: float | None
    method: Literal["wilson 95 %", "no data"]

    @model_validator(mode="after")
    def _within_0_and_1(self) -> Self:
        if self.estimate is None or self.least is None or self.most is None:
            if self.n:
                raise ValueError("a rate with n above 0 has an estimate and an interval")
        elif not 0.0 <= self.least <= self.estimate <= self.most <= 1.0:
            raise ValueError("a rate and its interval lie in 0 to 1, the rate inside the interval")
        return self


def wilson(successes: int, n: int) -> Rate:
    """The rate with Wilson's score interval (Wilson 1927), which has a width at 0 and at n too."""
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} of {n} is no rate")
    if n == 0:
        return Rate(successes=0, n=0, estimate=None, least=None, most=None, method="no data")
    estimate = successes / n
    least, most = proportion_confint(successes, n, alpha=1 - CONFIDENCE, method="wilson")
    return Rate(
        successes=successes,
        n=n,
        estimate=estimate,
        # Rounding can put an end a hair outside 0 to 1, or past an estimate of 0 or 1.
        least=min(max(float(least), 0.0), estimate),
        most=max(min(float(most), 1.0), estimate),
        method="wilson 95 %",
    )
