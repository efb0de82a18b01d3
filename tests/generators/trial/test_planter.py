from __future__ import annotations

import random
import re
from collections.abc import Mapping
from functools import cache
from pathlib import PurePosixPath
from typing import get_args

import pytest
from pydantic import ValidationError

from authoring.errors import UserError
from authoring.spec import POSITIONS, Position
from generators.depth import distance
from generators.edits import apply_changes, changes_of
from generators.lines import split_lines
from generators.planting import Aim, Ground, Planted
from generators.trial.generator import TrialGenerator
from generators.trial.plan import TrialParameters
from generators.trial.planter import Defect, TrialRecord, TrialRecordParameters


@cache
def ground() -> Ground:
    made = list(TrialGenerator(TrialParameters(), random.Random(5)).documents())
    return Ground({d.path: d.text for d in made}, {d.path: d.kind for d in made})


def planter(defect: Defect) -> TrialRecord:
    criterion = "age" if defect == "criterion-missed" else None
    return TrialRecord(TrialRecordParameters(defect=defect, criterion=criterion))


KINDS: Mapping[Defect, str] = {
    "visit-late": "crf",
    "weight-over-edge": "crf",
    "criterion-missed": "crf",
    "repeat-missing": "crf",
    "tablets-wrong": "crf",
    "drug-went-on": "crf",
    "unit-exchanged": "listing",
    "old-consent": "consent",
    "report-late": "serious",
    "check-digit-wrong": "listing",
    "consent-after-visit": "consent",
    "count-differs": "crf",
    "kit-again": "log",
    "value-copied-wrongly": "crf",
    "signed-by-leaver": "crf",
}
ACROSS = {
    "consent-after-visit",
    "count-differs",
    "kit-again",
    "value-copied-wrongly",
    "signed-by-leaver",
}


def first_planted(defect: Defect, depth: Position | None = None) -> Planted:
    for path, kind in ground().kinds.items():
        if kind == KINDS[defect]:
            try:
                return planter(defect).plant(ground(), Aim(path, depth))
            except UserError:
                continue
    raise AssertionError(f"no file takes {defect}")


def test_every_defect_is_tried_here() -> None:
    assert set(KINDS) == set(get_args(Defect))


@pytest.mark.parametrize("defect", KINDS)
def test_a_defect_changes_one_file_in_one_line_and_comes_out_the_same_again(
    defect: Defect,
) -> None:
    planted = first_planted(defect)
    (edit,) = planted.edits
    assert len(edit.clean) == 1
    assert len(edit.planted) == (0 if defect == "repeat-missing" else 1)
    path = PurePosixPath(edit.path)
    assert planter(defect).plant(ground(), Aim(path)) == planted


@pytest.mark.parametrize("defect", KINDS)
def test_the_lines_that_show_it_hold_what_was_changed(defect: Defect) -> None:
    planted = first_planted(defect)
    (edit,) = planted.edits
    text = apply_changes(ground().texts[PurePosixPath(edit.path)], changes_of(planted.edits))
    shown = {
        number
        for span in planted.evidence
        if span.path == edit.path
        for number in range(span.first, span.last + 1)
    }
    assert max(shown) <= len(split_lines(text))
    assert edit.first in shown


@pytest.mark.parametrize("defect", KINDS)
def test_a_defect_across_files_has_witnesses_for_both(defect: Defect) -> None:
    planted = first_planted(defect)
    files = {span.path for span in planted.evidence}
    assert (len(files) == 2) == (defect in ACROSS)
    assert set(planted.witnesses) == (files if defect in ACROSS else set())
    (edit,) = planted.edits
    for file, partners in planted.witnesses.items():
        for path, text in partners.items():
            clean = ground().texts[PurePosixPath(path)]
            # The partner of the planted file is varied, the planted file's own clean text is not.
            assert (text == clean) == (file != edit.path)


@pytest.mark.parametrize("depth", POSITIONS)
def test_the_depth_decides_among_the_rows_of_a_listing(depth: Position) -> None:
    planted = first_planted("unit-exchanged", depth)
    (span,) = planted.evidence
    count = len(split_lines(ground().texts[PurePosixPath(span.path)]))
    assert distance(span.first, count, depth) == 0


def test_of_a_number_the_last_two_digits_before_the_check_digit_change_places() -> None:
    """A number that is far from those of its site would be seen without reading."""
    (edit,) = first_planted("check-digit-wrong").edits
    number = re.compile(r"\d{3}-(\d{4})-\d")
    (clean,), (planted,) = number.findall(edit.clean[0]), number.findall(edit.planted[0])
    assert planted == clean[:2] + clean[3] + clean[2]


def test_a_file_without_an_anchor_is_refused_by_name() -> None:
    path = next(path for path, kind in ground().kinds.items() if kind == "consent")
    with pytest.raises(UserError, match=r"consent\.md: takes no visit-late"):
        planter("visit-late").plant(ground(), Aim(path))


def test_without_a_protocol_nothing_can_break_it() -> None:
    path = next(path for path, kind in ground().kinds.items() if kind == "consent")
    bare = Ground({path: ground().texts[path]}, {path: "consent"})
    with pytest.raises(UserError, match="no protocol"):
        planter("old-consent").plant(bare, Aim(path))


@pytest.mark.parametrize(
    "values",
    [
        {"defect": "criterion-missed"},
        {"defect": "visit-late", "criterion": "age"},
        {"defect": "criterion-missed", "criterion": "height"},
        {"defect": "visit-early"},
        {},
    ],
)
def test_parameters_that_make_no_sense_are_refused(values: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        TrialRecordParameters.model_validate(values)
