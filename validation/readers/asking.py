"""Has every sample read, several at once; one that cannot be had is kept as what it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from queue import Empty, SimpleQueue
from threading import Thread
from typing import NamedTuple

from authoring.inert import inert
from generators.models.asking import ModelError
from generators.models.prices import CapReachedError
from generators.registry import RegisteredNeedle
from validation.readers.reader import Reader, Reading
from validation.readers.sampling import CORPORA, Corpus, Sampler, TooLongError

LONGEST_REASON = 200
WHOLE = ""
"""In the place of a needle's id: the whole corpus was given, and speaks of all needles."""


class Standing(NamedTuple):
    """How far the reading is."""

    answered: int
    failed: int
    of: int

    @property
    def done(self) -> int:
        return self.answered + self.failed


Progress = Callable[[Standing], None]


class Slot(NamedTuple):
    """One sample that is wanted."""

    needle: str
    corpus: Corpus
    number: int
    """From 1."""


class Failure(NamedTuple):
    """A sample that could not be had, and why."""

    reason: str


Outcomes = Mapping[Slot, Reading | Failure]


def slots_of(needles: Sequence[str], samples: int) -> list[Slot]:
    """So many samples of the planted corpus and as many of the twin, for each."""
    numbers = range(1, samples + 1)
    return [Slot(name, corpus, n) for name in needles for corpus in CORPORA for n in numbers]


def ask_all(
    reader: Reader, sampler: Sampler, slots: Sequence[Slot], at_once: int, progress: Progress
) -> Outcomes:
    """Every sample, in the order of the slots. Raises UserError where no call can be made at all.

    What a cap on money keeps from being asked is a failed sample: what was answered is kept.
    """
    needles = {needle.id: needle for needle in sampler.subject.needles}
    waiting: SimpleQueue[Slot] = SimpleQueue()
    for slot in slots:
        waiting.put(slot)
    done: SimpleQueue[_Done] = SimpleQueue()

    def work() -> None:
        while (slot := _next(waiting)) is not None:
            done.put(_tried(lambda slot: _asked(reader, sampler, slot, needles), slot))

    # Of daemons, and not of a pool: an interrupted process would wait for the calls of a pool.
    for _ in range(min(at_once, len(slots))):
        Thread(target=work, daemon=True).start()
    try:
        return _gathered(done, slots, progress)
    finally:
        while _next(waiting) is not None:
            pass


class _Done(NamedTuple):
    slot: Slot
    outcome: Reading | Failure | BaseException


def _next(waiting: SimpleQueue[Slot]) -> Slot | None:
    try:
        return waiting.get_nowait()
    except Empty:
        return None


def _tried(ask: Callable[[Slot], Reading | Failure], slot: Slot) -> _Done:
    try:
        return _Done(slot, ask(slot))
    except BaseException as error:  # noqa: BLE001 - raised again in the thread that waits for it
        return _Done(slot, error)


def _gathered(
    done: SimpleQueue[_Done], slots: Sequence[Slot], progress: Progress
) -> dict[Slot, Reading | Failure]:
    outcomes: dict[Slot, Reading | Failure] = {}
    failed = 0
    for _ in slots:
        slot, outcome = done.get()
        if isinstance(outcome, BaseException):
            raise outcome
        outcomes[slot] = outcome
        failed += isinstance(outcome, Failure)
        progress(Standing(len(outcomes) - failed, failed, len(slots)))
    return {slot: outcomes[slot] for slot in slots}


def _asked(
    reader: Reader, sampler: Sampler, slot: Slot, needles: Mapping[str, RegisteredNeedle]
) -> Reading | Failure:
    try:
        sample = sampler.sample(needles.get(slot.needle), slot.corpus, slot.number)
        return reader.read(sample)
    except (ModelError, CapReachedError, TooLongError) as error:
        what = error.what if isinstance(error, (CapReachedError, TooLongError)) else str(error)
        return Failure(inert(" ".join(what.split()))[:LONGEST_REASON])
