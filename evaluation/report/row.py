"""One row of a report: what its runs have in common, and every number about them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Literal, Self

import orjson
from pydantic import JsonValue

from authoring.artefacts import Value
from authoring.spec import Condition
from evaluation.gateway.budget import in_dollars
from evaluation.run import RunRecord
from evaluation.scoring.score import Rule
from evaluation.statistics.coverage import CoverageMeans, MeanShare
from evaluation.statistics.rates import BoundedRate, NeedleRates, RuleRates
from evaluation.statistics.tally import Tally

LIMIT_SHARE = 0.05
"""Share of a scenario's runs ended by a limit, above which the limit is part of the result."""


NOTHING = "nothing"
"""What simulated models cost."""


class Setting(Value):
    """What the runs of a row have in common."""

    model: str
    """As asked for."""
    harness: str
    harness_version: str
    condition: Condition
    settings: dict[str, JsonValue]
    """Sampling and reasoning settings, as sent."""
    simulated: bool
    """A scripted reviewer with a known truth, no language model."""

    @property
    def parts(self) -> tuple[str, ...]:
        """What tells the row from others, each in one line."""
        settings = orjson.dumps(self.settings, option=orjson.OPT_SORT_KEYS).decode()
        named = (self.model, f"{self.harness} {self.harness_version}", self.condition)
        return (*named, settings if self.settings else "")

    @property
    def label(self) -> str:
        """One line to tell the row by."""
        return ", ".join(part for part in self.parts if part)


class LimitedCell(Value):
    """One scenario of a row, of whose runs a limit ended more than a few."""

    scenario: str
    planned: int
    limited: int
    breadth: MeanShare
    """Files touched by the runs that a limit ended."""


class Cost(Value):
    """What runs cost, by their last attempts and the user's prices, whichever sweep paid."""

    dollars: float | None
    """US dollars of the runs whose price is known; null where that is none of them."""
    uncounted: int
    """Of those, runs with calls whose usage the upstream did not tell: `dollars` is at least."""
    unpriced: int
    """Runs whose price is not known: what they cost comes on top."""

    @classmethod
    def of(cls, records: Iterable[RunRecord]) -> Self:
        """Of so many runs."""
        known, uncounted, unpriced = [], 0, 0
        for record in records:
            if record.cost is None and not record.simulated:
                unpriced += 1
            else:
                known.append(record.cost or 0.0)
                uncounted += record.usage.uncounted > 0
        # fsum: the order of the runs changes nothing.
        dollars = math.fsum(known) if known else None
        return cls(dollars=dollars, uncounted=uncounted, unpriced=unpriced)

    @property
    def told(self) -> str:
        """In words: `at least $1.20, and 2 runs of unknown cost`."""
        runs = f"{self.unpriced:,} run{'' if self.unpriced == 1 else 's'} of unknown cost"
        if not self.dollars and not self.uncounted:
            return runs if self.unpriced else NOTHING
        known = in_dollars(self.dollars or 0.0)
        least = f"at least {known}" if self.uncounted else known
        return f"{least}, and {runs}" if self.unpriced else least


class Row(Value):
    """One model in one harness under one condition."""

    setting: Setting
    scenarios: tuple[str, ...]
    validation: tuple[Literal["structural", "read", "not validated"], ...]
    """Levels at which the builds were sealed."""
    answered_by: dict[str, int]
    """Models that answered the main thread, with the number of answers."""
    tally: Tally
    rules: dict[Rule, RuleRates]
    contradicted: BoundedRate
    needles: NeedleRates
    coverage: CoverageMeans
    channels_differ: int
    """Runs in which wire and transcript disagree; the wire's numbers are used. Void runs are left
    out, as in the next three: no number of theirs is used."""
    one_channel: int
    """Runs of which wire or transcript alone could be read, so that nothing was compared."""
    shortened_runs: int
    """Runs with calls whose input the server may have shortened."""
    shortened_calls: int
    """Those calls, of all these runs."""
    limited_breadth: MeanShare
    """Files touched by the runs that a limit ended."""
    limited: tuple[LimitedCell, ...] = ()
    """Scenarios in which a limit is part of the result: it ended more than 5 % of the runs."""
    cost: Cost
    infeasible: tuple[str, ...] = ()
    """Scenarios of which a full reading does not fit into the model's window."""
