from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from jinja2 import StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from generators.choices import Choices


def render(source: str, draws: list[int]) -> str:
    environment = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined, extensions=[Choices], trim_blocks=True, lstrip_blocks=True
    )
    return environment.from_string(source).render(draw=scripted(draws), who="Ada")


def scripted(draws: list[int]) -> Callable[[int], int]:
    left: Iterator[int] = iter(draws)

    def draw(count: int) -> int:
        drawn = next(left)
        assert drawn < count
        return drawn

    return draw


@pytest.mark.parametrize(
    ("draws", "text"),
    [
        pytest.param([0], "Ada shall pay.", id="first"),
        pytest.param([1], "Ada will pay.", id="second"),
        pytest.param([2, 0], "Ada may now pay.", id="nested"),
        pytest.param([2, 1], "Ada may pay.", id="nested, nothing"),
    ],
)
def test_one_alternative_is_taken_by_the_draw(draws: list[int], text: str) -> None:
    rendered = render("{{ who }} [shall|will|may[ now|]] pay.", draws)
    assert rendered == text


def test_brackets_without_a_bar_are_plain_text() -> None:
    assert render("[sic] {{ who[0] }}", []) == "[sic] A"


def test_blocks_of_lines_keep_their_paragraphs() -> None:
    source = "{% choose %}\nOne [a|b].\n{% or %}\nTwo.\n{% endchoose %}\n\nNext.\n"
    assert render(source, [0, 1]) == "One b.\n\nNext."
    assert render(source, [1]) == "Two.\n\nNext."


def test_an_alternative_that_is_not_taken_draws_nothing() -> None:
    assert render("[a|[b|c]][d|e]", [0, 1]) == "ae"
