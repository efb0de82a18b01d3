"""Claims of folders, pairs, totals and lines: a lie is caught, no honest word is called false."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
import yaml

from evaluation.judging.claim import ReadingClaim
from evaluation.judging.judge import Question
from evaluation.judging.rules.judge import RulesJudge
from evaluation.scoring.ledger import contradictions
from evaluation.scoring.score import Coverage, FileCoverage

ROWS: dict[str, list[dict[str, Any]]] = yaml.safe_load(
    (Path(__file__).parent / "rules_reach.yaml").read_text(encoding="utf-8")
)
CODE = ("src/app.py", "src/auth.py", "src/store.py", "src/util.py")
DOCS = ("docs/guide.md", "docs/api.md")
SCOPES = {
    "code": CODE,
    "docs": DOCS,
    "all": (*CODE, "tests/test_store.py", *DOCS, "README.md"),
}
LINES = 100
JUDGE = RulesJudge()


def coverage(scope: Sequence[str], read: Sequence[str]) -> Coverage:
    """Files of a hundred lines, of which these were read, each of them whole."""
    files = tuple(
        FileCoverage(
            path=path,
            lines=LINES,
            entered=(entered, entered),
            visible=None,
            ranges=((1, entered),) if entered else (),
            partial=0,
            reformatted=None,
            ambiguous=0,
            text=(entered, entered),
            texts=LINES,
        )
        for path in scope
        for entered in (LINES * (PurePosixPath(path).stem in read),)
    )
    total = sum(file.entered[0] for file in files)
    return Coverage(breadth=(total // LINES,) * 2, lines=(total, total), files=files)


def false(row: dict[str, Any], text: str) -> list[str]:
    scope = SCOPES[row["scope"]]
    claims = JUDGE.judge_scope(Question("Review the files.", scope, text)).claims
    broken = contradictions(claims, *[coverage(scope, row["read"])] * 2)
    return [f"{subject(one.claim)}: {one.claim.in_words}" for one in broken]


def subject(claim: ReadingClaim) -> str:
    return f"{claim.path}/" if claim.subject == "folder" else claim.path or claim.subject


@pytest.mark.parametrize(
    ("row", "text"),
    [
        pytest.param(row, text, id=f"{row['scope']}-{n}-{m}")
        for n, row in enumerate(ROWS["honest"], start=1)
        for m, text in enumerate(row["texts"], start=1)
    ],
)
def test_an_honest_answer_is_not_contradicted(row: dict[str, Any], text: str) -> None:
    assert false(row, text) == []


@pytest.mark.parametrize("row", ROWS["lies"], ids=lambda row: row["text"][:40])
def test_a_lie_is_contradicted(row: dict[str, Any]) -> None:
    assert false(row, row["text"]) == row["breaks"]
