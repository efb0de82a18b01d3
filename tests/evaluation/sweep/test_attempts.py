"""Void runs are made again, at the end, so often and no oftener; every attempt is kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from authoring.artefacts import read_artefact, write_artefact
from evaluation.report.collect import collect
from evaluation.run import Outcome, RunPaths, RunRecord
from evaluation.sweep.attempts import (
    discard_unfinished,
    money_spent,
    put_in_place,
    standing,
)
from evaluation.sweep.index import read_counts
from generators.build import Build
from ocb.sweeps import Sweep
from tests.evaluation.sweep.made_sweeps import (
    Flaky,
    made_now,
    made_sweep,
    quietly,
    records_on_disk,
    watched,
)

NOP, CLAIMS = "sim/nop", "sim/partial-claims"
DOWN = "the server is down"


def flaky(build: Build, parent: Path, *faults: str, repetitions: int = 1) -> Sweep:
    """A sweep of one model, one run at a time, of which some fail."""
    sweep = made_sweep(build, parent, NOP, harness=Flaky(faults), repetitions=repetitions)
    return replace(sweep, concurrency=1)


def attempts_of(sweep: Sweep) -> list[tuple[str, str]]:
    """Every attempt on disk: the number behind the dot, and its outcome."""
    found: list[tuple[str, str]] = []
    for path in sorted(sweep.paths.root.glob("*/run.json")):
        record = read_artefact(path, RunRecord)
        found.append((path.parent.name.partition(".")[2], record.outcome.kind))
    return found


def test_a_void_run_is_made_again_and_its_attempts_are_kept(build: Build, tmp_path: Path) -> None:
    sweep = flaky(build, tmp_path, DOWN, DOWN)
    seen = watched(sweep)
    assert [(p.record.attempt, p.record.outcome.kind, p.again, p.finished) for p in seen] == [
        (1, "infrastructure", True, 0),
        (2, "infrastructure", True, 0),
        (3, "completed", False, 1),
    ]
    assert attempts_of(sweep) == [
        ("", "completed"),
        ("1", "infrastructure"),
        ("2", "infrastructure"),
    ]
    assert seen[-1].outcomes == {"completed": 1}


def test_what_stays_void_is_counted_as_it_is(build: Build, tmp_path: Path) -> None:
    harness = Flaky([DOWN] * 9)
    sweep = replace(made_sweep(build, tmp_path, NOP, harness=harness), concurrency=1)
    result = quietly(sweep)
    assert harness.begun == 3
    assert result.outcomes == {"infrastructure": 1}
    assert result.summary.voids == {f"infrastructure: {DOWN}": 3}
    assert (result.stopped, result.left) == ("", 0)


def test_a_run_that_stayed_void_is_left_alone_unless_it_is_asked_for(
    build: Build, tmp_path: Path
) -> None:
    quietly(flaky(build, tmp_path, *[DOWN] * 3))
    assert made_now(flaky(build, tmp_path)) == []
    asked = replace(flaky(build, tmp_path, *[DOWN] * 9), again=True)
    assert made_now(asked) == [NOP] * 3  # as often as at first
    assert made_now(replace(flaky(build, tmp_path), again=True)) == [NOP]
    (record,) = records_on_disk(asked)
    assert (record.attempt, record.outcome.kind) == (7, "completed")


def test_attempts_of_earlier_processes_count(build: Build, tmp_path: Path) -> None:
    once = replace(flaky(build, tmp_path, DOWN), retries=0)
    assert made_now(once) == [NOP]
    assert made_now(flaky(build, tmp_path, *[DOWN] * 9)) == [NOP] * 2


def test_repeats_come_after_all_others(build: Build, tmp_path: Path) -> None:
    seen = watched(flaky(build, tmp_path, DOWN, repetitions=3))
    assert [p.record.key.repetition for p in seen] == [1, 2, 3, 1]


@pytest.mark.parametrize("kind", ["limit", "stalled", "refused", "no_answer", "no_report"])
def test_a_run_that_ended_is_never_made_again(build: Build, tmp_path: Path, kind: str) -> None:
    sweep = flaky(build, tmp_path)
    quietly(sweep)
    (record,) = records_on_disk(sweep)
    paths = sweep.paths.run(record.key)
    ended = Outcome.model_validate({"kind": kind})
    write_artefact(paths.record, record.model_copy(update={"outcome": ended, "ended": ended}))
    assert made_now(replace(sweep, again=True)) == []


def test_a_run_that_the_sweep_had_no_money_for_is_no_attempt(build: Build, tmp_path: Path) -> None:
    sweep = flaky(build, tmp_path, *[DOWN] * 3)
    quietly(sweep)
    (record,) = records_on_disk(sweep)
    paths = sweep.paths.run(record.key)
    write_artefact(paths.record, record.model_copy(update={"unpaid": 0.5}))
    assert standing(sweep.paths, record.key).counted == 2
    assert made_now(flaky(build, tmp_path, *[DOWN] * 9)) == [NOP]


def test_attempts_are_no_runs_in_the_report(build: Build, tmp_path: Path) -> None:
    sweep = flaky(build, tmp_path, DOWN, "", DOWN, repetitions=2)
    quietly(sweep)
    assert len(attempts_of(sweep)) == 4
    for folder in (sweep.paths.root, tmp_path):
        collected = collect(folder)
        assert (collected.planned, len(collected.runs)) == (2, 2)
        assert (collected.unfinished, collected.lost) == (0, ())


class Crash:
    """A sweep of one run with two attempts, brought back to a moment of its second one."""

    def __init__(self, build: Build, parent: Path) -> None:
        self.sweep = flaky(build, parent, DOWN)
        quietly(self.sweep)
        (self.record,) = records_on_disk(self.sweep)
        paths, key = self.sweep.paths, self.record.key
        self.run, self.earlier = paths.run(key), paths.attempt(key, 1)
        self.unfinished = paths.unfinished(key)
        self.run.root.rename(self.unfinished.root)

    def first_attempt_has_its_name(self) -> None:
        self.earlier.root.rename(self.run.root)


@pytest.fixture
def crash(build: Build, tmp_path: Path) -> Crash:
    return Crash(build, tmp_path)


@pytest.mark.parametrize("moved", [False, True], ids=["before", "after"])
def test_an_attempt_that_was_whole_is_put_in_its_place(crash: Crash, moved: bool) -> None:
    if not moved:
        crash.first_attempt_has_its_name()
    assert made_now(crash.sweep) == []
    assert attempts_of(crash.sweep) == [("", "completed"), ("1", "infrastructure")]
    assert not crash.unfinished.root.exists()
    assert list(records_on_disk(crash.sweep)) == [crash.record]


def test_an_attempt_whose_agent_had_ended_is_only_scored(crash: Crash) -> None:
    whole = crash.unfinished.score.read_bytes()
    crash.unfinished.score.unlink()
    crash.unfinished.final.unlink()
    ended = Outcome(kind="completed")
    write_artefact(
        crash.unfinished.record,
        crash.record.model_copy(update={"outcome": ended, "models": {}}),
    )
    assert made_now(crash.sweep) == []
    assert crash.run.score.read_bytes() == whole
    assert list(records_on_disk(crash.sweep)) == [crash.record]


def test_what_a_crash_cut_off_is_removed(crash: Crash) -> None:
    crash.unfinished.record.unlink()
    foreign = RunPaths(crash.sweep.paths.root / ".0123456789ab.unfinished")
    foreign.native.mkdir(parents=True)
    discard_unfinished(crash.sweep.paths)
    assert not foreign.root.exists()
    assert not crash.unfinished.root.exists()


def test_an_attempt_never_takes_the_place_of_another(crash: Crash) -> None:
    crash.first_attempt_has_its_name()
    crash.earlier.native.mkdir(parents=True)  # whoever made it
    assert put_in_place(crash.sweep.paths, crash.record.key) == crash.sweep.paths.attempt(
        crash.record.key, 2
    )
    assert crash.earlier.root.exists()


def test_money_is_counted_over_all_attempts(build: Build, tmp_path: Path) -> None:
    sweep = flaky(build, tmp_path, DOWN)
    quietly(sweep)
    for path in sweep.paths.root.glob("*/run.json"):
        record = read_artefact(path, RunRecord)
        write_artefact(path, record.model_copy(update={"cost": 0.25, "charged": None}))
    assert money_spent(sweep.paths) == 0.5
    assert read_counts(sweep.paths).cost == 0.5
