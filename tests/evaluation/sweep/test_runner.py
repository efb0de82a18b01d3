"""A sweep: each run once, whole or not there, and one process at work in it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from authoring.artefacts import read_artefact, write_artefact
from authoring.errors import UserError
from evaluation.run import Limits, Outcome, RunRecord
from evaluation.scoring.score import Score
from evaluation.sweep.lock import at_work
from evaluation.sweep.plan import UpstreamSpec
from generators.build import Build
from ocb.sweeps import Sweep
from tests.evaluation.sweep.made_sweeps import (
    made_now,
    made_sweep,
    paths_of,
    quietly,
    watched,
    with_agent,
    with_plan,
)

NOP, CLAIMS = "sim/nop", "sim/partial-claims"


@pytest.fixture
def sweep(build: Build, tmp_path: Path) -> Sweep:
    return made_sweep(build, tmp_path, NOP, CLAIMS)


def test_a_run_that_is_there_is_not_made_again(sweep: Sweep) -> None:
    assert made_now(sweep) == [NOP, CLAIMS]
    assert made_now(sweep) == []


def test_a_plan_with_more_repetitions_goes_on_in_the_same_sweep(sweep: Sweep) -> None:
    quietly(sweep)
    more = with_plan(sweep, repetitions=2)
    assert more.paths == sweep.paths
    assert made_now(more) == [NOP, CLAIMS]
    assert len(list(quietly(more).records())) == 4


def test_a_model_named_twice_runs_once(sweep: Sweep) -> None:
    result = quietly(with_agent(sweep, models=(NOP, NOP)))
    assert (result.summary.planned, len(list(result.records()))) == (1, 1)


def test_an_agent_named_twice_runs_once(sweep: Sweep) -> None:
    (agent,) = sweep.plan.agents
    again = agent.model_copy(update={"accepted": ("another",)})
    twice = with_plan(sweep, agents=(agent, again))
    assert made_now(twice) == [NOP, CLAIMS]


def test_a_record_of_another_run_is_not_taken_for_this_one(sweep: Sweep) -> None:
    quietly(sweep)
    nop, claims = (paths_of(sweep, model) for model in (NOP, CLAIMS))
    claims.record.write_bytes(nop.record.read_bytes())
    assert made_now(sweep) == [CLAIMS]


def test_a_torn_record_is_no_run(sweep: Sweep) -> None:
    quietly(sweep)
    record = paths_of(sweep, NOP).record
    record.write_bytes(record.read_bytes()[:-20])
    assert made_now(sweep) == [NOP]


@pytest.mark.parametrize("what", ["lost", "torn", "of another judge"])
def test_a_score_is_made_again_without_a_run(sweep: Sweep, what: str) -> None:
    quietly(sweep)
    path = paths_of(sweep, CLAIMS).score
    before = path.read_bytes()
    if what == "lost":
        path.unlink()
    elif what == "torn":
        path.write_bytes(before[: len(before) // 2])
    else:
        score = read_artefact(path, Score)
        versions = score.versions.model_copy(update={"judge": "another"})
        write_artefact(path, score.model_copy(update={"versions": versions}))
    assert made_now(sweep) == []
    assert path.read_bytes() == before


def test_a_new_score_starts_from_how_the_process_ended(build: Build, tmp_path: Path) -> None:
    limits = Limits(turns=2)
    sweep = with_plan(made_sweep(build, tmp_path, "sim/oracle"), limits=limits)
    quietly(sweep)
    paths = paths_of(sweep, "sim/oracle")
    record = read_artefact(paths.record, RunRecord)
    another = Outcome(kind="wrong_model", reason="by an older list of names")
    write_artefact(paths.record, record.model_copy(update={"outcome": another}))
    assert made_now(sweep) == []
    assert read_artefact(paths.record, RunRecord).outcome == record.outcome
    assert record.outcome.kind == "limit"


def test_names_that_are_accepted_later_are_no_reason_to_run_again(sweep: Sweep) -> None:
    quietly(sweep)
    accepting = with_agent(sweep, accepted=("another",))
    assert made_now(accepting) == []
    assert read_artefact(paths_of(sweep, NOP).record, RunRecord).accepted == ("another",)


def test_half_of_a_run_is_made_anew(sweep: Sweep) -> None:
    quietly(sweep)
    paths = paths_of(sweep, NOP)
    half = sweep.paths.unfinished(read_artefact(paths.record, RunRecord).key)
    paths.root.rename(half.root)
    half.record.unlink()
    assert made_now(sweep) == [NOP]
    assert not half.root.exists()


def test_two_processes_are_not_at_work_in_one_sweep(sweep: Sweep) -> None:
    with at_work(sweep.paths), pytest.raises(UserError, match="another process is at work"):
        quietly(sweep)
    assert made_now(sweep) == [NOP, CLAIMS]


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
        quietly(with_agent(sweep, **changes))
    assert list(sweep.parent.iterdir()) == []


def test_the_name_of_the_key_variable_is_no_part_of_a_sweep(sweep: Sweep) -> None:
    one, other = (
        with_agent(sweep, upstream=UpstreamSpec(url="u", key_variable=name)).plan.name()
        for name in ("ONE", "OTHER")
    )
    assert one == other


def test_the_score_is_that_of_the_model(sweep: Sweep) -> None:
    quietly(sweep)
    score = read_artefact(paths_of(sweep, CLAIMS).score, Score)
    assert score.verdict is not None
    assert score.verdict["touched"].value == "overclaimed"


def test_progress_tells_what_is_done_and_what_is_left(sweep: Sweep) -> None:
    one = watched(replace(sweep, concurrency=1))
    assert [(p.finished, p.planned, p.running, p.again) for p in one] == [
        (1, 2, 0, False),
        (2, 2, 0, False),
    ]
    assert one[-1].outcomes == {"completed": 2}
    assert (one[-1].spent, one[-1].unpriced) == (0.0, 0)  # simulated models cost nothing


def test_a_run_that_is_made_beside_counts_as_running(sweep: Sweep) -> None:
    first, last = watched(sweep)
    assert (first.running, last.running) == (1, 0)
