from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from generators.edits import apply_changes, changes_of
from generators.line_ends import has_cr_lf, with_cr, with_lf
from generators.planters.edit_line import EditLine, EditLineParameters
from generators.planters.insert_line import InsertLine, InsertLineParameters
from generators.planters.remove_line import RemoveLine, RemoveLineParameters
from generators.planting import Aim, Ground, Planted, Planter

PATH, OTHER = PurePosixPath("a.txt"), PurePosixPath("b.txt")
EDIT = EditLine(EditLineParameters(pattern="c", replacement="X"))
INSERT = InsertLine(InsertLineParameters(after="c", line="X\nY"))
REMOVE = RemoveLine(RemoveLineParameters(pattern="c"))


@pytest.mark.parametrize(
    ("planter", "clean", "planted"),
    [
        (EDIT, "a\r\nc\r\nd\r\n", "a\r\nX\r\nd\r\n"),
        (EDIT, "a\r\nc", "a\r\nX"),
        (INSERT, "a\r\nc\r\nd\r\n", "a\r\nc\r\nX\r\nY\r\nd\r\n"),
        (REMOVE, "a\r\nc\r\nd\r\n", "a\r\nd\r\n"),
        (EDIT, "a\nc\nd\n", "a\nX\nd\n"),
        (EDIT, "a\r\nc\nd\n", "a\r\nX\nd\n"),
    ],
    ids=["edit", "edit of the end", "insert", "remove", "LF", "mixed: as they are"],
)
def test_planted_lines_end_as_those_of_their_file(
    planter: Planter, clean: str, planted: str
) -> None:
    ground = Ground({PATH: clean}, {PATH: "log"})
    made = with_cr(planter.plant(with_lf(ground), Aim(PATH)), ground)
    assert apply_changes(clean, changes_of(made.edits)) == planted


def test_a_witness_ends_as_the_file_it_stands_for() -> None:
    ground = Ground({PATH: "a\r\nc\r\n", OTHER: "b\n"}, {PATH: "log", OTHER: "log"})
    planted = EDIT.plant(with_lf(ground), Aim(PATH))
    both = Planted(
        planted.edits, planted.evidence, {"a.txt": {"b.txt": "x\n"}, "b.txt": {"a.txt": "y\n"}}
    )
    assert with_cr(both, ground).witnesses == {
        "a.txt": {"b.txt": "x\n"},
        "b.txt": {"a.txt": "y\r\n"},
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a\r\n", True), ("a\r\nb", True), ("a\n", False), ("a\r\nb\n", False), ("a\rb\r\n", False),
     ("a", False)],
)  # fmt: skip
def test_a_file_has_cr_lf_where_every_line_ends_so(text: str, expected: bool) -> None:
    assert has_cr_lf(text) is expected
