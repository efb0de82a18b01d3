from __future__ import annotations

import pytest
from pydantic import ValidationError

from authoring.errors import UserError
from authoring.spec import Position
from generators.planters.edit_line import EditLine, EditLineParameters
from generators.planters.insert_line import InsertLine, InsertLineParameters
from generators.planters.remove_line import RemoveLine, RemoveLineParameters
from generators.planting import Planter
from tests.generators.planters.conftest import plant

LOG = """\
08:00:01 INFO  start of web-1
08:00:07 INFO  GET /orders/17 403 for ada
08:00:09 WARN  queue holds 12
08:01:30 INFO  GET /orders/18 200 for ben
08:02:11 INFO  GET /orders/19 403 for cleo
08:03:00 INFO  stop of web-1
"""
REFUSED = r"(?P<start>.* GET \S+) 403 (?P<who>.*)"


def edit_line(pattern: str, replacement: str, nth: int | None = None) -> EditLine:
    return EditLine(EditLineParameters(pattern=pattern, replacement=replacement, nth=nth))


def insert_line(after: str, line: str, nth: int | None = None) -> InsertLine:
    return InsertLine(InsertLineParameters(after=after, line=line, nth=nth))


def remove_line(pattern: str, nth: int | None = None) -> RemoveLine:
    return RemoveLine(RemoveLineParameters(pattern=pattern, nth=nth))


def test_a_line_is_edited_with_groups_of_its_pattern_and_shows_itself() -> None:
    made = plant(edit_line(r"(\S+) WARN  queue holds (\d)\d", r"\1 INFO  queue holds \2"), LOG)
    assert made.text == LOG.replace("WARN  queue holds 12", "INFO  queue holds 1")
    assert made.shown == [(3, 3)]


@pytest.mark.parametrize(
    ("depth", "nth", "line"),
    [("early", None, 2), ("late", None, 5), ("late", 1, 2), (None, 2, 5), ("middle", None, 2)],
    ids=["early", "late", "nth before depth", "nth", "none there: the nearest"],
)
def test_depth_or_number_chooses_among_lines_that_match(
    depth: Position | None, nth: int | None, line: int
) -> None:
    made = plant(edit_line(REFUSED, r"\g<start> 200 \g<who>", nth), LOG, depth=depth)
    assert made.shown == [(line, line)]
    assert made.text.split("\n")[line - 1] == LOG.split("\n")[line - 1].replace("403", "200")


def test_several_lines_and_nothing_to_choose_by_are_told_with_their_numbers() -> None:
    with pytest.raises(UserError) as caught:
        plant(edit_line(REFUSED, "x"), LOG)
    assert str(caught.value).splitlines() == [
        "a.txt: 2 lines match:",
        "    line 2: 08:00:07 INFO  GET /orders/17 403 for ada",
        "    line 5: 08:02:11 INFO  GET /orders/19 403 for cleo",
        "  ask for one that no other has, or give `nth` or the depth of the needle",
    ]
    with pytest.raises(UserError, match="there is no match 3; there are 2:\n    line 2: 08"):
        plant(edit_line(REFUSED, "x", 3), LOG, depth="early")


@pytest.mark.parametrize(
    "planter",
    [
        edit_line("GET /orders/18 200", "x"),
        insert_line("GET /orders/18 200", "x"),
        remove_line("GET /orders/18 200"),
    ],
    ids=["edit", "insert", "remove"],
)
def test_a_pattern_must_match_the_whole_line_and_the_nearest_are_told(planter: Planter) -> None:
    with pytest.raises(UserError) as caught:
        plant(planter, LOG)
    assert str(caught.value).splitlines()[:2] == [
        "a.txt: the pattern matches no whole line of 6; nearest:",
        "    line 2: 08:00:07 INFO  GET /orders/17 403 for ada",
    ]


@pytest.mark.parametrize(
    ("replacement", "message"),
    [
        (r"\1", "a.txt:3:1: the replacement changes nothing"),
        ("a\nb", "the replacement is not one line"),
    ],
)
def test_what_cannot_be_edited_is_told(replacement: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        plant(edit_line("(.*WARN.*)", replacement), LOG)


@pytest.mark.parametrize("replacement", [r"\2", r"\g<x>", r"\g<x", r"\q"])
def test_a_replacement_that_fills_no_group_is_refused_when_the_spec_is_read(
    replacement: str,
) -> None:
    with pytest.raises(ValidationError, match="is not valid"):
        edit_line("(.*WARN.*)", replacement)
    with pytest.raises(ValidationError, match="is not valid"):
        InsertLineParameters(after="(.*WARN.*)", line=replacement)


def test_a_pattern_that_is_none_is_one_problem_and_not_two() -> None:
    with pytest.raises(ValidationError) as caught:
        EditLineParameters(pattern="(", replacement=r"\1")
    assert [error["loc"] for error in caught.value.errors()] == [("pattern",)]


@pytest.mark.parametrize("pattern", ["(", "[a", ""])
def test_a_pattern_that_is_none_is_refused_when_the_spec_is_read(pattern: str) -> None:
    with pytest.raises(ValidationError):
        RemoveLineParameters(pattern=pattern)


def test_a_line_is_put_after_its_anchor_and_shows_itself() -> None:
    made = plant(insert_line(r"(\S+) WARN .*", r"\1 INFO  role admin granted to ada"), LOG)
    lines = LOG.split("\n")
    assert made.text.split("\n") == [
        *lines[:3],
        "08:00:09 INFO  role admin granted to ada",
        *lines[3:],
    ]
    assert made.shown == [(4, 4)]


@pytest.mark.parametrize("end", ["\n", ""], ids=["with a final LF", "without"])
def test_several_lines_after_the_last_one_keep_the_end_of_the_file(end: str) -> None:
    made = plant(insert_line("b", "c\nd"), f"a\nb{end}")
    assert made.text == f"a\nb\nc\nd{end}"
    assert made.shown == [(3, 4)]


@pytest.mark.parametrize(
    ("pattern", "shown"),
    [("08:00:01 .*", (1, 1)), (".*WARN.*", (2, 3)), ("08:03.*", (5, 5))],
    ids=["the first", "in between", "the last"],
)
def test_a_line_that_is_gone_is_shown_by_those_on_both_sides(
    pattern: str, shown: tuple[int, int]
) -> None:
    made = plant(remove_line(pattern), LOG)
    assert len(made.text.split("\n")) == 6
    assert made.shown == [shown]


def test_the_only_line_of_a_file_cannot_go() -> None:
    with pytest.raises(UserError, match="nothing would be left"):
        plant(remove_line("a"), "a\n")
