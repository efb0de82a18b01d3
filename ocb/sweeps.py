"""One sweep from its parts to its records: what `ocb eval` and `ocb demo` both do."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass
from pathlib import Path

from authoring.artefacts import sha256
from authoring.errors import UserError
from evaluation.agents.harness import Harness
from evaluation.gateway.runs import Upstream
from evaluation.gateway.secrets import check_key, key_is_safe
from evaluation.gateway.server import Gateway
from evaluation.judging.judge import Judge
from evaluation.run import RunKey, RunRecord
from evaluation.sandboxes.catalogue import Choice
from evaluation.sandboxes.scratch import remove_leftovers
from evaluation.scoring.coverage import FileScope
from evaluation.scoring.scorer import Scorer, Subject
from evaluation.simulated.server import SimulatedServer
from evaluation.sweep.making import Workshop
from evaluation.sweep.plan import SweepPaths, SweepPlan, planned_runs, write_plan
from evaluation.sweep.runner import Report, at_work, run_sweep
from generators.build import Build
from generators.lines import CorpusIndex
from ocb import __version__
from validation.report import Level


@dataclass(frozen=True)
class Sweep:
    """All that a sweep needs."""

    plan: SweepPlan
    build: Build
    harness: Harness
    sandbox: Choice | None
    """None: the harness needs none."""
    judge: Judge
    seal: Level | None
    concurrency: int
    parent: Path

    @property
    def paths(self) -> SweepPaths:
        return SweepPaths(self.parent / self.plan.name())


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
    upstream = _upstream(sweep)
    keys = tuple(planned_runs(sweep.plan, sweep.build, sweep.harness.profile))
    with at_work(sweep.paths):
        remove_leftovers()
        write_plan(sweep.paths, sweep.plan)
        try:
            return asyncio.run(_execute(sweep, upstream, keys, report))
        except ExceptionGroup as group:
            # Several runs may fail alike; the first tells the user what to do.
            raise group.exceptions[0] from group


async def _execute(
    sweep: Sweep, upstream: Upstream | None, keys: tuple[RunKey, ...], report: Report
) -> tuple[RunRecord, ...]:
    async with Gateway() as gateway, SimulatedServer() as simulated:
        shop = Workshop(
            build=sweep.build,
            harness=sweep.harness,
            sandbox=sweep.sandbox,
            gateway=gateway,
            simulated=simulated,
            upstream=upstream,
            scorer=Scorer(subject_of(sweep.build), sweep.harness, sweep.judge, __version__),
            seal=sweep.seal,
        )
        return await run_sweep(
            shop, keys, sweep.paths, concurrency=sweep.concurrency, report=report
        )


def _upstream(sweep: Sweep) -> Upstream | None:
    """The real server; the key is read here and goes nowhere but to the gateway."""
    spec = sweep.plan.upstream
    if spec.kind == "simulated":
        return None
    key = os.environ.get(spec.key_variable, "") if spec.key_variable else ""
    if spec.key_variable and not key:
        raise UserError(
            f"the environment variable {spec.key_variable} is not set",
            remedy=f"set it to the key of {spec.url}",
        )
    check_key(key)
    if not key_is_safe(key, sweep.build.texts.values()):
        raise UserError(
            f"the key in {spec.key_variable} stands in the corpus: masking it would hide lines",
            remedy="use another key",
        )
    return Upstream(base_url=spec.url, key=key, protocol=sweep.harness.profile.protocol)
