from __future__ import annotations

import pytest

from authoring.errors import UserError
from generators.edits import Change, apply_changes, edits_of
from generators.merging import Merged, merge_plantings
from generators.planting import Planted
from generators.registry import Span

CLEAN = {"a": "".join(f"{number}\n" for number in range(1, 11)), "b": "1\n"}


def planting(*changes: tuple[int, str, str], shows: tuple[int, int], path: str = "a") -> Planted:
    """Changes as (first clean line, clean lines, planted lines); `shows` in planted lines."""
    edits = edits_of(
        Change(path, first, tuple(clean.split()), tuple(planted.split()))
        for first, clean, planted in changes
    )
    return Planted(edits, (Span(path=path, first=shows[0], last=shows[1]),))


def evidence(merged: Merged, name: str) -> list[tuple[int, int]]:
    return [(span.first, span.last) for span in merged.needles[name].evidence]


def test_plantings_of_one_file_stand_together_whatever_their_order() -> None:
    high = planting((2, "2", "X Y Z"), shows=(2, 4))
    middle = planting((5, "5 6", ""), shows=(4, 5))
    low = planting((9, "9", "W"), shows=(9, 9))
    for order in (("h", "m", "l"), ("l", "m", "h"), ("m", "l", "h")):
        named = {"h": high, "m": middle, "l": low}
        merged = merge_plantings(CLEAN, {name: named[name] for name in order})
        assert merged.texts == {"a": "1\nX\nY\nZ\n3\n4\n7\n8\nW\n10\n", "b": "1\n"}
        assert evidence(merged, "h") == [(2, 4)]
        assert evidence(merged, "m") == [(6, 7)]
        assert evidence(merged, "l") == [(9, 9)]
        assert [(e.first, e.last) for e in merged.needles["m"].edits] == [(7, 6)]


def test_a_needle_with_several_edits_keeps_them_apart_from_the_others() -> None:
    two = planting((1, "1", "A B"), (8, "8", "C"), shows=(9, 9))
    one = planting((4, "4 5", "D"), shows=(4, 4))
    merged = merge_plantings(CLEAN, {"two": two, "one": one})
    assert merged.texts["a"] == "A\nB\n2\n3\nD\n6\n7\nC\n9\n10\n"
    assert evidence(merged, "two") == [(8, 8)]
    assert evidence(merged, "one") == [(5, 5)]


def test_other_files_move_nothing() -> None:
    merged = merge_plantings(
        CLEAN,
        {
            "a": planting((5, "5", "X"), shows=(5, 5)),
            "b": planting((1, "1", "Y Z"), shows=(1, 2), path="b"),
        },
    )
    assert evidence(merged, "a") == [(5, 5)]
    assert merged.texts["b"] == "Y\nZ\n"


TOUCHING = {
    "the same line": ((5, "5", "X"), (5, "5", "Y"), True),
    "the next line": ((5, "5", "X"), (6, "6", "Y"), True),
    "one line between": ((5, "5", "X"), (7, "7", "Y"), False),
    "a removal and the line after": ((4, "4 5", ""), (6, "6", "Y"), True),
    "an insertion before the next line": ((5, "5", "X"), (6, "", "Y"), True),
    "an insertion one line further": ((5, "5", "X"), (7, "", "Y"), False),
}


@pytest.mark.parametrize(("first", "second", "touch"), TOUCHING.values(), ids=TOUCHING)
def test_needles_without_a_line_between_them_are_refused(
    first: tuple[int, str, str], second: tuple[int, str, str], touch: bool
) -> None:
    named = {
        "one": planting(first, shows=(1, 1)),
        "two": planting(second, shows=(1, 1)),
    }
    for order in (("one", "two"), ("two", "one")):
        plantings = {name: named[name] for name in order}
        if not touch:
            merge_plantings(CLEAN, plantings)
            continue
        with pytest.raises(UserError, match=f"needles {order[0]} and {order[1]} touch"):
            merge_plantings(CLEAN, plantings)


def test_a_needle_that_changes_a_line_that_shows_another_is_refused() -> None:
    one = planting((5, "5", "X"), shows=(3, 5))
    two = planting((3, "3", "Y"), shows=(3, 3))
    with pytest.raises(UserError, match="a:3:1: needle two changes lines that show needle one"):
        merge_plantings(CLEAN, {"one": one, "two": two})


def test_trimming_a_change_leaves_its_effect() -> None:
    change = Change("a", 3, ("3", "4", "5"), ("3", "X", "5"))
    assert change.trimmed() == Change("a", 4, ("4",), ("X",))
    assert apply_changes(CLEAN["a"], [change]) == apply_changes(CLEAN["a"], [change.trimmed()])
