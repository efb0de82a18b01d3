from __future__ import annotations

import pytest
from jinja2 import StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from generators.services.rendering import CodeChoices, quoted, sql_quoted, with_article


@pytest.mark.parametrize(
    ("source", "drawn", "text"),
    [
        pytest.param("return «1|2»", 1, "return 2", id="short form"),
        pytest.param("x: dict[str, int | None]", 0, "x: dict[str, int | None]", id="brackets stay"),
        pytest.param("«{{ who|upper }}|b»", 0, "ADA", id="a filter is no bar"),
        pytest.param("«one\ntwo|\nthree»", 1, "three", id="an alternative on its own line"),
        pytest.param("«a|»", 1, "", id="nothing is an alternative"),
    ],
)
def test_alternatives_in_guillemets(source: str, drawn: int, text: str) -> None:
    environment = ImmutableSandboxedEnvironment(undefined=StrictUndefined, extensions=[CodeChoices])
    assert environment.from_string(source).render(draw=lambda _: drawn, who="Ada") == text


def test_names_are_quoted_for_the_language_they_stand_in() -> None:
    assert quoted(["draft", "issued"]) == '"draft", "issued"'
    assert sql_quoted(["draft", "issued"]) == "'draft', 'issued'"


def test_articles() -> None:
    assert with_article("invoice") == "an invoice"
    assert with_article("shift") == "a shift"
