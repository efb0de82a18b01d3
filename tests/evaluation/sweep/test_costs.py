"""Price tables, and the two ends of what a run may cost."""

from __future__ import annotations

from pathlib import Path

import pytest

from authoring.errors import SpecError
from evaluation.gateway.budget import Price
from evaluation.run import Limits
from evaluation.sweep.costs import CostRange, ReadingTokens, cost_of, load_prices
from validation.feasibility import CorpusTokens, FileTokens, full_reading
from validation.reading_costs import HarnessCost

TABLE = """\
schema: ocb.prices/1
models:
  - {name: large, input: 10, output: 50, cached: 1, cache_written: 12.5,
     date: 2026-11-30, source: a list}
  - {name: small-20260101, input: 1, output: 2, date: 2026-11-30, source: a list}
"""


def lay(folder: Path, text: str) -> Path:
    path = folder / "prices.yaml"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("asked", "known"),
    [
        ("large", True),
        ("large-20260101", True),
        ("large-preview", False),
        ("small-20260101", True),
        ("small", False),
        ("small-20260202", False),
    ],
)
def test_a_name_without_a_date_stands_for_dated_ones_and_no_other_way(
    tmp_path: Path, asked: str, known: bool
) -> None:
    prices = load_prices(lay(tmp_path, TABLE))
    assert (prices.of(asked) is not None) is known


def test_a_price_that_is_not_said_is_that_of_any_input(tmp_path: Path) -> None:
    price = load_prices(lay(tmp_path, TABLE)).of("small-20260101")
    assert price == Price(input=1, output=2, cached=None, cache_written=None)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        pytest.param("{name: a, input: -1, output: 1}", ":3:22: input: ", id="negative"),
        pytest.param("{name: a, input: .nan, output: 1}", ":3:22: input wants a number", id="nan"),
        pytest.param("{name: a, input: 1e400, output: 1}", ":3:22: input wants", id="infinite"),
        pytest.param("{name: a, input: 1, outptu: 1}", "did you mean 'output'?", id="misspelt"),
        pytest.param("{name: a, input: '1', output: 1}", "quoted text '1'", id="quoted"),
        pytest.param("{name: a, input: 1, input: 2}", "stands twice", id="key-twice"),
        pytest.param("{name: a, input: 1, output: 1}", "'source' is missing", id="no-source"),
        pytest.param("&a {name: a}", "anchor &a", id="anchor"),
    ],
)
def test_a_bad_row_is_told_with_its_place(tmp_path: Path, line: str, told: str) -> None:
    path = lay(tmp_path, f"schema: ocb.prices/1\nmodels:\n  - {line}\n")
    with pytest.raises(SpecError) as caught:
        load_prices(path)
    assert told in str(caught.value)
    assert f"{path}:3:" in str(caught.value)


def test_a_model_with_two_prices_is_refused_and_all_else_is_told_too(tmp_path: Path) -> None:
    twice = TABLE + "  - {name: large, input: 1, output: 1, date: 2026-11-30, source: mine}\n"
    twice += "  - {name: x, output: 1, date: 2026-11-30, source: mine}\n"
    with pytest.raises(SpecError) as caught:
        load_prices(lay(tmp_path, twice))
    assert "the model 'large' has a price already, in line 3" in str(caught.value)
    assert "'input' is missing" in str(caught.value)


# Two files of 100 tokens and ten lines each, through a harness that adds 1,000 tokens once and 10
# to each read: three calls. By hand: the first sends 1,000 + 20 of prompt; each later one what was
# there and 110 more.
CORPUS = CorpusTokens(tuple(FileTokens(name, 10, 100, 400) for name in ("a", "b")), prompt=20)
HARNESS = HarnessCost(
    name="one",
    version="1",
    measured="2026-11-30",
    fixed_tokens=1000,
    tokens_per_line=0,
    tokens_per_read=10,
)
SENT = 1020 + 1130 + 1240
ENTERED = 1240
ANSWERED = 2 * 100 + 2000


@pytest.fixture
def tokens() -> ReadingTokens:
    return ReadingTokens.of(full_reading(CORPUS, HARNESS, 1.0), HARNESS, prompt=20, factor=1.0)


def test_a_full_reading_sends_its_history_again_with_every_call(tokens: ReadingTokens) -> None:
    assert tokens == ReadingTokens(entered=ENTERED, sent=SENT, answered=ANSWERED)


PRICE = Price(input=10, output=50, cached=1, cache_written=12.5)


def test_the_least_is_one_reading_in_which_every_token_is_new_once(tokens: ReadingTokens) -> None:
    by_hand = (ENTERED * 12.5 + (SENT - ENTERED) * 1 + ANSWERED * 50) / 1e6
    assert cost_of(tokens, PRICE, Limits()).least == pytest.approx(by_hand)


def test_the_most_is_two_readings_of_which_nothing_is_cached(tokens: ReadingTokens) -> None:
    by_hand = 2 * (SENT * 10 + ANSWERED * 50) / 1e6
    assert cost_of(tokens, PRICE, Limits()).most == pytest.approx(by_hand)


def test_a_cache_that_costs_more_than_it_saves_is_not_taken_for_the_least(
    tokens: ReadingTokens,
) -> None:
    dear = Price(input=10, output=0, cached=10, cache_written=1000)
    assert cost_of(tokens, dear, Limits()).least == pytest.approx(SENT * 10 / 1e6)


@pytest.mark.parametrize(
    ("limits", "most"),
    [
        pytest.param(Limits(dollars=0.05), 0.05, id="dollars"),
        pytest.param(Limits(tokens=1000), 1000 * 50 / 1e6, id="tokens-at-the-dearest-price"),
        pytest.param(Limits(dollars=0.01, tokens=1000), 0.01, id="the-lower-of-both"),
    ],
)
def test_no_run_costs_more_than_its_caps(
    tokens: ReadingTokens, limits: Limits, most: float
) -> None:
    cost = cost_of(tokens, PRICE, limits)
    assert cost.most == pytest.approx(most)
    assert cost.least <= cost.most


def test_a_vendor_that_counts_more_tokens_is_paid_for_more() -> None:
    reading = full_reading(CORPUS, HARNESS, 1.0)
    twice = ReadingTokens.of(reading, HARNESS, prompt=20, factor=2.0)
    assert (twice.entered, twice.sent) == (2 * ENTERED, 2 * SENT)


def test_costs_add_up() -> None:
    one = CostRange(least=1, most=2)
    assert one.times(3).plus(one) == CostRange(least=4, most=8)
    assert one.times(0) == CostRange(least=0, most=0)
