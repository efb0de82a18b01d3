"""A sweep that cannot go on stops, says why, and loses nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from authoring.artefacts import read_artefact
from evaluation.agents.fixed.profile import VERSION
from evaluation.agents.harness import Ended, Job
from evaluation.gateway.budget import Price
from evaluation.run import Outcome, RunPaths, RunRecord
from evaluation.sandboxes.sandbox import Sandbox
from evaluation.sweep.plan import UpstreamSpec
from evaluation.sweep.stopping import IN_A_ROW, Breaker, DiskWatch, VersionWatch, brief
from generators.build import Build
from ocb.sweeps import Sweep
from tests.evaluation.sweep.made_sweeps import (
    Flaky,
    made_now,
    made_sweep,
    quietly,
    records_on_disk,
    with_agent,
)
from tests.evaluation.sweep.model_server import MODEL, ModelServer, completion

REPOSITORY = Path(__file__).parent.parent.parent.parent
SMALL_DISK = Path(__file__).with_name("small_disk.py")
NOP = "sim/nop"
GIB = 1 << 30


def one_at_a_time(build: Build, parent: Path, harness: Flaky, repetitions: int) -> Sweep:
    sweep = made_sweep(build, parent, NOP, harness=harness, repetitions=repetitions)
    return replace(sweep, concurrency=1)


# The disk.


def test_a_sweep_stops_before_the_disk_is_full(build: Build, tmp_path: Path) -> None:
    sweep = one_at_a_time(build, tmp_path, Flaky(), 3)
    left = iter((2 * GIB, 2 * GIB, GIB // 2, GIB // 2))  # of two folders, for two runs
    result = quietly(replace(sweep, free=lambda _: next(left)))
    assert (result.outcomes, result.left) == ({"completed": 1}, 2)
    assert "MB left" in result.stopped
    assert made_now(replace(sweep, free=lambda _: 2 * GIB)) == [NOP] * 2


def test_a_run_that_is_there_needs_no_room(build: Build, tmp_path: Path) -> None:
    sweep = one_at_a_time(build, tmp_path, Flaky(), 2)
    quietly(sweep)
    result = quietly(replace(sweep, free=lambda _: 0))
    assert (result.stopped, result.outcomes) == ("", {"completed": 2})


def test_a_disk_that_is_full_in_the_middle_loses_nothing(build: Build, tmp_path: Path) -> None:
    size = "4000000"
    done = subprocess.run(
        [
            *("bwrap", "--dev-bind", "/", "/", "--size", size, "--tmpfs", tmp_path),
            *(sys.executable, SMALL_DISK, build.paths.root, tmp_path, size),
        ],
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        check=True,
    )
    full, freed = map(json.loads, done.stdout.splitlines())
    assert "No space left on device" in full["stopped"]
    assert 0 < full["completed"] < 12
    assert full["completed"] + full["left"] == 12
    assert freed == {"stopped": "", "completed": 12, "left": 0}


def test_two_runs_as_large_as_the_largest_must_fit(tmp_path: Path) -> None:
    run = RunPaths(tmp_path / "run")
    run.native.mkdir(parents=True)
    with (run.native / "stdout").open("wb") as file:
        file.truncate(700)
    watch = DiskWatch((tmp_path,), floor=1000, free=lambda _: 1200)
    assert watch.fault() == ""
    watch.made(run)
    assert "MB left" in watch.fault()


# The money.


def test_a_sweep_stops_when_its_money_is_spent(build: Build, tmp_path: Path) -> None:
    """Each run costs 500 dollars, and what is left after two is less than a call may cost."""
    with ModelServer(lambda: completion(prompt_tokens=5000)) as server:
        sweep = made_sweep(build, tmp_path, MODEL, repetitions=4)
        sweep = replace(
            with_agent(sweep, upstream=UpstreamSpec(kind="compatible", url=server.url)),
            prices={MODEL: Price(input=100_000, output=0)},
            concurrency=1,
            ramp=0.0,
            retries=0,
        )
        result = quietly(replace(sweep, dollars=1050))
        assert result.stopped.startswith("the next call may cost $")
        assert result.stopped.endswith(", of $1,050.00 $50.00 is left")
        assert (result.summary.spent, result.left) == (1000, 2)
        assert result.outcomes == {"completed": 2}
        broke = quietly(replace(sweep, dollars=900))
        assert broke.stopped == "the money is spent: $1,000.00 of $900.00"
        assert (broke.left, server.calls) == (2, 2)
        rich = quietly(replace(sweep, dollars=5000))
        assert (rich.stopped, rich.summary.spent, server.calls) == ("", 2000, 4)
        assert rich.outcomes == {"completed": 4}


# The program.


def test_a_program_that_changes_its_version_stops_the_sweep(build: Build, tmp_path: Path) -> None:
    harness = Flaky(versions=(VERSION, VERSION, "99.0"))
    result = quietly(one_at_a_time(build, tmp_path, harness, 5))
    assert harness.begun == 2
    assert result.stopped == f"fixed is version 99.0 now, and the sweep is of {VERSION}"
    assert result.left == 3


class Program(Flaky):
    """It lies in a file, and says there which version it is."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self._file = file
        self.asked = 0

    def program(self) -> Path:
        return self._file

    def installed_version(self) -> str:
        self.asked += 1
        return self._file.read_text()

    async def run(self, job: Job, sandbox: Sandbox | None) -> Ended:
        if self.begun == 2:
            update(self._file)
        return await super().run(job, sandbox)


