from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from authoring.errors import UserError
from evaluation.sandboxes.catalogue import SANDBOXES, choose
from evaluation.sandboxes.sandbox import Sandbox


@dataclass(frozen=True)
class Kind:
    fault: str | None = None

    def unbounded(self) -> tuple[str, ...]:
        return ()

    def probe(self) -> str | None:
        return self.fault

    def for_run(self, home: Path, corpus: Path, /) -> Sandbox:
        raise AssertionError(home, corpus)


@pytest.mark.parametrize(
    ("docker", "taken"), [(None, "docker"), ("not running", "bubblewrap")], ids=["both", "one"]
)
def test_auto_takes_the_strongest_that_works(docker: str | None, taken: str) -> None:
    choice = choose("auto", {"docker": Kind(docker), "bubblewrap": Kind(), "none": Kind()})
    assert (choice.name, choice.reason) == (taken, "the strongest that works here")


def test_auto_never_goes_without_a_sandbox() -> None:
    kinds = {"docker": Kind("not running"), "bubblewrap": Kind("too old"), "none": Kind()}
    with pytest.raises(UserError, match="docker: not running; bubblewrap: too old"):
        choose("auto", kinds)


def test_none_is_taken_when_it_is_asked_for() -> None:
    assert choose("none", {"bubblewrap": Kind(), "none": Kind()}).name == "none"


def test_a_sandbox_that_cannot_be_used_is_refused_with_the_reason() -> None:
    with pytest.raises(UserError, match="cannot be used here: too old"):
        choose("bubblewrap", {"bubblewrap": Kind("too old")})


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(UserError, match="did you mean 'bubblewrap'"):
        choose("bublewrap", {"bubblewrap": Kind(), "none": Kind()})


def test_every_sandbox_goes_by_its_name_in_the_catalogue(tmp_path: Path) -> None:
    for name, kind in SANDBOXES.items():
        sandbox = kind.for_run(tmp_path, tmp_path)
        assert sandbox.name == name
        if close := getattr(sandbox, "close", None):
            close()
