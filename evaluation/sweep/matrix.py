"""The matrix of a sweep: what each cell takes, how much of it is there, what the rest may cost."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from pydantic import JsonValue

from authoring.artefacts import Value
from authoring.spec import Condition
from evaluation.gateway.budget import MOST_UNSAID, Price, Tokens
from evaluation.run import Limits, RunKey, RunRecord
from evaluation.sweep.attempts import standing
from evaluation.sweep.costs import FREE, CostRange, ReadingTokens, cost_of
from evaluation.sweep.plan import (
    SIMULATED,
    PlannedAgent,
    PlannedRun,
    SweepPaths,
    SweepPlan,
    public_url,
)
from evaluation.sweep.reuse import OtherSweeps
from validation.feasibility import CorpusTokens, Tables, feasibility, full_reading


class Estimate(Value):
    """What a full reading of one build takes of one model through one harness."""

    build: str
    harness: str
    model: str
    files: int
    """Of the corpus: no reading takes fewer calls."""
    reads: int | None = None
    """Calls that read; None where the harness's costs were never measured."""
    sent: int | None = None
    """Input tokens of all calls, by the vendor's own count; None as above."""
    needed: int | None = None
    """Tokens of the window that it fills; None as above."""
    window: int | None = None
    """Tokens; None where it is not known."""
    feasible: bool | None = None
    """Whether it leaves a quarter of the window free; None where that cannot be known."""
    cost: CostRange | None = None
    """Of one run; None where the price is not known."""
    reading_cost: float | None = None
    """US dollars of one full reading of which nothing is cached; None as above."""
    first_call: float | None = None
    """US dollars that may be set aside for the first call: its input, and the most that an answer
    is taken to have where the call sets no bound. None as above."""

    @property
    def calls(self) -> int:
        """The fewest calls that read everything, as far as that is known."""
        return self.files if self.reads is None else self.reads


def estimate(
    build: str, size: CorpusTokens, agent: PlannedAgent, model: str, known: Known
) -> Estimate:
    """Simulated models have no window and cost nothing."""
    simulated = model.startswith(SIMULATED)
    free = FREE if simulated else None
    files = len(size.files)
    cost = known.tables.harnesses.get(agent.harness)
    if cost is None:
        return Estimate(build=build, harness=agent.harness, model=model, files=files, cost=free)
    fit = feasibility(size, model, agent.harness, known.tables)
    reading = full_reading(size, cost, fit.vendor_factor)
    tokens = ReadingTokens.of(reading, cost, size.prompt, fit.vendor_factor)
    price = None if simulated else known.prices.get(model)
    asked = math.ceil((cost.fixed_tokens + size.prompt) * fit.vendor_factor)
    return Estimate(
        build=build,
        harness=agent.harness,
        model=model,
        files=files,
        reads=reading.reads,
        sent=tokens.sent,
        needed=fit.needed,
        window=fit.window,
        feasible=fit.feasible,
        cost=cost_of(tokens, price, known.limits) if price else free,
        reading_cost=tokens.uncached(price) if price else None,
        first_call=price.of(Tokens(input=asked, output=MOST_UNSAID)) if price else None,
    )


@dataclass(frozen=True)
class Known:
    """What estimates rest on."""

    tables: Tables
    prices: Mapping[str, Price]
    """By model as asked for."""
    limits: Limits


class MatrixRow(Value):
    """One scenario, model, harness and condition."""

    scenario: str
    harness: str
    model: str
    settings: dict[str, JsonValue]
    condition: Condition
    runs: int
    there: int
    """Of them, those that are there already and are not made again."""
    feasible: bool | None
    """Of all its builds; None where that is not known of one."""
    cost: CostRange | None
    """Of the runs that are left; None where the price is not known."""


class Left(Value):
    """Runs of one build through one harness that are to be made."""

    build: str
    harness: str
    runs: int


class Matrix(Value):
    """All cells of a sweep."""

    rows: tuple[MatrixRow, ...]
    runs: int
    there: int
    left: tuple[Left, ...]
    """Runs that are to be made."""
    cost: CostRange
    """Of the runs that are left and have a known price, whatever the sweep may spend."""
    money: float | None = None
    """US dollars that the sweep may still spend; null: as much as it takes."""
    unpriced: tuple[str, ...]
    """Models of runs that are left, whose price is not known: their cost comes on top."""

    @property
    def most(self) -> float:
        """US dollars that the sweep may spend at most, of those whose price is known."""
        return self.cost.within(self.money).most


