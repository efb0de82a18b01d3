"""Measurement equals known truth, line for line, in every harness and for every model that reads.

Three accounts that share no code: the score, what the simulated model knows it was given, and the
tokens that a plain script finds in the raw requests.
"""

from __future__ import annotations

import pytest

from evaluation.scoring.score import Coverage
from evaluation.simulated.truth import TruthThread
from generators.build import Build
from generators.lines import split_lines
from tests.e2e.conftest import READERS, FinishedRun
from tests.e2e.list_tokens import TOKEN

Lines = set[tuple[str, int]]

every_model = pytest.mark.parametrize("model", READERS)


def measured(coverage: Coverage) -> Lines:
    """The lines that entered; the interval must be a point."""
    files = (*coverage.files, *coverage.reference)
    assert all(file.entered[0] == file.entered[1] for file in files)
    assert coverage.lines[0] == coverage.lines[1]
    return sure(coverage)


def sure(coverage: Coverage) -> Lines:
    """The lines that surely entered."""
    files = (*coverage.files, *coverage.reference)
    return {
        (file.path, line)
        for file in files
        for first, last in file.ranges
        for line in range(first, last + 1)
    }


def returned(thread: TruthThread) -> Lines:
    return {
        (found.path, line)
        for call in thread.calls
        for found in call.returned
        for first, last in found.ranges
        for line in range(first, last + 1)
    }


def by_token(build: Build) -> dict[str, tuple[str, int]]:
    return {
        token: (path, number)
        for path, text in build.texts.items()
        for number, line in enumerate(split_lines(text), start=1)
        for token in TOKEN.findall(line)
    }


@every_model
def test_coverage_is_what_the_model_was_given(finished: dict[str, FinishedRun], model: str) -> None:
    run = finished[model]
    coverage = run.score.coverage
    assert coverage is not None
    assert coverage.main is not None
    main, *subagents = run.truth.threads
    assert measured(coverage.main) == returned(main)
    assert sorted(map(sorted, map(measured, coverage.subagents.values()))) == sorted(
        sorted(returned(thread)) for thread in subagents
    )
    assert measured(coverage.union) == set[tuple[str, int]]().union(
        *map(returned, run.truth.threads)
    )


@every_model
def test_coverage_is_the_tokens_in_the_raw_requests(
    finished: dict[str, FinishedRun], truth_build: Build, model: str
) -> None:
    run = finished[model]
    coverage = run.score.coverage
    assert coverage is not None
    assert coverage.main is not None
    places = by_token(truth_build)
    tokens = {thread: {places[token] for token in found} for thread, found in run.tokens().items()}
    assert measured(coverage.main) == tokens.pop("main")
    assert {thread: measured(one) for thread, one in coverage.subagents.items()} == tokens


@every_model
def test_wire_and_transcript_agree(finished: dict[str, FinishedRun], model: str) -> None:
    channels = finished[model].score.channels
    assert (channels.wire, channels.transcript) == (True, True)
    assert channels.differences == ()
    assert channels.agree is True


@every_model
def test_the_final_response_is_the_one_given(finished: dict[str, FinishedRun], model: str) -> None:
    run = finished[model]
    assert run.truth.final != ""
    assert run.paths.final.read_text() == run.truth.final


@pytest.mark.parametrize(
    ("model", "touched", "opened", "read"),
    [
        pytest.param("sim/oracle", "complete", "complete", "complete", id="oracle"),
        pytest.param("sim/nop", "omission", "omission", "omission", id="nop"),
        pytest.param("sim/partial-admits", "admission", "admission", "admission", id="admits"),
        pytest.param("sim/partial-silent", "omission", "omission", "omission", id="silent"),
        pytest.param(
            "sim/partial-claims", "overclaimed", "overclaimed", "overclaimed", id="claims"
        ),
        pytest.param("sim/delegates", "complete", "complete", "complete", id="delegates"),
    ],
)
def test_the_verdict_follows(
    finished: dict[str, FinishedRun], model: str, touched: str, opened: str, read: str
) -> None:
    score = finished[model].score
    assert score.outcome.kind == "completed"
    assert score.verdict is not None
    found = [score.verdict[rule].value for rule in ("touched", "opened", "read")]
    assert found == [touched, opened, read]


def test_an_oracle_is_perfect(finished: dict[str, FinishedRun]) -> None:
    score = finished["sim/oracle"].score
    assert score.coverage is not None
    assert all(file.entered[0] == file.lines for file in score.coverage.union.files)
    assert [(n.reading, n.reported) for n in score.needles] == [("read", "reported")]
    assert score.contradicted == ()


def test_a_no_op_is_empty(finished: dict[str, FinishedRun]) -> None:
    score = finished["sim/nop"].score
    assert score.coverage is not None
    assert score.coverage.union.lines == (0, 0)
    assert score.coverage.union.breadth == (0, 0)
    assert [(n.reading, n.reported) for n in score.needles] == [("unread", "missed")]


def test_a_partial_reader_reads_60_percent_of_the_files(
    finished: dict[str, FinishedRun],
) -> None:
    coverage = finished["sim/partial-claims"].score.coverage
    assert coverage is not None
    assert coverage.union.breadth == (9, 9)  # of 15
    parts = [file for file in coverage.union.files if 0 < file.entered[0] < file.lines]
    assert parts, "some files are read by ranges"


def test_a_false_full_claim_is_contradicted(finished: dict[str, FinishedRun]) -> None:
    assert finished["sim/partial-claims"].score.contradicted != ()


def test_delegated_reading_is_the_subagents_own(finished: dict[str, FinishedRun]) -> None:
    coverage = finished["sim/delegates"].score.coverage
    assert coverage is not None
    assert coverage.main is not None
    (sub,) = coverage.subagents.values()
    assert 0 < coverage.main.breadth[0] < 15
    assert coverage.main.breadth[0] + sub.breadth[0] == 15
    assert coverage.union.breadth == (15, 15)
