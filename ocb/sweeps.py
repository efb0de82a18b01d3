"""One sweep from its parts to its records: what `ocb eval` and `ocb demo` both do."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from authoring.artefacts import sha256
from authoring.errors import Place, UserError
from evaluation.agents.harness import Harness, Profile
from evaluation.gateway.budget import Price, Purse
from evaluation.gateway.runs import Upstream
from evaluation.gateway.secrets import check_key, key_is_safe
from evaluation.gateway.server import Gateway
from evaluation.judging.judge import Judge
from evaluation.run import RunRecord
from evaluation.sandboxes.catalogue import Choice
from evaluation.sandboxes.scratch import remove_leftovers
from evaluation.scoring.coverage import FileScope
from evaluation.scoring.scorer import Scorer, Subject
from evaluation.simulated.server import SimulatedServer
from evaluation.sweep.making import Workshop
from evaluation.sweep.plan import (
    PlannedAgent,
    PlannedBuild,
    PlannedRun,
    SweepPaths,
    SweepPlan,
    UpstreamSpec,
    run_key,
    write_plan,
)
from evaluation.sweep.runner import Order, Report, at_work, run_sweep
from generators.build import Build
from generators.lines import CorpusIndex
from ocb import __version__
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

    @property
    def paths(self) -> SweepPaths:
        return SweepPaths(self.parent / self.plan.name())


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


def execute(sweep: Sweep, report: Report) -> tuple[RunRecord, ...]:
    """Run a sweep, or what is left of it.

    Raises UserError where a key or a model is missing, and then nothing is written; and where
    another process is at work in the same sweep.
    """
    upstreams = [_upstream(sweep, agent) for agent in sweep.plan.agents]
    for run in sweep.plan.cells():
        run_key(run, sweep.plan.limits, sweep.builds[run.build.build].build, _profile(sweep, run))
    with at_work(sweep.paths):
        remove_leftovers()
        write_plan(sweep.paths, sweep.plan)
        try:
            return asyncio.run(_execute(sweep, upstreams, report))
        except ExceptionGroup as group:
            # Several runs may fail alike; the first tells the user what to do.
            raise group.exceptions[0] from group


def _profile(sweep: Sweep, run: PlannedRun) -> Profile:
    return sweep.harnesses[run.agent.harness].profile


async def _execute(
    sweep: Sweep, upstreams: Sequence[Upstream | None], report: Report
) -> tuple[RunRecord, ...]:
    async with Gateway() as gateway, SimulatedServer() as simulated:
        floor = Floor(sweep, upstreams, gateway, simulated, Purse(sweep.dollars))
        return await run_sweep(
            _orders(sweep, floor), sweep.paths, concurrency=sweep.concurrency, report=report
        )


@dataclass(frozen=True)
class Floor:
    """Where the workshops of a sweep stand: one for each build and agent, made when needed."""

    sweep: Sweep
    upstreams: Sequence[Upstream | None]
    gateway: Gateway
    simulated: SimulatedServer
    purse: Purse
    _shops: dict[tuple[str, int], Workshop] = field(default_factory=dict)

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
            scorer=Scorer(subject_of(sealed.build), harness, sweep.judge, __version__),
            seal=sealed.seal,
            accepted=agent.accepted,
            prices=sweep.prices,
            feasible={
                model: sweep.feasible.get((run.build.build, agent.harness, model))
                for model in agent.models
            },
            purse=self.purse,
        )


def _orders(sweep: Sweep, floor: Floor) -> Iterator[Order]:
    for run in sweep.plan.cells():
        shop = floor.shop(run)
        yield Order(run_key(run, sweep.plan.limits, shop.build, shop.harness.profile), shop)


def _upstream(sweep: Sweep, agent: PlannedAgent) -> Upstream | None:
    """The real server; the key is read here and goes nowhere but to the gateway."""
    spec = agent.upstream
    if spec.kind == "simulated":
        return None
    key = _key(spec)
    check_key(key)
    for sealed in sweep.builds.values():
        if not key_is_safe(key, sealed.build.texts.values()):
            raise UserError(
                "the upstream's key stands in the corpus: masking it would hide lines",
                remedy="use another key",
            )
    protocol = sweep.harnesses[agent.harness].profile.protocol
    return Upstream(base_url=spec.url, key=key, protocol=protocol)


def _key(spec: UpstreamSpec) -> str:
    """From the environment, or a file; empty where the server wants none."""
    if spec.key_variable:
        key = os.environ.get(spec.key_variable, "")
        if not key:
            raise UserError(
                f"the environment variable {spec.key_variable} is not set",
                remedy=f"set it to the key of {spec.url}",
            )
        return key
    if spec.key_file:
        try:
            return Path(spec.key_file).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise UserError("the key cannot be read", place=Place(spec.key_file)) from error
    return ""
