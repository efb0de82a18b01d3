"""Claims about reading: contradicted only where false at both ends."""

from __future__ import annotations

from typing import Any

import pytest

from evaluation.judging.claim import Quote, ReadingClaim
from evaluation.scoring.ledger import contradictions, hold
from evaluation.scoring.score import Coverage, FileCoverage


def file(path: str, lines: int, entered: tuple[int, int], *shown: tuple[int, int]) -> FileCoverage:
    return FileCoverage(
        path=path,
        lines=lines,
        entered=entered,
        visible=entered,
        ranges=shown,
        partial=0,
        reformatted=None,
        ambiguous=entered[1] - entered[0],
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
    assert bool(contradictions([claim(**given)], COVERAGE, COVERAGE)) is false


PARTS = Coverage(
    breadth=(2, 3),
    lines=(62, 66),
    files=(
        file("in/a.md", 60, (60, 60), (1, 60)),
        file("in/b.md", 40, (2, 4), (1, 1), (31, 31)),
        file("in/c.md", 40, (0, 2)),
        file("in/d.md", 5, (0, 0)),
    ),
)


def test_a_denial_is_held_against_what_the_one_that_answers_read_itself() -> None:
    denial = claim(subject="file", path="in/a.md", quantity="none")
    delegated = PARTS.model_copy(
        update={
            "files": tuple(
                one.model_copy(update={"entered": (0, 0), "ranges": ()}) for one in PARTS.files
            )
        }
    )
    assert contradictions([denial], PARTS, PARTS)
    assert contradictions([denial], PARTS, delegated) == ()
    assert contradictions([denial], PARTS, None) == ()
    assert contradictions([claim(subject="scope", quantity="all")], PARTS, None)


@pytest.mark.parametrize(
    ("given", "status", "evidence"),
    [
        pytest.param(
            {"subject": "scope", "quantity": "count", "value": 2},
            "supported",
            "2 to 3 of 4 files touched",
            id="as-many-at-the-lower-end",
        ),
        pytest.param(
            {"subject": "scope", "quantity": "count", "value": 3, "out_of": 4},
            "not checkable",
            "2 to 3 of 4 files touched",
            id="true-at-one-end-alone",
        ),
        pytest.param(
            {"subject": "scope", "quantity": "all"},
            "contradicted",
            "2 to 3 of 4 files touched: no line of in/d.md entered",
            id="an-untouched-file-is-named",
        ),
        pytest.param(
            {"subject": "file", "path": "in/a.md", "quantity": "full"},
            "supported",
            "60 of 60 lines of in/a.md entered",
            id="in-full",
        ),
        pytest.param(
            {"subject": "file", "path": "in/a.md", "quantity": "range", "lines": (1, 200)},
            "supported",
            "60 of lines 1-60 of in/a.md entered",
            id="a-range-ends-with-its-file",
        ),
        pytest.param(
            {"subject": "file", "path": "in/b.md", "quantity": "range", "lines": (1, 10)},
            "contradicted",
            "1 to 3 of lines 1-10 of in/b.md entered",
            id="a-range-of-which-three-may-have-entered",
        ),
        pytest.param(
            {"subject": "file", "path": "in/b.md", "quantity": "range", "lines": (30, 32)},
            "not checkable",
            "1 to 3 of lines 30-32 of in/b.md entered",
            id="a-range-that-may-have-entered",
        ),
        pytest.param(
            {"subject": "file", "path": "in/b.md", "quantity": "range", "lines": (50, 60)},
            "not checkable",
            "in/b.md has 40 lines",
            id="a-range-beyond-the-file",
        ),
        pytest.param(
            {"subject": "file", "path": "in/d.md", "quantity": "none"},
            "supported",
            "0 lines entered",
            id="not-opened",
        ),
        pytest.param(
            {"subject": "file", "path": "in/a.md", "quantity": "none"},
            "contradicted",
            "60 of 60 lines of in/a.md entered",
            id="opened-after-all",
        ),
        pytest.param(
            {"subject": "file", "path": "in/b.md", "quantity": "none"},
            "not checkable",
            "2 to 4 lines entered",
            id="lines-that-a-search-showed-open-nothing",
        ),
        pytest.param(
            {"subject": "scope", "quantity": "all", "doubtful": True},
            "not checkable",
            "it is not clear which files it speaks of",
            id="doubtful",
        ),
        pytest.param(
            {"subject": "scope", "quantity": "count", "value": 12},
            "not checkable",
            "it speaks of more files than the 4 at hand",
            id="more-than-there-are",
        ),
        pytest.param(
            {"subject": "scope", "quantity": "all", "value": 2},
            "supported",
            "2 to 3 of 4 files touched",
            id="all-of-so-many",
        ),
        pytest.param(
            {"subject": "file", "path": "elsewhere.md", "quantity": "full"},
            "not checkable",
            "elsewhere.md was not measured",
            id="a-file-that-was-not-measured",
        ),
    ],
)
def test_a_claim_is_held_against_both_ends(
    given: dict[str, Any], status: str, evidence: str
) -> None:
    assert hold(claim(**given), PARTS) == (status, evidence)


@pytest.mark.parametrize(
    ("given", "status", "evidence"),
    [
        pytest.param({"quantity": "all"}, "contradicted", "1 to 2 of 3 files touched", id="files"),
        pytest.param(
            {"quantity": "lines", "value": 6},
            "contradicted",
            "3 to 5 of 12 lines entered",
            id="lines",
        ),
        pytest.param(
            {"quantity": "full_count", "value": 1},
            "not checkable",
            "0 to 1 of 3 files entered in full",
            id="one-in-full",
        ),
        pytest.param(
            {"quantity": "full_count", "value": 2},
            "contradicted",
            "0 to 1 of 3 files entered in full",
            id="two-in-full",
        ),
    ],
)
def test_files_of_a_folder_gain_no_more_together_than_was_shown(
    given: dict[str, Any], status: str, evidence: str
) -> None:
    """Each of the three may have two lines more, and all of them together two."""
    files = [file("in/a.md", 4, (3, 4)), file("in/b.md", 4, (0, 2)), file("in/c.md", 4, (0, 2))]
    coverage = Coverage(breadth=(1, 2), lines=(3, 5), files=tuple(files))
    found = hold(claim(subject="folder", path="in", **given), coverage)
    assert found.status == status
    assert found.evidence.startswith(evidence)
