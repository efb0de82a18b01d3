from __future__ import annotations

import pytest

from authoring.errors import UserError
from generators.planting import Planted
from generators.registry import Edit, Span
from generators.telling_edits import refuse_telling


def planted(line: str, clean: str = "due in 30 days") -> Planted:
    edit = Edit(path="a.txt", first=3, last=3, planted=(line,), clean=(clean,))
    return Planted((edit,), (Span(path="a.txt", first=3, last=3),))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        pytest.param("due in \x0790 days", r"'\\x07', a character that does not show", id="bell"),
        pytest.param("due in 90\r days", r"'\\r', a character", id="cr-inside"),
        pytest.param("due in \x1b[31m90 days", r"'\\x1b', a character", id="escape"),
        pytest.param("due in \u202e90 days", r"'\\u202e', a character", id="turned-round"),
        pytest.param("due in 90 days (planted)", "'planted', a word that no agent", id="ours"),
        pytest.param("aNeedleOf 90 days", "'needle', a word that no agent", id="camel-case"),
    ],
)
def test_what_is_planted_tells_nothing_that_was_not_there(line: str, said: str) -> None:
    with pytest.raises(UserError, match=rf"a\.txt:3:1: needle late: what it plants holds {said}"):
        refuse_telling("late", planted(line))


@pytest.mark.parametrize(
    ("line", "clean"),
    [
        pytest.param("due in 90 days\r", "due in 30 days\r", id="cr-lf"),
        pytest.param("due\tin 90 days, naïve — ü", "due in 30 days", id="tab-and-letters"),
        pytest.param("needle of 9 cm", "needle of 3 cm", id="a-word-of-the-corpus"),
        pytest.param("\x0c90 days", "\x0c30 days", id="a-form-feed-of-the-corpus"),
        pytest.param("transplanted in 90 days", "due in 30 days", id="a-longer-word"),
    ],
)
def test_what_stood_there_before_tells_nothing(line: str, clean: str) -> None:
    refuse_telling("late", planted(line, clean))
