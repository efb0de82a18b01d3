"""A bounded number of workers on one queue, who start one after the other and stop together.

Prevents lost work: whatever makes one of them stop, the runs of the others come to their end.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from authoring.errors import InfrastructureError, UserError
from evaluation.sweep.queue import Queue, Turn
from evaluation.sweep.stopping import told

LONGEST_RAMP = 30.0
"""Seconds until all workers have started."""

Take = Callable[[Turn], Awaitable[str]]
"""Does what a turn asks for. Gives the reason why no other is to be begun; empty: go on."""
Sleep = Callable[[float], Awaitable[None]]


class Workers:
    """The workers of one sweep."""

    def __init__(self, queue: Queue, take: Take) -> None:
        self._queue = queue
        self._take = take
        self._busy = 0
        self._changed = asyncio.Event()
        self._over = asyncio.Event()
        self._stopped = ""
        self._fault: Exception | None = None

    async def run(self, number: int, ramp: float = 0.0, sleep: Sleep = asyncio.sleep) -> str:
        """Until nothing is left, or something stops them; why that was.

        `ramp` is the time between two starts. A fault of our own is raised when all are done.
        """
        async with asyncio.TaskGroup() as group:
            for place in range(number):
                if place and ramp:
                    await self._pause(min(ramp, LONGEST_RAMP / number), sleep)
                group.create_task(self._work())
        if self._fault is not None:
            raise self._fault
        return self._stopped

    async def _pause(self, seconds: float, sleep: Sleep) -> None:
        """So long, or until there is nothing left to do."""
        waits = (asyncio.ensure_future(sleep(seconds)), asyncio.ensure_future(self._over.wait()))
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()

    async def _work(self) -> None:
        """Take turns until none is left, and none can come back."""
        while not self._stopped:
            if await self._one():
                await asyncio.sleep(0)  # a run that was there took no time of its own
            elif self._busy:
                await self._changed.wait()
            else:
                break
        self._over.set()
        self._tell_others()

    async def _one(self) -> bool:
        """Whether there was a turn to take."""
        self._busy += 1
        try:
            turn = self._queue.next()
            if turn is None:
                return False
            self._stop(await self._take(turn))
        except (InfrastructureError, UserError, OSError) as error:
            self._stop(told(error))
        except Exception as error:  # noqa: BLE001 - raised again when the others are done
            self._fault = self._fault or error
            self._stop("a fault of ocb itself")
        finally:
            self._busy -= 1
        self._tell_others()
        return True

    def _stop(self, reason: str) -> None:
        """The first reason stands."""
        self._stopped = self._stopped or reason

    def _tell_others(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()
