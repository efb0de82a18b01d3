"""Every run folder is found, and none that cannot be used is passed over in silence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from authoring.artefacts import write_artefact
from authoring.errors import UserError
from evaluation.report.collect import Collected, collect
from evaluation.run import RunPaths
from evaluation.statistics.runs import ScoredRun
from evaluation.sweep.plan import (
    PlannedAgent,
    PlannedBuild,
    SweepPaths,
    SweepPlan,
    write_plan,
)

MakeRun = Callable[..., ScoredRun]


def lay(sweep: Path, run: ScoredRun) -> RunPaths:
    """The run's folder under a sweep, as the evaluation leaves it."""
    paths = RunPaths(sweep / run.record.key.digest())
    paths.root.mkdir(parents=True)
    write_artefact(paths.record, run.record)
    if run.score is not None:
        write_artefact(paths.score, run.score)
    return paths


def summary(collected: Collected) -> tuple[int, int, int]:
    return len(collected.runs), collected.unfinished, len(collected.lost)


def test_runs_are_found_in_a_sweep_in_its_parent_and_alone(
    make_run: MakeRun, tmp_path: Path
) -> None:
    one = lay(tmp_path / "monday", make_run())
    lay(tmp_path / "tuesday", make_run("infrastructure", scored=False))
    assert summary(collect(tmp_path)) == (2, 0, 0)
    assert summary(collect(tmp_path / "monday")) == (1, 0, 0)
    assert collect(one.root) == collect(tmp_path / "monday")


def test_a_run_without_a_record_is_unfinished(make_run: MakeRun, tmp_path: Path) -> None:
    lay(tmp_path, make_run())
    (tmp_path / "0123456789ab").mkdir()
    collected = collect(tmp_path)
    assert summary(collected) == (1, 1, 0)
    assert collected.planned == 2


def plan_for(run: ScoredRun, repetitions: int, *more: str) -> SweepPlan:
    key = run.record.key
    return SweepPlan(
        builds=(
            PlannedBuild(
                build="contract_review-0123456789ab", scenario=key.scenario, tree=key.tree
            ),
        ),
        agents=(
            PlannedAgent(
                harness=key.harness,
                harness_version=key.harness_version,
                models=(key.model, *more),
            ),
        ),
        repetitions=repetitions,
    )


def test_a_planned_run_that_is_not_there_is_unfinished(make_run: MakeRun, tmp_path: Path) -> None:
    first, second = make_run(), make_run()
    write_plan(SweepPaths(tmp_path), plan_for(first, 2, "other"))
    lay(tmp_path, first)
    (tmp_path / ".0123456789ab.unfinished").mkdir()
    collected = collect(tmp_path)
    assert (summary(collected), collected.planned) == ((1, 3, 0), 4)
    assert [(a.setting.model, a.repetition) for a in collected.absent] == [
        ("other", 1),
        ("some-model", 2),
        ("other", 2),
    ]
    lay(tmp_path, second)
    assert (summary(collect(tmp_path)), collect(tmp_path).planned) == ((2, 2, 0), 4)


def test_a_planned_run_that_is_lost_is_planned_once(make_run: MakeRun, tmp_path: Path) -> None:
    first, second = make_run(), make_run()
    write_plan(SweepPaths(tmp_path), plan_for(first, 3))
    no_score(lay(tmp_path, first))
    torn_record(lay(tmp_path, second))
    collected = collect(tmp_path)
    assert (summary(collected), collected.planned) == ((0, 1, 2), 3)


def test_an_unfinished_run_without_a_plan_is_counted(make_run: MakeRun, tmp_path: Path) -> None:
    lay(tmp_path, make_run())
    (tmp_path / ".0123456789ab.unfinished").mkdir()
    assert summary(collect(tmp_path)) == (1, 1, 0)


def test_a_torn_plan_is_a_users_error(make_run: MakeRun, tmp_path: Path) -> None:
    lay(tmp_path, make_run())
    (tmp_path / "sweep.yaml").write_text("models: [")
    with pytest.raises(UserError, match="is not a plan that can be read"):
        collect(tmp_path)


def torn_record(paths: RunPaths) -> None:
    paths.record.write_bytes(paths.record.read_bytes()[:-40])


def torn_score(paths: RunPaths) -> None:
    paths.score.write_bytes(b'{"schema": "ocb.score/1"')


def no_score(paths: RunPaths) -> None:
    paths.score.unlink()


def moved(paths: RunPaths) -> None:
    paths.root.rename(paths.root.parent / "0123456789ab")


def other_corpus(paths: RunPaths) -> None:
    paths.score.write_bytes(paths.score.read_bytes().replace(b"a" * 64, b"d" * 64))


def no_verdict(paths: RunPaths) -> None:
    text = paths.score.read_text()
    start, end = text.index('"verdict"'), text.index('"origin"')
    paths.score.write_text(text[:start] + '"verdict": null, ' + text[end:])


def one_rule_short(paths: RunPaths) -> None:
    paths.score.write_text(paths.score.read_text().replace('"opened": {', '"read": {'))


@pytest.mark.parametrize(
    ("harm", "reason"),
    [
        (torn_record, "run.json is not a valid RunRecord"),
        (torn_score, "score.json is not a valid Score"),
        (no_score, "was never scored"),
        (moved, "of another run"),
        (other_corpus, "of another corpus"),
        (no_verdict, "does not hold the verdicts"),
        (one_rule_short, "does not hold the coverage"),
    ],
)
def test_a_run_that_cannot_be_used_is_lost_and_named(
    make_run: MakeRun, tmp_path: Path, harm: Callable[[RunPaths], None], reason: str
) -> None:
    lay(tmp_path, make_run())
    harm(lay(tmp_path, make_run()))
    collected = collect(tmp_path)
    assert summary(collected) == (1, 0, 1)
    assert reason in collected.lost[0].reason


def test_a_run_that_lies_in_two_sweeps_is_counted_once(make_run: MakeRun, tmp_path: Path) -> None:
    run = make_run()
    lay(tmp_path / "monday", run)
    twice = lay(tmp_path / "tuesday", run)
    collected = collect(tmp_path)
    assert summary(collected) == (1, 0, 0)
    assert collected.repeated == (f"tuesday/{twice.root.name}",)


def test_links_are_not_followed(make_run: MakeRun, tmp_path: Path) -> None:
    lay(tmp_path / "runs" / "monday", make_run())
    elsewhere = lay(tmp_path / "elsewhere", make_run())
    (tmp_path / "runs" / "monday" / elsewhere.root.name).symlink_to(elsewhere.root)
    assert summary(collect(tmp_path / "runs")) == (1, 0, 0)


def test_a_folder_without_runs_is_a_users_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="holds no run"):
        collect(tmp_path)
    with pytest.raises(UserError, match="no such folder"):
        collect(tmp_path / "nowhere")
