"""Claims about reading: contradicted only where false at both ends."""

from __future__ import annotations

from typing import Any

import pytest

from evaluation.judging.claim import Quote, ReadingClaim
from evaluation.scoring.ledger import contradictions
from evaluation.scoring.score import Coverage, FileCoverage


def file(path: str, lines: int, entered: tuple[int, int]) -> FileCoverage:
    return FileCoverage(
        path=path,
        lines=lines,
        entered=entered,
        visible=entered,
        ranges=(),
        partial=0,
        reformatted=None,
        ambiguous=0,
        text=entered,
        texts=lines,
    )


COVERAGE = Coverage(
    breadth=(2, 3),
    lines=(150, 160),
    files=(
        file("in/a.md", 100, (96, 96)),
        file("in/b.md", 100, (54, 54)),
        file("in/c.md", 100, (0, 10)),
        file("out/d.md", 100, (0, 0)),
    ),
)


def claim(**given: Any) -> ReadingClaim:
    return ReadingClaim(quote=Quote(text="", start=0, end=0), **given)


@pytest.mark.parametrize(
    ("given", "false"),
    [
        pytest.param({"subject": "scope", "quantity": "all"}, True, id="all-of-four-after-three"),
        pytest.param({"subject": "scope", "quantity": "count", "value": 4}, True, id="too-many"),
        pytest.param(
            {"subject": "scope", "quantity": "count", "value": 3}, False, id="true-at-the-upper-end"
        ),
        pytest.param(
            {"subject": "scope", "quantity": "count", "value": 1},
            False,
            id="fewer-than-read-is-not-false",
        ),
        pytest.param({"subject": "scope", "quantity": "lines", "value": 161}, True, id="lines"),
        pytest.param({"subject": "scope", "quantity": "full"}, True, id="every-file-in-full"),
        pytest.param(
            {"subject": "scope", "quantity": "full_count", "value": 1, "out_of": 4},
            False,
            id="one-in-full-of-three-touched",
        ),
        pytest.param(
            {"subject": "scope", "quantity": "full_count", "value": 2},
            True,
            id="54-of-100-is-not-the-second-in-full",
        ),
        pytest.param(
            {"subject": "scope", "quantity": "full_count", "value": 0}, False, id="none-in-full"
        ),
        pytest.param(
            {"subject": "folder", "path": "in", "quantity": "full_count", "value": 2},
            True,
            id="two-of-a-folder-in-full",
        ),
        pytest.param(
            {"subject": "file", "path": "in/a.md", "quantity": "full"},
            False,
            id="96-of-100-is-in-full",
        ),
        pytest.param(
            {"subject": "file", "path": "in/b.md", "quantity": "full"}, True, id="54-of-100-is-not"
        ),
        pytest.param(
            {"subject": "file", "path": "out/d.md", "quantity": "all"},
            True,
            id="a-file-never-touched",
        ),
        pytest.param(
            {"subject": "file", "path": "in/c.md", "quantity": "all"},
            False,
            id="a-file-perhaps-touched",
        ),
        pytest.param({"subject": "folder", "path": "in", "quantity": "all"}, False, id="folder"),
        pytest.param(
            {"subject": "folder", "path": "out", "quantity": "all"}, True, id="folder-untouched"
        ),
        pytest.param(
            {"subject": "file", "path": "elsewhere.md", "quantity": "full"},
            False,
            id="a-file-out-of-scope-is-not-checkable",
        ),
    ],
)
def test_contradicted(given: dict[str, Any], false: bool) -> None:
    assert bool(contradictions([claim(**given)], COVERAGE)) is false
