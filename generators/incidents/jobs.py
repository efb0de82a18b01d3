"""The jobs of one site's night: backups, figures of disks and quotas, and smaller work."""

from __future__ import annotations

import random
from datetime import date

from generators.incidents.fleet import Bounds, Site, Vocabulary
from generators.incidents.log import Log, Stamp, after_date
from generators.incidents.night import CALM, END, Night, Process
from generators.incidents.wording import Wording, read_phrases

PHRASES = 16
SETS, VOLUMES, QUOTAS = 3, 2, 2
FEWEST_SAMPLES = 8
TENTHS = 10


class Jobs:
    """The log of a site's jobs."""

    def __init__(
        self,
        night: Night,
        site: Site,
        words: Vocabulary,
        bounds: Bounds,
        day: date,
        source: random.Random,
    ) -> None:
        self._night, self._bounds, self._source = night, bounds, source
        self._sets = source.sample(words.datasets, SETS)
        self._volumes = source.sample(words.volumes, VOLUMES)
        self._quotas = source.sample(words.quotas, QUOTAS)
        stamps: tuple[Stamp, ...] = (
            after_date(""),
            after_date(f"{day:%Y-%m-%d} ", ","),
            after_date(f"{day:%m-%d} "),
        )
        frame = source.choice(["{{ t }} <>", "[{{ t }}] <>", "{{ t }} jobs: <>", "{{ t }} INFO <>"])
        self.log = Log(f"logs/{site.code}/jobs.log", "job", source.choice(stamps))
        self._wording = Wording(source, frame, {"set": lambda: source.choice(self._sets)})
        self._pool = read_phrases("jobs")
        chosen = source.choice(self._pool["backups"])
        self._backup = {name: self._wording.phrase(text) for name, text in chosen.items()}
        self._used = self._wording.phrase(source.choice(self._pool["used"]))
        self._quota = self._wording.phrase(source.choice(self._pool["quota"]))

    def begin(self, backups: int, chatter: int) -> None:
        """All of the night's work."""
        numbers = self._first_runs(backups)
        each = (END - CALM) // backups
        for turn in range(backups):
            index, later = turn % SETS, turn // SETS
            begins = each * turn + self._source.randrange(each // 10, each // 3)
            run = self._backup_run(self._sets[index], numbers[index] + later, each * 3 // 5)
            self._night.start(run, begins)
        samples = FEWEST_SAMPLES + backups
        for volume in self._volumes:
            self._night.start(self._samples(volume, samples))
        for quota in self._quotas:
            self._night.start(self._shares(quota, max(4, samples // 3)))
        self._night.start(self._chatter(chatter))

    def _first_runs(self, backups: int) -> list[int]:
        """The number of each data set's first run; no two sets share one in a night."""
        number, first = self._source.randrange(1000, 8000), []
        for _ in self._sets:
            first.append(number)
            number += backups + self._source.randrange(3, 30)
        return first

    def _backup_run(self, name: str, run: int, length: int) -> Process:
        """One run; it is over before the next of its data set begins."""
        source = self._source
        segments = source.randrange(40, 400)
        values: dict[str, object] = {"set": name, "run": run, "of": segments}
        self._write("started", values)
        steps = source.randrange(2, 5)
        for step in range(1, steps + 1):
            yield source.randrange(length // 2, length) // (steps + 2)
            done = segments if step == steps else segments * step // steps - source.randrange(5)
            self._write("copied", values | {"done": done})
        yield source.randrange(length // 2, length) // (steps + 2)
        self._write("verified", values)
        yield source.randrange(length // 4, length) // (steps + 2)
        self._write("finished", values)

    def _write(self, step: str, values: dict[str, object]) -> None:
        self.log.write(self._night.now, self._backup[step], values)

    def _samples(self, volume: str, count: int) -> Process:
        """Used space: it grows within the bound, and now and then something is cleared."""
        source = self._source
        used = source.randrange(1200, 9000)
        for wait in self._night.at_each(source, count):
            yield wait
            if source.randrange(6):
                used += source.randrange(0, self._bounds.growth * TENTHS * 3 // 4)
            else:
                used -= source.randrange(10, 90)
            values = {"volume": volume, "used": f"{used / TENTHS:.1f}"}
            self.log.write(self._night.now, self._used, values)

    def _shares(self, name: str, count: int) -> Process:
        """A quota only fills in the night."""
        share = self._source.randrange(300, 800)
        for wait in self._night.at_each(self._source, count):
            yield wait
            share = min(share + self._source.randrange(0, 8), 999)
            values = {"name": name, "share": f"{share / TENTHS:.1f}"}
            self.log.write(self._night.now, self._quota, values)

    def _chatter(self, count: int) -> Process:
        phrases = self._wording.some(self._pool["chatter"], PHRASES)
        for wait in self._night.at_each(self._source, count):
            yield wait
            self.log.write(self._night.now, self._source.choice(phrases), {})
