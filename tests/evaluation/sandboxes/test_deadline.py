"""A run's time stands still while it is held; a command that lingers after its work is told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from evaluation.sandboxes.deadline import Deadline, How, Lingering, never_held, wait_for_end


@dataclass
class Day:
    """Time that passes only when somebody waits, and what happens at its moments."""

    events: dict[float, Callable[[], None]] = field(default_factory=dict)
    now: float = 100.0
    waits: list[float] = field(default_factory=list)

    def clock(self) -> float:
        return self.now

    async def wait(self, work: asyncio.Future[None], seconds: float) -> None:
        """Until the next event, or so many seconds."""
        end = min([self.now + seconds, *(at for at in self.events if at > self.now)])
        self.waits.append(end - self.now)
        self.now = end
        if end in self.events:
            self.events[end]()


@dataclass
class Holds:
    """Spans in which a run is held, as the gateway would tell of them."""

    day: Day
    spans: list[tuple[float, float]]

    def seconds(self) -> float:
        now = self.day.now
        return sum(min(now, end) - start for start, end in self.spans if start < now)


def end_of(day: Day, work_ends: float, spans: list[tuple[float, float]]) -> How:
    """How a run of 10 seconds that starts at 100 ends."""

    async def run() -> How:
        work: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        day.events[work_ends] = lambda: work.set_result(None)
        deadline = Deadline(10.0, Holds(day, spans).seconds, day.clock)
        return await wait_for_end(work, deadline, wait=day.wait)

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("work_ends", "spans", "how"),
    [
        pytest.param(109.0, [], "ended", id="in time"),
        pytest.param(111.0, [], "timed out", id="too late"),
        pytest.param(116.0, [(103.0, 110.0)], "ended", id="held for longer than it was late"),
        pytest.param(118.0, [(103.0, 110.0)], "timed out", id="held for less"),
        pytest.param(140.0, [(109.0, 139.5)], "ended", id="held over the end of its time"),
        pytest.param(141.0, [(109.0, 139.5)], "timed out", id="held over it, and still too late"),
        pytest.param(116.0, [(101.0, 104.0), (105.0, 109.0)], "ended", id="held twice"),
        pytest.param(111.0, [(50.0, 90.0)], "timed out", id="held before it began"),
    ],
)
def test_what_a_run_was_held_is_taken_off_its_time(
    work_ends: float, spans: list[tuple[float, float]], how: How
) -> None:
    assert end_of(Day(), work_ends, spans) == how


def test_a_run_that_is_held_at_its_last_moment_does_not_keep_the_processor_busy() -> None:
    day = Day()
    assert end_of(day, 119.0, [(109.999, 119.5)]) == "ended"
    assert len(day.waits) < 200


def lingered(day: Day, done: dict[float, bool], *, ends: float = 1000.0) -> How:
    """How a run of 60 seconds ends whose work is done, or no longer done, from some moments on."""

    def is_done() -> bool:
        return [False, *(value for at, value in sorted(done.items()) if at <= day.now)][-1]

    async def run() -> How:
        work: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        day.events[ends] = lambda: work.set_result(None)
        deadline = Deadline(60.0, never_held, day.clock)
        return await wait_for_end(work, deadline, Lingering(is_done, 5.0, day.clock), day.wait)

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("done", "ends", "how", "at"),
    [
        pytest.param({110.0: True}, 1000.0, "lingered", 115.0, id="done, and never exits"),
        pytest.param({110.0: True}, 112.0, "ended", 112.0, id="exits in its grace"),
        pytest.param(
            {110.0: True, 113.0: False, 130.0: True},
            1000.0,
            "lingered",
            135.0,
            id="goes on once more",
        ),
        pytest.param({158.0: True}, 1000.0, "lingered", 160.0, id="its time is up in its grace"),
        pytest.param({}, 1000.0, "timed out", 160.0, id="never done"),
    ],
)
def test_work_that_is_done_leaves_a_grace_to_exit(
    done: dict[float, bool], ends: float, how: How, at: float
) -> None:
    day = Day()
    assert lingered(day, done, ends=ends) == how
    assert day.now == pytest.approx(at, abs=0.6)
