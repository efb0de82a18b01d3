"""Caps that hold whatever an agent asks for and an upstream says of it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

import orjson
import pytest
from aiohttp import web
from pydantic import JsonValue
from yarl import URL

from evaluation.gateway.budget import (
    MOST_ANSWERED,
    OVERHEAD,
    Budget,
    Caps,
    Price,
    Purse,
    SpentError,
    Tokens,
)
from evaluation.gateway.json_fields import larger_counts
from evaluation.gateway.protocols import PROTOCOLS
from tests.evaluation.gateway.conftest import ANSWER, Closed, Handler, Settings, asks, rigged, sse

CHEAP, DEAR = Price(input=1, output=1), Price(input=10, output=100)
PRICES = {"m-1": CHEAP, "m-big": DEAR}


def test_an_answer_that_broke_off_is_charged_as_far_as_it_came() -> None:
    """900 characters are 300 tokens, at 100 dollars a million; the cost is what was told."""
    purse = Purse(1.0)
    budget = Budget(Caps(9, tokens=2000), DEAR, purse)
    reserved = budget.reserve(3000, 500)
    budget.settle(reserved, Tokens(1000, 1), is_whole=False, said=900)
    assert purse.spent == pytest.approx(0.01 + 0.03)
    assert (budget.used, budget.uncounted) == (Tokens(1000, 1), 1)
    with pytest.raises(SpentError, match="tokens"):
        budget.reserve(0, 701)
    budget.reserve(0, 700)


@pytest.mark.parametrize(
    ("told", "said"),
    [(Tokens(0, 5), 6), (Tokens(0, 0), 900), (None, 900)],
    ids=["no input", "neither", "nothing told"],
)
def test_nothing_told_of_what_there_was_is_not_told(told: Tokens | None, said: int) -> None:
    budget = Budget(Caps(9), DEAR)
    budget.settle(budget.reserve(3000, 500), told, said=said)
    output = max(told.output if told else 0, said // 3)
    assert budget.charged == pytest.approx((1000 * 10 + output * 100) / 1_000_000)
    assert budget.uncounted == 1


def test_usage_beyond_what_can_be_is_not_believed() -> None:
    budget = Budget(Caps(9), CHEAP)
    budget.settle(budget.reserve(300, 10), Tokens(1 << 40, 1 << 40, 1 << 40, 1 << 40))
    assert budget.used == Tokens(300 + OVERHEAD, MOST_ANSWERED, 300 + OVERHEAD, 0)
    assert budget.uncounted == 1
    budget.settle(budget.reserve(300, 10), Tokens(300 + OVERHEAD, 10))
    assert budget.uncounted == 1


@pytest.mark.parametrize(
    ("model", "answered", "dollars"),
    [
        ("m-1", "m-big", 0.0011),
        ("m-big", "m-1", 0.02),
        ("m-big-20260101", "", 0.02),
        ("", "m-big", 0.02),
        ("", "", 0.0011),
    ],
    ids=["as asked", "the dear one", "a dated name", "named by the answer", "never named"],
)
def test_a_call_costs_by_the_model_that_it_asks_for(
    model: str, answered: str, dollars: float
) -> None:
    """1000 tokens of input and 100 of output."""
    budget = Budget(Caps(9), CHEAP, None, PRICES)
    budget.settle(budget.reserve(3000, 100, model), Tokens(1000, 100), answered=answered)
    assert budget.cost == pytest.approx(dollars)


@pytest.mark.parametrize(
    ("caps", "purse"),
    [(Caps(9, dollars=5), None), (Caps(9), Purse(5.0))],
    ids=["run", "sweep"],
)
def test_a_call_of_unknown_price_is_refused_where_dollars_are_limited(
    caps: Caps, purse: Purse | None
) -> None:
    budget = Budget(caps, CHEAP, purse, PRICES)
    with pytest.raises(SpentError, match="price"):
        budget.reserve(3000, 100, "m-secret")
    assert (budget.unpriced, budget.limit, budget.unpaid, budget.turns) == ("m-secret", "", None, 0)


def test_a_call_of_unknown_price_makes_the_cost_unknown() -> None:
    budget = Budget(Caps(9), CHEAP, Purse(None), PRICES)
    budget.settle(budget.reserve(3000, 100), Tokens(1000, 100))
    assert budget.cost == pytest.approx(0.0011)
    budget.settle(budget.reserve(3000, 100, "m-secret"), Tokens(1000, 100))
    assert [budget.cost, budget.unpriced] == [None, "m-secret"]
    assert budget.charged == pytest.approx(0.0011)


def test_of_usage_told_twice_the_larger_count_stands() -> None:
    one: JsonValue = {"a": 5, "b": 7, "c": {"d": 4}, "e": "x"}
    other: JsonValue = {"a": 9, "b": 0, "c": {"d": 1, "f": 2}, "e": "y"}
    both = {"a": 9, "b": 7, "c": {"d": 4, "f": 2}, "e": "y"}
    assert larger_counts(one, other) == both
    assert larger_counts(None, one) == one == larger_counts(one, None)


@pytest.mark.parametrize(
    ("end", "input_tokens", "cached"),
    [
        ({"input_tokens": 10, "output_tokens": 5}, 60, 50),
        ({"input_tokens": 0, "output_tokens": 5}, 60, 50),
        ({"output_tokens": 5}, 60, 50),
        ({"input_tokens": 12, "cache_read_input_tokens": 70, "output_tokens": 5}, 82, 70),
    ],
    ids=["cache left out", "zero", "input left out", "more"],
)
def test_the_last_event_takes_no_usage_back(
    end: dict[str, int], input_tokens: int, cached: int
) -> None:
    start = {"input_tokens": 10, "cache_read_input_tokens": 50, "output_tokens": 9}
    stream = sse(
        {"type": "message_start", "message": {"model": "m", "usage": start}},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": end},
    )
    body = PROTOCOLS["anthropic"].read_response(b"".join(stream).decode())
    assert body is not None
    assert (body.input_tokens, body.output_tokens, body.cached_tokens) == (input_tokens, 9, cached)


def test_the_model_of_a_gemini_call_stands_in_its_path() -> None:
    named = PROTOCOLS["gemini"].model_in_path
    assert named is not None
    assert named("/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse") == "gemini-3-pro"
    assert named("/v1beta/models/g%2D3:generateContent") == "g-3"


# --- through the gateway ------------------------------------------------------------------------

PIECES = 100
SAID = sse(
    {
        "type": "content_block_delta",
        "index": 0,
        "delta": {"type": "text_delta", "text": "word " * 60},
    }
)[0]
"""300 characters: 100 tokens."""


async def runs_on(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    for event in (*ANSWER[:2], *[SAID] * PIECES):
        await response.write(event)
    await asyncio.Event().wait()
    return response


def test_hanging_up_before_the_usage_comes_evades_no_cap(tmp_path: Path) -> None:
    purse = Purse(9.0)

    async def run() -> Closed:
        settings = Settings(price=CHEAP, purse=purse, tokens=20_000)
        async with rigged(tmp_path, runs_on, settings) as rig:
            body = orjson.dumps(asks("go", max_tokens=100))
            url = URL("http://workstation/v1/messages")
            async with rig.client.post(url, data=body, headers=rig.headers) as response:
                await response.content.readexactly(len(b"".join(ANSWER[:2])) + PIECES * len(SAID))
                response.close()
            return await rig.close()

    closed = asyncio.run(run())
    assert (closed.traffic.output_tokens, closed.traffic.uncounted) == (1, 1)
    assert purse.spent == pytest.approx((7 + PIECES * 100) / 1_000_000)
    assert closed.traffic.charged == pytest.approx(purse.spent)


def answers(body: Mapping[str, object]) -> Handler:
    async def reply(request: web.Request) -> web.StreamResponse:
        return web.json_response(body)

    return reply


def test_an_agent_that_asks_for_a_model_without_a_price_is_told_so(tmp_path: Path) -> None:
    async def run() -> tuple[int, bytes, Closed]:
        settings = Settings(price=CHEAP, prices=PRICES, dollars=5.0)
        async with rigged(tmp_path, answers({}), settings) as rig:
            answer = await rig.post(asks("go", max_tokens=5) | {"model": "m-secret"})
            assert not rig.seen
            return answer.status, answer.body, await rig.close()

    status, body, closed = asyncio.run(run())
    assert status == 403
    assert b"its price is not known" in body
    assert (closed.traffic.unpriced, closed.traffic.limit) == ("m-secret", "")


def test_a_dearer_model_than_the_runs_own_is_charged_its_own_price(tmp_path: Path) -> None:
    usage = {"input_tokens": 1000, "output_tokens": 10}
    body = {"type": "message", "content": [], "stop_reason": "end_turn", "usage": usage}

    async def run() -> Closed:
        settings = Settings(price=CHEAP, prices=PRICES)
        async with rigged(tmp_path, answers(body), settings) as rig:
            await rig.post(asks("go") | {"model": "m-big"})
            return await rig.close()

    assert asyncio.run(run()).traffic.cost == pytest.approx(0.011)
