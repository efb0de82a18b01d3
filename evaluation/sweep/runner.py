"""Runs a sweep: bounded concurrency, each run whole or not there, resumable by run key.

What is there is told by the files alone. Nothing here grows with the number of runs: a worker takes
one from the queue, makes it, counts it, and forgets it.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from evaluation.run import MOST_ATTEMPTS, RunPaths, RunRecord
from evaluation.sandboxes.scratch import parent_folder
from evaluation.sweep.attempts import (
    Standing,
    check_places,
    discard,
    discard_half_written,
    discard_unfinished,
    put_in_place,
    standing,
    whole_run,
)
from evaluation.sweep.index import RunIndex
from evaluation.sweep.making import UnpaidError, Workshop, is_scored, make_run, score_again
from evaluation.sweep.plan import SweepPaths
from evaluation.sweep.pulse import Pulse, Tell, tell_nobody
from evaluation.sweep.queue import Order, Orders, Queue, Turn
from evaluation.sweep.reuse import OtherSweeps
from evaluation.sweep.stopping import (
    FLOOR,
    Breaker,
    DiskWatch,
    FreeBytes,
    VersionWatch,
    free_bytes,
)
from evaluation.sweep.tally import Progress as Progress
from evaluation.sweep.tally import Report as Report
from evaluation.sweep.tally import Summary, Tally
from evaluation.sweep.workers import Sleep, Workers

RAMP = 1.0


@dataclass(frozen=True)
class Policy:
    """How a sweep is run. None of it is part of a run's key."""

    concurrency: int
    retries: int = 2
    """How often a void run is made again."""
    again: bool = False
    """Runs that are void when the sweep begins may be made so often, and once, more."""
    ramp: float = RAMP
    """Seconds between the first starts: a provider is not called by all at once."""
    floor: int = FLOOR
    """Bytes that stay free on the disk."""
    free: FreeBytes = free_bytes
    sleep: Sleep = asyncio.sleep


async def run_sweep(
    orders: Orders,
    paths: SweepPaths,
    policy: Policy,
    report: Report,
    tell: Tell = tell_nobody,
) -> Summary:
    """Make every run that is not there yet; a void one again, at the end, as often as it may be.

    Whatever ends a sweep early, the runs that are being made come to their end first. A fault of
    our own is raised then. `tell` hears of long silences.
    """
    discard_unfinished(paths)
    queue, pulse = Queue(orders), Pulse(tell)
    with RunIndex(paths) as index:
        planned = index.plan(order.digest for order in orders())
        counts = index.counts()
        tally = Tally(planned, counts.cost, counts.uncounted)
        desk = _Desk(paths, policy, report, index, tally, queue, pulse)
        workers = Workers(queue, desk.take)
        beat = asyncio.create_task(pulse.beat())
        try:
            stopped = await workers.run(policy.concurrency, policy.ramp, policy.sleep)
        finally:
            beat.cancel()
        return tally.summary(stopped)


