from __future__ import annotations

from pathlib import Path

import pytest

from authoring.errors import UserError
from validation.families import CODES, FAMILIES, TASKS, families_of
from validation.integrity import CODES as OF_INTEGRITY
from validation.readers.codes import CODES as OF_READERS

DOCS = Path(__file__).parents[2] / "docs" / "validation.md"


def test_every_family_is_some_process_s_task_once() -> None:
    assert sorted(name for task in TASKS for name in task) == sorted(FAMILIES)


def test_no_two_families_share_a_code() -> None:
    count = len(OF_INTEGRITY) + len(OF_READERS)
    assert len(CODES) == count + sum(len(family.codes) for family in FAMILIES.values())


def test_the_documentation_says_what_every_check_proves() -> None:
    rows = [line for line in DOCS.read_text().splitlines() if line.startswith("| `")]
    told = dict(row.strip("| ").split(" | ", 1) for row in rows if not row.startswith("| `--"))
    assert told == {f"`{code}`": text for code, text in CODES.items()}


def test_only_the_families_of_a_code_are_run() -> None:
    assert families_of(["swap", "witness"]) == ("ablation", "witnesses")


def test_an_unknown_code_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(UserError, match="did you mean 'swap'"):
        families_of(["swop"])
