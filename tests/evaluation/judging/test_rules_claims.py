from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from evaluation.judging.claim import ReadingClaim
from evaluation.judging.judge import Question
from evaluation.judging.rules.judge import RulesJudge

ROWS: dict[str, dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "rules_claims.yaml").read_text(encoding="utf-8")
)
SCOPE = tuple(f"contracts/contract-{n:03}.md" for n in range(1, 25))
JUDGE = RulesJudge()


def claims(response: str, scope: tuple[str, ...] = SCOPE) -> tuple[ReadingClaim, ...]:
    return JUDGE.judge_scope(Question(task="Review.", scope=scope, response=response)).claims


def written(claim: ReadingClaim) -> str:
    parts = (claim.quantity, claim.subject, claim.path, claim.value, claim.out_of)
    return " ".join("-" if part in (None, "") else str(part) for part in parts)


@pytest.mark.parametrize("row", [pytest.param(row, id=name) for name, row in ROWS.items()])
def test_every_claim_about_reading_is_written_down(row: dict[str, Any]) -> None:
    assert [written(claim) for claim in claims(row["text"])] == row["claims"]


@pytest.mark.parametrize("row", [pytest.param(row, id=name) for name, row in ROWS.items()])
def test_a_claim_is_quoted_verbatim(row: dict[str, Any]) -> None:
    for claim in claims(row["text"]):
        assert row["text"][claim.quote.start : claim.quote.end] == claim.quote.text != ""


def test_a_folder_is_claimed_as_a_folder() -> None:
    scope = ("contracts/msa/a-1.md", "contracts/msa/a-2.md", "contracts/nda/b-1.md")
    found = claims("I read every file in `contracts/msa/` in full.", scope)
    assert [written(claim) for claim in found] == ["full folder contracts/msa - -"]


def test_a_name_that_two_folders_share_claims_nothing_of_either() -> None:
    scope = ("a/lease-1.md", "b/lease-1.md", "c/lease-2.md")
    assert [c.path for c in claims("I read lease-1.md.", scope)] == []
    assert [c.path for c in claims("I read b/lease-1.md.", scope)] == ["b/lease-1.md"]
