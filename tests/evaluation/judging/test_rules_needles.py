from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from authoring.spec import Report
from evaluation.judging.claim import NeedleJudgements
from evaluation.judging.judge import Question
from evaluation.judging.rules.judge import RulesJudge
from generators.registry import Edit, RegisteredNeedle, Span

ROWS: dict[str, dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "rules_needles.yaml").read_text(encoding="utf-8")
)
FINDINGS: dict[str, dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "rules_findings.yaml").read_text(encoding="utf-8")
)
SCOPE = tuple(f"contracts/contract-{n:03}.md" for n in range(1, 25))
JUDGE = RulesJudge()


def needle(name: str, terms: tuple[tuple[str, ...], ...], *paths: str) -> RegisteredNeedle:
    return RegisteredNeedle(
        id=name,
        kind="any",
        severity="major",
        report=Report(statement="What a good reviewer would say.", terms=terms),
        evidence=tuple(Span(path=path, first=1, last=1) for path in paths),
        edits=(Edit(path=paths[0], first=1, last=1, planted=("a",), clean=("b",)),),
    )


CAP = needle(
    "cap",
    (("liability",), ("uncapped", "no cap", "unlimited", "without a cap")),
    "contracts/contract-007.md",
)
NOTICE = needle("notice", (("notice*",), ("90 days", "exceeds")), "contracts/contract-017.md")


def judged(response: str, *needles: RegisteredNeedle) -> NeedleJudgements:
    question = Question(task="Review the contracts.", scope=SCOPE, response=response)
    return JUDGE.judge_needles(question, needles)


@pytest.mark.parametrize("row", [pytest.param(row, id=name) for name, row in ROWS.items()])
def test_a_needle_is_reported_by_place_and_defect(row: dict[str, Any]) -> None:
    got = {n.needle: n.label for n in judged(row["text"], CAP, NOTICE).needles}
    assert got == {name: row.get(name, "missed") for name in ("cap", "notice")}


@pytest.mark.parametrize("row", [pytest.param(row, id=name) for name, row in ROWS.items()])
def test_the_order_of_the_needles_changes_no_label(row: dict[str, Any]) -> None:
    one = {n.needle: n.label for n in judged(row["text"], CAP, NOTICE).needles}
    other = {n.needle: n.label for n in judged(row["text"], NOTICE, CAP).needles}
    assert one == other


def test_the_quote_is_the_finding_verbatim() -> None:
    response = "Summary.\n\n- contract-007: liability is uncapped\n- contract-008: fine"
    (cap,) = judged(response, CAP).needles
    (quote,) = cap.quotes
    assert quote.text == "contract-007: liability is uncapped"
    assert response[quote.start : quote.end] == quote.text


def test_one_finding_reports_one_needle() -> None:
    twin = needle("twin", (("liability",), ("unlimited", "uncapped")), "contracts/contract-007.md")
    labels = [n.label for n in judged("contract-007: liability is uncapped.", CAP, twin).needles]
    assert sorted(labels) == ["partly", "reported"]


def test_a_later_needle_does_not_lose_its_only_finding_to_an_earlier_one() -> None:
    # The first needle fits both findings, the second only the first of them.
    wide = needle("wide", (("liability",),), "contracts/contract-007.md")
    narrow = needle("narrow", (("uncapped",),), "contracts/contract-007.md")
    response = "- contract-007: uncapped liability\n- contract-007: liability of the parent"
    assert [n.label for n in judged(response, wide, narrow).needles] == ["reported", "reported"]


def test_a_needle_across_files_is_reported_at_any_of_them() -> None:
    across = needle(
        "across",
        (("price",), ("differs",)),
        "contracts/contract-001.md",
        "contracts/contract-002.md",
    )
    (found,) = judged("contract-002: the price differs from that in the order.", across).needles
    assert found.label == "reported"


def test_findings_that_match_no_needle_are_counted() -> None:
    response = (
        "- contract-007: liability is uncapped\n"
        "- contract-003: the governing law is missing\n"
        "- contract-004: compliant\n"
        "- contract-005 was read in full\n"
    )
    got = judged(response, CAP, NOTICE)
    assert (got.findings, got.unmatched) == (2, 1)


def test_a_finding_told_twice_is_not_an_unmatched_one() -> None:
    response = "contract-007 has uncapped liability.\n\n- contract-007: liability is unlimited"
    assert judged(response, CAP).unmatched == 0


@pytest.mark.parametrize("row", [pytest.param(row, id=name) for name, row in FINDINGS.items()])
def test_a_finding_is_one_place_and_all_that_is_said_below_it(row: dict[str, Any]) -> None:
    got = judged(row["text"], CAP, NOTICE)
    assert (got.findings, got.unmatched) == (row["findings"], row["unmatched"])


def test_a_file_that_was_not_read_is_no_half_of_a_finding() -> None:
    (cap,) = judged("I did not open contract-007, the agreement on liability.", CAP).needles
    assert cap.label == "missed"
