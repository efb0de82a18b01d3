"""What stands in the place of a sweep's files is named, and nothing waits for it or is lost."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest
from pydantic import JsonValue

from authoring.errors import UserError
from evaluation.report.collect import collect
from evaluation.run import RunPaths
from evaluation.sweep.attempts import check_places, money_spent, standing
from evaluation.sweep.index import RunIndex, read_counts
from evaluation.sweep.lock import at_work
from evaluation.sweep.plan import SweepPaths
from generators.build import Build
from ocb.sweeps import Sweep
from tests.evaluation.sweep.made_sweeps import made_now, made_sweep, paths_of, quietly

NOP = "sim/nop"
BOUND = 10.0
"""Seconds after which a test that hangs fails."""


def folder(path: Path) -> None:
    path.mkdir()
    path.joinpath("inside").write_text("kept")


def pipe(path: Path) -> None:
    os.mkfifo(path)


def link(path: Path) -> None:
    path.symlink_to("elsewhere")


def unix_socket(path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # its path may be longer than that of a socket
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(here)


def plain(path: Path) -> None:
    path.write_text("kept")


Make = Callable[[Path], None]


def within(bound: float, act: Callable[[], object]) -> BaseException | None:
    """What it raised; fails where it does not come back."""
    raised: list[BaseException | None] = []

    def run() -> None:
        try:
            act()
        except Exception as error:  # noqa: BLE001 - handed to the test
            raised.append(error)
        else:
            raised.append(None)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(bound)
    assert raised, "it hangs"
    return raised[0]


def enter(root: Path) -> Callable[[], object]:
    def act() -> None:
        with at_work(SweepPaths(root)):
            pass

    return act


@pytest.mark.parametrize(
    ("name", "make"),
    [
        (".lock", folder),
        (".lock", pipe),
        (".lock", link),
        (".lock", unix_socket),
        ("sweep.yaml", folder),
        ("sweep.yaml", pipe),
    ],
)
def test_a_lock_or_a_plan_that_is_no_plain_file_is_named(
    tmp_path: Path, name: str, make: Make
) -> None:
    make(tmp_path / name)
    error = within(BOUND, enter(tmp_path))
    assert isinstance(error, UserError)
    assert str(error) == f"{tmp_path / name}: is no plain file\n  remove it; no run is lost by that"
    assert os.path.lexists(tmp_path / name)


@pytest.mark.parametrize("root", ["a", "a/b"], ids=["a file", "below a file"])
def test_a_sweep_whose_folder_cannot_be_made_is_named(tmp_path: Path, root: str) -> None:
    plain(tmp_path / "a")
    error = within(BOUND, enter(tmp_path / root))
    assert isinstance(error, UserError)
    assert str(tmp_path / root) in str(error)


def test_a_lock_that_was_left_is_taken_again(tmp_path: Path) -> None:
    assert within(BOUND, enter(tmp_path)) is None
    assert within(BOUND, enter(tmp_path)) is None


@pytest.mark.parametrize("suffix", ["", "-wal", "-shm"])
@pytest.mark.parametrize("make", [folder, pipe])
def test_an_index_that_is_no_plain_file_is_made_anew(
    build: Build, tmp_path: Path, suffix: str, make: Make
) -> None:
    sweep = made_sweep(build, tmp_path, NOP)
    quietly(sweep)
    index = sweep.paths.index
    index.with_name(index.name + suffix).unlink(missing_ok=True)
    make(index.with_name(index.name + suffix))

    def count() -> None:
        assert read_counts(sweep.paths).outcomes == {"completed": 1}
        with RunIndex(sweep.paths) as opened:
            assert opened.counts().outcomes == {"completed": 1}

    assert within(BOUND, count) is None


@pytest.fixture
def done(build: Build, tmp_path: Path) -> Sweep:
    """A sweep of one run, which is there."""
    sweep = made_sweep(build, tmp_path, NOP)
    quietly(sweep)
    return sweep


@pytest.mark.parametrize("name", ["run.json", "score.json", "trajectory.json", "final.md"])
@pytest.mark.parametrize("make", [folder, pipe])
def test_a_file_of_a_run_that_is_no_plain_file_stops_its_sweep_by_name(
    done: Sweep, name: str, make: Make
) -> None:
    run = paths_of(done, NOP)
    before = sorted(path.name for path in run.root.iterdir())
    (run.root / name).unlink()
    make(run.root / name)
    stopped: list[str] = []
    assert within(BOUND, lambda: stopped.append(quietly(done).stopped)) is None
    assert stopped[0].startswith(f"{run.root / name}: is no plain file\n  remove it; ")
    assert sorted(path.name for path in run.root.iterdir()) == before
    assert within(BOUND, lambda: collect(done.paths.root)) is None


@pytest.mark.parametrize("make", [plain, pipe])
def test_what_has_the_place_of_a_run_is_named_before_one_is_made(done: Sweep, make: Make) -> None:
    run = paths_of(done, NOP)
    run.root.rename(done.parent / "away")
    make(run.root)
    stopped: list[str] = []
    assert within(BOUND, lambda: stopped.append(quietly(done).stopped)) is None
    assert stopped == [f"{run.root}: is no folder of a run\n  remove it; the run is made again"]
    run.root.unlink()
    assert made_now(done) == [NOP]


@pytest.mark.parametrize("make", [plain, pipe])
def test_what_has_the_place_of_an_unfinished_run_is_named(done: Sweep, make: Make) -> None:
    run = paths_of(done, NOP)
    unfinished = done.paths.root / f".{run.root.name}.unfinished"
    make(unfinished)
    error = within(BOUND, lambda: quietly(done))
    assert isinstance(error, UserError)
    assert str(error).startswith(f"{unfinished}: is no folder of a run")
    assert run.record.is_file()


def test_a_plan_that_is_a_pipe_holds_up_no_report(done: Sweep) -> None:
    done.paths.plan.unlink()
    pipe(done.paths.plan)
    error = within(BOUND, lambda: collect(done.paths.root))
    assert isinstance(error, UserError)
    assert str(error).startswith(f"{done.paths.plan}: is no plain file")


def edit(run: RunPaths, key: str, value: str) -> None:
    """By hand: a value as it stands in the file."""
    data: dict[str, JsonValue] = orjson.loads(run.record.read_bytes())
    *outer, name = key.split(".")
    place = data
    for part in outer:
        inner = place[part]
        assert isinstance(inner, dict)
        place = inner
    place[name] = "HERE"
    run.record.write_bytes(orjson.dumps(data).replace(b'"HERE"', value.encode()))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("cost", "-1000000"),
        ("cost", "-1e-9"),
        ("cost", "1e400"),
        ("cost", "NaN"),
        ("charged", "-1000000"),
        ("unpaid", "-1"),
        ("attempt", "1000000000000000"),
        ("attempt", "10001"),
        ("attempt", "0"),
        ("seconds", "-1"),
        ("seconds", "Infinity"),
        ("started", "NaN"),
        ("usage.calls", "-4"),
        ("usage.uncounted", "9223372036854775808"),
        ("usage.input_tokens", "-1"),
    ],
)
def test_a_record_that_says_what_cannot_be_is_none(done: Sweep, key: str, value: str) -> None:
    """It is made again, as one that was torn."""
    run = paths_of(done, NOP)
    (record,) = quietly(done).records()
    edit(run, key, value)
    assert standing(done.paths, record.key).record is None
    assert money_spent(done.paths) == 0.0
    assert read_counts(done.paths).cost == 0.0
    check_places(done.paths, record.key)
    assert made_now(done) == [NOP]
    assert standing(done.paths, record.key).attempts == 1


def test_the_last_attempt_that_can_be_counted_is_the_last_number(done: Sweep) -> None:
    run = paths_of(done, NOP)
    edit(run, "attempt", "10000")
    edit(run, "outcome", '{"kind":"infrastructure","reason":"down"}')
    edit(run, "ended", '{"kind":"infrastructure","reason":"down"}')
    (record,) = quietly(done).records()
    assert (record.attempt, record.outcome.kind) == (10_000, "infrastructure")
