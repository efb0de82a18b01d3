"""Edits made again and taken back: exactly, or not at all."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.audit.edits import Change, Hunk, Replaced, Several, Whole, Written, written_by


@pytest.mark.parametrize(
    ("change", "before", "after"),
    [
        pytest.param(Replaced("two", "2"), "one two three", "one 2 three", id="once"),
        pytest.param(Replaced("o", "0", every=True), "no two", "n0 tw0", id="every"),
        pytest.param(Replaced("o", "0"), "no two", None, id="not-unique"),
        pytest.param(Replaced("four", "4"), "one two", None, id="not-there"),
        pytest.param(Replaced("", "4"), "one two", None, id="nothing"),
        pytest.param(Replaced("two ", ""), "one two three", "one three", id="taken-out"),
        pytest.param(Whole("new\n"), "whatever", "new\n", id="whole"),
        pytest.param(Hunk(("b",), ("B", "b")), "a\nb\nc\n", "a\nB\nb\nc\n", id="hunk"),
        pytest.param(Hunk(("b",), ("B",)), "b\nb\n", None, id="hunk-in-two-places"),
        pytest.param(Hunk((), ("B",)), "a\n", None, id="hunk-anywhere"),
        pytest.param(
            Several((Replaced("a", "b"), Replaced("b", "c"))), "a", "c", id="one-after-another"
        ),
    ],
)
def test_a_change_is_made_in_one_way_or_not_at_all(
    change: Change, before: str, after: str | None
) -> None:
    assert change.made(before) == after


@pytest.mark.parametrize(
    ("change", "after", "before"),
    [
        pytest.param(Replaced("two", "2"), "one 2 three", "one two three", id="once"),
        # Of "a b b" the second b may have been there before: "a x b" and "a b x" both give it.
        pytest.param(Replaced("x", "b"), "a b b", None, id="two-that-fit"),
        # Had the first "twofold" been a "2fold", the old text would have stood there twice.
        pytest.param(Replaced("2", "two"), "two 2", None, id="none-that-fits"),
        pytest.param(Replaced("x", "x y"), "x y, x y", None, id="left-out-twice"),
        pytest.param(Replaced("o", "0", every=True), "n0 two", None, id="every-was-not"),
        pytest.param(Replaced("o", "0", every=True), "n0 tw", "no tw", id="every-once"),
        pytest.param(Replaced("o", "0", every=True), "n0 tw0", None, id="every-may-be-older"),
        pytest.param(Replaced("two ", ""), "one three", None, id="taken-out-of-where"),
        pytest.param(Whole("new\n"), "new\n", None, id="whole"),
        pytest.param(Hunk(("b",), ("B", "b")), "a\nB\nb\nc\n", "a\nb\nc\n", id="hunk"),
        pytest.param(Several((Replaced("a", "b"), Replaced("b", "c"))), "c", "a", id="several"),
    ],
)
def test_a_change_is_taken_back_where_one_text_alone_leads_here(
    change: Change, after: str, before: str | None
) -> None:
    assert change.undone(after) == before


@given(
    before=st.text("ab\n", max_size=12),
    old=st.text("ab\n", min_size=1, max_size=4),
    new=st.text("ab\n", max_size=4),
    every=st.booleans(),
)
def test_what_is_taken_back_is_the_text_that_was_there(
    before: str, old: str, new: str, *, every: bool
) -> None:
    change = Replaced(old, new, every)
    after = change.made(before)
    if after is not None:
        assert change.undone(after) in (before, None)


PATCH = """*** Begin Patch
*** Update File: docs/a.md
@@ heading
 keep
-old
+new
@@
 last
+more
*** Add File: docs/b.md
+one
+two
*** Delete File: docs/c.md
*** End Patch
"""


@pytest.mark.parametrize(
    ("tool", "arguments", "written"),
    [
        (
            "Edit",
            {"file_path": "/w/a.md", "old_string": "x\r\n", "new_string": "y\r\n"},
            [Written("/w/a.md", Replaced("x\n", "y\n"))],
        ),
        (
            "Edit",
            {"file_path": "a", "old_string": "x", "new_string": "y", "replace_all": True},
            [Written("a", Replaced("x", "y", every=True))],
        ),
        (
            "edit",
            {"filePath": "a", "oldString": "x", "newString": "y", "replaceAll": False},
            [Written("a", Replaced("x", "y"))],
        ),
        (
            "replace",
            {"file_path": "a", "old_string": "x", "new_string": "y", "expected_replacements": 3},
            [Written("a", Replaced("x", "y", every=True))],
        ),
        (
            "replace",
            {"file_path": "a", "old_string": "x", "new_string": "y", "expected_replacements": 1},
            [Written("a", Replaced("x", "y"))],
        ),
        (
            "MultiEdit",
            {
                "file_path": "a",
                "edits": [
                    {"old_string": "x", "new_string": "y"},
                    {"old_string": "y", "new_string": "z"},
                ],
            },
            [Written("a", Several((Replaced("x", "y"), Replaced("y", "z"))))],
        ),
        ("MultiEdit", {"file_path": "a", "edits": ["x"]}, [Written("a", None)]),
        ("Write", {"file_path": "a", "content": "x"}, [Written("a", Whole("x"))]),
        ("write_file", {"file_path": "a", "content": 3}, [Written("a", None)]),
        (
            "Edit",
            {"file_path": "a", "old_string": "", "new_string": "x"},
            [Written("a", Whole("x"))],
        ),
        ("Read", {"file_path": "a"}, []),
        ("Bash", {"command": PATCH}, []),
        (
            "shell",
            {"command": ["apply_patch", PATCH]},
            [
                Written(
                    "docs/a.md",
                    Several((
                        Hunk(("keep", "old"), ("keep", "new")),
                        Hunk(("last",), ("last", "more")),
                    )),
                ),
                Written("docs/b.md", Whole("one\ntwo\n")),
                Written("docs/c.md", None),
            ],
        ),
        (
            "apply_patch",
            {"input": PATCH.replace("@@ heading\n", "@@ heading\n?")},
            [Written("docs/a.md", None), Written("docs/b.md", Whole("one\ntwo\n")),
             Written("docs/c.md", None)],
        ),
    ],
)  # fmt: skip
def test_a_call_says_what_it_does_to_which_file(
    tool: str, arguments: Mapping[str, object], written: list[Written]
) -> None:
    assert list(written_by(tool, arguments)) == written
