"""Detectors that fail are told by the kind of defect that they are of."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

import pytest

from authoring.errors import UserError
from generators.detectors.detector import Evidence
from validation.subject import Detections


class Failing:
    """A detector that raises what it was given."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def extract(self, path: PurePosixPath, text: str) -> str:
        if text:
            raise self._error
        return text

    def decide(self, facts: Mapping[PurePosixPath, str]) -> tuple[Evidence, ...]:
        raise self._error


MEND = "mend the detector; `ocb --debug validate` shows where it failed"
TOLD = UserError("the pattern 'a' takes long", remedy="mend it")
CASES = {
    "what its user can mend, as it is": (
        TOLD,
        "kind odd, {}: the pattern 'a' takes long\n  mend it",
    ),
    "a fault of its own": (
        KeyError("b"),
        f"the detector of odd fails {{}}: KeyError: 'b'\n  {MEND}",
    ),
}


@pytest.mark.parametrize(("error", "said"), CASES.values(), ids=CASES)
@pytest.mark.parametrize(("text", "where"), [("x", "on a.md"), ("", "over 1 files")])
def test_what_a_detector_raises_is_told(error: Exception, said: str, text: str, where: str) -> None:
    with pytest.raises(UserError) as caught:
        Detections(lambda _: Failing(error)).found("odd", {"a.md": text})
    assert str(caught.value) == said.format(where)
