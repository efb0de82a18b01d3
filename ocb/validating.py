"""Validates builds over the cores of the machine, and tells how far it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from authoring.artefacts import write_artefact, write_bytes
from authoring.errors import InfrastructureError, OcbError
from generators.build import load_build
from generators.build_paths import BuildPaths
from generators.catalogue import installed
from ocb import __version__
from ocb.processes import each
from ocb.rebuilding import Rebuilder
from validation.check import Checked
from validation.families import FAMILIES, TASKS, Means, run_families
from validation.feasibility import Tables
from validation.page.page import render
from validation.report import ValidationReport
from validation.subject import Subject
from validation.validate import (
    INTEGRITY,
    READERS,
    inspect,
    report_of,
    subject_at,
    with_earlier_reading,
)

Read = Callable[[Subject], Checked]
"""Has a model read a build."""


@dataclass(frozen=True)
class Settings:
    """How builds are validated."""

    tables: Tables
    """Harnesses and models with their costs and context windows."""
    beside: Path | None = None
    """Where the specs lay, for builds that read a folder of real files."""
    families: tuple[str, ...] = tuple(FAMILIES)
    """Fewer than all never seal a build."""
    keep: bool = True
    """Write what was found into the build, which seals it or takes its seal away."""
    read: Read | None = None
    """Asked only where all other checks hold, since it may cost money."""
    jobs: int = 1


def means_of(tables: Tables, beside: Path | None = None) -> Means:
    """What the checks need, as this machine has it."""
    return Means(installed(), Rebuilder(beside), tables)


@dataclass(frozen=True)
class ValidationFailure:
    """A build that could not be validated, and why."""

    build: str
    message: str
    exit_code: int


@dataclass(frozen=True)
class ValidationProgress:
    """Where a command stands."""

    planned: int
    """Tasks of all builds together, as far as they are known."""
    finished: int
    doing: str
    """What was just done, or is done next."""


Outcome = ValidationReport | ValidationFailure
Tell = Callable[[ValidationProgress], None]


@dataclass(frozen=True)
class _Task:
    """What one process does of one build."""

    paths: BuildPaths
    families: tuple[str, ...]
    """With none: is it whole at all?"""
    tables: Tables
    beside: Path | None

    def __str__(self) -> str:
        return f"{self.paths.root.name}: {', '.join(self.families) or INTEGRITY}"


Found = dict[str, Checked] | ValidationFailure
"""By the family's name."""


def validate_builds(
    builds: tuple[BuildPaths, ...], settings: Settings, tell: Tell
) -> tuple[Outcome, ...]:
    """Validate every build, write what was found, and seal those where all checks hold.

    One that cannot be validated leaves the others alone.
    """
    families = set(settings.families)
    parts = [tuple(name for name in task if name in families) for task in TASKS]
    tasks = tuple(filter(None, parts))
    run = _Run(builds, settings, tell)
    run.plan(len(builds) * (1 + len(tasks)))
    run.do(range(len(builds)), ((),))
    sound = run.sound()
    run.plan(-len(tasks) * (len(builds) - len(sound)))
    run.do(sound, tasks)
    if settings.read:
        for at in run.sound():
            run.read(at, settings.read)
    return tuple(map(run.conclude, range(len(builds))))


class _Run:
    """One command: what was found so far, by build."""

    def __init__(self, builds: tuple[BuildPaths, ...], settings: Settings, tell: Tell) -> None:
        self._builds = builds
        self._settings = settings
        self._tell = tell
        self._found: list[Found] = [{} for _ in builds]
        self._planned = self._finished = 0

    def plan(self, tasks: int) -> None:
        """So many tasks more are to be done."""
        self._planned += tasks

    def do(self, builds: range | tuple[int, ...], tasks: tuple[tuple[str, ...], ...]) -> None:
        """The same tasks for some of the builds, in processes."""
        owners = [at for at in builds for _ in tasks]
        tables, beside = self._settings.tables, self._settings.beside
        orders = [_Task(self._builds[at], task, tables, beside) for at in builds for task in tasks]
        if orders:
            self._say(str(orders[0]))
        for done in each(_do, orders, self._settings.jobs):
            self._take(owners[done.at], done.outcome)
            self._finished += 1
            self._say(str(orders[done.at]))

    def read(self, at: int, read: Read) -> None:
        """Have a model read a build that holds in all else."""
        self.plan(1)
        self._say(f"{self._builds[at].root.name}: {READERS}")
        try:
            checked = read(subject_at(self._builds[at], installed()))
            self._take(at, {READERS: checked})
        except OcbError as error:
            self._take(at, _failure(self._builds[at], error))
        self._finished += 1

    def sound(self) -> tuple[int, ...]:
        """The builds of which nothing is wrong so far."""
        return tuple(
            at
            for at, found in enumerate(self._found)
            if isinstance(found, dict)
            and all(check.passed for checked in found.values() for check in checked.checks)
        )

    def conclude(self, at: int) -> Outcome:
        """The report; written, with its page, where all families were run."""
        found, paths = self._found[at], self._builds[at]
        if isinstance(found, ValidationFailure):
            return found
        ordered = {name: found[name] for name in (INTEGRITY, *FAMILIES, READERS) if name in found}
        try:
            report = report_of(paths, ordered, __version__)
            if self._settings.read is None:
                report = with_earlier_reading(paths, report)
            if self._settings.keep:
                # The seal comes last: where it stands, so does its page.
                whole = len(ordered) > 1
                page = render(report, load_build(paths.root) if whole else None)
                write_bytes(paths.validation_page, page)
                write_artefact(paths.validation, report)
        except (OcbError, OSError) as error:
            return _failure(paths, error)
        return report

    def _take(self, at: int, new: Found) -> None:
        found = self._found[at]
        if isinstance(found, dict):
            self._found[at] = {**found, **new} if isinstance(new, dict) else new

    def _say(self, doing: str) -> None:
        self._tell(ValidationProgress(self._planned, self._finished, doing))


def _do(task: _Task) -> Found:
    try:
        if not task.families:
            return {INTEGRITY: inspect(task.paths)}
        means = means_of(task.tables, task.beside)
        return run_families(subject_at(task.paths, means.known), task.families, means)
    except (OcbError, OSError) as error:
        return _failure(task.paths, error)


def _failure(paths: BuildPaths, error: OcbError | OSError) -> ValidationFailure:
    if isinstance(error, OcbError):
        return ValidationFailure(paths.root.name, str(error), error.exit_code)
    where = error.filename or paths.root
    told = f"{where}: {error.strerror or error}"
    return ValidationFailure(paths.root.name, told, InfrastructureError.exit_code)
