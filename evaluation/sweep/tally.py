"""Counts a sweep while it runs: what a person watches, and what is told at its end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from evaluation.run import VOID, OutcomeKind, RunRecord
from evaluation.sweep.stopping import gist


@dataclass(frozen=True)
class Progress:
    """One run is over."""

    record: RunRecord
    finished: int
    """Runs that need not be made any more."""
    planned: int
    resumed: bool
    """It was there already, here or in another sweep."""
    again: bool = False
    """It is void, and will be made again."""
    running: int = 0
    outcomes: Counter[OutcomeKind] = field(default_factory=Counter)
    """Of all runs that were met so far, by their last attempt."""
    spent: float = 0.0
    """US dollars of all attempts in this sweep, as far as prices are known."""
    uncounted: int = 0
    """Of those attempts, how many cost more than was told: what is spent is at least so much."""
    unpriced: int = 0
    """Runs that were met of which that is not known."""


Report = Callable[[Progress], None]


@dataclass(frozen=True)
class Summary:
    """What came of a sweep."""

    planned: int
    finished: int
    """Runs that need not be made any more."""
    outcomes: Counter[OutcomeKind]
    """Of all runs that were met, by their last attempt."""
    voids: Counter[str]
    """Attempts that were made now and are void, by outcome and reason."""
    spent: float
    """US dollars of all attempts in this sweep, as far as prices are known."""
    uncounted: int
    """Of those attempts, how many cost more than was told: what is spent is at least so much."""
    unpriced: int
    """Runs of which that is not known."""
    stopped: str
    """Why it ended before its end; empty where it did not."""

    @property
    def left(self) -> int:
        """Runs that are still to be made, void ones that may be made again included."""
        return self.planned - self.finished


@dataclass
class Tally:
    """The counts."""

    planned: int
    spent: float
    uncounted: int = 0
    finished: int = 0
    running: int = 0
    unpriced: int = 0
    outcomes: Counter[OutcomeKind] = field(default_factory=Counter)
    voids: Counter[str] = field(default_factory=Counter)

    def meet(self, record: RunRecord, *, final: bool) -> None:
        """A run that is there. `final`: it will not be made again."""
        self.outcomes[record.outcome.kind] += 1
        self.finished += final
        self.unpriced += record.cost is None and not record.simulated

    def leave(self, record: RunRecord) -> None:
        """A run that was met is being replaced by its next attempt."""
        self.outcomes[record.outcome.kind] -= 1
        self.unpriced -= record.cost is None and not record.simulated

    def pay(self, record: RunRecord) -> None:
        """An attempt that had not been counted came to its end."""
        if not record.taken_from:
            self.spent += record.cost or 0.0
            self.uncounted += record.cost is not None and record.usage.uncounted > 0
        if record.outcome.kind in VOID:
            self.voids[gist(record)] += 1

    def progress(self, record: RunRecord, *, resumed: bool, again: bool) -> Progress:
        """As it is now."""
        return Progress(
            record=record,
            finished=self.finished,
            planned=self.planned,
            resumed=resumed,
            again=again,
            running=self.running,
            outcomes=+self.outcomes,
            spent=self.spent,
            uncounted=self.uncounted,
            unpriced=self.unpriced,
        )

    def summary(self, stopped: str) -> Summary:
        """At the end."""
        return Summary(
            planned=self.planned,
            finished=self.finished,
            outcomes=+self.outcomes,
            voids=self.voids,
            spent=self.spent,
            uncounted=self.uncounted,
            unpriced=self.unpriced,
            stopped=stopped,
        )
