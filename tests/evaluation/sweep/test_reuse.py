"""Rerun from another folder, another day, with an unrelated flag changed: nothing runs twice."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from authoring.artefacts import read_artefact, write_artefact
from evaluation.run import Outcome, RunPaths, RunRecord
from evaluation.sweep.attempts import money_spent
from generators.build import Build
from ocb.sweeps import Sweep
from tests.evaluation.sweep.made_sweeps import (
    Flaky,
    made_now,
    made_sweep,
    paths_of,
    quietly,
    with_agent,
    with_plan,
)

NOP, CLAIMS = "sim/nop", "sim/partial-claims"


@pytest.fixture
def first(build: Build, tmp_path: Path) -> Sweep:
    """A sweep of one model that is done."""
    sweep = made_sweep(build, tmp_path, NOP)
    assert made_now(sweep) == [NOP]
    return sweep


def test_a_model_that_is_added_is_all_that_runs(build: Build, first: Sweep) -> None:
    more = made_sweep(build, first.parent, NOP, CLAIMS)
    assert more.paths != first.paths
    assert made_now(more) == [CLAIMS]


def test_a_condition_that_is_added_is_all_that_runs(build: Build, first: Sweep) -> None:
    more = with_plan(made_sweep(build, first.parent, NOP), conditions=("direct", "delegated"))
    assert made_now(more) == [NOP]
    assert [record.key.condition for record in quietly(more).records()] == ["direct", "delegated"]


def test_a_sweep_with_another_name_runs_nothing(build: Build, first: Sweep) -> None:
    renamed = made_sweep(build, first.parent, NOP, label="again")
    assert made_now(renamed) == []
    (record,) = quietly(renamed).records()
    assert record.taken_from == first.paths.root.name


def test_from_another_folder_nothing_runs(
    build: Build, first: Sweep, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert made_now(replace(first, parent=Path("..") / first.parent.relative_to(tmp_path))) == []


def test_unrelated_flags_are_no_part_of_a_run(build: Build, first: Sweep) -> None:
    changed = replace(first, concurrency=1, retries=0, dollars=5.0, again=True)
    assert made_now(with_agent(changed, accepted=("another",))) == []


def test_what_is_taken_over_is_the_whole_run(build: Build, first: Sweep) -> None:
    renamed = made_sweep(build, first.parent, NOP, label="again")
    quietly(renamed)
    source, target = paths_of(first, NOP), paths_of(renamed, NOP)
    assert files_of(source) == files_of(target)
    assert target.wire.read_bytes() == source.wire.read_bytes()
    assert target.score.read_bytes() == source.score.read_bytes()
    record = read_artefact(source.record, RunRecord)
    taken = record.model_copy(update={"taken_from": first.paths.root.name})
    assert read_artefact(target.record, RunRecord) == taken


def files_of(run: RunPaths) -> list[str]:
    return sorted(str(path.relative_to(run.root)) for path in run.root.rglob("*"))


def test_a_new_score_of_what_was_taken_over_leaves_the_other_sweep_as_it_is(
    build: Build, first: Sweep
) -> None:
    before = paths_of(first, NOP).score.read_bytes()
    renamed = made_sweep(build, first.parent, NOP, label="again")
    quietly(renamed)
    paths_of(renamed, NOP).score.unlink()
    quietly(renamed)
    assert paths_of(first, NOP).score.read_bytes() == before


def test_what_another_sweep_paid_is_not_paid_again(build: Build, first: Sweep) -> None:
    source = paths_of(first, NOP)
    record = read_artefact(source.record, RunRecord)
    write_artefact(source.record, record.model_copy(update={"cost": 2.0, "charged": 2.5}))
    renamed = made_sweep(build, first.parent, NOP, label="again")
    assert quietly(renamed).summary.spent == 0.0
    assert (money_spent(first.paths), money_spent(renamed.paths)) == (2.5, 0.0)
    taken = paths_of(renamed, NOP)
    taken.root.rename(renamed.paths.unfinished(record.key).root)  # as a crash leaves it
    assert quietly(renamed).summary.spent == 0.0
    assert taken.record.exists()


def test_a_void_run_is_not_taken_over(build: Build, tmp_path: Path) -> None:
    quietly(replace(made_sweep(build, tmp_path, NOP, harness=Flaky(["down"])), retries=0))
    again = made_sweep(build, tmp_path, NOP, label="again")
    assert made_now(replace(again, retries=0)) == [NOP]


def test_a_run_of_another_key_is_not_taken_over(build: Build, first: Sweep) -> None:
    source = paths_of(first, NOP)
    record = read_artefact(source.record, RunRecord)
    other = record.key.model_copy(update={"repetition": 7})
    write_artefact(source.record, record.model_copy(update={"key": other}))
    assert made_now(made_sweep(build, first.parent, NOP, label="again")) == [NOP]


def test_a_run_without_its_wire_is_not_taken_over(build: Build, first: Sweep) -> None:
    paths_of(first, NOP).wire.unlink()
    assert made_now(made_sweep(build, first.parent, NOP, label="again")) == [NOP]


def test_links_in_another_sweep_lead_nowhere(build: Build, first: Sweep, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    source = paths_of(first, NOP)
    (source.native / "link").symlink_to(secret)
    os.mkfifo(source.native / "pipe")
    renamed = made_sweep(build, first.parent, NOP, label="again")
    assert made_now(renamed) == []
    assert not os.path.lexists(paths_of(renamed, NOP).native / "link")
    assert not (paths_of(renamed, NOP).native / "pipe").exists()


def test_a_run_that_is_void_by_its_new_score_is_made(build: Build, first: Sweep) -> None:
    source = paths_of(first, NOP)
    source.score.unlink()
    source.wire.write_bytes(b"torn")
    renamed = made_sweep(build, first.parent, NOP, label="again")
    assert made_now(renamed) == [NOP]
    (record,) = quietly(renamed).records()
    assert record.outcome == Outcome(kind="completed")
    assert record.attempt == 2


def test_a_run_that_stayed_void_here_is_taken_over_from_elsewhere(
    build: Build, tmp_path: Path
) -> None:
    void = replace(made_sweep(build, tmp_path, NOP, harness=Flaky(["down"])), retries=0)
    quietly(void)
    quietly(made_sweep(build, tmp_path, NOP, label="elsewhere"))
    assert made_now(void) == []
    (record,) = quietly(void).records()
    assert (record.outcome.kind, record.taken_from) == ("completed", "elsewhere")
    assert void.paths.attempt(record.key, 1).record.exists()
