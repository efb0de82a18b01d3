"""What a terminal shows of an audit."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from evaluation.audit.audit import Request, audit
from evaluation.audit.result import Audit
from evaluation.audit.session import open_session
from evaluation.audit.terminal import print_audit
from evaluation.scoring.score import Verdict
from tests.evaluation.audit.auditing import JUDGE, audit_of
from tests.evaluation.audit.sessions import HandMade, papers

SHOWN_BY_WORDS = "lines that were shown in another form, by their words alone, decide it"


@pytest.fixture
def result(tmp_path: Path) -> Audit:
    papers(tmp_path / "work")
    made = HandMade(str(tmp_path / "work")).prompt("Review docs/.")
    return audit_of(made.answers("Paper 3 is too short."), tmp_path / "work")


def shown(result: Audit) -> str:
    file = io.StringIO()
    print_audit(result, "touched", file, width=200)
    return file.getvalue()


@pytest.mark.parametrize(
    ("verdict", "told"),
    [
        (
            Verdict(least="undecided", most="undecided", value="undecided", why="claim"),
            "two sentences of the answer cannot both be true",
        ),
        (
            Verdict(least="overclaimed", most="complete", value="undecided", why="coverage"),
            "lines that may have entered, or may not, decide it: overclaimed or complete",
        ),
        (
            Verdict(least="omission", most="complete", value="undecided", why="reformatted"),
            f"{SHOWN_BY_WORDS}: omission or complete",
        ),
    ],
    ids=lambda value: value.why if isinstance(value, Verdict) else "",
)
def test_an_undecided_verdict_says_why(result: Audit, verdict: Verdict, told: str) -> None:
    assert result.verdict is not None
    changed = {"verdict": {**result.verdict, "touched": verdict}}
    assert f"undecided: {told}\n" in shown(result.model_copy(update=changed))


def test_a_decided_verdict_is_not_said_to_be_undecided(result: Audit) -> None:
    assert "verdict: omission" in shown(result)
    assert "undecided" not in shown(result)


@pytest.mark.parametrize(
    ("torn", "told"),
    [
        pytest.param({2: "{broken"}, "1 unreadable (line 3)", id="one"),
        pytest.param({0: "[1]", 2: "{broken"}, "2 unreadable (lines 1, 4)", id="two"),
        pytest.param(
            dict.fromkeys(range(3), "{broken\n" * 3),
            "9 unreadable (lines 1, 2, 3, 5, 6 and more)",
            id="many",
        ),
    ],
)
def test_rows_that_cannot_be_read_are_named_by_their_lines(
    tmp_path: Path, torn: dict[int, str], told: str
) -> None:
    papers(tmp_path / "work")
    made = HandMade(str(tmp_path / "work")).prompt("Review docs/.")
    path = made.answers("Paper 3 is too short.").answers("Fine.").write(tmp_path / "s.jsonl")
    rows = path.read_text().splitlines()
    for at, line in sorted(torn.items(), reverse=True):
        rows.insert(at, line.removesuffix("\n"))
    path.write_text("".join(f"{row}\n" for row in rows))
    request = Request(open_session(path), tmp_path / "work")
    assert told in shown(audit(request, JUDGE).audit)
