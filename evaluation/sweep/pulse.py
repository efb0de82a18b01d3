"""A sign of life in a long silence: how many runs are being made, and since when.

Prevents a sweep that hangs from being taken for one that is slow, and the other way round.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

SILENCE = 60.0
"""Seconds in which no run ended, after which the sweep says that it is at work."""


@dataclass(frozen=True)
class AtWork:
    """Runs are being made, and none ended for a while."""

    running: int
    longest: float
    """Seconds since the first of them was begun."""


Tell = Callable[[AtWork], None]


def tell_nobody(_: AtWork) -> None:
    """Nobody watches."""


class Pulse:
    """Knows what is being made, and tells when nothing else was told."""

    def __init__(
        self,
        tell: Tell,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._tell = tell
        self._clock = clock
        self._sleep = sleep
        self._begun: dict[str, float] = {}
        self._told = clock()

    @contextmanager
    def making(self, digest: str) -> Iterator[None]:
        """While a run is being made."""
        self._begun[digest] = self._clock()
        try:
            yield
        finally:
            del self._begun[digest]

    def told(self) -> None:
        """Something else was said: the silence begins anew."""
        self._told = self._clock()

    async def beat(self) -> None:
        """Until it is cancelled."""
        while True:
            rest = self._told + SILENCE - self._clock()
            if rest > 0:
                await self._sleep(rest)
                continue
            if self._begun:
                longest = self._clock() - min(self._begun.values())
                self._tell(AtWork(len(self._begun), longest))
            self.told()
