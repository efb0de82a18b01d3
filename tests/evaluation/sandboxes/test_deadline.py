"""A run's time stands still while it is held; lingering, silence and a full home are told."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from evaluation.sandboxes.deadline import (
    HOME_LOOK,
    Deadline,
    Filling,
    How,
    Lingering,
    Silence,
    never_held,
    wait_for_end,
)


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
        await asyncio.sleep(0)  # looks that last a while go on


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


@dataclass(frozen=True)
class Life:
    """Signs of life of a run of 60 seconds that starts at 100 and may be silent for 10."""

    prints: tuple[float, ...] = ()
    traffic: tuple[float, ...] = ()
    held: tuple[tuple[float, float], ...] = ()


def silenced(day: Day, life: Life, ends: float = 1000.0, done: float = 1000.0) -> How:
    """How it ends; its work is done from some moment on."""
    holds = Holds(day, list(life.held))

    def printed() -> int:
        return sum(at <= day.now for at in life.prints)

    def quiet() -> float:
        """As the gateway tells it: what the run was held is no silence."""
        last = max([100.0, *(at for at in life.traffic if at <= day.now)])
        held = sum(
            min(day.now, end) - max(start, last)
            for start, end in life.held
            if start < day.now and end > last
        )
        return day.now - last - held

    async def run() -> How:
        work: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        day.events[ends] = lambda: work.set_result(None)
        return await wait_for_end(
            work,
            Deadline(60.0, holds.seconds, day.clock),
            Lingering(lambda: day.now >= done, 5.0, day.clock),
            day.wait,
            silence=Silence(10.0, printed, quiet, holds.seconds, day.clock),
        )

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("life", "how", "at"),
    [
        pytest.param(Life(), "stalled", 110.0, id="silent from the start"),
        pytest.param(Life(prints=(101.0, 105.0)), "stalled", 115.0, id="then nothing printed"),
        pytest.param(Life(traffic=(108.0,)), "stalled", 118.0, id="then no call"),
        pytest.param(
            Life(prints=(104.0,), traffic=(113.0,)), "stalled", 123.0, id="a tool result, and gone"
        ),
        pytest.param(
            Life(prints=(105.0,), held=((108.0, 138.0),)), "stalled", 145.0, id="held meanwhile"
        ),
        pytest.param(
            Life(prints=tuple(range(101, 200, 9))), "timed out", 160.0, id="slow, and alive"
        ),
        pytest.param(
            Life(traffic=tuple(range(101, 200, 9))), "timed out", 160.0, id="silent, and at work"
        ),
        pytest.param(Life(prints=(109.0, 118.5)), "stalled", 128.5, id="just in time, twice"),
        pytest.param(
            Life(prints=tuple(range(101, 152, 5))), "timed out", 160.0, id="its time is up first"
        ),
    ],
)
def test_silence_ends_a_run_and_only_silence(life: Life, how: How, at: float) -> None:
    day = Day()
    assert silenced(day, life) == how
    assert day.now == pytest.approx(at, abs=0.6)


def test_who_is_silent_since_its_work_is_done_lingers() -> None:
    day = Day()
    assert silenced(day, Life(prints=(105.0,)), done=113.0) == "lingered"
    assert day.now == pytest.approx(115.0, abs=0.6)


def test_who_ends_in_its_silence_has_ended() -> None:
    assert silenced(Day(), Life(), ends=109.0) == "ended"


def filled(day: Day, sizes: dict[float, int], looks: list[float], takes: float = 0.0) -> How:
    """How a run of 60 seconds ends whose home may hold 100 bytes. A look takes some time."""

    async def measure() -> int:
        looks.append(day.now)
        until = day.now + takes
        while day.now < until:  # noqa: ASYNC110  # time passes where the run waits
            await asyncio.sleep(0)
        return [0, *(size for at, size in sorted(sizes.items()) if at <= day.now)][-1]

    async def run() -> How:
        work: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        deadline = Deadline(60.0, never_held, day.clock)
        filling = Filling(measure, 100, day.clock)
        try:
            return await wait_for_end(work, deadline, wait=day.wait, filling=filling)
        finally:
            await filling.end()

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("sizes", "how", "at"),
    [
        pytest.param({105.0: 99, 110.0: 101}, "filled", 110.0, id="more than it may"),
        pytest.param({105.0: 100}, "timed out", 160.0, id="all that it may"),
        pytest.param({105.1: 101, 105.2: 0}, "timed out", 160.0, id="emptied between two looks"),
    ],
)
def test_a_full_home_ends_a_run(sizes: dict[float, int], how: How, at: float) -> None:
    day = Day()
    assert filled(day, sizes, []) == how
    assert day.now == pytest.approx(at, abs=HOME_LOOK + 1.1)


def test_a_home_that_takes_long_to_look_through_is_looked_at_less_often() -> None:
    day, looks = Day(), list[float]()
    assert filled(day, {}, looks, takes=1.0) == "timed out"
    assert 2 <= len(looks) <= 3
    assert min(after - before for before, after in itertools.pairwise(looks)) > 20


def test_a_look_that_lasts_does_not_outlast_the_run() -> None:
    day, looks = Day(), list[float]()
    assert filled(day, {}, looks, takes=1000.0) == "timed out"
    assert len(looks) == 1
    assert day.now == pytest.approx(160.0, abs=0.6)
