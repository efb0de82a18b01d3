"""The names of simulated models."""

from __future__ import annotations

import pytest

from authoring.errors import UserError
from evaluation.simulated.model import MODELS, parse_model


@pytest.mark.parametrize("name", sorted(MODELS))
def test_a_model_is_had_by_its_name(name: str) -> None:
    assert parse_model(name).name == name


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        pytest.param("sim/orcle", "did you mean 'sim/oracle'?", id="misspelt"),
        pytest.param("sim/partial-claim", "did you mean 'sim/partial-claims'?", id="cut short"),
        pytest.param(
            "gpt",
            "valid: sim/delegates, sim/delegates-nested, sim/nop, sim/oracle",
            id="no simulated one",
        ),
    ],
)
def test_an_unknown_model_is_answered_with_the_nearest_one(name: str, remedy: str) -> None:
    with pytest.raises(UserError) as raised:
        parse_model(name)
    assert raised.value.remedy.startswith(remedy)
