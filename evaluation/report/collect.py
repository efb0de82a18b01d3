"""Find the runs under a folder, and name the ones that cannot be used.

Prevents a run that vanishes: one that was planned and is not there counts as unfinished, one that
cannot be read is named as lost, and one that lies in two places is counted once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import yaml
from pydantic import ValidationError

from authoring.artefacts import ValueType, read_artefact, read_plain_file
from authoring.errors import Place, UserError
from evaluation.report.row import Setting
from evaluation.run import RunKey, RunPaths, RunRecord, is_run
from evaluation.scoring.score import RULES, Score
from evaluation.statistics.runs import ScoredRun
from evaluation.sweep.plan import SIMULATED, SweepPaths, SweepPlan


@dataclass(frozen=True)
class Lost:
    """A run that came to an end, and cannot be used."""

    folder: str
    """As found under the path that was asked for."""
    reason: str
    record: RunRecord | None = None
    """What is known of it all the same; None where `run.json` itself cannot be used."""


@dataclass(frozen=True)
class Absent:
    """A planned run of which there is no record: not yet made, deleted, or its record is lost."""

    setting: Setting
    repetition: int
    scenario: str = ""


@dataclass(frozen=True)
class Collected:
    """All runs under a path."""

    runs: tuple[ScoredRun, ...]
    lost: tuple[Lost, ...]
    absent: tuple[Absent, ...]
    """By the plans of the sweeps. Lost runs without a record are among them."""
    unplanned: int
    """Unfinished runs in folders that have no plan."""
    repeated: tuple[str, ...]
    """Folders of a run that was already found; not counted again."""

    @property
    def unfinished(self) -> int:
        nameless = sum(lost.record is None for lost in self.lost)
        return max(len(self.absent) - nameless, 0) + self.unplanned

    @property
    def planned(self) -> int:
        return len(self.runs) + len(self.lost) + self.unfinished


class _LostError(Exception):
    """Why one run cannot be used, and its record where that is good."""

    def __init__(self, reason: str, record: RunRecord | None = None) -> None:
        super().__init__(reason)
        self.record = record


@dataclass
class _Found:
    """What has been found so far."""

    top: Path
    runs: dict[str, ScoredRun] = field(default_factory=dict)
    lost: list[Lost] = field(default_factory=list)
    absent: list[Absent] = field(default_factory=list)
    unplanned: int = 0
    repeated: list[str] = field(default_factory=list)

    def add(self, folder: Path) -> RunRecord | None:
        """Take in one run's folder; its record, where that can be read."""
        name = str(folder.relative_to(self.top)) if folder != self.top else folder.name
        try:
            run = _read(RunPaths(folder))
        except _LostError as error:
            self.lost.append(Lost(name, str(error), error.record))
            return error.record
        if folder.name in self.runs:
            self.repeated.append(name)
        else:
            self.runs[folder.name] = run
        return run.record


def collect(path: Path) -> Collected:
    """The runs of a sweep's folder, of a folder of sweeps, or of one run's folder.

    Raises UserError where there is no such folder, or no run in it, or a plan cannot be read.
    """
    if not path.is_dir():
        raise UserError("no such folder", place=Place(str(path)))
    found = _Found(path)
    if is_run(path) and RunPaths(path).record.exists():
        found.add(path)
    else:
        for sweep in (path, *_folders(path)):
            if not is_run(sweep):
                _collect_sweep(found, sweep)
    collected = Collected(
        runs=tuple(found.runs.values()),
        lost=tuple(found.lost),
        absent=tuple(found.absent),
        unplanned=found.unplanned,
        repeated=tuple(found.repeated),
    )
    if not collected.planned:
        raise UserError(
            "holds no run: neither a run's folder, nor one of a sweep",
            place=Place(str(path)),
            remedy="`ocb eval -o RUNS` makes runs; give RUNS, or one sweep in it",
        )
    return collected


def _collect_sweep(found: _Found, sweep: Path) -> None:
    records: list[RunRecord] = []
    unfinished = 0
    for folder in _folders(sweep):
        if not is_run(folder):
            unfinished += folder.name.startswith(".") and folder.suffix == ".unfinished"
        elif not RunPaths(folder).record.exists():
            unfinished += 1
        elif (record := found.add(folder)) is not None:
            records.append(record)
    plan = _plan(SweepPaths(sweep))
    if plan is None:
        found.unplanned += unfinished
    else:
        found.absent.extend(_absent(plan, records))


def _plan(paths: SweepPaths) -> SweepPlan | None:
    if not paths.plan.exists():
        return None
    try:
        return SweepPlan.model_validate(yaml.safe_load(read_plain_file(paths.plan)))
    except (OSError, yaml.YAMLError, ValidationError) as error:
        raise UserError("is not a plan that can be read", place=Place(str(paths.plan))) from error


def _absent(plan: SweepPlan, records: list[RunRecord]) -> Iterator[Absent]:
    there = {_place(run.key) for run in records}
    for run in plan.cells():
        agent = run.agent
        setting = Setting(
            model=run.model,
            harness=agent.harness,
            harness_version=agent.harness_version,
            condition=run.condition,
            settings=agent.settings,
            simulated=run.model.startswith(SIMULATED),
        )
        if (run.build.tree, setting.label, run.repetition) not in there:
            yield Absent(setting, run.repetition, run.build.scenario)


def _place(key: RunKey) -> tuple[str, str, int]:
    """Where a run stands in the matrix of its sweep."""
    setting = Setting(
        model=key.model,
        harness=key.harness,
        harness_version=key.harness_version,
        condition=key.condition,
        settings=key.settings,
        simulated=key.model.startswith(SIMULATED),
    )
    return key.tree, setting.label, key.repetition


def _folders(path: Path) -> list[Path]:
    """In the order of their names. Links are not followed: they could lead anywhere, or round."""
    try:
        return sorted(
            child for child in path.iterdir() if child.is_dir() and not child.is_symlink()
        )
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", place=Place(str(path))) from error


def _read(paths: RunPaths) -> ScoredRun:
    record = _artefact(paths.record, RunRecord, None)
    if record.key.digest() != paths.root.name:
        raise _LostError("run.json is of another run: its key does not give this folder's name")
    score = _artefact(paths.score, Score, record) if paths.score.exists() else None
    run = ScoredRun(record, score)
    fault = _fault(run)
    if fault:
        raise _LostError(fault, record)
    return run


def _artefact(path: Path, kind: type[ValueType], record: RunRecord | None) -> ValueType:
    try:
        return read_artefact(path, kind)
    except UserError as error:
        raise _LostError(f"{path.name} {error.what}", record) from error


def _fault(run: ScoredRun) -> str:
    """What keeps a run out of every rate; empty where nothing does."""
    score = run.score
    if score is not None and score.versions.tree != run.record.key.tree:
        return "score.json is of another corpus than run.json"
    if run.outcome != "completed":
        return ""
    if score is None:
        return "completed, and was never scored: there is no score.json"
    if score.coverage is None or score.rules is None or set(score.rules) != set(RULES):
        return "score.json says completed, and does not hold the coverage"
    if not score.judge_failed and (score.verdict is None or set(score.verdict) != set(RULES)):
        return "score.json says completed, and does not hold the verdicts"
    return ""
