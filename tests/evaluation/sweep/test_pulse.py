"""A silent sweep says that it is at work, once a minute, and how long its oldest run takes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

from evaluation.sweep.pulse import AtWork, Pulse


class Time:
    """Passes when somebody sleeps, and not otherwise; what happens at a second is told to it."""

    def __init__(self, end: int) -> None:
        self.now = 0.0
        self.happens: Mapping[int, Callable[[], object]] = {}
        self._end = end

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        until = self.now + seconds
        while self.now < until:
            self.now += 1
            if self.now > self._end:
                raise asyncio.CancelledError
            self.happens.get(int(self.now), lambda: None)()


def heard(happens: Callable[[Pulse], Mapping[int, Callable[[], object]]], end: int) -> list[AtWork]:
    said: list[AtWork] = []
    time = Time(end)
    pulse = Pulse(said.append, time.clock, time.sleep)
    time.happens = happens(pulse)
    try:
        asyncio.run(pulse.beat())
    except asyncio.CancelledError:
        return said
    raise AssertionError("a pulse ends when it is cancelled")


def test_each_minute_of_silence_is_told_with_the_oldest_run() -> None:
    def happens(pulse: Pulse) -> Mapping[int, Callable[[], object]]:
        old, new = pulse.making("a"), pulse.making("b")
        return {10: old.__enter__, 90: new.__enter__, 130: lambda: old.__exit__(None, None, None)}

    # 60: one, for 50 s; 120: two, the older for 110 s; 180: the newer alone, for 90 s.
    assert heard(happens, 190) == [AtWork(1, 50.0), AtWork(2, 110.0), AtWork(1, 90.0)]


def test_what_else_is_said_breaks_the_silence() -> None:
    def happens(pulse: Pulse) -> Mapping[int, Callable[[], object]]:
        return {1: pulse.making("a").__enter__, 50: pulse.told, 100: pulse.told}

    assert heard(happens, 159) == []
    assert heard(happens, 160) == [AtWork(1, 159.0)]


def test_nothing_is_told_while_nothing_is_made() -> None:
    assert heard(lambda pulse: {}, 500) == []
