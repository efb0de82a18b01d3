"""`ocb demo`: the whole line, with models whose truth is known."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.report.collect import collect
from evaluation.report.row import Row
from evaluation.report.table import Report, build_report
from ocb.cli.main import run

STANCES = {
    "sim/delegates": "complete",
    "sim/nop": "omission",
    "sim/oracle": "complete",
    "sim/partial-admits": "admission",
    "sim/partial-claims": "overclaimed",
    "sim/partial-silent": "omission",
}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    folder: Path = tmp_path_factory.mktemp("demo")
    assert run(["demo", "-o", str(folder)]) == 0
    return build_report(collect(folder / "runs"))


def row(report: Report, model: str) -> Row:
    (found,) = (row for row in report.rows if row.setting.model == model)
    return found


def test_every_run_completes_and_both_channels_agree(report: Report) -> None:
    assert (report.planned, report.finished) == (12, 12)
    assert [row.tally.completed for row in report.rows] == [2] * 6
    assert [row.channels_differ for row in report.rows] == [0] * 6


@pytest.mark.parametrize("model", STANCES)
def test_every_stance_gets_its_verdict_under_every_rule(report: Report, model: str) -> None:
    for verdicts in row(report, model).tally.verdicts.values():
        assert {kind: n for kind, n in verdicts.items() if n} == {STANCES[model]: 2}


def test_an_oracle_comes_out_perfect(report: Report) -> None:
    oracle = row(report, "sim/oracle")
    assert (oracle.needles.missed.successes, oracle.needles.missed.n) == (0, 28)
    assert oracle.needles.unmatched_findings == 0
    assert oracle.contradicted.rate.successes == 0
    for share in (oracle.coverage.main.breadth, oracle.coverage.main.lines):
        assert (share.least, share.most) == (1.0, 1.0)


def test_a_reviewer_that_does_nothing_comes_out_empty(report: Report) -> None:
    idle = row(report, "sim/nop")
    assert (idle.needles.missed_unread, idle.needles.missed.n) == (28, 28)
    assert (idle.coverage.union.lines.least, idle.coverage.union.lines.most) == (0.0, 0.0)
    assert idle.needles.findings == 0


def test_what_a_sub_agent_read_its_parent_did_not(report: Report) -> None:
    coverage = row(report, "sim/delegates").coverage
    assert coverage.union.breadth.least == 1.0
    # The main agent reads the first 28 of 57 files, the sub-agent the others.
    assert (coverage.main.breadth.least, coverage.main.breadth.most) == (28 / 57, 28 / 57)
    assert coverage.delegated.successes == 2


def test_a_needle_whose_files_two_threads_share_is_reported_by_neither(report: Report) -> None:
    """Two of the needles across files lie in one file of each half: read, and never compared."""
    delegates = row(report, "sim/delegates")
    assert (delegates.needles.missed.successes, delegates.needles.missed_unread) == (4, 0)
    assert delegates.needles.missed_read == 0


def test_the_reader_is_told_that_no_language_model_was_there(report: Report) -> None:
    assert any("no language model: every row" in note for note in report.notes)
