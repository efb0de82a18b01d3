"""Workers on one queue: bounded, one after the other at the start, together at the end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import cast

import pytest

from authoring.errors import InfrastructureError, UserError
from evaluation.run import RunKey
from evaluation.sweep.making import Workshop
from evaluation.sweep.queue import Order, Queue, Turn
from evaluation.sweep.workers import LONGEST_RAMP, Sleep, Workers

KEY, SHOP = cast("RunKey", None), cast("Workshop", None)  # no worker looks at them


class Work:
    """A queue of so many orders, and what is to happen at each."""

    def __init__(self, number: int, happens: Callable[[str], Awaitable[str]]) -> None:
        self._number = number
        self._happens = happens
        self.queue = Queue(self._orders)
        self.began: list[str] = []
        self.ended: list[str] = []
        self.most = 0

    def _orders(self) -> Iterator[Order]:
        for number in range(self._number):
            yield Order(KEY, str(number), SHOP)

    async def take(self, turn: Turn) -> str:
        self.began.append(turn.order.digest)
        self.most = max(self.most, len(self.began) - len(self.ended))
        reason = await self._happens(turn.order.digest)
        self.ended.append(turn.order.digest)
        return reason


async def nothing(_: str) -> str:
    await asyncio.sleep(0)
    return ""


def run(work: Work, workers: int, ramp: float = 0.0, sleep: Sleep = asyncio.sleep) -> str:
    return asyncio.run(Workers(work.queue, work.take).run(workers, ramp, sleep))


@pytest.mark.parametrize("workers", [1, 3, 20])
def test_each_order_is_taken_once_by_so_many_at_most(workers: int) -> None:
    work = Work(10, nothing)
    assert run(work, workers) == ""
    assert sorted(map(int, work.ended)) == list(range(10))
    assert work.most == min(workers, 10)


def test_no_order_is_thought_of_before_its_turn() -> None:
    async def enough(digest: str) -> str:
        return "enough" if digest == "4" else ""

    work = Work(10**9, enough)
    assert run(work, 1) == "enough"
    assert work.began == ["0", "1", "2", "3", "4"]


def test_what_comes_back_is_taken_after_all_others() -> None:
    async def once_more(digest: str) -> str:
        await asyncio.sleep(0)
        if work.began.count(digest) <= int(digest == "0") + int(digest == "2"):
            work.queue.once_more(digest)
        return ""

    work = Work(4, once_more)
    assert run(work, 1) == ""
    assert work.began == ["0", "1", "2", "3", "0", "2"]


def test_a_worker_without_work_waits_for_what_may_come_back() -> None:
    async def last_one_comes_back(digest: str) -> str:
        for _ in range(5):  # the other worker finds the queue empty meanwhile
            await asyncio.sleep(0)
        if work.began.count("1") < 3:
            work.queue.once_more("1")
        return ""

    work = Work(2, last_one_comes_back)
    assert run(work, 2) == ""
    assert work.ended.count("1") == 3


def test_when_one_stops_the_others_come_to_their_end() -> None:
    reached = asyncio.Event()

    async def third_stops(digest: str) -> str:
        if digest == "2":
            reached.set()
            return "no room"
        await reached.wait()
        return "another reason, later"

    work = Work(100, third_stops)
    assert run(work, 3) == "no room"
    assert sorted(work.ended) == ["0", "1", "2"]


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (InfrastructureError("a"), "a"),
        (UserError("a"), "a"),
        (OSError(28, "No space left on device"), "No space left on device"),
        (OSError(21, "Is a directory", "/runs/a"), "/runs/a: Is a directory"),
        (OSError("a"), "a"),
    ],
)
def test_what_fails_around_ocb_is_a_reason(error: Exception, told: str) -> None:
    async def fails(_: str) -> str:
        raise error

    assert run(Work(3, fails), 1) == told


def test_a_fault_of_our_own_is_raised_when_the_others_are_done() -> None:
    reached = asyncio.Event()

    async def second_is_broken(digest: str) -> str:
        if digest == "1":
            reached.set()
            raise ZeroDivisionError
        await reached.wait()
        return ""

    work = Work(100, second_is_broken)
    with pytest.raises(ZeroDivisionError):
        run(work, 2)
    assert work.ended == ["0"]


class Clock:
    """Time that passes when it is waited for."""

    def __init__(self) -> None:
        self.now = 0.0

    async def sleep(self, seconds: float) -> None:
        for _ in range(20):  # whoever can go on without it does
            await asyncio.sleep(0)
        self.now += seconds


def starts(workers: int, ramp: float) -> list[float]:
    """When each of as many runs as there are workers began."""
    clock, found, all_began = Clock(), list[float](), asyncio.Event()

    async def long(_: str) -> str:
        found.append(clock.now)
        if len(found) == workers:
            all_began.set()
        await all_began.wait()
        return ""

    work = Work(workers, long)
    run(work, workers, ramp, clock.sleep)
    return found


def test_the_first_runs_do_not_start_all_at_once() -> None:
    assert starts(4, 1.0) == [0.0, 1.0, 2.0, 3.0]


def test_many_workers_start_within_bounds() -> None:
    assert max(starts(60, 1.0)) == pytest.approx(LONGEST_RAMP, rel=0.05)


def test_nobody_waits_to_start_when_all_is_done() -> None:
    work = Work(1, nothing)

    async def forever(_: float) -> None:
        await asyncio.Event().wait()

    assert run(work, 8, 1.0, forever) == ""
