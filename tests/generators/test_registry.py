from __future__ import annotations

import pytest

from authoring.errors import UserError
from authoring.spec import Report
from generators.registry import Edit, RegisteredNeedle, Span, restore


def needle(name: str, *edits: Edit) -> RegisteredNeedle:
    return RegisteredNeedle(
        id=name,
        kind="lost",
        severity="minor",
        report=Report(statement="A line is lost.", terms=(("lost",),)),
        evidence=(Span(path="a", first=1, last=1),),
        edits=edits,
    )


def edit(first: int, planted: str, clean: str, path: str = "a") -> Edit:
    lines = tuple(planted.split())
    return Edit(
        path=path,
        first=first,
        last=first + len(lines) - 1,
        planted=lines,
        clean=tuple(clean.split()),
    )


CASES = {
    "one line": ("1\nX\n3\n", [edit(2, "X", "2")], "1\n2\n3\n"),
    "longer": ("1\nX\n3\n", [edit(2, "X", "2 2b")], "1\n2\n2b\n3\n"),
    "shorter": ("1\nX\nY\n3\n", [edit(2, "X Y", "2")], "1\n2\n3\n"),
    "removal": ("1\n3\n", [edit(2, "", "2")], "1\n2\n3\n"),
    "removal of the first lines": ("3\n", [edit(1, "", "1 2")], "1\n2\n3\n"),
    "removal of the last lines": ("1\n", [edit(2, "", "2 3")], "1\n2\n3\n"),
    "insertion": ("1\nX\n2\n", [edit(2, "X", "")], "1\n2\n"),
    "no final LF": ("1\nX", [edit(2, "X", "2")], "1\n2"),
    "two edits": (
        "X\n2\nY\nY\n4\n",
        [edit(1, "X", "1 1b"), edit(3, "Y Y", "3")],
        "1\n1b\n2\n3\n4\n",
    ),
}


@pytest.mark.parametrize(("planted", "edits", "clean"), CASES.values(), ids=CASES)
def test_putting_edits_back_gives_the_clean_text(
    planted: str, edits: list[Edit], clean: str
) -> None:
    assert restore({"a": planted}, [needle("n", *edits)]) == {"a": clean}
    one_each = [needle(f"n{number}", own) for number, own in enumerate(edits)]
    assert restore({"a": planted}, one_each) == {"a": clean}
    assert restore({"a": planted}, reversed(one_each)) == {"a": clean}


def test_putting_back_all_but_one_leaves_that_one() -> None:
    first, second = needle("first", edit(1, "X", "1 1b")), needle("second", edit(3, "Y", "3"))
    assert restore({"a": "X\n2\nY\n"}, [first]) == {"a": "1\n1b\n2\nY\n"}
    assert restore({"a": "X\n2\nY\n"}, [second]) == {"a": "X\n2\n3\n"}


def test_other_files_and_the_given_texts_stay_as_they_are() -> None:
    texts = {"a": "X\n", "b": "X\n"}
    assert restore(texts, [needle("n", edit(1, "X", "1"))]) == {"a": "1\n", "b": "X\n"}
    assert texts == {"a": "X\n", "b": "X\n"}


def test_text_that_was_changed_since_is_refused() -> None:
    with pytest.raises(UserError, match="a: lines 1 to 1 are not the planted ones"):
        restore({"a": "Z\n"}, [needle("n", edit(1, "X", "1"))])
    with pytest.raises(UserError, match="b: named by an edit, not in the corpus"):
        restore({"a": "X\n"}, [needle("n", edit(1, "X", "1", path="b"))])
