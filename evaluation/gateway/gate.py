"""The shared gate before one upstream: after a throttled answer new calls wait, and return by ones.

Prevents a lost run: calls that all go on at the end of the same pause are turned away together once
more, until the patience of every client is spent.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Protocol

THROTTLED = frozenset((429, 529))
"""Too many requests; overloaded."""

LONGEST = 60.0
"""Seconds; a longer pause is left to the client, whose own patience ends too."""

UNSAID = 1.0
"""Seconds of pause where a throttled answer names none."""

MOST_PATIENCE = 16
"""Times that all calls let in at once must have been answered before one more is tried."""


class Clock(Protocol):
    """Time, handed in."""

    def now(self) -> float:
        """Seconds since the Unix epoch."""
        ...

    async def sleep(self, seconds: float) -> None: ...


class SteadyClock:
    """The system's time at the start, and from then on as it passes: it never jumps."""

    def __init__(self) -> None:
        self._start = time.time() - time.monotonic()

    def now(self) -> float:
        return self._start + time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class Pauses:
    """The time that one run lost to throttled upstreams; pauses that overlap count once."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._over = 0.0
        self._at = clock.now()
        """Up to here it is counted."""
        self._until = 0.0
        self._held = 0

    def add(self, until: float) -> None:
        """From now on, and until that moment, the run is made or told to wait."""
        self._count()
        self._until = max(self._until, until)

    @contextmanager
    def held(self) -> Iterator[None]:
        """A call of the run waits, nobody knows for how long."""
        self._count()
        self._held += 1
        try:
            yield
        finally:
            self._count()
            self._held -= 1

    def seconds(self) -> float:
        """Up to now, a pause that still lasts included."""
        if self._held or self._until > self._at:
            self._count()
        return self._over

    def _count(self) -> None:
        now = self._clock.now()
        end = now if self._held else min(now, self._until)
        self._over += max(end - self._at, 0.0)
        self._at = now


@dataclass(frozen=True)
class Pass:
    """One call that was let in."""

    storm: int
    """How many storms there had been."""


class Gate:
    """Open, or closed until a moment; and from the first throttled answer on only so wide.

    As wide as what the upstream did not turn away when it turned others away. One more call is
    tried each time when all that fit have been answered a number of times, which doubles with each
    storm that this brings on.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.until = 0.0
        self.width = math.inf
        self._inside = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._storms = 0
        self._answered = 0
        """Calls answered since the width changed."""
        self._patience = 1

    def close(self, seconds: float) -> None:
        """Close for this long; a pause that ends later stands."""
        self.until = max(self.until, self._clock.now() + seconds)

    def is_closed(self) -> bool:
        return self._clock.now() < self.until

    @asynccontextmanager
    async def admitted(self, pauses: Pauses) -> AsyncIterator[Pass]:
        """Wait to be let in, and be inside for as long as the call lasts. The wait is entered among
        the pauses of the run."""
        await self._enter(pauses)
        try:
            yield Pass(self._storms)
        finally:
            self._leave()

    async def _enter(self, pauses: Pauses) -> None:
        if not self.is_closed() and self._has_room():
            self._inside += 1
            return
        with pauses.held():
            await self._until_open()
            if self._has_room():
                self._inside += 1
            else:
                await self._in_line()
            try:
                await self._until_open()
            except asyncio.CancelledError:
                self._leave()
                raise

    def _has_room(self) -> bool:
        return self._inside < self.width and not self._waiting

    async def _until_open(self) -> None:
        while (left := self.until - self._clock.now()) > 0:
            await self._clock.sleep(left)

    async def _in_line(self) -> None:
        """First come, first let in."""
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self._waiting.remove(turn)
                self._let_in()
            else:
                self._leave()
            raise

    def _leave(self) -> None:
        self._inside -= 1
        self._let_in()

    def _let_in(self) -> None:
        while self._waiting and self._inside < self.width:
            turn = self._waiting[0]
            if turn.cancelled():
                return  # it takes itself out, and calls again
            self._waiting.popleft()
            self._inside += 1
            turn.set_result(None)

    def turned_away(self, call: Pass, seconds: float) -> None:
        """The upstream throttled a call: close, and let in no more than it still serves."""
        self.close(seconds)
        if call.storm == self._storms:
            self._storms += 1
            self._patience = min(self._patience * 2, MOST_PATIENCE)
        self.width = max(min(self.width, self._inside - 1), 1)
        self._answered = 0

    def answered(self) -> None:
        """The upstream took a call."""
        if self.width == math.inf or self._inside < self.width:
            return
        self._answered += 1
        if self._answered >= self.width * self._patience:
            self.width += 1
            self._answered = 0
            self._let_in()


def pause(retry_after: str | None, now: float) -> float:
    """Seconds that a `Retry-After` asks for (a number or an HTTP date), within bounds."""
    if retry_after is None:
        return UNSAID
    try:
        seconds = float(retry_after)
    except ValueError:
        seconds = _until_date(retry_after, now)
    if math.isnan(seconds):
        return UNSAID
    return min(max(seconds, 0.0), LONGEST)


def _until_date(text: str, now: float) -> float:
    try:
        return parsedate_to_datetime(text).timestamp() - now
    except (ValueError, OverflowError):
        return UNSAID
