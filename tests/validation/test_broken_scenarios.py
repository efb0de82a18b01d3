"""Every broken scenario is caught by the check meant for it; the sound one by none.

Golden: `OCB_REWRITE_GOLDENS=1 pytest tests/validation/test_broken_scenarios.py` rewrites
`broken-scenarios.txt`, which says what else fires.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.validating import validated
from tests.validation.harbour.broken import BROKEN
from tests.validation.harbour.harbour import build_harbour, registrations
from validation.families import CODES
from validation.report import ValidationReport


def fired(report: ValidationReport) -> list[str]:
    return sorted({check.code for check in report.failures})


@pytest.fixture(scope="module")
def caught(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """Which checks each of them fails."""
    found = {}
    for number, (name, broken) in enumerate(BROKEN.items()):
        folder = tmp_path_factory.mktemp(f"broken-{number}")
        case = broken.make(folder)
        found[name] = fired(validated(case.paths, case.known, case.tables))
    return found


def test_no_check_fires_on_the_sound_scenario(tmp_path: Path) -> None:
    report = validated(build_harbour(tmp_path).paths, registrations())
    assert fired(report) == []
    assert report.level == "structural"


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_scenario_is_caught_by_the_check_meant_for_it(
    name: str, caught: dict[str, list[str]]
) -> None:
    assert BROKEN[name].code in caught[name]


def test_the_table_says_what_else_fires(
    caught: dict[str, list[str]], golden: Callable[[str, bytes], None]
) -> None:
    lines = []
    for name, codes in caught.items():
        meant = BROKEN[name].code
        others = ", ".join(code for code in codes if code != meant) or "nothing else"
        lines.append(f"{name}\n    meant: {meant}\n    also:  {others}\n")
    golden("broken-scenarios.txt", "\n".join(lines).encode())


def test_every_check_that_a_build_can_fail_is_meant_for_some_broken_scenario() -> None:
    notes_only = {"line-notes", "single-read"}
    of_models = {"reader", "reader-failed"}  # tests/validation/readers
    meant = {broken.code for broken in BROKEN.values()}
    assert set(CODES) - meant == notes_only | of_models
