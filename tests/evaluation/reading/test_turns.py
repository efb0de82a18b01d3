"""Which text is the final response."""

from __future__ import annotations

import pytest

from evaluation.reading.turns import Turn, final_response


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        pytest.param([Turn(1, "", True), Turn(2, "done", False)], "done", id="last-text"),
        pytest.param(
            [Turn(1, "", True), Turn(2, "done", False), Turn(3, "", False)],
            "done",
            id="an-empty-turn-follows",
        ),
        pytest.param(
            [Turn(1, "report", True), Turn(2, "", False)], "report", id="text-of-a-mixed-turn"
        ),
        pytest.param(
            [Turn(1, "let me look", True), Turn(2, "", True), Turn(3, " \n", False)],
            None,
            id="earlier-text-is-work-in-progress",
        ),
        pytest.param([Turn(1, "only text", False)], "only text", id="no-tools-at-all"),
        pytest.param([], None, id="nothing"),
    ],
)
def test_the_final_response(turns: list[Turn], expected: str | None) -> None:
    found = final_response(turns)
    assert (found.text if found else None) == expected
