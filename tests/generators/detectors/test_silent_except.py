from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from generators.detectors.code.silent_except import SilentExcept
from generators.detectors.detector import Evidence

MODULE = PurePosixPath("a.py")

SILENT = {
    "pass": ("try:\n    f()\nexcept OSError:\n    pass\n", (4, 4)),
    "an ellipsis": ("try:\n    f()\nexcept OSError: ...\n", (3, 3)),
    "a text": ("try:\n    f()\nexcept (A, B) as e:\n    'later'\n    pass\n", (4, 5)),
    "a comment": ("try:\n    f()\nexcept:\n    # no\n    pass\n", (5, 5)),
    "an invalid escape": ("try:\n    '\\d'\nexcept A:\n    pass\n", (4, 4)),
}
FINE = {
    "raised": "try:\n    f()\nexcept OSError:\n    raise\n",
    "logged": "try:\n    f()\nexcept OSError as e:\n    log.error(e)\n    pass\n",
    "a loop goes on": "for x in y:\n    try:\n        f()\n    except OSError:\n        continue\n",
    "no except": "def f():\n    pass\n",
    "a pass elsewhere": "try:\n    pass\nexcept OSError:\n    raise\nfinally:\n    pass\n",
}


def found(path: PurePosixPath, text: str) -> tuple[Evidence, ...]:
    detector = SilentExcept()
    return detector.decide({path: detector.extract(path, text)})


@pytest.mark.parametrize(("text", "lines"), SILENT.values(), ids=SILENT)
def test_an_exception_that_is_dropped_is_found(text: str, lines: tuple[int, int]) -> None:
    assert found(MODULE, text) == (Evidence(MODULE, *lines),)


@pytest.mark.parametrize("text", FINE.values(), ids=FINE)
def test_an_exception_that_is_dealt_with_is_none(text: str) -> None:
    assert found(MODULE, text) == ()


def test_only_python_is_looked_at() -> None:
    text, _ = SILENT["pass"]
    assert found(PurePosixPath("a.txt"), text) == ()
