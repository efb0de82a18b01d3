"""What is looked at before anything is spent: each check with what it found and what to do.

Prevents sweeps that fail half-way, or that measure something else than was meant: a model that
cannot hold what it is said to have skipped, a limit that cuts off every full reading.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from authoring.artefacts import Value
from authoring.errors import OcbError, UserError
from evaluation.gateway.budget import MOST_UNSAID, Price, in_dollars
from evaluation.run import Limits
from evaluation.sweep.costs import READINGS
from evaluation.sweep.matrix import Estimate, Foreign, Left, Matrix
from evaluation.sweep.plan import SIMULATED, PlannedAgent, PlannedBuild, SweepPlan
from evaluation.sweep.stopping import FLOOR
from generators.build import Build
from validation.feasibility import ROOM

MOST_RUNS = 1_000_000
"""Of one sweep: beyond it somebody mistyped a number."""


class RunSize(NamedTuple):
    """What a run leaves on the disk at most."""

    bytes: int
    """Beside what grows with the corpus."""
    times: int
    """How many times the bytes of the corpus."""


RUN_SIZE = RunSize(1 << 20, 10)
"""Of any CLI; 8 times was measured for a full reading through Claude Code."""
RUN_SIZES: Mapping[str, RunSize] = {"fixed": RunSize(1 << 17, 4)}
"""By harness, where less was measured: up to 56 KB without reading, and 3.1 times the corpus for a
full reading through the built-in loop."""
MEGABYTE = 10**6
SHOWN = 3
"""Things of a kind that a sentence names before it gives the count."""


class PreflightCheck(Value):
    """One thing that was looked at."""

    name: str
    """kebab-case, stable: `key`."""
    about: str
    """What it speaks of: an agent, a build. Empty: the sweep."""
    ok: bool
    """False: the sweep does not start."""
    note: bool = False
    """Nothing is refused, and a reader must know it."""
    detail: str
    remedy: str = ""


def passed(name: str, about: str, detail: str) -> PreflightCheck:
    """All is well."""
    return PreflightCheck(name=name, about=about, ok=True, detail=detail)


def noted(name: str, about: str, detail: str, remedy: str = "") -> PreflightCheck:
    """The sweep may start, and this is to be known."""
    return PreflightCheck(name=name, about=about, ok=True, note=True, detail=detail, remedy=remedy)


def refused(name: str, about: str, detail: str, remedy: str = "") -> PreflightCheck:
    """The sweep does not start."""
    return PreflightCheck(name=name, about=about, ok=False, detail=detail, remedy=remedy)


def raised(name: str, about: str, error: OcbError) -> PreflightCheck:
    """The same, where an error tells why."""
    if not isinstance(error, UserError):
        return refused(name, about, str(error))
    detail = f"{error.place}: {error.what}" if error.place else error.what
    return refused(name, about, detail, error.remedy)


def is_simulated(agent: PlannedAgent) -> bool:
    """Whether every model of an agent is."""
    return all(model.startswith(SIMULATED) for model in agent.models)


def check_count(plan: SweepPlan) -> PreflightCheck:
    """No number is mistyped: a sweep of so many runs would never end."""
    models = sum(len(agent.models) for agent in plan.agents)
    cells = len(plan.scenarios()) * models * len(plan.conditions)
    runs = cells * plan.repetitions
    if runs > MOST_RUNS:
        what = f"{runs:,} runs are asked for; a sweep holds at most {MOST_RUNS:,}"
        return refused("runs", "", what, f"--repetitions {max(MOST_RUNS // cells, 1)} or fewer")
    return passed("runs", "", f"{runs:,}")


def check_builds(plan: SweepPlan, builds: Mapping[str, Build]) -> Iterator[PreflightCheck]:
    """One size for each scenario, and repetitions that reach every build equally often."""
    for scenario, planned in plan.scenarios().items():
        sizes = sorted({builds[one.build].manifest.size for one in planned})
        if len(sizes) > 1:
            what = f"given at {' and '.join(sizes)}: one row would mix them"
            remedy = "make a sweep for each size"
            yield refused("builds", scenario, what, remedy)
        else:
            yield _spread(scenario, planned, plan.repetitions)


def _spread(scenario: str, planned: Sequence[PlannedBuild], repetitions: int) -> PreflightCheck:
    placements = {one.placement for one in planned}
    told = f"{_count(len(planned), 'build')}, {_count(len(placements), 'placement')}"
    if repetitions % len(planned):
        detail = f"{told}: {_count(repetitions, 'repetition')} cannot be spread evenly over them"
        remedy = f"--repetitions {-(-repetitions // len(planned)) * len(planned)} would be"
        return noted("builds", scenario, detail, remedy)
    by_placement: defaultdict[int, int] = defaultdict(int)
    for one in planned:
        by_placement[one.placement] += 1
    if len(set(by_placement.values())) > 1:
        each = ", ".join(f"placement {p}: {n}" for p, n in sorted(by_placement.items()))
        return noted("builds", scenario, f"some placements come up more often ({each} builds)")
    return passed("builds", scenario, told)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def check_prices(
    plan: SweepPlan, prices: Mapping[str, Price], dollars: float | None
) -> PreflightCheck:
    """What a cap is to be held against is known."""
    real = [model for agent in plan.agents if not is_simulated(agent) for model in agent.models]
    unknown = [model for model in dict.fromkeys(real) if model not in prices]
    if not real:
        return passed("prices", "", "simulated models cost nothing")
    if not unknown:
        return passed("prices", "", f"known of {_count(len(set(real)), 'model')}")
    what = f"not known: {_named(unknown)}"
    if dollars is None and plan.limits.dollars is None:
        return noted("prices", "", f"{what}; the cost will be unknown", "--prices FILE")
    remedy = "put them into the table of --prices, or leave the cap out"
    return refused("prices", "", f"{what}; no cap can be held without", remedy)


def check_feasible(estimates: Iterable[Estimate], *, allow: bool) -> Iterator[PreflightCheck]:
    """Each model can hold a full reading of each scenario."""
    pairs: defaultdict[tuple[str, str], list[Estimate]] = defaultdict(list)
    for one in estimates:
        if not one.model.startswith(SIMULATED):
            pairs[one.harness, one.model].append(one)
    for (harness, model), asked in pairs.items():
        short = [one for one in asked if one.feasible is False]
        largest = max(asked, key=lambda one: one.needed or 0)
        if short:
            yield from (_does_not_fit(one, allow=allow) for one in short)
        else:
            yield _fits(largest, f"{harness}, {model}")


def _fits(largest: Estimate, about: str) -> PreflightCheck:
    if largest.needed is None:
        what = f"what reading costs through {largest.harness} was never measured"
        return noted("feasible", about, f"not known: {what}")
    if largest.window is None:
        what = f"the window is not known; a full reading needs {largest.needed:,} tokens"
        return noted("feasible", about, what, "--models FILE names it")
    return passed("feasible", about, f"{largest.needed:,} of {largest.window:,} tokens at most")


def _does_not_fit(one: Estimate, *, allow: bool) -> PreflightCheck:
    about = f"{one.harness}, {one.model}, {one.build}"
    what = f"a full reading needs {one.needed:,} of {one.window:,} tokens, more than {ROOM:.0%}"
    if allow:
        return noted("feasible", about, f"{what}; allowed, and marked in every table")
    remedy = "a smaller size, a model with more room, or --allow-infeasible"
    return refused("feasible", about, what, remedy)


def check_limits(estimates: Sequence[Estimate], limits: Limits) -> Iterator[PreflightCheck]:
    """No limit of a run is below two full readings, a file a call."""
    yield _limit("turns", limits.turns, {_pair(one): one.calls for one in estimates})
    if limits.tokens is not None:
        sent = {_pair(one): one.sent for one in estimates if one.sent is not None}
        yield _limit("tokens", limits.tokens, sent)
    real = [one for one in estimates if not one.model.startswith(SIMULATED)]
    if limits.dollars is not None and real:
        cents = {
            _pair(one): math.ceil(100 * one.reading_cost)
            for one in real
            if one.reading_cost is not None
        }
        yield _limit("run-dollars", limits.dollars, cents, unit=100)


def _pair(one: Estimate) -> str:
    return f"{one.build} through {one.harness} by {one.model}"


def _limit(flag: str, limit: float, readings: Mapping[str, int], unit: int = 1) -> PreflightCheck:
    """`readings`: what a full one takes, by pair, in the `unit`th part of what the limit is in."""
    about = f"limit of {flag}"
    if not readings:
        return noted("limits", about, "what a full reading takes is not known")
    pair, most = max(readings.items(), key=lambda item: item[1])
    needed = READINGS * most / unit if unit > 1 else READINGS * most
    if limit >= needed:
        return passed("limits", about, f"{limit:,}; two full readings take up to {needed:,}")
    what = f"{limit:,} is below two full readings of {pair}, {needed:,}"
    return refused("limits", about, what, f"--{flag} {needed} or more")


def check_money(matrix: Matrix, estimates: Iterable[Estimate]) -> Iterator[PreflightCheck]:
    """What the sweep may still spend reaches for what is left, and for one call of it."""
    money = matrix.money
    if money is None or not matrix.cost.most:
        return
    calls = [one.first_call for one in estimates if one.first_call is not None]
    if money < matrix.cost.least:
        what = f"{in_dollars(money)} may be spent, and what is left costs at least"
        what = f"{what} {in_dollars(matrix.cost.least)}: the sweep will be stopped before its end"
        yield noted("money", "", what, "more --dollars, or a smaller sweep")
    if calls and money < max(calls):
        what = f"for one call up to {in_dollars(max(calls))} is set aside (its input, and"
        what = f"{what} {MOST_UNSAID:,} tokens of answer where it sets no bound), and"
        what = f"{what} {in_dollars(money)} may be spent: it may not go out"
        yield noted("money", "", what, "more --dollars")


def check_servers(foreign: Mapping[Foreign, int]) -> Iterator[PreflightCheck]:
    """Whose kind a server is stands in a run's key, and its address does not."""
    for (sweep, made, asked), runs in foreign.items():
        how = f"taken from {sweep}" if sweep else "there"
        what = f"{_count(runs, 'run')} {how}: made at {made}, and this sweep asks {asked}"
        yield noted("servers", "", what, "with another -o RUNS they are made anew")


def check_disk(
    folder: Path,
    left: Iterable[Left],
    builds: Mapping[str, Build],
    free: Callable[[Path], int],
) -> PreflightCheck:
    """Room for the runs that are left, and for what a sweep leaves free."""
    there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not there.is_dir():
        return refused("disk", "", f"{there} is no folder", "choose another -o RUNS")
    needed = sum(one.runs * _run_bytes(one, builds[one.build]) for one in left)
    room, floor = free(there), FLOOR if needed else 0
    kept = f" beside {_size(floor)} that stay free" if floor else ""
    told = f"{_size(needed)} may be needed in {folder}{kept}, {_size(room)} are free"
    if needed + floor > room:
        return refused("disk", "", told, "make room, or choose another -o RUNS")
    return passed("disk", "", told)


def _run_bytes(left: Left, build: Build) -> int:
    size = RUN_SIZES.get(left.harness, RUN_SIZE)
    return size.bytes + size.times * sum(len(text.encode()) for text in build.texts.values())


def _size(count: int) -> str:
    return f"{count / MEGABYTE:,.0f} MB"


def _named(names: Sequence[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more
