"""Has every sample read, several at once; one that cannot be had is kept as what it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
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

Progress = Callable[[int, int], None]
"""Hears how many samples of how many are done."""


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
    outcomes: dict[Slot, Reading | Failure] = {}
    with ThreadPoolExecutor(at_once) as pool:
        answers = pool.map(lambda slot: _asked(reader, sampler, slot, needles), slots)
        try:
            for slot, outcome in zip(slots, answers, strict=True):
                outcomes[slot] = outcome
                progress(len(outcomes), len(slots))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return outcomes


def _asked(
    reader: Reader, sampler: Sampler, slot: Slot, needles: Mapping[str, RegisteredNeedle]
) -> Reading | Failure:
    try:
        sample = sampler.sample(needles.get(slot.needle), slot.corpus, slot.number)
        return reader.read(sample)
    except (ModelError, CapReachedError, TooLongError) as error:
        what = error.what if isinstance(error, (CapReachedError, TooLongError)) else str(error)
        return Failure(inert(" ".join(what.split()))[:LONGEST_REASON])
