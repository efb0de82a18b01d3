"""What a spec may ask of a model reader."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from authoring.catalogue import Catalogue
from authoring.errors import SpecError
from authoring.loading import load_spec
from authoring.spec import Validation
from tests.authoring.conftest import SPEC


@pytest.fixture
def load(tmp_path: Path, catalogue: Catalogue) -> Callable[[str], Validation]:
    def loaded(block: str) -> Validation:
        path = tmp_path / "letters.yaml"
        path.write_text(SPEC + block)
        return load_spec(path, catalogue).validation

    return loaded


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        pytest.param("", (10, 0.5, 0.2), id="left-out"),
        pytest.param("validation: {samples: 25}\n", (25, 0.5, 0.2), id="more-samples"),
        pytest.param("validation: {threshold: 1, false_alarms: 0}\n", (10, 1, 0), id="strict"),
    ],
)
def test_a_spec_says_at_which_rate_a_reader_must_find_a_needle(
    load: Callable[[str], Validation], block: str, expected: tuple[float, ...]
) -> None:
    bar = load(block)
    assert (bar.samples, bar.threshold, bar.false_alarms) == expected


@pytest.mark.parametrize(
    ("block", "said"),
    [
        ("validation: {samples: 9}", "samples: input should be greater than or equal to 10"),
        (
            "validation: {threshold: 0.49}",
            "threshold: input should be greater than or equal to 0.5",
        ),
        ("validation: {threshold: half}", "threshold wants a number"),
        ("validation: {false_alarms: 1}", "false_alarms: input should be less than 1"),
        ("validation: {false_alarms: 0.5}", "false_alarms 0.5 is not below threshold 0.5"),
        ("validation: {treshold: 0.6}", "unknown key 'treshold'; did you mean 'threshold'?"),
        ("validation: 10", "validation wants a mapping"),
    ],
)
def test_a_bar_that_cannot_be_meant_is_a_problem_at_its_place(
    load: Callable[[str], Validation], block: str, said: str
) -> None:
    with pytest.raises(SpecError) as caught:
        load(f"{block}\n")
    (problem,) = caught.value.problems
    assert said in str(problem)
    assert problem.place.line == SPEC.count("\n") + 1
