"""SIGKILL at any moment, then rerun: nothing lost, nothing run twice, the totals the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from authoring.artefacts import read_artefact
from evaluation.gateway.protocols import PROTOCOLS
from evaluation.gateway.wire import read_wire
from evaluation.report.collect import collect
from evaluation.run import RunPaths, RunRecord
from evaluation.scoring.score import Score
from evaluation.sweep.index import Counts, read_counts
from evaluation.sweep.plan import SweepPaths
from generators.build import Build

REPOSITORY = Path(__file__).parent.parent.parent.parent
SCRIPT = Path(__file__).with_name("killed_eval.py")
KILLS = 50


class Attempt(NamedTuple):
    """What is equal in two sweeps of one plan: all but times."""

    folder: str
    record: RunRecord
    score: Score
    calls: int
    """For an answer, by the wire."""
    files: tuple[str, ...]


class Told(NamedTuple):
    """What the script says."""

    code: int
    at_work: int
    before: int
    wrong: list[str]


def evaluate(build: Build, runs: Path, kills: int) -> Told:
    done = subprocess.run(
        [sys.executable, SCRIPT, build.paths.root, runs, str(kills)],
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        check=True,
    )
    told = json.loads(done.stdout)
    return Told(told["code"], told["at work"], told["before"], told["wrong"])


def sweep_in(runs: Path) -> SweepPaths:
    (root,) = runs.iterdir()
    return SweepPaths(root)


def attempts_in(runs: Path) -> Iterator[Attempt]:
    for path in sorted(sweep_in(runs).root.glob("*/run.json")):
        run = RunPaths(path.parent)
        record = read_artefact(run.record, RunRecord)
        yield Attempt(
            folder=run.root.name,
            record=record.model_copy(update={"started": 0.0, "seconds": 0.0}),
            score=read_artefact(run.score, Score),
            calls=sum(
                PROTOCOLS[row.protocol].is_generation(row.method, row.path)
                for row in read_wire(run.wire)
            ),
            files=tuple(sorted(str(file.relative_to(run.root)) for file in run.root.rglob("*"))),
        )


def counts(runs: Path) -> Counts:
    return replace(read_counts(sweep_in(runs)), seconds=0.0)


@pytest.fixture(scope="module")
def told(build: Build, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Told]:
    """An uninterrupted sweep, one that was killed over and over, and what was seen of that."""
    whole, killed = (tmp_path_factory.mktemp(name) / "runs" for name in ("whole", "killed"))
    evaluate(build, whole, 0)
    return whole, killed, evaluate(build, killed, KILLS)


def test_no_kill_lost_a_run_or_made_one_twice(told: tuple[Path, Path, Told]) -> None:
    _, _, seen = told
    assert seen.wrong == []
    assert seen.at_work > KILLS / 2  # or it would prove nothing
    assert seen.before > KILLS / 2
    assert seen.code == 3  # runs stay void


def test_every_attempt_is_as_if_uninterrupted(told: tuple[Path, Path, Told]) -> None:
    whole, killed, _ = told
    assert {attempt.record.attempt for attempt in attempts_in(whole)} == {1, 2, 3}
    for expected, found in zip(attempts_in(whole), attempts_in(killed), strict=True):
        assert found == expected


def test_totals_are_as_if_uninterrupted(told: tuple[Path, Path, Told]) -> None:
    whole, killed, _ = told
    assert counts(killed) == counts(whole)
    assert counts(whole).outcomes.total() == 60
    collected = collect(sweep_in(killed).root)
    assert (collected.planned, collected.unfinished, collected.lost) == (60, 0, ())


def test_nothing_half_made_is_left(told: tuple[Path, Path, Told]) -> None:
    _, killed, _ = told
    hidden = {path.name for path in sweep_in(killed).root.glob(".*")}
    assert hidden == {".lock"}
    assert list(sweep_in(killed).root.rglob(".*.json.*")) == []
