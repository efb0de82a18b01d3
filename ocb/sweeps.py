"""One sweep from its parts to its records: what `ocb eval` and `ocb demo` both do."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from authoring.artefacts import sha256
from authoring.spec import Condition
from evaluation.agents.harness import Harness
from evaluation.gateway.budget import Price, Purse
from evaluation.gateway.runs import Upstream
from evaluation.gateway.server import Gateway
from evaluation.judging.judge import Judge
from evaluation.run import OutcomeKind, RunKey, RunRecord
from evaluation.sandboxes.catalogue import Choice
from evaluation.sandboxes.docker.container import remove_leftover_containers
from evaluation.sandboxes.docker.sandbox import Docker
from evaluation.sandboxes.scratch import remove_leftovers
from evaluation.scoring.coverage import FileScope
from evaluation.scoring.scorer import Scorer, Subject
from evaluation.simulated.model import check_hands, parse_model
from evaluation.simulated.server import SimulatedServer
from evaluation.sweep.attempts import money_spent, whole_run
from evaluation.sweep.lock import at_work
from evaluation.sweep.making import Workshop
from evaluation.sweep.matrix import Already
from evaluation.sweep.plan import (
    SIMULATED,
    PlannedAgent,
    PlannedBuild,
    PlannedRun,
    SweepPaths,
    SweepPlan,
    UpstreamSpec,
    prompt_hash,
    run_key,
    write_plan,
)
from evaluation.sweep.pulse import Tell, tell_nobody
from evaluation.sweep.queue import Order
from evaluation.sweep.runner import RAMP, Policy, run_sweep
from evaluation.sweep.stopping import FLOOR, FreeBytes, free_bytes
from evaluation.sweep.tally import Report, Summary
from generators.build import Build
from generators.lines import CorpusIndex
from ocb import __version__
from ocb.ending import ended_by_signal
from ocb.open_files import raise_open_files
from ocb.upstreams import upstream_of
from validation.report import Level


@dataclass(frozen=True)
class Sealed:
    """A build and the level at which it was validated; None: it was not."""

    build: Build
    seal: Level | None


@dataclass(frozen=True)
class Sweep:
    """All that a sweep needs."""

    plan: SweepPlan
    builds: Mapping[str, Sealed]
    """By name."""
    harnesses: Mapping[str, Harness]
    """By name."""
    sandbox: Choice | None
    """None: no harness of the plan needs one."""
    judge: Judge
    concurrency: int
    parent: Path
    prices: Mapping[str, Price] = field(default_factory=dict)
    """By model."""
    feasible: Mapping[tuple[str, str, str], bool | None] = field(default_factory=dict)
    """By build, harness and model."""
    dollars: float | None = None
    """What all runs together may spend."""
    retries: int = 2
    """How often a void run is made again."""
    again: bool = False
    """Runs that stayed void in an earlier sweep may be made as often once more."""
    ramp: float = RAMP
    """Seconds between the first starts of runs that call real models."""
    floor: int = FLOOR
    """Bytes that stay free on the disk."""
    free: FreeBytes = free_bytes

    @property
    def paths(self) -> SweepPaths:
        return SweepPaths(self.parent / self.plan.name())

    def planned(self) -> Iterator[PlannedKey]:
        """Every run with its key, in the order of the plan and each once."""
        prompts: dict[tuple[str, Condition], str] = {}
        seen: set[str] = set()
        repetition = 0
        for run in self.plan.cells():
            if run.repetition != repetition:  # it is part of the key, so what was seen is past
                repetition = run.repetition
                seen.clear()
            build = self.builds[run.build.build].build
            place = build.manifest.build, run.condition
            if place not in prompts:
                prompts[place] = prompt_hash(build, run.condition)
            profile = self.harnesses[run.agent.harness].profile
            key = run_key(run, self.plan.limits, build, profile, prompts[place])
            digest = key.digest()
            if digest not in seen:
                seen.add(digest)
                yield PlannedKey(run, key, digest)


class PlannedKey(NamedTuple):
    """One run of the plan, by its key."""

    run: PlannedRun
    key: RunKey
    digest: str


@dataclass(frozen=True)
class SweepResult:
    """What came of a sweep. The runs lie on disk."""

    sweep: Sweep
    summary: Summary

    @property
    def outcomes(self) -> Counter[OutcomeKind]:
        """Of all runs that are there, by their last attempt."""
        return self.summary.outcomes

    @property
    def stopped(self) -> str:
        """Why it ended before its end; empty where it did not."""
        return self.summary.stopped

    @property
    def left(self) -> int:
        """Runs that are still to be made; the same sweep goes on with them."""
        return self.summary.left

    def records(self) -> Iterator[RunRecord]:
        """The record of each run that is there, in the order of the plan, read as it is asked."""
        for planned in self.sweep.planned():
            record = whole_run(self.sweep.paths.named(planned.digest), planned.key)
            if record is not None:
                yield record


def planned_build(build: Build) -> PlannedBuild:
    """A build as a plan names it."""
    return PlannedBuild(
        build=build.manifest.build,
        scenario=build.manifest.scenario,
        tree=build.manifest.tree,
        placement=build.spec.build.placement,
    )


def planned_agent(
    name: str, harness: Harness, models: tuple[str, ...], upstream: UpstreamSpec | None = None
) -> PlannedAgent:
    """A harness with its models, at the version that its program tells."""
    return PlannedAgent(
        harness=name,
        harness_version=harness.installed_version(),
        models=models,
        upstream=upstream or UpstreamSpec(),
    )


def subject_of(build: Build) -> Subject:
    """What the runs of a build are scored against."""

    def paths(role: str) -> tuple[str, ...]:
        return tuple(file.path for file in build.manifest.files if file.role == role)

    return Subject(
        index=CorpusIndex.of(build.texts),
        scope=FileScope(review=paths("review"), reference=paths("reference")),
        registry=build.registry,
        registry_sha256=sha256(build.paths.registry.read_bytes()),
        tree=build.manifest.tree,
    )


class Stand(NamedTuple):
    """How far a sweep is."""

    there: int
    """Runs that need not be made any more."""
    left: int


def stand_of(sweep: Sweep) -> Stand:
    """By what lies on disk."""
    already = Already(sweep.paths, None if sweep.again else 1 + sweep.retries)
    stands = Counter(already.there(planned.key) for planned in sweep.planned())
    return Stand(stands[True], stands[False])


def execute(sweep: Sweep, report: Report, tell: Tell = tell_nobody) -> SweepResult:
    """Run a sweep, or what is left of it. `tell` hears of long silences.

    Raises UserError where a key or a model is missing, a harness does not give a simulated model
    what it works by, or too few files may be open for so many runs at once, and then nothing is
    written; and where another process is at work in the same sweep.
    """
    texts = [sealed.build.texts.values() for sealed in sweep.builds.values()]
    upstreams = [
        upstream_of(agent.upstream, sweep.harnesses[agent.harness].profile.protocol, texts)
        for agent in sweep.plan.agents
    ]
    for agent in sweep.plan.agents:
        hands = sweep.harnesses[agent.harness].profile.hands
        for model in agent.models:
            if model.startswith(SIMULATED):
                check_hands(parse_model(model), hands, agent.harness)
    raise_open_files(sweep.concurrency)
    with at_work(sweep.paths):
        if sweep.sandbox is not None and sweep.sandbox.name == Docker.name:
            remove_leftover_containers()
        remove_leftovers()
        write_plan(sweep.paths, sweep.plan)
        return SweepResult(sweep, asyncio.run(_execute(sweep, upstreams, report, tell)))


async def _execute(
    sweep: Sweep, upstreams: Sequence[Upstream | None], report: Report, tell: Tell
) -> Summary:
    policy = Policy(
        concurrency=sweep.concurrency,
        retries=sweep.retries,
        again=sweep.again,
        ramp=sweep.ramp if any(upstreams) else 0.0,
        floor=sweep.floor,
        free=sweep.free,
    )
    spent = 0.0 if sweep.dollars is None else money_spent(sweep.paths)
    purse = Purse(sweep.dollars, spent)
    with ended_by_signal():
        async with Gateway() as gateway, SimulatedServer() as simulated:
            floor = Floor(sweep, upstreams, gateway, simulated, purse)
            return await run_sweep(floor.orders, sweep.paths, policy, report, tell)


@dataclass(frozen=True)
class Floor:
    """Where the workshops of a sweep stand: one for each build and agent, made when needed."""

    sweep: Sweep
    upstreams: Sequence[Upstream | None]
    gateway: Gateway
    simulated: SimulatedServer
    purse: Purse
    _shops: dict[tuple[str, int], Workshop] = field(default_factory=dict)
    _subjects: dict[str, Subject] = field(default_factory=dict)

    def orders(self) -> Iterator[Order]:
        """Every run of the sweep, with what it is made with."""
        for planned in self.sweep.planned():
            yield Order(planned.key, planned.digest, self.shop(planned.run))

    def shop(self, run: PlannedRun) -> Workshop:
        """The workshop of a planned run."""
        place = run.build.build, self.sweep.plan.agents.index(run.agent)
        if place not in self._shops:
            self._shops[place] = self._make(run, self.upstreams[place[1]])
        return self._shops[place]

    def _make(self, run: PlannedRun, upstream: Upstream | None) -> Workshop:
        sweep, agent = self.sweep, run.agent
        sealed, harness = sweep.builds[run.build.build], sweep.harnesses[agent.harness]
        return Workshop(
            build=sealed.build,
            harness=harness,
            sandbox=sweep.sandbox if harness.profile.needs_sandbox else None,
            gateway=self.gateway,
            simulated=self.simulated,
            upstream=upstream,
            scorer=Scorer(self._subject(run.build.build), harness, sweep.judge, __version__),
            seal=sealed.seal,
            accepted=agent.accepted,
            prices=sweep.prices,
            feasible={
                model: sweep.feasible.get((run.build.build, agent.harness, model))
                for model in agent.models
            },
            purse=self.purse,
        )

    def _subject(self, build: str) -> Subject:
        """What all agents of a build share."""
        if build not in self._subjects:
            self._subjects[build] = subject_of(self.sweep.builds[build].build)
        return self._subjects[build]
