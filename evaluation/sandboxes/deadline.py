"""When a run's time is up, and when a command that has done its work is only lingering.

Prevents a false result: a server that asks everybody to wait would end runs by their limit, and a
program that has given its answer and never exits would be recorded as one that gave none.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Literal, Protocol

Clock = Callable[[], float]
"""Seconds that only ever grow."""
Held = Callable[[], float]
"""Seconds so far in which a throttled server kept the run waiting, the wait that still lasts
included."""
How = Literal["ended", "timed out", "lingered", "stalled", "filled"]
"""How a command ended: by itself; or killed, since its time was up, it had done its work and
stayed, it gave no sign of life, or its home held more than it may."""

LEAST = 0.05
"""Seconds between two looks at the clock, however little time is left."""
LOOK = 0.5
"""Seconds between two looks at what a command has done."""


def never_held() -> float:
    """Of a run that nobody keeps waiting."""
    return 0.0


def never_quiet() -> float:
    """Of a run that nobody listens to."""
    return 0.0


class Deadline:
    """The end of a run's time; it moves on by what the run is held."""

    def __init__(self, seconds: float, held: Held, clock: Clock = time.monotonic) -> None:
        self._seconds = seconds
        self._held = held
        self._clock = clock
        self._started = clock()
        self._held_before = held()

    def left(self) -> float:
        """Seconds of its own that the run still has. It stands still while a call is held."""
        passed = self._clock() - self._started
        return self._seconds - passed + (self._held() - self._held_before)


class Lingering:
    """Tells when a command has had its time to exit after its work was done."""

    def __init__(
        self, is_done: Callable[[], bool], grace: float, clock: Clock = time.monotonic
    ) -> None:
        self.is_done = is_done
        self._grace = grace
        self._clock = clock
        self._since: float | None = None

    def is_over(self) -> bool:
        """Whether the work has been done for as long as the grace, without a break."""
        if not self.is_done():
            self._since = None
            return False
        now = self._clock()
        if self._since is None:
            self._since = now
        return now - self._since >= self._grace


class Wait(Protocol):
    """Lets time pass: until the work is done, at most so many seconds."""

    async def __call__(self, work: asyncio.Future[None], seconds: float) -> None: ...


async def wait_for(work: asyncio.Future[None], seconds: float) -> None:
    """In real time."""
    await asyncio.wait({work}, timeout=seconds)


async def wait_for_end(
    work: asyncio.Future[None],
    deadline: Deadline,
    lingering: Lingering | None = None,
    wait: Wait = wait_for,
) -> How:
    """Wait until the work has ended, or may be ended. Never cancels it."""
    while not work.done():
        if lingering is not None and lingering.is_over():
            return "lingered"
        left = deadline.left()
        if left <= 0:
            return "lingered" if lingering is not None and lingering.is_done() else "timed out"
        longest = left if lingering is None else min(left, LOOK)
        await wait(work, max(longest, LEAST))
    return "ended"
