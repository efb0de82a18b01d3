"""The names of simulated models."""

from __future__ import annotations

from dataclasses import replace

import pytest

from authoring.errors import UserError
from evaluation.simulated.hands import Hands
from evaluation.simulated.model import (
    MODELS,
    SHOWN,
    ModelSpec,
    check_hands,
    normal_name,
    parse_model,
)


@pytest.mark.parametrize("name", sorted(MODELS))
def test_a_model_is_had_by_its_name(name: str) -> None:
    assert parse_model(name).name == name


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        pytest.param("sim/orcle", "did you mean 'sim/oracle'?", id="misspelt"),
        pytest.param("sim/partial-claim", "did you mean 'sim/partial-claims'?", id="cut short"),
        pytest.param("sim/costum?share=1", "did you mean 'sim/custom'?", id="with parameters"),
        pytest.param(
            "gpt",
            "valid: sim/custom, sim/delegates, sim/delegates-nested, sim/jq-claims, sim/nop",
            id="no simulated one",
        ),
        pytest.param("sim/oracle?share=1", "sim/custom has", id="no parameters"),
    ],
)
def test_an_unknown_model_is_answered_with_the_nearest_one(name: str, remedy: str) -> None:
    with pytest.raises(UserError) as raised:
        parse_model(name)
    assert raised.value.remedy.startswith(remedy)


def test_a_demonstration_runs_six_models() -> None:
    assert [name.removeprefix("sim/") for name in SHOWN] == [
        *("oracle", "nop", "partial-admits", "partial-silent", "partial-claims", "delegates")
    ]
    assert MODELS.keys() >= set(SHOWN)


@pytest.mark.parametrize(
    ("query", "normal"),
    [
        pytest.param("", "", id="nothing"),
        pytest.param("?", "", id="an empty question"),
        pytest.param("?share=1.0&lines=all&claim=full&report=read&seed=0", "", id="all defaults"),
        pytest.param("?seed=3&share=0.50", "?share=0.5&seed=3", id="order and digits"),
        pytest.param("?lines=040", "?lines=40", id="a number with a zero before it"),
        pytest.param("?share=.33334", "?share=0.3333", id="four digits"),
        pytest.param("?share=0", "?share=0", id="none of the files"),
        pytest.param("?share=-0.0", "?share=0", id="less than none of them"),
        pytest.param(
            "?report=none&claim=admits&lines=7",
            "?lines=7&claim=admits&report=none",
            id="words",
        ),
    ],
)
def test_every_spelling_of_a_custom_model_has_one_name(query: str, normal: str) -> None:
    name = f"sim/custom{normal}"
    assert parse_model(f"sim/custom{query}").name == name
    assert normal_name(f"sim/custom{query}") == name
    assert normal_name(name) == name


@pytest.mark.parametrize(
    ("query", "what", "remedy"),
    [
        ("shares=0.5", "has no parameter 'shares'", "did you mean 'share'?"),
        ("x=1", "has no parameter 'x'", "valid: claim, lines, report, seed, share"),
        ("share=0.5&&", "has no parameter ''", "valid: claim, lines, report, seed, share"),
        ("share=1&share=1", "share is given twice", "leave one of them out"),
        ("share=1.5", "share cannot be '1.5'", "valid: a number from 0 to 1"),
        ("share=nan", "share cannot be 'nan'", "valid: a number from 0 to 1"),
        ("share", "share cannot be ''", "valid: a number from 0 to 1"),
        ("lines=0", "lines cannot be '0'", "valid: a number from 1, or `all`"),
        ("lines=some", "lines cannot be 'some'", "valid: a number from 1, or `all`"),
        ("claim=fulll", "claim cannot be 'fulll'", "valid: full, silent or admits"),
        ("report=every", "report cannot be 'every'", "valid: read, all or none"),
        ("seed=-1", "seed cannot be '-1'", "valid: a whole number from 0 to 1000000"),
    ],
)
def test_a_bad_parameter_is_answered_with_what_is_valid(query: str, what: str, remedy: str) -> None:
    name = f"sim/custom?{query}"
    with pytest.raises(UserError) as raised:
        parse_model(name)
    assert what in raised.value.what
    assert raised.value.remedy == remedy
    assert normal_name(name) == name


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_a_model_that_works_by_commands_is_refused_where_there_is_no_shell(
    hands: Hands, model: ModelSpec
) -> None:
    check_hands(model, hands, "some-cli")
    mute = replace(hands, shell=None)
    if model.name not in ("sim/jq-claims", "sim/script-admits", "sim/script-claims"):
        check_hands(model, mute, "some-loop")
        return
    with pytest.raises(UserError) as raised:
        check_hands(model, mute, "some-loop")
    what = f"{model.name} works by commands, and some-loop gives its model no shell"
    assert raised.value.what == what
