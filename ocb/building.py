"""Many builds from one command: in processes of their own, each told of when it is done."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from authoring.artefacts import Value
from authoring.errors import OcbError
from authoring.spec import ScenarioSpec, Size
from generators.build import build_scenario, load_build
from generators.catalogue import Registrations, installed
from generators.directory.generator import DirectoryGenerator, Report
from generators.directory.walking import LeftOut
from generators.llm.generator import LlmGenerator
from generators.registered import MakeGenerator
from ocb import __version__


@dataclass(frozen=True)
class BuildOrder:
    """One build that is to be made."""

    spec: ScenarioSpec
    folder: Path
    """Where the spec lies."""
    size: Size
    seed: int | None
    placement: int
    parent: Path


class BuildSummary(Value):
    """One build, as `--json` prints it."""

    path: str
    scenario: str
    size: Size
    seed: int
    placement: int
    files: int
    tokens: int
    needles: int
    tree: str
    left_out: tuple[LeftOut, ...] = ()
    """Files of a folder of real ones that no corpus can hold."""


@dataclass(frozen=True)
class BuildFailure:
    """A build that could not be made, and why."""

    scenario: str
    message: str
    exit_code: int


Outcome = BuildSummary | BuildFailure


@dataclass(frozen=True)
class BuildProgress:
    """Where a command stands, each time that a build is begun or done."""

    planned: int
    finished: int
    waiting: tuple[str, ...]
    """The next scenarios that are not finished; the first of them are being built."""
    outcome: Outcome | None = None
    """Of the build that was just done."""


Tell = Callable[[BuildProgress], None]


def make_build(order: BuildOrder) -> Outcome:
    """Make one build. What the user can mend comes back as a failure."""
    left_out: list[LeftOut] = []
    try:
        paths = build_scenario(
            order.spec,
            size=order.size,
            seed=order.seed,
            placement=order.placement,
            parent=order.parent,
            ocb_version=__version__,
            registrations=beside_spec(order.folder, left_out.append),
        )
        build = load_build(paths.root)
    except OcbError as error:
        return BuildFailure(order.spec.id, str(error), error.exit_code)
    manifest = build.manifest
    return BuildSummary(
        path=str(build.paths.root),
        scenario=manifest.scenario,
        size=manifest.size,
        seed=manifest.seed,
        placement=manifest.placement,
        files=len(manifest.files),
        tokens=sum(file.tokens for file in manifest.files),
        needles=len(build.registry.needles),
        tree=manifest.tree,
        left_out=tuple(left_out),
    )


def beside_spec(folder: Path, report: Report) -> Registrations:
    """What is installed, with relative folders in a spec counted from where the spec lies."""
    known = installed()
    placed: dict[object, MakeGenerator] = {
        DirectoryGenerator: partial(DirectoryGenerator, base=folder, report=report),
        LlmGenerator: partial(LlmGenerator, base=folder),
    }
    generators = {
        name: replace(entry, make=placed.get(entry.make, entry.make))
        for name, entry in known.generators.items()
    }
    return replace(known, generators=generators)


def make_builds(orders: Sequence[BuildOrder], jobs: int, tell: Tell) -> tuple[Outcome, ...]:
    """Make every build, with at most `jobs` processes; the outcomes are in the order asked for.

    One that fails leaves the others alone.
    """
    jobs = min(jobs, len(orders))
    run = _one_by_one(orders) if jobs <= 1 else _in_processes(orders, jobs)
    outcomes: dict[int, Outcome] = {}

    def progress(outcome: Outcome | None) -> BuildProgress:
        waiting = (order.spec.id for at, order in enumerate(orders) if at not in outcomes)
        return BuildProgress(len(orders), len(outcomes), tuple(waiting)[:jobs], outcome)

    tell(progress(None))
    for index, outcome in run:
        outcomes[index] = outcome
        tell(progress(outcome))
    return tuple(outcomes[index] for index in range(len(orders)))


def usable_cores() -> int:
    """How many cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def _one_by_one(orders: Sequence[BuildOrder]) -> Iterator[tuple[int, Outcome]]:
    for index, order in enumerate(orders):
        yield index, make_build(order)


def _in_processes(orders: Sequence[BuildOrder], jobs: int) -> Iterator[tuple[int, Outcome]]:
    # Spawned, not forked: a copy of a process that has threads may hang.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_leave_interrupts)
    try:
        indexes: dict[Future[Outcome], int] = {
            pool.submit(_make_in_worker, order): index for index, order in enumerate(orders)
        }
        waiting = set(indexes)
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in sorted(done, key=indexes.__getitem__):
                yield indexes[future], future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _leave_interrupts() -> None:
    """A worker that waits does not answer Ctrl-C; its parent ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _make_in_worker(order: BuildOrder) -> Outcome:
    """While it builds it does answer, and takes away what it has half written."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return make_build(order)
    finally:
        _leave_interrupts()