def update(file: Path) -> None:
    """As an updater does it: another file takes the place."""
    new = file.with_name("new")
    new.write_text("99.0")
    new.rename(file)


def test_a_program_is_asked_again_when_its_file_is_another(build: Build, tmp_path: Path) -> None:
    file = tmp_path / "program"
    file.write_text(VERSION)
    harness = Program(file)
    result = quietly(one_at_a_time(build, tmp_path / "runs", harness, 6))
    assert (harness.begun, harness.asked) == (3, 2)
    assert "99.0" in result.stopped


def test_a_program_that_is_gone_stops_the_sweep(tmp_path: Path) -> None:
    harness = Program(tmp_path / "program")
    watch = VersionWatch()
    assert watch.must_read(harness)
    with pytest.raises(FileNotFoundError):  # what the fake says; a CLI says it as a UserError
        watch.read(harness, VERSION)


# The same fault again and again.


def void(record: RunRecord, reason: str, model: str = NOP) -> RunRecord:
    key = record.key.model_copy(update={"model": model})
    outcome = Outcome(kind="infrastructure", reason=reason)
    return record.model_copy(update={"key": key, "outcome": outcome})


@pytest.fixture(scope="module")
def good(build: Build, tmp_path_factory: pytest.TempPathFactory) -> RunRecord:
    sweep = made_sweep(build, tmp_path_factory.mktemp("good"))
    quietly(sweep)
    (record,) = records_on_disk(sweep)
    return record


def rows(breaker: Breaker, records: Iterator[RunRecord]) -> int:
    """After how many the breaker breaks; 0: it never does."""
    return next((n for n, record in enumerate(records, 1) if breaker.enter(record)), 0)


def test_five_void_runs_with_one_reason_break_the_sweep_off(good: RunRecord) -> None:
    same = (void(good, f"exit code 1: 401 (request req_{n}ab{n})") for n in range(1000, 1009))
    assert rows(Breaker(), same) == IN_A_ROW


def test_reasons_that_differ_break_nothing(good: RunRecord) -> None:
    words = ("a timeout", "no session", "exit code 2")
    assert rows(Breaker(), (void(good, words[n % 3]) for n in range(30))) == 0


def test_a_success_between_breaks_the_row(good: RunRecord) -> None:
    assert rows(Breaker(), (good if n % 5 == 4 else void(good, "down") for n in range(30))) == 0


def test_a_model_that_always_fails_is_seen_among_others_that_work(good: RunRecord) -> None:
    mixed = (good if n % 2 else void(good, "no such model", "typo") for n in range(30))
    assert rows(Breaker(), mixed) == 2 * IN_A_ROW - 1


def test_what_an_agent_printed_does_not_fill_the_line_that_says_why(good: RunRecord) -> None:
    told = "exit code 1: " + "x" * 87
    long = Outcome(kind="infrastructure", reason=told + "and\nmore" * 9999)
    record = good.model_copy(update={"outcome": long})
    assert brief(record) == f"{told[:99]}…"
    assert (
        brief(good.model_copy(update={"outcome": Outcome(kind="limit", reason="a\n b")})) == "a b"
    )
    breaker = Breaker(most=1)
    assert len(breaker.enter(record)) < 200


def test_runs_that_ended_early_break_nothing(good: RunRecord) -> None:
    limit = good.model_copy(update={"outcome": Outcome(kind="limit", reason="900 s")})
    assert rows(Breaker(), iter([limit] * 30)) == 0


# Faults of our own.


class Broken(Flaky):
    """Its third run is more than an agent's failure."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self._error = error

    async def run(self, job: Job, sandbox: Sandbox | None) -> Ended:
        if self.begun == 2:
            self.begun += 1
            raise self._error
        return await super().run(job, sandbox)


def test_a_fault_of_our_own_is_raised_and_what_was_made_is_kept(
    build: Build, tmp_path: Path
) -> None:
    sweep = one_at_a_time(build, tmp_path, Broken(ZeroDivisionError("ours")), 5)
    with pytest.raises(ZeroDivisionError):
        quietly(sweep)
    assert len(list(records_on_disk(sweep))) == 2
    assert list(sweep.paths.root.glob(".*.unfinished")) == []
    assert len(made_now(sweep)) == 3


def test_what_the_disk_refuses_stops_the_sweep(build: Build, tmp_path: Path) -> None:
    full = OSError(28, "No space left on device")
    sweep = one_at_a_time(build, tmp_path, Broken(full), 5)
    result = quietly(sweep)
    assert result.stopped == "No space left on device"
    assert (result.outcomes, result.left) == ({"completed": 2}, 3)
    assert list(sweep.paths.root.glob(".*.unfinished")) == []
    assert len(made_now(sweep)) == 3
    assert all(read_artefact(p, RunRecord) for p in sweep.paths.root.glob("*/run.json"))
