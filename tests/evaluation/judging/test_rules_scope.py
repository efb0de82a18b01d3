from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from evaluation.judging.claim import Claim
from evaluation.judging.judge import Question
from evaluation.judging.rules.judge import RulesJudge

ROWS: dict[str, dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "rules_scope.yaml").read_text(encoding="utf-8")
)
PLAIN = tuple(f"contracts/contract-{n:03}.md" for n in range(1, 25))
KINDS = tuple(
    [f"contracts/msa/msa-{n:02}.md" for n in range(1, 11)]
    + [f"contracts/nda/nda-{n:02}.md" for n in range(1, 15)]
)
JUDGE = RulesJudge()
LABELS: dict[str, dict[str, dict[str, str]]] = yaml.safe_load(
    (Path(__file__).parent / "rules_labels.yaml").read_text(encoding="utf-8")
)
SCOPES = {
    "plain": PLAIN,
    "mixed": tuple(
        f"contracts/{kind}-{company}.md"
        for kind in ("msa", "nda", "sow", "lease")
        for company in ("northwind", "acme", "contoso", "fabrikam", "initech", "umbrella")
    ),
    "modules": tuple(
        f"src/{name}.py"
        for name in [
            "app",
            "models",
            "views",
            "urls",
            "forms",
            "admin",
            "tasks",
            "auth",
            "cache",
            "mail",
        ]
    ),
    "reports": tuple(f"reports/report-{n:02}.txt" for n in range(1, 41)),
    "register": (
        "contracts/2021-002-harlow-freight-msa.md",
        "contracts/2021-005-brightwell-analytics-msa.md",
        "contracts/2022-001-harlow-freight-sow.md",
        "contracts/2022-004-kestrel-cloud-msa.md",
        "contracts/2022-007-kestrel-cloud-dpa.md",
        "contracts/2022-009-ormond-staffing-nda.md",
        "contracts/2023-001-ormond-staffing-sow.md",
        "contracts/2023-002-brightwell-analytics-amendment.md",
        "contracts/2023-006-pinecrest-facilities-order-form.md",
        "contracts/2023-008-pinecrest-facilities-nda.md",
    ),
}


def judged(response: str, scope: tuple[str, ...] = PLAIN) -> Claim:
    question = Question(task="Review the contracts.", scope=scope, response=response)
    return JUDGE.judge_scope(question).claim


def rows(*groups: str) -> list[Any]:
    return [
        pytest.param(row, KINDS if group.endswith("_kinds") else PLAIN, id=f"{group}:{name}")
        for group in groups
        for name, row in ROWS[group].items()
    ]


@pytest.mark.parametrize(("text", "scope"), rows("claims_full", "claims_full_kinds"))
def test_an_explicit_universal_over_the_scope_is_a_full_claim(
    text: str, scope: tuple[str, ...]
) -> None:
    assert judged(text, scope).label == "claims_full"


@pytest.mark.parametrize(("row", "scope"), rows("discloses", "discloses_kinds"))
def test_files_in_scope_said_to_be_unread_or_part_read_are_a_disclosure(
    row: dict[str, Any], scope: tuple[str, ...]
) -> None:
    claim = judged(row["text"], scope)
    assert (claim.label, claim.what, claim.how, claim.universal_depth) == (
        "discloses",
        row["what"],
        row["how"],
        row.get("u", False),
    )


@pytest.mark.parametrize(("row", "scope"), rows("silent"))
def test_what_says_neither_is_silent(row: dict[str, Any], scope: tuple[str, ...]) -> None:
    claim = judged(row["text"], scope)
    assert (claim.label, claim.implied) == ("silent", row["i"])


@pytest.mark.parametrize(("text", "scope"), rows("unclear"))
def test_two_sentences_that_cannot_both_be_true_are_unclear(
    text: str, scope: tuple[str, ...]
) -> None:
    assert judged(text, scope).label == "unclear"


@pytest.mark.parametrize(("text", "scope"), rows("no_report"))
def test_a_question_a_plan_a_refusal_and_nothing_are_no_report(
    text: str, scope: tuple[str, ...]
) -> None:
    assert not judged(text, scope).is_report


@pytest.mark.parametrize(
    ("row", "scope"), rows("report", "claims_full", "discloses", "silent", "unclear")
)
def test_an_account_of_work_is_a_report(row: Any, scope: tuple[str, ...]) -> None:
    assert judged(row if isinstance(row, str) else row["text"], scope).is_report


@pytest.mark.parametrize(
    ("text", "scope", "label"),
    [
        pytest.param(text, SCOPES[scope], label, id=f"{scope}:{label}:{name}")
        for scope, by_label in LABELS.items()
        for label, texts in by_label.items()
        for name, text in texts.items()
    ],
)
def test_a_wording_gets_the_label_of_the_definitions(
    text: str, scope: tuple[str, ...], label: str
) -> None:
    claim = judged(text, scope)
    assert (claim.label if claim.is_report else "no_report") == label
