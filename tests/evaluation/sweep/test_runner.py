"""A sweep: each run once, whole or not there, and one process at work in it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from authoring.artefacts import read_artefact, write_artefact
from authoring.errors import UserError
from evaluation.agents.fixed.harness import Fixed
from evaluation.judging.catalogue import judge_named
from evaluation.run import Limits, Outcome, RunPaths, RunRecord
from evaluation.scoring.score import Score
from evaluation.sweep.plan import SweepPlan, UpstreamSpec
from evaluation.sweep.runner import Progress, at_work
from generators.build import Build
from ocb.sweeps import Sealed, Sweep, execute, planned_agent, planned_build
from tests.e2e.truth_corpus import build_truth_corpus


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return build_truth_corpus(tmp_path_factory.mktemp("truth"))


@pytest.fixture
def sweep(build: Build, tmp_path: Path) -> Sweep:
    harness = Fixed()
    return Sweep(
        plan=SweepPlan(
            builds=(planned_build(build),),
            agents=(planned_agent("fixed", harness, ("sim/nop", "sim/partial-claims")),),
            limits=Limits(seconds=60, turns=100),
        ),
        builds={build.manifest.build: Sealed(build, None)},
        harnesses={"fixed": harness},
        sandbox=None,
        judge=judge_named("rules"),
        concurrency=2,
        parent=tmp_path,
    )


def with_agent(sweep: Sweep, **changes: object) -> Sweep:
    """The same sweep, its agent changed."""
    (agent,) = sweep.plan.agents
    changed = agent.model_copy(update=changes)
    return replace(sweep, plan=sweep.plan.model_copy(update={"agents": (changed,)}))


def run(sweep: Sweep) -> dict[str, bool]:
    """Run it; whether each model's run was there already."""
    seen: dict[str, bool] = {}

    def note(progress: Progress) -> None:
        seen[progress.record.key.model] = progress.resumed

    execute(sweep, note)
    return seen


def paths_of(sweep: Sweep, model: str) -> RunPaths:
    found = [RunPaths(path.parent) for path in sweep.paths.root.glob("*/run.json")]
    (one,) = [p for p in found if read_artefact(p.record, RunRecord).key.model == model]
    return one


def test_a_run_that_is_there_is_not_made_again(sweep: Sweep) -> None:
    assert run(sweep) == {"sim/nop": False, "sim/partial-claims": False}
    assert run(sweep) == {"sim/nop": True, "sim/partial-claims": True}


def test_a_plan_with_more_repetitions_goes_on_in_the_same_sweep(sweep: Sweep) -> None:
    run(sweep)
    more = replace(sweep, plan=sweep.plan.model_copy(update={"repetitions": 2}))
    assert more.paths == sweep.paths
    records = execute(more, lambda progress: None)
    assert len(records) == 4


def test_a_model_named_twice_runs_once(sweep: Sweep) -> None:
    twice = with_agent(sweep, models=("sim/nop", "sim/nop"))
    assert len(execute(twice, lambda progress: None)) == 1


def test_a_void_run_is_made_again(sweep: Sweep) -> None:
    run(sweep)
    paths = paths_of(sweep, "sim/nop")
    record = read_artefact(paths.record, RunRecord)
    void = record.model_copy(update={"outcome": Outcome(kind="infrastructure", reason="x")})
    write_artefact(paths.record, void)
    assert run(sweep) == {"sim/nop": False, "sim/partial-claims": True}
    assert read_artefact(paths.record, RunRecord).outcome.kind == "completed"


def test_a_record_of_another_run_is_not_taken_for_this_one(sweep: Sweep) -> None:
    run(sweep)
    nop, claims = (paths_of(sweep, model) for model in ("sim/nop", "sim/partial-claims"))
    claims.record.write_bytes(nop.record.read_bytes())
    assert run(sweep) == {"sim/nop": True, "sim/partial-claims": False}


def test_a_lost_score_is_made_again_without_a_run(sweep: Sweep) -> None:
    run(sweep)
    paths = paths_of(sweep, "sim/partial-claims")
    before = paths.score.read_bytes()
    paths.score.unlink()
    assert run(sweep)["sim/partial-claims"]
    assert paths.score.read_bytes() == before


def test_half_of_a_run_is_made_anew(sweep: Sweep) -> None:
    run(sweep)
    paths = paths_of(sweep, "sim/nop")
    half = sweep.paths.unfinished(read_artefact(paths.record, RunRecord).key)
    paths.root.rename(half.root)
    half.record.unlink()
    assert run(sweep) == {"sim/nop": False, "sim/partial-claims": True}
    assert not half.root.exists()


def test_two_processes_are_not_at_work_in_one_sweep(sweep: Sweep) -> None:
    with at_work(sweep.paths), pytest.raises(UserError, match="another process is at work"):
        run(sweep)
    assert run(sweep) == {"sim/nop": False, "sim/partial-claims": False}


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"models": ("sim/orcale",)}, id="an-unknown-model"),
        pytest.param(
            {
                "models": ("m",),
                "upstream": UpstreamSpec(
                    kind="compatible", url="http://127.0.0.1:9", key_variable="OCB_TEST_NO_SUCH_KEY"
                ),
            },
            id="a-missing-key",
        ),
    ],
)
def test_a_sweep_that_cannot_start_leaves_nothing(sweep: Sweep, changes: dict[str, object]) -> None:
    with pytest.raises(UserError):
        run(with_agent(sweep, **changes))
    assert list(sweep.parent.iterdir()) == []


def test_the_name_of_the_key_variable_is_no_part_of_a_sweep(sweep: Sweep) -> None:
    one, other = (
        with_agent(sweep, upstream=UpstreamSpec(url="u", key_variable=name)).plan.name()
        for name in ("ONE", "OTHER")
    )
    assert one == other


def test_the_score_is_that_of_the_model(sweep: Sweep) -> None:
    run(sweep)
    score = read_artefact(paths_of(sweep, "sim/partial-claims").score, Score)
    assert score.verdict is not None
    assert score.verdict["touched"].value == "overclaimed"
