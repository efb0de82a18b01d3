from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, Field

from authoring.artefacts import Value
from authoring.parameters import default_in_words, field_texts, parameters_of, type_in_words


class Inner(Value):
    """What a parameter may hold."""

    first: int
    second: str = "b"


class Base(Value):
    """Inherited."""

    shared: bool = False
    """From the base."""


class Sample(Base):
    """Every sort of parameter."""

    count: Annotated[int, Field(ge=1)]
    """How many,
    on two lines."""
    word: Literal["left", "right"] = "left"
    silent: str | None = None
    described: str = Field(default="", description="Said in the field.")
    """Not this."""
    inner: Inner = Inner(first=1)
    named: Annotated[int, Field(alias="named-otherwise")] = 3
    many: tuple[str, ...] = ()


def test_a_parameter_is_told_by_name_type_default_and_the_text_under_it() -> None:
    told = {one.name: one for one in parameters_of(Sample)}
    assert list(told) == [
        "shared", "count", "word", "silent", "described", "inner", "named-otherwise", "many",
    ]  # fmt: skip
    assert told["shared"].summary == "From the base."
    assert (told["count"].required, told["count"].default) == (True, None)
    assert told["count"].summary == "How many, on two lines."
    assert told["described"].summary == "Said in the field."
    assert told["silent"].summary == ""
    assert told["inner"].default == {"first": 1, "second": "b"}
    assert told["many"].default == []


@pytest.mark.parametrize(
    ("annotation", "words"),
    [
        (int, "whole number"),
        (Annotated[float, Field(gt=0)], "number"),
        (Decimal, "number"),
        (str | None, "text"),
        (Literal["a", "b"], "a or b"),
        (str | tuple[str, ...], "text or list of text"),
        (tuple[int, int], "list of 2 times whole number"),
        (tuple[int, str], "list of whole number, text"),
        (dict[str, float], "mapping to number"),
        (Inner, "{first, second}"),
    ],
    ids=str,
)
def test_a_type_is_told_in_words(annotation: object, words: str) -> None:
    assert type_in_words(annotation) == words


def test_a_default_is_told_in_words() -> None:
    told = {one.name: default_in_words(one) for one in parameters_of(Sample)}
    assert told["count"] == "required"
    assert told["word"] == "default left"
    assert told["shared"] == "default false"
    assert told["silent"] == told["many"] == "optional"
    assert told["described"] == 'default ""'


def test_a_model_without_source_has_no_texts() -> None:
    made: dict[str, object] = {}
    code = "class Made(BaseModel):\n    x: int = 1\n    'Lost.'\n"
    exec(code, {"BaseModel": BaseModel, "__name__": "nowhere"}, made)  # noqa: S102 - the point of it
    model = made["Made"]
    assert isinstance(model, type)
    assert issubclass(model, BaseModel)
    assert field_texts(model) == {}
    assert [one.name for one in parameters_of(model)] == ["x"]
