"""Wilson's interval against its formula, and where there is no data."""

from __future__ import annotations

from math import isclose, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.statistics.intervals import Rate, wilson

Z = 1.959963984540054
"""The 97.5 % quantile of the normal distribution, from a table."""


def by_hand(successes: int, n: int) -> tuple[float, float]:
    p = successes / n
    middle = (p + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z / (1 + Z * Z / n) * sqrt(p * (1 - p) / n + Z * Z / (4 * n * n))
    return middle - half, middle + half


@pytest.mark.parametrize(
    ("successes", "n", "least", "most"),
    [
        pytest.param(0, 5, 0.0, 0.4345, id="0 of 5"),
        pytest.param(5, 5, 0.5655, 1.0, id="5 of 5"),
        pytest.param(0, 50, 0.0, 0.0713, id="0 of 50"),
        pytest.param(1, 1, 0.2065, 1.0, id="1 of 1"),
    ],
)
def test_a_rate_at_an_end_has_a_width(successes: int, n: int, least: float, most: float) -> None:
    rate = wilson(successes, n)
    assert rate.estimate == successes / n
    assert rate.least == pytest.approx(least, abs=5e-5)
    assert rate.most == pytest.approx(most, abs=5e-5)
    assert rate.method == "wilson 95 %"


def test_nothing_of_nothing_is_no_data() -> None:
    rate = wilson(0, 0)
    assert (rate.estimate, rate.least, rate.most) == (None, None, None)
    assert rate.method == "no data"


@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_is_wilsons_and_never_leaves_0_to_1(pair: tuple[int, int]) -> None:
    rate = wilson(*pair)
    assert rate.estimate is not None
    assert rate.least is not None
    assert rate.most is not None
    assert 0.0 <= rate.least <= rate.estimate <= rate.most <= 1.0
    least, most = by_hand(*pair)
    assert isclose(rate.least, least, abs_tol=1e-9)
    assert isclose(rate.most, most, abs_tol=1e-9)


@pytest.mark.parametrize(("successes", "n"), [(-1, 5), (6, 5), (1, 0)])
def test_what_is_no_rate_is_refused(successes: int, n: int) -> None:
    with pytest.raises(ValueError, match="is no rate"):
        wilson(successes, n)


def test_an_estimate_outside_its_interval_is_no_rate() -> None:
    with pytest.raises(ValueError, match="inside the interval"):
        Rate(successes=1, n=2, estimate=0.5, least=0.6, most=0.9, method="wilson 95 %")
