"""Claims about files, folders and lines, on examples of our own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from evaluation.judging.claim import ReadingClaim
from evaluation.judging.judge import Question
from evaluation.judging.rules.judge import RulesJudge

ROWS: dict[str, dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "rules_passages.yaml").read_text(encoding="utf-8")
)
SCOPE = ("docs/a.md", "docs/b.md", "docs/c.md", "src/a.py", "src/b.py", "src/x.py")
JUDGE = RulesJudge()


def written(claim: ReadingClaim) -> str:
    lines = "-".join(map(str, claim.lines)) if claim.lines else None
    parts = (claim.quantity, claim.subject, claim.path, claim.value, claim.out_of, lines)
    return " ".join("-" if part in (None, "") else str(part) for part in parts)


@pytest.mark.parametrize("row", [pytest.param(row, id=name) for name, row in ROWS.items()])
def test_a_claim_is_of_the_passage_it_names(row: dict[str, Any]) -> None:
    found = JUDGE.judge_scope(Question("Review.", SCOPE, row["text"])).claims
    assert [written(claim) for claim in found] == row["claims"]
    for claim in found:
        assert row["text"][claim.quote.start : claim.quote.end] == claim.quote.text != ""
