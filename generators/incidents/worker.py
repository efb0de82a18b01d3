"""The queue worker of one site: messages by partition, and the leases it holds partitions by."""

from __future__ import annotations

import random
from datetime import date

from generators.incidents.fleet import Bounds, Site
from generators.incidents.log import Log, digits
from generators.incidents.night import CALM, END, MINUTE, SECOND, Night, Process
from generators.incidents.wording import Wording, read_phrases

PHRASES = 20
PARTITIONS = (2, 3, 4)
BUSY_PARTITIONS = 5
STAYS_FOR = 3
GIVES_UP_IN = 9
"""One renewal in so many is none: the partition is given up for some minutes."""


class QueueWorker:
    """One worker and its log."""

    def __init__(
        self, night: Night, site: Site, bounds: Bounds, source: random.Random, *, busy: bool
    ) -> None:
        self._night, self._site, self._bounds, self._source = night, site, bounds, source
        self.log = Log(f"logs/{site.code}/worker-{site.worker.name}.log", "worker", digits)
        self._wording = Wording(source, "{{ t }} <>", {"unit": site.worker.unit})
        pool = read_phrases("worker")
        self._stored = self._wording.phrase(source.choice(pool["stored"]))
        lease = source.choice(pool["leases"])
        self._taken = self._wording.phrase(lease["taken"])
        self._renewed = self._wording.phrase(lease["renewed"])
        self._released = self._wording.phrase(lease["released"])
        count = BUSY_PARTITIONS if busy else source.choice(PARTITIONS)
        self._offsets = [source.randrange(1000, 60000) for _ in range(count)]
        self._held: list[int] = []

    def opens(self, day: date) -> None:
        """The first line, which names the day; all others have the time alone."""
        version = f"{self._source.randrange(1, 6)}.{self._source.randrange(30)}"
        opening = self._wording.phrase(f"{self._site.worker.name} {version}, log of {day}")
        self.log.write(self._source.randrange(40, 900), opening, {})
        for partition in range(len(self._offsets)):
            self._night.start(self._lease(partition), self._source.randrange(SECOND, 9 * SECOND))

    def messages(self, count: int) -> Process:
        """Messages of partitions that the worker holds, some of each before the next."""
        partition = -1
        for wait in self._night.at_each(self._source, count):
            yield wait
            if not self._held:
                continue
            if partition not in self._held or not self._source.randrange(STAYS_FOR):
                partition = self._source.choice(self._held)
            self._offsets[partition] += 1
            values = {"p": partition, "s": self._offsets[partition]}
            self.log.write(self._night.now, self._stored, values)

    def chatter(self, count: int) -> Process:
        """What the worker writes beside."""
        phrases = self._wording.some(read_phrases("worker")["chatter"], PHRASES)
        for wait in self._night.at_each(self._source, count):
            yield wait
            self.log.write(self._night.now, self._source.choice(phrases), {})

    def _lease(self, partition: int) -> Process:
        source, values = self._source, {"p": partition}
        length = self._bounds.lease * MINUTE
        self.log.write(self._night.now, self._taken, values)
        self._held.append(partition)
        while True:
            yield source.randrange(length * 55 // 100, length * 85 // 100)
            if self._night.now > END - CALM:
                return
            if source.randrange(GIVES_UP_IN) or len(self._held) == 1:
                self.log.write(self._night.now, self._renewed, values)
                continue
            self.log.write(self._night.now, self._released, values)
            self._held.remove(partition)
            yield source.randrange(MINUTE, 6 * MINUTE)
            self.log.write(self._night.now, self._taken, values)
            self._held.append(partition)