class _Desk:
    """Decides what is to be done for each run, and does it."""

    def __init__(
        self,
        paths: SweepPaths,
        policy: Policy,
        report: Report,
        index: RunIndex,
        tally: Tally,
        queue: Queue,
        pulse: Pulse,
    ) -> None:
        self._paths = paths
        self._policy = policy
        self._report = report
        self._index = index
        self._tally = tally
        self._queue = queue
        self._pulse = pulse
        self._others = OtherSweeps(paths)
        self._disk = DiskWatch((paths.root, parent_folder()), policy.floor, policy.free)
        self._versions = VersionWatch()
        self._breaker = Breaker()
        self._allowed: dict[str, int] = {}
        """Attempts in all of runs that have more than the others."""

    async def take(self, turn: Turn) -> str:
        """One turn of one run. Why no other is to be begun; empty: go on."""
        order = turn.order
        check_places(self._paths, order.key)
        there = standing(self._paths, order.key)
        if not turn.again:
            there = await self._look(order, there)
            if there.record is not None:
                self._index.enter(self._paths.run(order.key), there.record)
                if self._policy.again and there.is_void:
                    self._allowed[turn.order.digest] = there.counted + 1 + self._policy.retries
                again = self._met(turn, there, there.record, resumed=True)
                return _unpaid(order.shop, there.record) if again else ""
        if fault := await self._obstacle(order):
            return fault
        try:
            record = await self._begin(turn, there)
        except UnpaidError as error:
            return str(error)
        self._tally.pay(record)
        self._disk.made(self._paths.run(order.key))
        there = standing(self._paths, order.key)
        self._met(turn, there, record, resumed=False)
        if record.unpaid is not None:
            return record.outcome.reason
        return self._breaker.enter(record)

    def _met(self, turn: Turn, there: Standing, record: RunRecord, *, resumed: bool) -> bool:
        """A run is there: it counts, and is made again where it may be. Whether it will be."""
        allowed = self._allowed.get(turn.order.digest, 1 + self._policy.retries)
        again = there.is_void and there.counted < allowed
        if again:
            self._queue.once_more(turn.order.digest)
        self._tally.meet(record, final=not again)
        self._report(self._tally.progress(record, resumed=resumed, again=again))
        self._pulse.told()
        return again

    async def _look(self, order: Order, there: Standing) -> Standing:
        """What is there of a run already, here or elsewhere, scored as it would be now."""
        key, unfinished = order.key, self._paths.unfinished(order.key)
        if there.record is not None and not _is_current(
            order.shop, there.record, self._paths.run(key)
        ):
            discard_half_written(self._paths.run(key).root)
            await asyncio.to_thread(_scored, order.shop, there.record, self._paths.run(key))
            there = standing(self._paths, key)
        if there.record is not None and not there.is_void:
            return there
        left = whole_run(unfinished, key)
        if left is not None:
            # It came to its end, and whoever made it did not live to give it its place.
            discard_half_written(unfinished.root)
            record = await asyncio.to_thread(_scored, order.shop, left, unfinished)
            self._tally.pay(record)
        else:
            taken = self._others.take_over(key, unfinished)
            if taken is None:
                return there
            record = taken
            if not _is_current(order.shop, taken, unfinished):
                record = await asyncio.to_thread(_scored, order.shop, taken, unfinished)
        self._place(order, record)
        return standing(self._paths, key)

    async def _obstacle(self, order: Order) -> str:
        """Why no run can be begun now; empty: it can."""
        if fault := self._disk.fault():
            return fault
        harness, purse = order.shop.harness, order.shop.purse
        if purse is not None and (spent := purse.spent_up()):
            return spent
        if self._versions.must_read(harness):
            return await asyncio.to_thread(self._versions.read, harness, order.key.harness_version)
        return ""

    async def _begin(self, turn: Turn, there: Standing) -> RunRecord:
        """Make a run, and keep account of it meanwhile."""
        self._index.begin(turn.order.digest)
        self._tally.running += 1
        try:
            with self._pulse.making(turn.order.digest):
                attempt = min(there.attempts + 1, MOST_ATTEMPTS)
                record = await self._make(turn.order, attempt)
        except BaseException:
            self._index.break_off(turn.order.digest)
            raise
        finally:
            self._tally.running -= 1
        if there.record is not None:
            self._tally.leave(there.record)
        return record

    async def _make(self, order: Order, attempt: int) -> RunRecord:
        """In a folder of its own, which then takes the run's name: a killed run leaves no half."""
        making = self._paths.unfinished(order.key)
        discard(making)
        try:
            record = await make_run(order.shop, order.key, making, attempt)
        except BaseException:
            discard(making)
            raise
        record = await asyncio.to_thread(_scored, order.shop, record, making)
        self._place(order, record)
        return record

    def _place(self, order: Order, record: RunRecord) -> None:
        earlier = put_in_place(self._paths, order.key)
        if earlier is not None and (before := whole_run(earlier, order.key)) is not None:
            self._index.enter(earlier, before)
        self._index.enter(self._paths.run(order.key), record)


def _scored(shop: Workshop, record: RunRecord, paths: RunPaths) -> RunRecord:
    return score_again(shop.scorer, shop.build, record, paths, shop.accepted)


def _unpaid(shop: Workshop, record: RunRecord) -> str:
    """Why the money still does not hold the call at which a run was cut off; empty where it does,
    or none was. Making others would cut those off too."""
    if record.unpaid is None or shop.purse is None:
        return ""
    return shop.purse.refusal(record.unpaid, alone=True)


def _is_current(shop: Workshop, record: RunRecord, paths: RunPaths) -> bool:
    """Whether a run is scored as it would be scored now."""
    return record.accepted == shop.accepted and is_scored(shop.scorer, record, paths)
