"""A storm of throttled answers: everything held, let in again by ones, and nothing lost."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import aiohttp
import orjson
import pytest
from aiohttp import web

from evaluation.gateway.budget import Caps
from evaluation.gateway.gate import MOST_PATIENCE, Gate, Pass, Pauses
from evaluation.gateway.runs import RunPlan, Upstream
from evaluation.gateway.server import Gateway
from evaluation.gateway.wire import WireWriter, read_wire
from tests.evaluation.gateway.conftest import ANSWER, BOUND, MESSAGES, RULES, asks, serving
from tests.evaluation.gateway.test_gate import HandClock


@asynccontextmanager
async def crowd(gate: Gate, pauses: Pauses, size: int) -> AsyncIterator[list[Pass]]:
    """So many calls inside at once."""
    async with AsyncExitStack() as inside:
        yield [await inside.enter_async_context(gate.admitted(pauses)) for _ in range(size)]


def test_a_gate_that_was_never_throttled_lets_everybody_in() -> None:
    async def run() -> None:
        gate = Gate(HandClock())
        async with crowd(gate, Pauses(HandClock()), 200):
            gate.answered()
            assert gate.width == math.inf

    asyncio.run(run())


def test_a_storm_leaves_room_for_as_many_as_were_served() -> None:
    """Ten at once, of whom the upstream turns eight away: two fit."""

    async def run() -> None:
        clock = HandClock()
        gate, pauses = Gate(clock), Pauses(clock)
        go = asyncio.Event()

        async def turned_away() -> None:
            async with gate.admitted(pauses) as call:
                await go.wait()
                gate.turned_away(call, 0.0)

        async with crowd(gate, pauses, 2):
            rush = [asyncio.create_task(turned_away()) for _ in range(8)]
            await asyncio.sleep(0)
            go.set()
            await asyncio.gather(*rush)
            assert gate.width == 2

    asyncio.run(run())


def test_one_more_is_tried_when_all_that_fit_were_answered_often_enough() -> None:
    """Patience is two after the first storm and doubles with each: 1 x 2 answers, then 2 x 2; after
    the next storm 2 x 4."""

    async def run() -> None:
        clock = HandClock()
        gate, pauses = Gate(clock), Pauses(clock)
        async with gate.admitted(pauses) as call:
            gate.turned_away(call, 0.0)
        assert await answers_until_wider(gate, pauses) == 2
        assert await answers_until_wider(gate, pauses) == 4
        async with crowd(gate, pauses, 3) as calls:
            gate.turned_away(calls[2], 0.0)
            gate.turned_away(calls[1], 0.0)  # of the same storm
        assert gate.width == 2
        assert await answers_until_wider(gate, pauses) == 8

    asyncio.run(run())


async def answers_until_wider(gate: Gate, pauses: Pauses) -> int:
    width, count = int(gate.width), 0
    async with crowd(gate, pauses, width):
        while gate.width == width:
            gate.answered()
            count += 1
            assert count <= width * MOST_PATIENCE
    return count


def test_a_gate_that_is_not_full_does_not_widen() -> None:
    async def run() -> None:
        clock = HandClock()
        gate, pauses = Gate(clock), Pauses(clock)
        async with crowd(gate, pauses, 4) as calls:
            gate.turned_away(calls[0], 0.0)
        async with crowd(gate, pauses, 2):
            for _ in range(100):
                gate.answered()
        assert gate.width == 3

    asyncio.run(run())


def test_who_waits_for_room_goes_in_first_come_first_served() -> None:
    async def run() -> list[int]:
        clock = HandClock()
        gate, pauses = Gate(clock), Pauses(clock)
        order: list[int] = []

        async def call(number: int) -> None:
            async with gate.admitted(pauses):
                order.append(number)
                await asyncio.sleep(0)

        async with gate.admitted(pauses) as first:
            gate.turned_away(first, 0.0)
            tasks = [asyncio.create_task(call(number)) for number in range(5)]
            await asyncio.sleep(0)
        late = asyncio.create_task(call(5))
        await asyncio.wait_for(asyncio.gather(*tasks, late), BOUND)
        return order

    assert asyncio.run(run()) == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("is_granted", [False, True], ids=["in line", "just let in"])
def test_who_gives_up_waiting_leaves_the_way_to_the_next(is_granted: bool) -> None:
    async def run() -> None:
        clock = HandClock()
        gate, pauses = Gate(clock), Pauses(clock)

        async def call() -> None:
            async with gate.admitted(pauses):
                pass

        async with gate.admitted(pauses) as first:
            gate.turned_away(first, 0.0)
            quitter, patient = asyncio.create_task(call()), asyncio.create_task(call())
            await asyncio.sleep(0)
            if not is_granted:
                quitter.cancel()
        if is_granted:
            quitter.cancel()
        await asyncio.wait_for(patient, BOUND)
        assert quitter.cancelled() or (await asyncio.gather(quitter, return_exceptions=True))
        async with crowd(gate, pauses, 1):
            assert gate._inside == 1

    asyncio.run(run())


def test_the_wait_for_room_is_taken_off_the_runs_clock() -> None:
    async def run() -> None:
        clock = HandClock()
        gate, pauses = Gate(clock), Pauses(clock)
        async with gate.admitted(Pauses(clock)) as first:
            gate.turned_away(first, 0.0)
            waiting = asyncio.create_task(gate._enter(pauses))
            await asyncio.sleep(0)
            clock.time += 20.0
            assert pauses.seconds() == 20.0
        await waiting
        clock.time += 5.0
        assert pauses.seconds() == 20.0

    asyncio.run(run())


RUNS, CALLS, AT_ONCE, TRIES = 40, 4, 2, 5


class TwoAtOnce:
    """A provider that turns every call away while it serves two others."""

    def __init__(self) -> None:
        self.serving = 0
        self.turned_away = 0

    async def answer(self, request: web.Request) -> web.StreamResponse:
        if self.serving >= AT_ONCE:
            self.turned_away += 1
            headers = {"Retry-After": "0.005"}
            return web.Response(status=429, headers=headers, body=b"{}")
        self.serving += 1
        try:
            response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
            await response.prepare(request)
            for event in ANSWER:
                await response.write(event)
                await asyncio.sleep(0)
            return response
        finally:
            self.serving -= 1


async def agent(gateway: Gateway, url: str, folder: Path) -> list[int]:
    """A run of several calls, whose client tries each a few times: the statuses that it got."""
    got: list[int] = []
    with WireWriter(folder / "wire") as writer:
        upstream = Upstream(url, "", "anthropic")
        plan = RunPlan(upstream, RULES, writer, folder / "s", Caps(CALLS))
        ticket = await gateway.open_run(plan)
        connector = aiohttp.UnixConnector(str(ticket.socket))
        headers = {"x-api-key": ticket.token}
        async with aiohttp.ClientSession(connector=connector, headers=headers) as client:
            for number in range(CALLS):
                for _ in range(TRIES):
                    body = orjson.dumps(asks("go", str(number)))
                    async with client.post(f"http://w{MESSAGES}", data=body) as response:
                        await response.read()
                        got.append(response.status)
                    if response.status == 200:
                        break
        await gateway.close_run(ticket)
    rows = list(read_wire(folder / "wire"))
    assert [row.status for row in rows] == got
    return got


def test_forty_runs_before_a_provider_that_serves_two_at_a_time_lose_nothing(
    tmp_path: Path,
) -> None:
    async def run() -> None:
        provider = TwoAtOnce()
        async with serving(provider.answer, []) as url, Gateway() as gateway:
            folders = [tmp_path / str(number) for number in range(RUNS)]
            for folder in folders:
                folder.mkdir()
            got = await asyncio.gather(*(agent(gateway, url, folder) for folder in folders))
        assert [statuses.count(200) for statuses in got] == [CALLS] * RUNS
        # Each call of the first rush may be turned away once; then one is tried now and then.
        assert provider.turned_away <= RUNS + RUNS * CALLS / 4

    asyncio.run(run())
