from __future__ import annotations

import pytest

from authoring.errors import UserError
from authoring.spec import Report
from generators.edits import Change, apply_changes, edits_of
from generators.merging import Merged, merge_plantings, refuse_contact
from generators.planting import Planted
from generators.registry import RegisteredNeedle, Span, restore

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


def across(*plantings: Planted) -> Planted:
    """One needle of several files."""
    return Planted(
        tuple(edit for one in plantings for edit in one.edits),
        tuple(span for one in plantings for span in one.evidence),
    )


def test_a_needle_that_edits_several_files_is_moved_in_each_and_comes_out_again() -> None:
    clean = {"a": CLEAN["a"], "b": CLEAN["a"]}
    two = across(
        planting((4, "4", "X Y"), shows=(4, 5)), planting((6, "6 7", ""), shows=(5, 6), path="b")
    )
    above = across(
        planting((1, "1", "P Q R"), shows=(1, 3)), planting((2, "2", ""), shows=(1, 2), path="b")
    )
    for named in ({"two": two, "above": above}, {"above": above, "two": two}):
        merged = merge_plantings(clean, named)
        assert merged.texts == {
            "a": "P\nQ\nR\n2\n3\nX\nY\n5\n6\n7\n8\n9\n10\n",
            "b": "1\n3\n4\n5\n8\n9\n10\n",
        }
        assert evidence(merged, "two") == [(6, 7), (4, 5)]
        needles = [registered(name, one) for name, one in merged.needles.items()]
        assert restore(merged.texts, needles) == clean
        without_two = {
            "a": "P\nQ\nR\n2\n3\n4\n5\n6\n7\n8\n9\n10\n",
            "b": "1\n3\n4\n5\n6\n7\n8\n9\n10\n",
        }
        assert restore(merged.texts, [n for n in needles if n.id == "two"]) == without_two


def test_a_planting_is_refused_beside_one_that_it_disturbs() -> None:
    there = {"one": planting((5, "5", "X"), shows=(3, 5))}
    refuse_contact("two", planting((7, "7", "Y"), shows=(7, 7)), there)
    with pytest.raises(UserError, match="a: needles one and two touch, at line 6"):
        refuse_contact("two", planting((6, "6", "Y"), shows=(6, 6)), there)
    with pytest.raises(UserError, match="needle two changes lines that show needle one"):
        refuse_contact("two", planting((3, "3", "Y"), shows=(3, 3)), there)
    with pytest.raises(UserError, match="needle one changes lines that show needle two"):
        refuse_contact("two", planting((8, "8", "Y"), shows=(5, 8)), there)


def registered(name: str, one: Planted) -> RegisteredNeedle:
    return RegisteredNeedle(
        id=name,
        kind="k",
        severity="minor",
        report=Report(statement="s", terms=(("t",),)),
        evidence=one.evidence,
        edits=one.edits,
    )
