"""The index says what the files say; losing it, or having a false one, changes nothing."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from authoring.artefacts import read_artefact, write_artefact
from evaluation.run import Outcome, RunRecord
from evaluation.sweep.index import Counts, RunIndex, read_counts
from evaluation.sweep.plan import SweepPaths
from generators.build import Build
from ocb.sweeps import Sweep, execute
from tests.evaluation.sweep.made_sweeps import (
    Flaky,
    made_now,
    made_sweep,
    paths_of,
    quietly,
)

NOP, CLAIMS = "sim/nop", "sim/partial-claims"


@pytest.fixture(scope="module")
def done(build: Build, tmp_path_factory: pytest.TempPathFactory) -> Sweep:
    """Three runs, of which the first took two attempts."""
    parent = tmp_path_factory.mktemp("done")
    sweep = made_sweep(build, parent, NOP, harness=Flaky(["down"]), repetitions=3)
    sweep = replace(sweep, concurrency=1)
    quietly(sweep)
    return sweep


@pytest.fixture
def sweep(done: Sweep, tmp_path: Path) -> Sweep:
    """A copy, to be spoilt, with an index that knows its files."""
    shutil.copytree(done.paths.root, tmp_path / done.paths.root.name)
    copy = replace(done, parent=tmp_path)
    with RunIndex(copy.paths):
        return copy


def change(sweep: Sweep, statement: str) -> None:
    """By hand, in the index."""
    with contextlib.closing(sqlite3.connect(sweep.paths.index)) as database, database:
        database.execute(statement)


def without_seconds(counts: Counts) -> Counts:
    return replace(counts, seconds=0.0)


def test_it_counts_runs_and_attempts(done: Sweep) -> None:
    counts = read_counts(done.paths)
    assert (counts.planned, counts.running, counts.attempts) == (0, 0, 1)
    assert counts.outcomes == {"completed": 3}
    assert counts.seconds > 0.5  # what the harness said of the first attempt


def test_it_is_in_wal_mode(done: Sweep) -> None:
    with contextlib.closing(sqlite3.connect(done.paths.index)) as database:
        assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def delete(sweep: Sweep) -> None:
    sweep.paths.index.unlink()


def tear(sweep: Sweep) -> None:
    index = sweep.paths.index
    index.write_bytes(index.read_bytes()[:1000])


def fill_with_noise(sweep: Sweep) -> None:
    sweep.paths.index.write_bytes(bytes(range(256)) * 64)


def empty(sweep: Sweep) -> None:
    sweep.paths.index.write_bytes(b"")


def make_a_folder_of_it(sweep: Sweep) -> None:
    sweep.paths.index.unlink()
    (sweep.paths.index / "inside").mkdir(parents=True)


def link_it_away(sweep: Sweep) -> None:
    sweep.paths.index.rename(sweep.parent / "away")
    sweep.paths.index.symlink_to(sweep.parent / "away")
    change(sweep, "DELETE FROM runs")


def of_another_version(sweep: Sweep) -> None:
    change(sweep, "PRAGMA user_version = 99")


def with_a_trigger(sweep: Sweep) -> None:
    change(
        sweep,
        "CREATE TRIGGER t AFTER INSERT ON runs BEGIN UPDATE runs SET outcome = 'refused'; END",
    )


def with_another_table(sweep: Sweep) -> None:
    change(sweep, "DROP TABLE runs")
    change(sweep, "CREATE VIEW runs AS SELECT 1 AS folder")


def with_rows_lost(sweep: Sweep) -> None:
    change(sweep, "DELETE FROM runs")


def with_rows_too_many(sweep: Sweep) -> None:
    change(
        sweep,
        "INSERT INTO runs VALUES ('0123456789ab', 'done', 'completed', 9.0, 0, 0, 9.0, '1:2:3')",
    )
    change(
        sweep,
        "INSERT INTO runs VALUES ('0123456789ab.1', 'done', 'refused', 9.0, 0, 0, 9.0, '1:2:3')",
    )


def with_marks_of_other_files(sweep: Sweep) -> None:
    change(sweep, "UPDATE runs SET outcome = 'refused', file = 'another'")


SPOILT = [
    delete,
    tear,
    fill_with_noise,
    empty,
    make_a_folder_of_it,
    link_it_away,
    of_another_version,
    with_a_trigger,
    with_another_table,
    with_rows_lost,
    with_marks_of_other_files,
]


@pytest.mark.parametrize("spoil", SPOILT)
def test_a_false_index_is_not_believed(
    done: Sweep, sweep: Sweep, spoil: Callable[[Sweep], None]
) -> None:
    truth = without_seconds(read_counts(done.paths))
    spoil(sweep)
    assert without_seconds(read_counts(sweep.paths)) == truth
    with RunIndex(sweep.paths) as index:
        assert without_seconds(index.counts()) == truth
    assert without_seconds(read_counts(sweep.paths)) == truth
    assert made_now(sweep) == []
    assert without_seconds(read_counts(sweep.paths)) == truth


def test_rows_of_runs_that_are_not_there_are_planned_at_most(sweep: Sweep) -> None:
    with_rows_too_many(sweep)
    counts = read_counts(sweep.paths)
    assert (counts.planned, counts.outcomes, counts.attempts) == (1, {"completed": 3}, 1)
    assert counts.cost == 0.0


def test_no_run_is_left_out_because_the_index_says_that_it_is_done(sweep: Sweep) -> None:
    shutil.rmtree(next(path.parent for path in sweep.paths.root.glob("[0-9a-f]*/run.json")))
    assert made_now(sweep) != []


def test_a_false_row_is_put_right_when_its_run_is_met(sweep: Sweep) -> None:
    change(sweep, "UPDATE runs SET outcome = 'refused' WHERE folder NOT LIKE '%.%'")
    assert read_counts(sweep.paths).outcomes == {"refused": 3}  # or it would prove nothing
    assert made_now(sweep) == []
    assert read_counts(sweep.paths).outcomes == {"completed": 3}


def test_a_record_that_another_hand_wrote_is_read_again(build: Build, tmp_path: Path) -> None:
    sweep = made_sweep(build, tmp_path, NOP, CLAIMS)
    quietly(sweep)
    path = paths_of(sweep, NOP).record
    record = read_artefact(path, RunRecord)
    changed = record.model_copy(update={"outcome": Outcome(kind="refused"), "cost": 3.0})
    write_artefact(path, changed)
    counts = read_counts(sweep.paths)
    assert (counts.outcomes, counts.cost) == ({"completed": 1, "refused": 1}, 3.0)


def test_runs_are_planned_and_then_done_while_the_sweep_is_at_work(
    build: Build, tmp_path: Path
) -> None:
    sweep = replace(made_sweep(build, tmp_path, NOP, repetitions=2), concurrency=1)
    seen: list[Counts] = []
    execute(sweep, lambda _: seen.append(read_counts(sweep.paths)))
    assert [(counts.planned, counts.outcomes["completed"]) for counts in seen] == [(1, 1), (0, 2)]


def test_an_index_that_is_deleted_in_the_middle_loses_nothing(build: Build, tmp_path: Path) -> None:
    sweep = replace(made_sweep(build, tmp_path, NOP, repetitions=3), concurrency=1)

    def lose(_: object) -> None:
        for path in sweep.paths.root.glob("index.sqlite*"):
            path.unlink()

    result = execute(sweep, lose)
    assert result.outcomes == {"completed": 3}
    assert read_counts(sweep.paths).outcomes == {"completed": 3}


def test_a_run_that_is_being_made_is_running(tmp_path: Path) -> None:
    paths = SweepPaths(tmp_path)
    with RunIndex(paths) as index:
        assert index.plan(["0123456789ab", "cdef01234567"]) == 2
        index.begin("0123456789ab")
        assert (index.counts().planned, index.counts().running) == (2, 1)
        assert read_counts(paths).running == 1
        index.break_off("0123456789ab")
        assert index.counts().running == 0


def test_what_a_killed_process_was_making_is_planned_again(tmp_path: Path) -> None:
    paths = SweepPaths(tmp_path)
    with RunIndex(paths) as index:
        index.plan(["0123456789ab"])
        index.begin("0123456789ab")
    with RunIndex(paths) as index:
        index.plan(["0123456789ab"])
        assert (index.counts().planned, index.counts().running) == (1, 0)


def test_a_sweep_does_not_end_for_its_index(
    build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> sqlite3.Connection:
        raise sqlite3.OperationalError("disk I/O error")

    sweep = made_sweep(build, tmp_path, NOP)
    with monkeypatch.context() as patch:
        patch.setattr("evaluation.sweep.index._opened", refuse)
        result = quietly(sweep)
    assert result.outcomes == {"completed": 1}
    assert not sweep.paths.index.exists()
