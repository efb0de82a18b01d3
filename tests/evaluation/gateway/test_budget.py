"""What a run and a sweep may spend, reserved before each call and settled after it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest
from aiohttp import web

from evaluation.gateway.budget import (
    MOST_UNSAID,
    Budget,
    Caps,
    Price,
    Purse,
    SpentError,
    Tokens,
)
from tests.evaluation.gateway.conftest import (
    CHAT,
    MESSAGES,
    Answer,
    Handler,
    Json,
    Rig,
    Settings,
    answer,
    asks,
    rigged,
    sse,
)

PRICE = Price(input=10, output=100)
"""10 dollars for a million tokens of input: 0.01 for a thousand."""


@pytest.mark.parametrize(
    ("price", "dollars"),
    [
        (Price(input=10, output=100), 0.012),
        (Price(input=10, output=100, cached=1), 0.012 - 0.0063),
        (Price(input=10, output=100, cached=1, cache_written=12.5), 0.012 - 0.0063 + 0.0005),
        (Price(input=0, output=0), 0.0),
    ],
    ids=["cached as any", "cached apart", "written apart", "free"],
)
def test_cached_tokens_are_priced_apart_where_the_price_says_so(
    price: Price, dollars: float
) -> None:
    """1000 tokens of input, 700 of them from a cache and 200 written to it; 20 of output."""
    assert price.of(Tokens(1000, 20, 700, 200)) == pytest.approx(dollars)


def test_a_reservation_is_the_estimated_input_and_the_most_it_may_answer() -> None:
    budget = Budget(Caps(9), PRICE)
    assert budget.reserve(3000, 50).tokens == Tokens(1000, 50)
    assert budget.reserve(3000, 50).dollars == pytest.approx(0.01 + 0.005)
    assert budget.reserve(0, None).tokens == Tokens(0, MOST_UNSAID)


def test_what_is_reserved_counts_until_it_is_settled() -> None:
    budget = Budget(Caps(9, tokens=2000))
    first = budget.reserve(3000, 500)
    with pytest.raises(SpentError, match="tokens"):
        budget.reserve(3000, 500)
    budget.settle(first, Tokens(300, 100))
    budget.reserve(3000, 500)
    assert budget.limit == "0 of 2000 tokens"


@pytest.mark.parametrize(
    ("caps", "limit"),
    [
        (Caps(2), "2 turns"),
        (Caps(9, tokens=2500), "2200 of 2500 tokens"),
        (Caps(9, dollars=0.05), "0.0400 of 0.0500 dollars"),
    ],
    ids=["turns", "tokens", "dollars"],
)
def test_a_limit_says_what_had_been_used_of_it(caps: Caps, limit: str) -> None:
    budget = Budget(caps, PRICE)
    for _ in range(2):
        budget.settle(budget.reserve(300, 10), Tokens(1000, 100))
    with pytest.raises(SpentError):
        budget.reserve(3000, 100)
    assert budget.limit == limit


def test_a_whole_sweep_draws_from_one_purse() -> None:
    purse = Purse(0.03, spent=0.005)
    one, other = Budget(Caps(9), PRICE, purse), Budget(Caps(9), PRICE, purse)
    first = one.reserve(3000, 100)  # 0.02
    assert purse.left == pytest.approx(0.005)
    with pytest.raises(SpentError, match="purse"):
        other.reserve(3000, 100)
    assert other.unpaid is not None
    assert other.unpaid.dollars == pytest.approx(0.02)
    reason = "the next call may cost $0.020000, of $0.03 $0.005000 is left"
    reason += "; $0.02 are set aside for others"
    assert (other.unpaid.reason, other.limit) == (reason, "")
    alone = "the next call may cost $0.03, of $0.03 $0.02 is left"
    assert (purse.refusal(0.026, alone=True), purse.refusal(0.02, alone=True)) == (alone, "")
    one.settle(first, Tokens(500, 0))
    assert purse.spent == pytest.approx(0.01)
    other.reserve(3000, 100)


def test_sums_that_round_alike_are_told_in_more_digits() -> None:
    told = Purse(0.5).refusal(0.500004)
    assert told == "the next call may cost $0.500004, of $0.50 $0.500000 is left"


def test_an_unknown_price_is_unknown_and_bounds_nothing() -> None:
    budget = Budget(Caps(9, dollars=0.01), None, Purse(0.01))
    budget.settle(budget.reserve(3_000_000, 1_000_000), Tokens(1_000_000, 1_000_000))
    assert (budget.cost, budget.charged) == (None, None)
    assert Budget(Caps(9), PRICE).cost == 0.0


def test_without_usage_a_call_is_charged_its_input_and_counts_as_uncounted() -> None:
    purse = Purse(1.0)
    budget = Budget(Caps(9, tokens=2500), PRICE, purse)
    budget.settle(budget.reserve(3000, 100), None)
    assert purse.spent == pytest.approx(0.01)
    assert (budget.used, budget.cost, budget.uncounted) == (Tokens(), 0.0, 1)
    assert budget.charged == pytest.approx(0.01)
    with pytest.raises(SpentError):
        budget.reserve(3000, 600)
    assert budget.limit == "at least 0 of 2500 tokens"


def test_usage_that_is_not_to_its_end_is_at_least() -> None:
    budget = Budget(Caps(9), PRICE)
    budget.settle(budget.reserve(3000, 100), Tokens(1000, 1), is_whole=False)
    assert (budget.used, budget.uncounted) == (Tokens(1000, 1), 1)


@pytest.mark.parametrize(("turn", "left"), [(True, 1), (False, 0)], ids=["throttled", "failed"])
def test_a_call_that_came_to_nothing_costs_nothing(turn: bool, left: int) -> None:
    purse = Purse(1.0)
    budget = Budget(Caps(1), PRICE, purse)
    budget.give_back(budget.reserve(3000, 100), turn=turn)
    assert purse.spent == 0.0
    assert purse.left == pytest.approx(1.0)
    for _ in range(left):
        budget.reserve(1, 1)
    with pytest.raises(SpentError):
        budget.reserve(1, 1)


# --- through the gateway ------------------------------------------------------------------------


def used(**usage: int) -> Handler:
    async def reply(request: web.Request) -> web.StreamResponse:
        body = {"type": "message", "content": [], "stop_reason": "end_turn", "usage": usage}
        return web.json_response(body)

    return reply


MILLION = 1_000_000
LONG = "word " * (MILLION // 4)
REPLY = used(
    input_tokens=MILLION // 10,
    output_tokens=MILLION // 100,
    cache_read_input_tokens=MILLION,
    cache_creation_input_tokens=MILLION // 10,
)


def drive(
    folder: Path, reply: Handler, settings: Settings, *bodies: Json, check: Callable[[Rig], None]
) -> list[Answer]:
    async def run() -> list[Answer]:
        async with rigged(folder, reply, settings) as rig:
            answers = [await rig.post(body) for body in bodies]
            check(rig)
            return answers

    return asyncio.run(run())


def test_usage_and_cost_of_a_run_are_summed(tmp_path: Path) -> None:
    def check(rig: Rig) -> None:
        traffic = rig.gateway.traffic(rig.ticket)
        assert (traffic.input_tokens, traffic.output_tokens) == (2_400_000, 20_000)
        assert (traffic.cached_tokens, traffic.cache_written) == (2_000_000, 200_000)
        assert traffic.cost == pytest.approx(2 * (0.3 + 0.15 + 0.3 + 0.375))
        assert (traffic.uncounted, traffic.unpaid, traffic.limit) == (0, None, "")
        assert traffic.charged == pytest.approx(2.25)
        assert traffic.turns == 2

    price = Price(input=3, output=15, cached=0.3, cache_written=3.75)
    drive(tmp_path, REPLY, Settings(price=price), asks(LONG), asks(LONG), check=check)


def test_the_call_that_would_go_beyond_the_money_of_a_run_is_refused(tmp_path: Path) -> None:
    def check(rig: Rig) -> None:
        traffic = rig.gateway.traffic(rig.ticket)
        assert traffic.limit == "1.00 of 2.00 dollars"
        assert len(rig.seen) == 1

    settings = Settings(price=Price(input=1, output=1), dollars=2.0)
    bound = asks(LONG, max_tokens=MILLION)
    answers = drive(
        tmp_path, used(input_tokens=MILLION, output_tokens=1), settings, bound, bound, check=check
    )
    assert [one.status for one in answers] == [200, 403]
    assert orjson.loads(answers[1].body)["error"]["type"] == "permission_error"


def test_an_empty_purse_is_no_limit_of_the_run(tmp_path: Path) -> None:
    def check(rig: Rig) -> None:
        traffic = rig.gateway.traffic(rig.ticket)
        assert (traffic.unpaid is not None, traffic.limit, traffic.turns) == (True, "", 0)

    settings = Settings(price=PRICE, purse=Purse(0.001))
    answers = drive(tmp_path, answer, settings, asks("b", max_tokens=100), check=check)
    assert [one.status for one in answers] == [403]


CUT = sse({"type": "message_start", "message": {"usage": {"input_tokens": 9, "output_tokens": 1}}})


@pytest.mark.parametrize(
    ("status", "body", "uncounted", "tokens"),
    [
        (200, b"".join(CUT), 1, (9, 1)),
        (200, b"", 1, (0, 0)),
        (200, b"<html>", 1, (0, 0)),
        (400, b"{}", 0, (0, 0)),
        (500, b"{}", 0, (0, 0)),
        (429, b"{}", 0, (0, 0)),
    ],
    ids=["cut off", "empty", "a page", "refused", "failed", "throttled"],
)
def test_what_the_upstream_did_not_tell_is_counted_as_not_told(
    tmp_path: Path, status: int, body: bytes, uncounted: int, tokens: tuple[int, int]
) -> None:
    async def reply(request: web.Request) -> web.StreamResponse:
        headers = {"Content-Type": "text/event-stream", "Retry-After": "0"}
        return web.Response(status=status, body=body, headers=headers)

    def check(rig: Rig) -> None:
        traffic = rig.gateway.traffic(rig.ticket)
        assert traffic.uncounted == uncounted
        assert (traffic.input_tokens, traffic.output_tokens) == tokens
        assert purse.left == pytest.approx(10.0 - purse.spent), "nothing stays set aside"
        assert (purse.spent > 0) == bool(uncounted)

    purse = Purse(10.0)
    drive(tmp_path, reply, Settings(price=PRICE, purse=purse), asks("a"), check=check)


def test_a_chat_server_that_tells_no_usage_leaves_the_call_uncounted(tmp_path: Path) -> None:
    async def reply(request: web.Request) -> web.StreamResponse:
        choice = {"index": 0, "delta": {"content": "x"}, "finish_reason": "stop"}
        chunk = orjson.dumps({"choices": [choice]})
        headers = {"Content-Type": "text/event-stream"}
        return web.Response(body=b"data: " + chunk + b"\n\ndata: [DONE]\n\n", headers=headers)

    async def run() -> int:
        async with rigged(tmp_path, reply, Settings(protocol="openai-chat")) as rig:
            await rig.post(asks("a", tools=[{"function": {"name": "read"}}]), CHAT)
            return (await rig.close()).traffic.uncounted

    assert asyncio.run(run()) == 1


def test_counting_tokens_costs_nothing_and_is_never_refused(tmp_path: Path) -> None:
    async def run() -> int:
        async with rigged(tmp_path, answer, Settings(turns=1, price=PRICE, dollars=1e-9)) as rig:
            got = await rig.post(asks("a"), f"{MESSAGES.partition('?')[0]}/count_tokens")
            return got.status

    assert asyncio.run(run()) == 200