class Cell(NamedTuple):
    """What a row stands for: one scenario and condition of one agent's model."""

    scenario: str
    agent: int
    """Which of the plan's agents."""
    model: str
    condition: Condition


class Standing(NamedTuple):
    """One run of the plan, and whether it need not be made."""

    run: PlannedRun
    there: bool


def make_matrix(
    plan: SweepPlan,
    runs: Iterable[Standing],
    estimates: Mapping[tuple[str, str, str], Estimate],
    dollars: float | None,
) -> Matrix:
    """`estimates` by build, harness and model; `dollars`: what the sweep may still spend."""
    counts: Counter[Cell] = Counter()
    left: dict[Cell, Counter[str]] = {}
    agents = {id(agent): number for number, agent in enumerate(plan.agents)}
    for run, there in runs:
        cell = Cell(run.build.scenario, agents[id(run.agent)], run.model, run.condition)
        counts[cell] += 1
        if not there:
            left.setdefault(cell, Counter())[run.build.build] += 1
    rows = tuple(
        _row(plan, cell, counts[cell], left.get(cell, Counter()), estimates) for cell in counts
    )
    cost = FREE
    for row in rows:
        cost = cost.plus(row.cost or FREE)
    return Matrix(
        rows=rows,
        runs=counts.total(),
        there=sum(row.there for row in rows),
        left=tuple(_left(plan, left)),
        cost=cost,
        money=dollars,
        unpriced=tuple(dict.fromkeys(row.model for row in rows if row.cost is None)),
    )


def _left(plan: SweepPlan, left: Mapping[Cell, Counter[str]]) -> Iterator[Left]:
    counts: Counter[tuple[str, str]] = Counter()
    for cell, builds in left.items():
        for build, runs in builds.items():
            counts[build, plan.agents[cell.agent].harness] += runs
    for (build, harness), runs in counts.items():
        yield Left(build=build, harness=harness, runs=runs)


def _row(
    plan: SweepPlan,
    cell: Cell,
    runs: int,
    left: Counter[str],
    estimates: Mapping[tuple[str, str, str], Estimate],
) -> MatrixRow:
    agent = plan.agents[cell.agent]
    builds = plan.scenarios()[cell.scenario]
    of_build = {one.build: estimates[one.build, agent.harness, cell.model] for one in builds}
    cost: CostRange | None = FREE
    for build, count in left.items():
        known = of_build[build].cost
        cost = cost.plus(known.times(count)) if cost and known else None
    fits = {one.feasible for one in of_build.values()}
    return MatrixRow(
        scenario=cell.scenario,
        harness=agent.harness,
        model=cell.model,
        settings=agent.settings,
        condition=cell.condition,
        runs=runs,
        there=runs - left.total(),
        feasible=False if False in fits else (None if None in fits else True),
        cost=cost,
    )


class Foreign(NamedTuple):
    """Runs that are there, and were made at another server than the one that is asked now."""

    sweep: str
    """Whose they are; empty: they lie in this one already, and were made for it."""
    made: str
    """Where."""
    asked: str


class Already:
    """Tells which runs of a sweep need not be made."""

    def __init__(self, paths: SweepPaths, most: int | None) -> None:
        """`most`: attempts at a void run; None: it is made again however often it was made."""
        self._paths = paths
        self._most = most
        self._others = OtherSweeps(paths)
        self.foreign: Counter[Foreign] = Counter()
        """Of the runs that were asked for."""

    def there(self, key: RunKey, url: str = "") -> bool:
        """Whether it came to an end that is kept, in this sweep or in one beside it.

        `url`: where it would be made.
        """
        stands = standing(self._paths, key)
        if stands.record is not None and not stands.is_void:
            self._compare(stands.record, url)
            return True
        if (found := self._others.find(key)) is not None:
            self._compare(found, url)
            return True
        return stands.is_void and self._most is not None and stands.counted >= self._most

    def _compare(self, record: RunRecord, url: str) -> None:
        asked = public_url(url)
        if record.upstream and asked and record.upstream != asked:
            self.foreign[Foreign(record.taken_from, record.upstream, asked)] += 1
