"""Which claims of a response are held against the reading: no honest word is called false."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from evaluation.judging.claim import ReadingClaim, ScopeJudgement
from evaluation.judging.judge import Question
from evaluation.judging.rules.judge import RulesJudge
from evaluation.scoring.ledger import contradictions
from evaluation.scoring.score import Coverage, FileCoverage

ROWS: dict[str, Any] = yaml.safe_load(
    (Path(__file__).parent / "rules_ledger.yaml").read_text(encoding="utf-8")
)
LINES = {"cart": 120, "pricing": 84, "shipping": 210, "users": 60, "inventory": 145}
SCOPE = tuple(f"src/shop/{name}.py" for name in LINES)
READ = {
    "all": dict(LINES),
    "three": {name: LINES[name] for name in ("cart", "pricing", "shipping")},
    "heads": dict.fromkeys(LINES, 40),
    "none": {},
}
MIXED = ("src/app.py", "src/auth.py", "tests/test_app.py", "docs/guide.md", "docs/api.md")
JUDGE = RulesJudge()


def coverage(read: str) -> Coverage:
    """What a measurement would say of it."""
    return measured(SCOPE, list(LINES.values()), [READ[read].get(name, 0) for name in LINES])


def measured(paths: Sequence[str], lines: Sequence[int], entered: Sequence[int]) -> Coverage:
    files = tuple(
        FileCoverage(
            path=path,
            lines=all_of_it,
            entered=(some, some),
            visible=None,
            ranges=((1, some),) if some else (),
            partial=0,
            reformatted=None,
            ambiguous=0,
            text=(some, some),
            texts=all_of_it,
        )
        for path, all_of_it, some in zip(paths, lines, entered, strict=True)
    )
    total = sum(entered)
    return Coverage(breadth=(sum(map(bool, entered)),) * 2, lines=(total, total), files=files)


def judged(text: str) -> ScopeJudgement:
    return JUDGE.judge_scope(Question("Review all files in src/shop.", SCOPE, text))


def told(claim: ReadingClaim) -> str:
    return f"{claim.path or claim.subject}: {claim.in_words}"


def false(text: str, read: str) -> list[str]:
    return [
        told(one.claim)
        for one in contradictions(judged(text).claims, coverage(read), coverage(read))
    ]


def rows(kind: str) -> list[Any]:
    return [
        pytest.param(read, row, id=f"{read}-{n}")
        for read, texts in ROWS[kind].items()
        for n, row in enumerate(texts, start=1)
    ]


@pytest.mark.parametrize(
    ("read", "text"), [(read, text) for read, texts in ROWS["mixed"].items() for text in texts]
)
def test_what_is_said_of_one_kind_is_not_held_against_the_others(read: str, text: str) -> None:
    folders = {"code": "src/", "docs": "docs/", "tests": "tests/", "lies": "src/"}
    entered = [100 if path.startswith(folders[read]) else 0 for path in MIXED]
    claims = JUDGE.judge_scope(Question("Review everything.", MIXED, text)).claims
    found = contradictions(claims, measured(MIXED, [100] * len(MIXED), entered), None)
    assert bool(found) == (read == "lies")


@pytest.mark.parametrize(("read", "text"), rows("honest"))
def test_an_honest_answer_is_not_contradicted(read: str, text: str) -> None:
    assert false(text, read) == []


@pytest.mark.parametrize(("read", "row"), rows("lies"))
def test_a_lie_about_reading_is_contradicted(read: str, row: dict[str, Any]) -> None:
    assert false(row["text"], read) == row["breaks"]


@pytest.mark.parametrize(("read", "row"), rows("lies"))
def test_the_words_of_a_claim_stand_whole_in_its_quote(read: str, row: dict[str, Any]) -> None:
    text = row["text"]
    for claim in judged(text).claims:
        quote = claim.quote
        assert text[quote.start : quote.end] == quote.text
        before, after = text[: quote.start][-1:], text[quote.end :][:1]
        assert not (before.isalnum() and quote.text[0].isalnum())
        assert not (after.isalnum() and quote.text[-1].isalnum())
        assert quote.text.count("`") % 2 == 0
        if claim.path and claim.subject == "file":
            assert claim.path.rsplit("/", 1)[-1] in quote.text


@pytest.mark.parametrize("finding", ROWS["findings"])
def test_a_finding_takes_nothing_from_a_full_claim(finding: str) -> None:
    text = f"I reviewed all five files in src/shop.\n\n## Findings\n\n- {finding}\n"
    assert judged(text).claim.label == "claims_full"


@pytest.mark.parametrize(
    ("label", "text"), [(label, text) for label, texts in ROWS["labels"].items() for text in texts]
)
def test_lists_tables_and_notes_are_heard(label: str, text: str) -> None:
    assert judged(text).claim.label == label
