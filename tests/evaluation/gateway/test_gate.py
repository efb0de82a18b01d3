"""A throttled answer closes the way for new calls, and the wait is taken off the run's clock."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path

import pytest
from aiohttp import web

from evaluation.gateway.gate import LONGEST, UNSAID, Gate, Pauses, pause
from tests.evaluation.gateway.conftest import (
    ANSWER,
    BOUND,
    MESSAGES,
    Handler,
    Settings,
    answer,
    asks,
    rigged,
)

START = 1_700_000_000.0


class HandClock:
    """Time passes only when somebody sleeps, and only once `sleepers` of them do."""

    def __init__(self, sleepers: int = 1) -> None:
        self.time = START
        self.slept: list[float] = []
        self._sleepers = sleepers
        self._woken = asyncio.Event()
        self.asleep = asyncio.Event()

    def now(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.asleep.set()
        if len(self.slept) == self._sleepers:
            self.time += seconds
            self._woken.set()
        await self._woken.wait()


def throttled_once(status: int, headers: dict[str, str]) -> Handler:
    """The first call is turned away."""
    turned_away: list[web.Request] = []

    async def reply(request: web.Request) -> web.StreamResponse:
        if turned_away:
            return await answer(request)
        turned_away.append(request)
        return web.Response(status=status, headers=headers, body=b"{}")

    return reply


@pytest.mark.parametrize("status", [429, 529])
def test_a_throttled_answer_passes_and_holds_the_next_call(tmp_path: Path, status: int) -> None:
    async def run() -> None:
        clock = HandClock()
        reply = throttled_once(status, {"Retry-After": "7"})
        async with rigged(tmp_path, reply, Settings(clock=clock, turns=1)) as rig:
            first = await rig.post(asks("go"))
            assert (first.status, first.headers["Retry-After"]) == (status, "7")
            assert clock.slept == []
            assert (await rig.post(asks("go"))).status == 200
            assert clock.slept == [7.0]
            assert len(rig.seen) == 2
            closed = await rig.close()
            assert closed.traffic.waited == 7.0
            assert closed.traffic.limit == "", "a throttled call is none of the agent's turns"
            assert [row.attempt for row in closed.rows] == [1, 2]
            assert [row.sent for row in closed.rows] == [START, START + 7.0]

    asyncio.run(run())


def test_calls_held_at_once_are_counted_once(tmp_path: Path) -> None:
    """Held for seconds 0 to 5 and 2 to 5: five seconds are taken off the clock."""

    async def run() -> None:
        clock = HandClock(sleepers=2)
        reply = throttled_once(429, {"Retry-After": "5"})
        async with rigged(tmp_path, reply, Settings(clock=clock)) as rig:
            await rig.post(asks("go"))
            first = asyncio.create_task(rig.post(asks("one")))
            await asyncio.wait_for(clock.asleep.wait(), BOUND)
            clock.time += 2.0
            assert rig.gateway.traffic(rig.ticket).waited == 2.0
            second = await rig.post(asks("two"))
            assert (second.status, (await first).status) == (200, 200)
            assert clock.slept == [5.0, 3.0]
            assert (await rig.close()).traffic.waited == 5.0

    asyncio.run(run())


def test_a_run_that_waits_by_itself_after_it_was_turned_away_has_lost_that_time_too(
    tmp_path: Path,
) -> None:
    """Clients keep to `Retry-After` without our help: then no call is ever held."""

    async def run() -> None:
        clock = HandClock()
        reply = throttled_once(429, {"Retry-After": "7"})
        async with rigged(tmp_path, reply, Settings(clock=clock)) as rig:
            await rig.post(asks("go"))
            assert rig.gateway.traffic(rig.ticket).waited == 0.0
            clock.time += 4.0
            assert rig.gateway.traffic(rig.ticket).waited == 4.0
            clock.time += 5.0
            assert (await rig.post(asks("go"))).status == 200
            assert clock.slept == []
            clock.time += 100.0
            assert (await rig.close()).traffic.waited == 7.0

    asyncio.run(run())


def test_pauses_that_overlap_count_once_and_what_lies_between_does_not() -> None:
    """0 to 5, 2 to 4, 4 to 8; then 20 to 21."""
    clock = HandClock()
    pauses = Pauses(clock)
    for at, until in ((0.0, 5.0), (2.0, 4.0), (4.0, 8.0), (20.0, 21.0)):
        clock.time = START + at
        pauses.add(START + until)
    assert pauses.seconds() == 8.0
    clock.time = START + 20.5
    assert pauses.seconds() == 8.5
    clock.time = START + 30.0
    assert pauses.seconds() == 9.0


def test_a_shorter_pause_does_not_open_the_gate_earlier() -> None:
    async def run() -> None:
        clock = HandClock()
        gate = Gate(clock)
        gate.close(10.0)
        gate.close(1.0)
        async with gate.admitted(Pauses(clock)):
            assert clock.slept == [10.0]
        assert not gate.is_closed()

    asyncio.run(run())


def test_a_client_that_goes_while_it_is_held_leaves_a_row(tmp_path: Path) -> None:
    async def run() -> None:
        clock = HandClock(sleepers=2)
        reply = throttled_once(429, {"Retry-After": "5"})
        async with rigged(tmp_path, reply, Settings(clock=clock)) as rig:
            await rig.post(asks("go"))
            held = asyncio.create_task(rig.post(asks("more")))
            await asyncio.wait_for(clock.asleep.wait(), BOUND)
            held.cancel()
            closed = await rig.close()
            assert [row.end for row in closed.rows] == ["complete", "client_gone"]
            assert (closed.rows[1].status, closed.rows[1].sent) == (0, 0.0)
            assert len(rig.seen) == 1

    asyncio.run(run())


@pytest.mark.parametrize(
    ("retry_after", "seconds"),
    [
        ("7", 7.0),
        ("0.25", 0.25),
        ("-3", 0.0),
        ("86400", LONGEST),
        ("inf", LONGEST),
        ("nan", UNSAID),
        ("soon", UNSAID),
        ("", UNSAID),
        (None, UNSAID),
        (format_datetime(datetime.fromtimestamp(START + 20, UTC), usegmt=True), 20.0),
        (format_datetime(datetime.fromtimestamp(START - 20, UTC), usegmt=True), 0.0),
        ("Fri, 31 Dec 9999 23:59:59 GMT", LONGEST),
        ("Fri, 99 Dec 2030 23:59:59 GMT", UNSAID),
    ],
)
def test_retry_after_is_seconds_or_a_date_within_bounds(
    retry_after: str | None, seconds: float
) -> None:
    assert pause(retry_after, START) == seconds


def test_silence_is_counted_from_the_last_byte_and_stands_still_while_a_run_waits(
    tmp_path: Path,
) -> None:
    async def run() -> None:
        clock = HandClock()
        reply = throttled_once(429, {"Retry-After": "7"})
        async with rigged(tmp_path, reply, Settings(clock=clock)) as rig:
            clock.time += 3.0
            assert rig.gateway.traffic(rig.ticket).quiet == 3.0
            await rig.post(asks("go"))
            assert rig.gateway.traffic(rig.ticket).quiet == 0.0
            clock.time += 4.0
            assert rig.gateway.traffic(rig.ticket).quiet == 0.0
            clock.time += 5.0
            assert rig.gateway.traffic(rig.ticket).quiet == 2.0
            await rig.post(asks("go"))
            assert (await rig.close()).traffic.quiet == 0.0

    asyncio.run(run())


def test_silence_ends_with_each_byte_of_an_answer(tmp_path: Path) -> None:
    async def run() -> None:
        clock = HandClock()
        go = asyncio.Event()

        async def slow(request: web.Request) -> web.StreamResponse:
            response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
            await response.prepare(request)
            await response.write(ANSWER[0])
            await asyncio.wait_for(go.wait(), BOUND)
            await response.write(b"".join(ANSWER[1:]))
            return response

        async with rigged(tmp_path, slow, Settings(clock=clock)) as rig:
            url = f"http://workstation{MESSAGES}"
            async with rig.client.post(url, json=asks("go"), headers=rig.headers) as got:
                assert await asyncio.wait_for(got.content.readany(), BOUND)
                clock.time += 50.0
                assert rig.gateway.traffic(rig.ticket).quiet == 50.0
                go.set()
                await asyncio.wait_for(got.content.read(), BOUND)
            assert rig.gateway.traffic(rig.ticket).quiet == 0.0

    asyncio.run(run())
