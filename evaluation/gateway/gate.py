"""The shared pause: after a throttled answer, new calls to that upstream wait."""

from __future__ import annotations

import asyncio
import math
import time
from email.utils import parsedate_to_datetime
from typing import Protocol

THROTTLED = frozenset((429, 529))
"""Too many requests; overloaded."""

LONGEST = 60.0
"""Seconds; a longer pause is left to the client, whose own patience ends too."""

UNSAID = 1.0
"""Seconds of pause where a throttled answer names none."""


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
        self._since = 0.0
        self._until = 0.0

    def add(self, until: float) -> None:
        """From now on, and until that moment, the run is made or told to wait."""
        now = self._clock.now()
        if now >= self._until:
            self._over += self._until - self._since
            self._since = self._until = now
        self._until = max(self._until, until)

    def seconds(self) -> float:
        """Up to now, a pause that still lasts included."""
        return self._over + min(self._clock.now(), self._until) - self._since


class Gate:
    """Open, or closed until a moment."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.until = 0.0

    def close(self, seconds: float) -> None:
        """Close for this long; a pause that ends later stands."""
        self.until = max(self.until, self._clock.now() + seconds)

    def is_closed(self) -> bool:
        return self._clock.now() < self.until

    async def wait(self, pauses: Pauses) -> None:
        """Until it is open. The wait is entered among the pauses of the run."""
        while (left := self.until - self._clock.now()) > 0:
            pauses.add(self.until)
            await self._clock.sleep(left)


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
