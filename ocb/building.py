"""Many builds from one command: in processes of their own, each told of when it is done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
from ocb.processes import each


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
    outcomes: dict[int, Outcome] = {}

    def progress(outcome: Outcome | None) -> BuildProgress:
        waiting = (order.spec.id for at, order in enumerate(orders) if at not in outcomes)
        return BuildProgress(len(orders), len(outcomes), tuple(waiting)[:jobs], outcome)

    tell(progress(None))
    for index, outcome in each(make_build, orders, jobs):
        outcomes[index] = outcome
        tell(progress(outcome))
    return tuple(outcomes[index] for index in range(len(orders)))
