"""What makes a needle pass, through the real SDKs against a server that reviews by a script."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from datetime import date
from pathlib import Path
from threading import Event
from typing import cast

import pytest

from authoring.errors import UserError
from generators.models.asking import Usage
from generators.models.prices import Price
from generators.models.vendors import ModelName
from generators.registry import RegisteredNeedle
from tests.generators.models.model_server import Asked, Reply, answered, completion
from tests.validation.readers.reviewers import (
    LATE,
    NEEDLE,
    TEXTS,
    VENDORS,
    Findings,
    OwnClient,
    OwnReader,
    Reviewer,
    blind,
    eager,
    environment,
    finding,
    other_needle,
    reader_of,
    script,
    sharp,
    shown_files,
    subject,
)
from validation.check import Check
from validation.readers.asking import Standing
from validation.readers.check import ReaderPlan, check_read
from validation.readers.figures import ReaderFigures
from validation.readers.prompt import Prompt
from validation.readers.reader import Budget, ModelReader, Reader, Reading, open_reader
from validation.readers.sampling import Sampling

TODAY = date(2025, 3, 7)
ONE_AT_A_TIME = ReaderPlan(at_once=1)
WHOLE = ReaderPlan(at_once=1, sampling=Sampling(mode="whole"))


def read(
    reader: Reader,
    *needles: RegisteredNeedle,
    plan: ReaderPlan = ONE_AT_A_TIME,
    only: Iterable[str] | None = None,
) -> tuple[tuple[Check, ...], ReaderFigures]:
    checks, figures = check_read(
        subject(TEXTS, *needles), reader, on=TODAY, plan=plan, needles=only
    )
    return checks, cast("ReaderFigures", figures)


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_needle_passes_that_is_reported_where_it_stands_and_nowhere_else(vendor: str) -> None:
    with reader_of(script(sharp), vendor) as (reader, server):
        (check,), figures = read(reader, plan=ReaderPlan())
    assert (check.code, check.needle, check.passed) == ("reader", NEEDLE.id, True)
    # Wilson at 10 of 10 is 10 / (10 + 1.96²) to 1; at none of 10 it is the mirror image.
    assert check.note == (
        "reported in 10 of 10 samples (95 %: 72% to 100%),"
        " on its clean twin in 0 of 10 samples (95 %: 0% to 28%)"
    )
    assert check.evidence == NEEDLE.evidence
    assert (figures.reader, figures.on) == (f"{vendor}:m-1", TODAY)
    assert figures.models == (
        ("claude-of-a-test-20250101",) if vendor == "anthropic" else ("gpt-of-a-test-2025-01-01",)
    )
    assert (figures.calls.asked, figures.calls.cached, len(server.asked)) == (20, 0, 20)
    assert (figures.calls.input_tokens, figures.calls.output_tokens) == (280, 100)
    assert figures.findings_per_sample == 1


@pytest.mark.parametrize(
    ("reviewer", "reason"),
    [
        pytest.param(blind, "it is reported in 0 of 10 samples", id="misses"),
        pytest.param(
            eager, "it is reported on its clean twin in 10 of 10 samples", id="always-yes"
        ),
    ],
)
def test_a_needle_fails_that_is_missed_or_reported_of_any_text(
    reviewer: Reviewer, reason: str
) -> None:
    with reader_of(script(reviewer)) as (reader, _):
        (check,), _ = read(reader)
    assert (check.code, check.passed) == ("reader", False)
    assert check.reason.startswith(reason)
    assert " and " not in check.reason


def some_of(planted: int, clean: int) -> Reviewer:
    """Reports in so many samples of each: the first ones."""
    seen = {True: itertools.count(), False: itertools.count()}

    def reviewer(text: str) -> Findings:
        there = bool(sharp(text))
        return eager(text) if next(seen[there]) < (planted if there else clean) else []

    return reviewer


@pytest.mark.parametrize(
    ("planted", "clean", "passed"),
    [(5, 0, True), (4, 0, False), (10, 2, True), (10, 3, False), (5, 2, True)],
)
def test_the_bars_are_half_of_the_samples_and_a_fifth_of_the_twins(
    planted: int, clean: int, passed: bool
) -> None:
    (check,), figures = read(OwnReader(some_of(planted, clean)))
    assert check.passed == passed
    (row,) = figures.needles
    assert row.planted is not None
    assert row.twin is not None
    assert (row.planted.hits, row.twin.hits) == (planted, clean)
    assert (figures.threshold, figures.false_alarms, figures.samples) == (0.5, 0.2, 10)


FAULTS: dict[str, tuple[Callable[[Asked], Reply], str]] = {
    "another shape": (
        lambda asked: answered(asked, {"findings": "none"}),
        "not in the shape asked for: findings",
    ),
    "more than the shape": (
        lambda asked: answered(asked, {"findings": [], "note": "all fine"}),
        "not in the shape asked for: note",
    ),
    "a line that is text": (
        lambda asked: answered(asked, {"findings": [finding() | {"line": "2"}]}),
        "not in the shape asked for: findings.0.line",
    ),
    "a defect of no words": (
        lambda asked: answered(asked, {"findings": [finding(defect="")]}),
        "not in the shape asked for: findings.0.defect",
    ),
    "too many findings": (
        lambda asked: answered(asked, {"findings": [finding()] * 51}),
        "not in the shape asked for: findings",
    ),
    "a defect without end": (
        lambda asked: answered(asked, {"findings": [finding(defect="late " * 201)]}),
        "not in the shape asked for: findings.0.defect",
    ),
    "a path without end": (
        lambda asked: answered(asked, {"findings": [finding("a/" * 251)]}),
        "not in the shape asked for: findings.0.file",
    ),
    "prose": (lambda _: Reply(completion("All is well.\x1b[2J")), "no JSON object"),
    "refused": (lambda _: Reply({"error": {"message": "no"}}, 400), "status 400"),
    "hangs": (lambda _: Reply(how="never"), "no answer within 0.5 seconds"),
}


@pytest.mark.parametrize(("fault", "said"), FAULTS.values(), ids=FAULTS)
def test_a_sample_without_an_answer_is_a_failed_one_and_no_miss(
    fault: Callable[[Asked], Reply], said: str
) -> None:
    calls = itertools.count()
    # The third and the seventeenth call: one planted sample and one of the twin.
    answer = script(sharp)
    with reader_of(
        lambda asked: fault(asked) if next(calls) in (2, 16) else answer(asked), seconds=0.5
    ) as (reader, _):
        (check,), figures = read(reader)
    assert (check.code, check.needle, check.passed) == ("reader-failed", NEEDLE.id, False)
    assert check.reason.startswith("2 of 20 samples could not be had: ")
    assert said in check.reason
    assert [(f.needle, f.corpus, f.number) for f in figures.failed] == [
        (NEEDLE.id, "planted", 3),
        (NEEDLE.id, "twin", 7),
    ]
    (row,) = figures.needles
    assert (row.planted, row.twin) == (None, None)
    assert figures.calls.cached == 0


def test_as_many_and_as_long_findings_as_are_allowed_are_an_answer() -> None:
    longest = finding(defect=f"The payment is due too late. {'A' * 971}")

    def reviewer(text: str) -> Findings:
        return [longest] * 50 if sharp(text) else []

    with reader_of(script(reviewer)) as (reader, _):
        (check,), figures = read(reader)
    assert check.passed
    assert figures.findings_per_sample == 50


def test_a_server_that_refuses_everybody_is_asked_three_times() -> None:
    refused = Reply({"error": {"message": "bad key"}}, 401)
    with reader_of(lambda _: refused) as (reader, server):
        (check,), figures = read(reader)
    assert len(server.asked) == 3
    assert check.code == "reader-failed"
    assert check.reason.startswith(
        "20 of 20 samples could not be had: not asked, since the first 3 calls failed alike:"
        " m-1: status 401"
    )
    reasons = [failed.reason.partition(":")[0] for failed in figures.failed]
    assert reasons == ["m-1"] * 3 + ["not asked, since the first 3 calls failed alike"] * 17


def test_an_interrupt_waits_for_no_call_that_hangs() -> None:
    held, ended, calls = Event(), Event(), itertools.count()

    class Hanging(OwnReader):
        def read(self, prompt: Prompt) -> Reading:
            if next(calls):
                held.wait(30)
                ended.set()
            return super().read(prompt)

    def interrupt(standing: Standing) -> None:
        raise KeyboardInterrupt

    reader = Hanging(sharp)
    try:
        with pytest.raises(KeyboardInterrupt):
            check_read(subject(), reader, on=TODAY, plan=ReaderPlan(at_once=2), progress=interrupt)
        assert not ended.is_set()
    finally:
        held.set()


@pytest.mark.parametrize("sum_", [float("nan"), float("inf"), 0, -1])
def test_a_sum_that_cannot_be_kept_to_is_refused(sum_: float) -> None:
    budget = Budget(price=Price(input=1, output=1), most_usd=sum_)
    with pytest.raises(UserError, match="is none that can be kept to"):
        open_reader("openai:m-1", {}, budget=budget)


def test_what_was_answered_is_not_asked_again_and_what_failed_is(tmp_path: Path) -> None:
    calls = itertools.count()

    def answer(asked: Asked) -> Reply:
        findings = "none" if next(calls) == 4 else sharp(asked.prompt)
        return answered(asked, {"findings": findings})

    with reader_of(answer, cache=tmp_path) as (reader, server):
        (first,), _ = read(reader)
        again = open_reader("openai:m-1", environment(server), cache=tmp_path)
        (second,), figures = read(again)
    assert (first.code, second.code, second.passed) == ("reader-failed", "reader", True)
    assert (figures.calls.asked, figures.calls.cached) == (1, 19)
    # On a machine without a key, and with the server gone.
    (third,), figures = read(open_reader("openai:m-1", {}, cache=tmp_path))
    assert third == second
    assert (figures.calls.asked, figures.calls.cached) == (0, 20)
    assert figures.models == ("gpt-of-a-test-2025-01-01",)


def test_without_a_key_nothing_is_sealed_and_the_remedy_is_told() -> None:
    with pytest.raises(UserError, match="set OPENAI_API_KEY"):
        read(open_reader("openai:m-1", {}), plan=ReaderPlan())


def test_the_cap_ends_the_calls_and_not_the_report() -> None:
    # 8,000 tokens of an answer may come: at 1,000 dollars a million that is 8 dollars a call.
    price = Price(input=0, output=1000)
    with reader_of(script(sharp), price=price, most_usd=8.012) as (reader, server):
        (check,), figures = read(reader)
    # 5 tokens come: half a cent. The fourth call could bring it to 8.015.
    assert len(server.asked) == figures.calls.asked == 3
    assert figures.calls.spent_usd == pytest.approx(0.015)
    assert figures.calls.cap_usd == 8.012
    assert check.code == "reader-failed"
    assert "17 of 20 samples could not be had: the next call could bring the cost" in check.reason


@pytest.mark.parametrize(
    ("price", "usage", "spent", "untold"),
    [
        pytest.param(None, Usage(input_tokens=1, output_tokens=1), None, 0, id="no-price"),
        pytest.param(Price(input=1, output=1), None, 0, 20, id="no-usage"),
        pytest.param(
            Price(input=1, output=3),
            Usage(input_tokens=50_000, output_tokens=10_000),
            20 * (0.05 + 0.03),
            0,
            id="both",
        ),
    ],
)
def test_what_is_not_known_of_the_cost_is_not_zero(
    price: Price | None, usage: Usage | None, spent: float | None, untold: int
) -> None:
    client = OwnClient(sharp, usage)
    _, figures = read(ModelReader(ModelName("openai", "m-1"), client, budget=Budget(price)))
    assert figures.calls.spent_usd == (None if spent is None else pytest.approx(spent))
    assert figures.calls.untold == untold


def test_a_whole_corpus_speaks_of_all_needles_at_once() -> None:
    signed = other_needle("letters/b.txt", 3, ("signed",), ("april",), name="signed-in-april")

    def reviewer(text: str) -> Findings:
        there = "3\tsigned in April" in text
        own = finding("letters/b.txt", 3, "It was signed in April.")
        return [*sharp(text), *([own] if there else [])]

    reader = OwnReader(reviewer)
    checks, figures = read(reader, NEEDLE, signed, plan=WHOLE)
    assert [(check.needle, check.passed) for check in checks] == [
        (NEEDLE.id, True),
        (signed.id, True),
    ]
    assert len(reader.prompts) == 20
    assert all(sorted(shown_files(prompt)) == sorted(TEXTS) for prompt in reader.prompts)
    assert figures.mode == "whole"


def test_a_corpus_that_does_not_fit_is_told() -> None:
    plan = ReaderPlan(sampling=Sampling(mode="whole", most_tokens=300))
    (check,), figures = read(OwnReader(sharp), plan=plan)
    assert check.code == "reader-failed"
    assert "a sample holds at most 300" in check.reason
    assert figures.failed[0].needle is None


def test_one_finding_reports_one_needle_and_no_needle_is_blamed_for_another() -> None:
    # Both speak of a late payment in the same file, in lines 2 and 3.
    twin = other_needle(LATE, 3, ("payment",), ("late",), name="signed-late")
    checks, figures = read(OwnReader(sharp), NEEDLE, twin)
    # There is one finding for two needles: neither can be said to be the one that is told.
    assert [row.planted and row.planted.hits for row in figures.needles] == [0, 0]
    assert not any(check.passed for check in checks)
    # With two findings, each is found; with one taken out, the other's finding is its own.
    both = [finding(), finding(line=3, defect="A late payment is agreed to.")]

    def reviewer(text: str) -> Findings:
        there = ("2\tthe payment falls due late" in text, "3\tsigned in March" in text)
        return [one for one, shown in zip(both, there, strict=True) if shown]

    checks, figures = read(OwnReader(reviewer), NEEDLE, twin)
    assert all(check.passed for check in checks)
    assert [row.at_its_lines for row in figures.needles] == [10, 10]


@pytest.mark.parametrize(
    ("given", "hits", "at"),
    [
        pytest.param(finding(), 10, 10, id="file-line-and-defect"),
        pytest.param(finding(line=1), 10, 0, id="another-line"),
        pytest.param(finding(f"./{LATE}"), 10, 10, id="dotted-path"),
        pytest.param(finding(f"/home/dev/review/{LATE}"), 10, 10, id="absolute-path"),
        pytest.param(finding("letters/b.txt"), 0, 0, id="another-file"),
        pytest.param(finding("a.txt"), 0, 0, id="a-file-that-was-not-given"),
        pytest.param(finding(defect="It was signed late."), 0, 0, id="another-defect"),
        pytest.param(
            finding(defect="The payment is not late: it is in line with the rules."),
            0,
            0,
            id="a-clean-bill",
        ),
    ],
)
def test_a_finding_counts_by_file_and_defect_and_its_line_is_told(
    given: dict[str, object], hits: int, at: int
) -> None:
    client = OwnClient(lambda text: [given] if sharp(text) else [])
    _, figures = read(ModelReader(ModelName("openai", "m-1"), client))
    (row,) = figures.needles
    assert row.planted is not None
    assert (row.planted.hits, row.at_its_lines) == (hits, at)


def test_needles_can_be_read_one_by_one() -> None:
    other = other_needle("letters/b.txt", 3, ("april",), name="signed-in-april")
    reader = OwnReader(sharp)
    (check,), _ = read(reader, NEEDLE, other, only=[NEEDLE.id])
    assert check.needle == NEEDLE.id
    assert len(reader.prompts) == 20


def test_progress_is_heard_of_every_sample() -> None:
    heard: list[Standing] = []
    check_read(subject(), OwnReader(sharp), on=TODAY, progress=heard.append)
    assert heard == [Standing(done, 0, 20) for done in range(1, 21)]
