"""When a run is over though its command still runs.

Its time is up; it has done its work and only lingers; it gives no sign of life; its home is full.
Prevents false results: a server that asks everybody to wait would end runs by their limit, a
program that has given its answer and never exits would be recorded as one that gave none, and one
that hangs would pass for slow. A sandbox calls `supervision.supervise`, which puts all of this
together for one command.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable
from typing import Literal, NamedTuple, Protocol

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
HOME_LOOK = 2.0
"""Seconds between two looks at the size of its home; more where a look takes long."""
HOME_REST = 20
"""Times as long as a look took is what passes before the next: a twentieth of one processor."""


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


class _Sign(NamedTuple):
    printed: int
    at: float
    held: float
    """Seconds held until then."""


class Silence:
    """How long a command has given no sign of life: printed nothing, and neither sent nor got a
    byte of the model's server. What it was held is no silence."""

    def __init__(
        self,
        seconds: float,
        printed: Callable[[], int],
        quiet: Callable[[], float],
        held: Held = never_held,
        clock: Clock = time.monotonic,
    ) -> None:
        self._seconds = seconds
        self._printed = printed
        self._quiet = quiet
        self._held = held
        self._clock = clock
        self._last = _Sign(0, clock(), held())

    @property
    def look(self) -> float:
        """Seconds between two looks, by which the end of a silence is late at most."""
        return min(LOOK, self._seconds / 4)

    def left(self) -> float:
        """Seconds that it may still be silent."""
        printed = self._printed()
        if printed != self._last.printed:
            self._last = _Sign(printed, self._clock(), self._held())
        held = self._held() - self._last.held
        silent = min(self._clock() - self._last.at - held, self._quiet())
        return self._seconds - silent


class _Look(NamedTuple):
    size: int
    took: float


class Filling:
    """Whether the home holds more than it may: looked at now and then, beside all else."""

    def __init__(
        self, measure: Callable[[], Awaitable[int]], most: int, clock: Clock = time.monotonic
    ) -> None:
        self._measure = measure
        self._most = most
        self._clock = clock
        self._looking: asyncio.Future[_Look] | None = None
        self._next = clock() + HOME_LOOK
        self._is_full = False

    def is_full(self) -> bool:
        """By the last look that is over. Begins a look where it is time for one."""
        now = self._clock()
        if self._looking is not None and self._looking.done():
            look = self._looking.result()
            self._looking = None
            self._is_full = look.size > self._most
            self._next = now + max(HOME_LOOK, HOME_REST * look.took)
        if self._looking is None and now >= self._next:
            self._looking = asyncio.ensure_future(self._look())
        return self._is_full

    async def _look(self) -> _Look:
        began = self._clock()
        size = await self._measure()
        return _Look(size, self._clock() - began)

    async def end(self) -> None:
        """Break off a look that still lasts."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.wait({self._looking})


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
    *,
    silence: Silence | None = None,
    filling: Filling | None = None,
) -> How:
    """Wait until the work has ended, or may be ended. Never cancels it."""
    while not work.done():
        if lingering is not None and lingering.is_over():
            return "lingered"
        if filling is not None and filling.is_full():
            return "filled"
        left = deadline.left()
        still = math.inf if silence is None else silence.left()
        if min(left, still) <= 0:
            if lingering is not None and lingering.is_done():
                return "lingered"
            return "timed out" if left <= still else "stalled"
        # How long to the next look: the first that may find anything new.
        often = LOOK if lingering is not None or filling is not None else math.inf
        longest = min(left, still, often, math.inf if silence is None else silence.look)
        await wait(work, max(longest, LEAST))
    return "ended"
