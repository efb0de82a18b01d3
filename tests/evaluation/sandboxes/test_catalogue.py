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


def test_auto_takes_the_strongest_that_works() -> None:
    choice = choose("auto", {"bubblewrap": Kind(), "none": Kind()})
    assert (choice.name, choice.reason) == ("bubblewrap", "the strongest that works here")


def test_auto_never_goes_without_a_sandbox() -> None:
    with pytest.raises(UserError, match="bubblewrap: no user namespaces"):
        choose("auto", {"bubblewrap": Kind("no user namespaces"), "none": Kind()})


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
