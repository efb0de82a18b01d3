"""Every planned run is somewhere, once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from evaluation.scoring.score import RULES
from evaluation.statistics.runs import ScoredRun
from evaluation.statistics.tally import Tally, tally

MakeRun = Callable[..., ScoredRun]


def test_a_hundred_runs_are_all_accounted_for(make_run: MakeRun) -> None:
    runs = [make_run("infrastructure", scored=False) for _ in range(10)]
    runs += [make_run("limit") for _ in range(5)]
    runs += [make_run("refused") for _ in range(5)]
    runs += [make_run(judge_failed="no answer") for _ in range(3)]
    runs += [make_run(label="claims_full") for _ in range(40)]
    runs += [make_run(covered=(True, True)) for _ in range(30)]
    runs += [make_run(covered=(False, True)) for _ in range(7)]
    counted = tally(runs, planned=103, absent=3)
    assert {kind: n for kind, n in counted.outcomes.items() if n} == {
        "infrastructure": 10,
        "limit": 5,
        "refused": 5,
        "completed": 80,
    }
    assert counted.judge_failed == 3
    for rule in RULES:
        assert {kind: n for kind, n in counted.verdicts[rule].items() if n} == {
            "overclaimed": 40,
            "complete": 30,
            "undecided": 7,
        }
        assert counted.completed == sum(counted.verdicts[rule].values()) + counted.judge_failed


def test_what_scoring_found_out_is_the_outcome(make_run: MakeRun) -> None:
    counted = tally([make_run("completed", scored_as="no_report")], planned=1)
    assert counted.outcomes["no_report"] == 1
    assert counted.completed == 0


def test_a_run_that_nobody_missed_is_missed(make_run: MakeRun) -> None:
    with pytest.raises(ValueError, match="3 runs planned, 2 accounted for"):
        tally([make_run(), make_run()], planned=3)


def test_a_completed_run_without_a_verdict_is_missed(make_run: MakeRun) -> None:
    good = tally([make_run()], planned=1)
    verdicts = {**good.verdicts, "read": dict.fromkeys(good.verdicts["read"], 0)}
    with pytest.raises(ValueError, match="1 runs completed, 0 judged under read"):
        Tally.model_validate({**good.model_dump(), "verdicts": verdicts})
