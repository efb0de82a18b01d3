"""Small sweeps of quick runs, and a harness that fails when it is told to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from authoring.artefacts import read_artefact
from evaluation.agents.fixed.harness import Fixed
from evaluation.agents.harness import Ended, Harness, Job, Profile
from evaluation.judging.catalogue import judge_named
from evaluation.run import Limits, RunPaths, RunRecord
from evaluation.sandboxes.sandbox import Sandbox
from evaluation.sweep.plan import SweepPlan
from evaluation.sweep.tally import Progress
from evaluation.transcripts.trajectory import Trajectory
from generators.build import Build
from ocb.sweeps import Sealed, Sweep, SweepResult, execute, planned_agent, planned_build


class Flaky:
    """The built-in loop, but for the runs that are to fail: those end with these faults.

    An empty fault is a run as it should be, and so is every run after the last of them.
    """

    def __init__(self, faults: Iterable[str] = (), versions: Iterable[str] = ()) -> None:
        self._fixed = Fixed()
        self._faults = iter(faults)
        self._versions = iter(versions)
        self.begun = 0

    @property
    def profile(self) -> Profile:
        return self._fixed.profile

    def installed_version(self) -> str:
        return next(self._versions, self._fixed.installed_version())

    async def run(self, job: Job, sandbox: Sandbox | None) -> Ended:
        self.begun += 1
        if fault := next(self._faults, ""):
            return Ended(ok=False, seconds=0.5, fault=fault)
        return await self._fixed.run(job, sandbox)

    def read_session(self, native: Path) -> Trajectory:
        return self._fixed.read_session(native)


def made_sweep(
    build: Build,
    parent: Path,
    *models: str,
    harness: Harness | None = None,
    repetitions: int = 1,
    label: str = "",
) -> Sweep:
    """One build, one agent."""
    harness = harness or Fixed()
    return Sweep(
        plan=SweepPlan(
            label=label,
            builds=(planned_build(build),),
            agents=(planned_agent("fixed", Fixed(), models or ("sim/nop",)),),
            repetitions=repetitions,
            limits=Limits(seconds=60, turns=100),
        ),
        builds={build.manifest.build: Sealed(build, None)},
        harnesses={"fixed": harness},
        sandbox=None,
        judge=judge_named("rules"),
        concurrency=2,
        parent=parent,
    )


def with_agent(sweep: Sweep, **changes: object) -> Sweep:
    """The same sweep, its agent changed."""
    (agent,) = sweep.plan.agents
    changed = agent.model_copy(update=changes)
    return replace(sweep, plan=sweep.plan.model_copy(update={"agents": (changed,)}))


def with_plan(sweep: Sweep, **changes: object) -> Sweep:
    """The same sweep, its plan changed."""
    return replace(sweep, plan=sweep.plan.model_copy(update=changes))


def quietly(sweep: Sweep) -> SweepResult:
    """Run it; nobody watches."""
    return execute(sweep, lambda _: None)


def watched(sweep: Sweep) -> list[Progress]:
    """Run it; all that was reported."""
    seen: list[Progress] = []
    execute(sweep, seen.append)
    return seen


def made_now(sweep: Sweep) -> list[str]:
    """Run it; the models of the runs that were made, and not there already."""
    return sorted(p.record.key.model for p in watched(sweep) if not p.resumed)


def records_on_disk(sweep: Sweep) -> Iterator[RunRecord]:
    """The last attempt of each run that is there."""
    for path in sorted(sweep.paths.root.glob("*/run.json")):
        if "." not in path.parent.name:
            yield read_artefact(path, RunRecord)


def paths_of(sweep: Sweep, model: str) -> RunPaths:
    """The folder of the one run of a model."""
    (key,) = [record.key for record in records_on_disk(sweep) if record.key.model == model]
    return sweep.paths.run(key)
