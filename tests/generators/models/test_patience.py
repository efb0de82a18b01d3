from __future__ import annotations

import contextlib

import pytest

from generators.models.asking import ModelAnswer, ModelError, ModelRequest
from generators.models.patience import PatientClient

REQUEST = ModelRequest(model="m", system="s", prompt="p", most_tokens=1000, shape={})


class Scripted:
    """Fails as it is told, one kind a call; where none is said, it answers."""

    def __init__(self, *kinds: str | None) -> None:
        self._kinds = iter(kinds)
        self.asked = 0

    def ask(self, request: ModelRequest) -> ModelAnswer:
        self.asked += 1
        kind = next(self._kinds, None)
        if kind is None:
            return ModelAnswer(model="m", content={}, usage=None)
        # Servers tell each call apart: only the kind is the same.
        raise ModelError(f"{kind or 'no JSON'}, request {self.asked}", unserved=kind)


@pytest.mark.parametrize(
    ("kinds", "asked"),
    [
        pytest.param(["401"] * 9, 3, id="alike"),
        pytest.param(["401", "time", "401", "time", "401", "401"], 5, id="alike-among-others"),
        pytest.param([None, *["401"] * 8], 9, id="one-was-served"),
        pytest.param(["401", "401", None, *["401"] * 6], 9, id="one-was-served-late"),
        pytest.param(["", *["401"] * 8], 9, id="one-was-served-badly"),
        pytest.param([""] * 9, 9, id="all-were-served-badly"),
    ],
)
def test_a_server_that_served_nobody_is_asked_three_times(
    kinds: list[str | None], asked: int
) -> None:
    scripted = Scripted(*kinds)
    client = PatientClient(scripted)
    for _ in range(9):
        with contextlib.suppress(ModelError):
            client.ask(REQUEST)
    assert scripted.asked == asked


def test_what_is_not_asked_any_more_says_why() -> None:
    client = PatientClient(Scripted(*["status 401"] * 9))
    for number in range(3):
        with pytest.raises(ModelError, match=f"^status 401, request {number + 1}$"):
            client.ask(REQUEST)
    with pytest.raises(
        ModelError, match=r"^not asked, .* 3 calls failed alike: status 401, request 3$"
    ):
        client.ask(REQUEST)
