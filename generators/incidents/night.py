"""One simulated night: processes that wait and act, in one order of time.

Times are whole milliseconds since midnight. A process is a generator that yields how long it waits;
what it does between two waits happens at that moment.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Iterator
from typing import NamedTuple

Process = Iterator[int]

SECOND = 1000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
END = 6 * HOUR
CALM = 10 * MINUTE
"""Nothing new begins in the last minutes, so that what was begun is over by the end."""


class _Due(NamedTuple):
    at: int
    turn: int
    """Of two things at one moment, the one asked for first comes first."""
    process: Process


class Night:
    """The clock and what is due."""

    def __init__(self) -> None:
        self.now = 0
        self._due: list[_Due] = []
        self._turns = 0

    def start(self, process: Process, after: int = 0) -> None:
        """Let a process begin, now or later."""
        heapq.heappush(self._due, _Due(self.now + after, self._turns, process))
        self._turns += 1

    def run(self) -> None:
        """Until every process is over."""
        while self._due:
            due = heapq.heappop(self._due)
            self.now = due.at
            wait = next(due.process, None)
            if wait is not None:
                self.start(due.process, wait)

    def at_each(self, source: random.Random, count: int, last: int = END - CALM) -> Iterator[int]:
        """Waits that lead to so many moments, spread over the night."""
        for moment in sorted(source.randrange(SECOND, last) for _ in range(count)):
            yield max(0, moment - self.now)

    def one_in_each(
        self, source: random.Random, count: int, last: int = END - CALM
    ) -> Iterator[int]:
        """Waits that lead to one moment in each of so many equal parts of the night."""
        each = last // count
        for part in range(count):
            yield max(0, each * part + source.randrange(each) - self.now)
