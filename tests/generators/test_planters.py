from __future__ import annotations

import textwrap
from pathlib import PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from authoring.errors import UserError
from authoring.spec import Report
from generators.planters.numbering import moved_up
from generators.planters.remove_section import RemoveSection, RemoveSectionParameters
from generators.planters.replace_text import ReplaceText, ReplaceTextParameters
from generators.planting import Aim, Ground, Planted, Planter
from generators.registry import RegisteredNeedle, restore

PATH = PurePosixPath("a.md")


def plant(planter: Planter, text: str) -> tuple[str, Planted]:
    """The planted text, made from the edits alone, and what was planted."""
    planted = planter.plant(Ground({PATH: text}, {PATH: "letter"}), Aim(PATH))
    lines = text.split("\n")
    for edit in planted.edits:
        end = edit.first - 1 + len(edit.clean)
        assert tuple(lines[edit.first - 1 : end]) == edit.clean
        lines[edit.first - 1 : end] = edit.planted
    result = "\n".join(lines)
    assert restore({"a.md": result}, [registered(planted)]) == {"a.md": text}
    return result, planted


def registered(planted: Planted) -> RegisteredNeedle:
    return RegisteredNeedle(
        id="n",
        kind="k",
        severity="minor",
        report=Report(statement="s", terms=(("t",),)),
        evidence=planted.evidence,
        edits=planted.edits,
    )


def replace_text(pattern: str, replacement: str, heading: str | None = None) -> ReplaceText:
    return ReplaceText(
        ReplaceTextParameters(pattern=pattern, replacement=replacement, heading=heading)
    )


def shown(planted: Planted) -> list[tuple[int, int]]:
    return [(span.first, span.last) for span in planted.evidence]


LETTER = """\
# Letter

## 1. Fees

The buyer pays the fees within thirty days of the
invoice. Late fees bear interest. The seller may
then stop its work until it is paid in full.

- A discount of two per cent is given where the
  buyer pays within seven days.
- No other discount is given.

## 2. Other fees

The buyer pays other fees within thirty days.

| What | Due |
| --- | --- |
| Travel | thirty days |
"""


def test_a_passage_across_lines_is_replaced_and_its_paragraph_wrapped_as_before() -> None:
    text, planted = plant(
        replace_text("within thirty days of the invoice", "on receipt of the goods", "Fees"), LETTER
    )
    assert text.split("\n")[4:8] == [
        "The buyer pays the fees on receipt of the goods.",
        "Late fees bear interest. The seller may then stop",
        "its work until it is paid in full.",
        "",
    ]
    assert shown(planted) == [(5, 5)]
    assert [(edit.first, edit.last) for edit in planted.edits] == [(5, 7)]


def test_only_lines_that_differ_are_in_the_edit() -> None:
    _, planted = plant(replace_text("paid in full", "paid in part"), LETTER)
    (edit,) = planted.edits
    assert (edit.first, edit.planted) == (7, ("then stop its work until it is paid in part.",))
    # The sentence that changed begins a line before the edit.
    assert shown(planted) == [(6, 7)]


def test_a_longer_text_makes_more_lines_and_moves_what_is_below() -> None:
    text, planted = plant(
        replace_text(
            "Late fees bear interest",
            "Late fees bear interest at twelve per cent a year, compounded each month",
        ),
        LETTER,
    )
    assert text.split("\n")[4:9] == [
        "The buyer pays the fees within thirty days of the",
        "invoice. Late fees bear interest at twelve per",
        "cent a year, compounded each month. The seller",
        "may then stop its work until it is paid in full.",
        "",
    ]
    assert shown(planted) == [(6, 7)]
    assert [(edit.first, edit.last, len(edit.clean)) for edit in planted.edits] == [(6, 8, 2)]


def test_an_item_keeps_its_hanging_indent_and_its_neighbours() -> None:
    text, planted = plant(
        replace_text("within seven days", "within one hundred and eighty days"), LETTER
    )
    assert text.split("\n")[8:12] == [
        "- A discount of two per cent is given where the",
        "  buyer pays within one hundred and eighty days.",
        "- No other discount is given.",
        "",
    ]
    assert shown(planted) == [(9, 10)]


def test_a_table_row_and_a_heading_are_never_wrapped() -> None:
    long = "thirty days after the end of the month of travel, at noon"
    text, planted = plant(replace_text("Travel .* thirty days", f"Travel | {long}"), LETTER)
    assert text.split("\n")[18] == f"| Travel | {long} |"
    assert shown(planted) == [(19, 19)]
    text, planted = plant(
        replace_text("2. Other fees", "2. Quite other fees and charges of all sorts and kinds"),
        LETTER,
    )
    assert text.split("\n")[12] == "## 2. Quite other fees and charges of all sorts and kinds"
    assert shown(planted) == [(13, 13)]


def test_a_file_of_long_lines_is_not_wrapped() -> None:
    line = "The buyer pays within thirty days of the invoice, in full and with no deduction at all."
    text, _ = plant(replace_text("thirty days", "nine hundred and ninety days"), f"# A\n\n{line}\n")
    assert text == f"# A\n\n{line.replace('thirty', 'nine hundred and ninety')}\n"


def test_a_heading_chooses_among_equal_passages() -> None:
    text, planted = plant(replace_text("within thirty days", "at once", "other FEES"), LETTER)
    assert text.split("\n")[14] == "The buyer pays other fees at once."
    assert shown(planted) == [(15, 15)]


def test_groups_of_the_pattern_can_be_kept() -> None:
    text, _ = plant(
        replace_text(
            r"The (\w+) pays other fees within (?P<days>\w+)", r"The \1 need not pay for \g<days>"
        ),
        LETTER,
    )
    assert text.split("\n")[14] == "The buyer need not pay for thirty days."


def test_a_sentence_that_only_goes_is_shown_by_its_neighbours() -> None:
    _, planted = plant(replace_text("Late fees bear interest. The seller", "The seller"), LETTER)
    assert shown(planted) == [(5, 8)]


def test_several_matches_are_told_with_their_lines() -> None:
    with pytest.raises(UserError) as caught:
        plant(replace_text("within thirty days", "x"), LETTER)
    assert str(caught.value).splitlines() == [
        "a.md: the pattern matches 2 places:",
        "    line 5: The buyer pays the fees within thirty days of the",
        "    line 15: The buyer pays other fees within thirty days.",
        "  make the pattern longer, or name a heading",
    ]


def test_no_match_is_told_with_the_nearest_lines() -> None:
    with pytest.raises(UserError) as caught:
        plant(replace_text("fees bear no interest", "x", "Fees"), LETTER)
    assert str(caught.value).splitlines() == [
        "a.md: the pattern matches nothing under 'Fees' (lines 3 to 12); nearest:",
        "    line 6: invoice. Late fees bear interest. The seller may",
        "    line 3: ## 1. Fees",
        "    line 5: The buyer pays the fees within thirty days of the",
    ]


@pytest.mark.parametrize(
    ("pattern", "replacement", "message"),
    [
        (r"full\.\s+- A discount", "x", "matches across paragraphs, lines 7 to 9"),
        ("in full", "in full", "changes nothing"),
    ],
)
def test_what_cannot_be_replaced_is_told(pattern: str, replacement: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        plant(replace_text(pattern, replacement), LETTER)


@pytest.mark.parametrize("pattern", ["(", "[a", "a{2,1}", ""])
def test_a_pattern_that_is_none_is_refused_when_the_spec_is_read(pattern: str) -> None:
    with pytest.raises(ValidationError):
        ReplaceTextParameters(pattern=pattern, replacement="x")


def test_a_space_in_a_pattern_does_not_reach_over_a_blank_line() -> None:
    with pytest.raises(UserError, match="matches nothing"):
        plant(replace_text("Letter ## 1", "x"), LETTER)


@pytest.mark.parametrize(
    "pattern", [r"fees[ ]within", r"fees\ within", "fees {1}within", "fees +within"]
)
def test_spaces_with_a_meaning_of_their_own_keep_it(pattern: str) -> None:
    text, _ = plant(replace_text(rf"buyer pays the {pattern}", "x"), LETTER)
    assert text.split("\n")[4].startswith("The x thirty days")


WORDS = st.lists(
    st.text(st.sampled_from("abcdefgh"), min_size=1, max_size=12), min_size=30, max_size=90
)


@settings(max_examples=100, deadline=None)
@given(
    words=WORDS,
    width=st.integers(40, 96),
    at=st.floats(0, 1),
    new=WORDS,
    mark=st.sampled_from(("", "- ", "(iii) ", "7.2 ", "7. ")),
)
def test_a_replaced_passage_is_wrapped_as_textwrap_would_wrap_the_whole(
    words: list[str], width: int, at: float, new: list[str], mark: str
) -> None:
    # Two more paragraphs that leave no doubt of the width.
    ruler = f"{'y' * width}\nz\n\n{'x' * (width - 1)}\nz\n"
    index = min(int(at * len(words)), len(words) - 1)
    # A first new word that is no shorter than the old one leaves the lines above as they are.
    before, after, new = words[:index], words[index + 1 :], ["LONGER", *new]
    text, _ = plant(
        replace_text("MARK", " ".join(new)),
        f"{_wrapped(mark, [*before, 'MARK', *after], width)}\n\n{ruler}",
    )
    assert text == f"{_wrapped(mark, [*before, *new, *after], width)}\n\n{ruler}"


def _wrapped(mark: str, words: list[str], width: int) -> str:
    hang = "" if mark[:1].isdigit() else " " * len(mark)
    text = mark + " ".join(words)
    return "\n".join(textwrap.wrap(text, width, subsequent_indent=hang, break_on_hyphens=False))


CONTRACT = """\
# Contract

This contract has a preamble.

## 1. Term

1.1 It runs for a year, see Section 3.1.

## 2. Notice

2.1 Notice is in writing.

2.2 It is sent by post.

## 3. Fees

3.1 Fees are due, as Sections 1, 3 and
4 say. Section 4 of the Act applies.

3.2 See section 4.1 of this contract.

## 4. Law

4.1 The law is that of the land.
"""


def remove_section(*headings: str, renumber: bool = False) -> RemoveSection:
    return RemoveSection(RemoveSectionParameters(heading=headings, renumber=renumber))


def test_a_section_goes_with_its_heading_and_is_shown_by_the_heading_that_follows() -> None:
    text, planted = plant(remove_section("Notice"), CONTRACT)
    assert text == CONTRACT.replace(
        "## 2. Notice\n\n2.1 Notice is in writing.\n\n2.2 It is sent by post.\n\n", ""
    )
    assert shown(planted) == [(8, 10)]
    assert text.split("\n")[7:10] == ["", "## 3. Fees", ""]


def test_what_stands_below_takes_the_numbers_that_are_free() -> None:
    text, planted = plant(remove_section("Notice", renumber=True), CONTRACT)
    assert (
        text
        == """\
# Contract

This contract has a preamble.

## 1. Term

1.1 It runs for a year, see Section 2.1.

## 2. Fees

2.1 Fees are due, as Sections 1, 2 and
3 say. Section 4 of the Act applies.

2.2 See section 3.1 of this contract.

## 3. Law

3.1 The law is that of the land.
"""
    )
    assert shown(planted) == [(8, 10)]
    # The removal and the heading that took its place are one edit.
    assert [(edit.first, edit.last) for edit in planted.edits] == [
        (7, 7),
        (9, 9),
        (11, 12),
        (14, 14),
        (16, 16),
        (18, 18),
    ]


def test_after_the_last_section_the_end_of_the_file_is_shown() -> None:
    text, planted = plant(
        remove_section("Law"),
        CONTRACT.replace("4 say", "1 say").replace("section 4.1", "section 1.1"),
    )
    assert text.endswith("3.2 See section 1.1 of this contract.\n")
    assert shown(planted) == [(19, 20)]
    assert planted.edits[0].planted == ()


def test_a_file_without_a_last_line_feed_keeps_none() -> None:
    text, planted = plant(remove_section("B"), "# A\n\na\n\n# B\n\nb")
    assert text == "# A\n\na"
    assert shown(planted) == [(2, 3)]


def test_one_of_several_headings_will_do() -> None:
    text, _ = plant(remove_section("Notices", "Notice", "Communications"), CONTRACT)
    assert "Notice" not in text


def test_a_section_that_is_referred_to_cannot_go() -> None:
    for renumber in (False, True):
        with pytest.raises(
            UserError, match="line 18 refers to the section that is to be removed: 4 say"
        ):
            plant(remove_section("Law", renumber=renumber), CONTRACT)
    named = CONTRACT.replace("in writing", 'in writing, see the section "Law"')
    with pytest.raises(UserError, match="line 11 refers to the section"):
        plant(remove_section("Law"), named.replace("4 say", "1 say").replace("section 4.1", "x"))


def test_a_reference_inside_the_section_itself_is_none() -> None:
    text, _ = plant(
        remove_section("Notice"), CONTRACT.replace("by post", "by post, see Section 2.1")
    )
    assert "Section 2.1" not in text


CITING = "# Order\n\nUnder CON-2024-7. Fees are as in Section {}.\n"


@pytest.mark.parametrize(
    ("cited", "renumber", "refused"),
    [
        ("1", True, False),
        ("2", False, True),
        ("2.2", False, True),
        ("3", False, False),
        ("3", True, True),
    ],
)
def test_a_section_whose_number_another_file_cites_keeps_it(
    cited: str, renumber: bool, refused: bool
) -> None:
    contract = CONTRACT.replace("# Contract", "# Contract CON-2024-7")
    files = {PATH: contract, PurePosixPath("b.md"): CITING.format(cited)}
    planter = remove_section("Notice", renumber=renumber)
    if refused:
        with pytest.raises(UserError, match=r"a\.md: b\.md, line 3, may refer to a section"):
            planter.plant(Ground(files, {}), Aim(PATH))
    else:
        planter.plant(Ground(files, {}), Aim(PATH))
    # A file that does not name this one speaks of its own sections.
    other = files | {PurePosixPath("b.md"): CITING.format(cited).replace("2024-7", "2024-8")}
    assert planter.plant(Ground(other, {}), Aim(PATH)).edits


def test_the_only_section_of_a_file_cannot_go() -> None:
    with pytest.raises(UserError, match="nothing would be left"):
        plant(remove_section("A"), "# A\n\na\n")


def test_a_heading_that_is_not_there_is_told() -> None:
    with pytest.raises(
        UserError, match="no section is headed 'Notices'; the headings are:\n    line 1"
    ):
        plant(remove_section("Notices"), CONTRACT)


def test_plain_headings_need_no_new_numbers() -> None:
    text = "# A\n\n## One\n\na\n\n## Two\n\nb\n\n## Three\n\nc\n"
    assert plant(remove_section("Two", renumber=True), text)[0] == text.replace(
        "## Two\n\nb\n\n", ""
    )


def test_roman_articles_move_up_too() -> None:
    text = (
        "## Article VIII. A\n\na\n\n## Article IX. B\n\nb\n\n"
        "## Article X. C\n\nsee Article X and Article VIII\n"
    )
    assert plant(remove_section("B", renumber=True), text)[0] == (
        "## Article VIII. A\n\na\n\n## Article IX. C\n\nsee Article IX and Article VIII\n"
    )


MOVED = [
    ("9.2", "7", "8.2"),
    ("7", "7", "7"),
    ("6.9", "7", "6.9"),
    ("10", "9", "9"),
    ("2.4.1", "2.3", "2.3.1"),
    ("3.4", "2.3", "3.4"),
    ("2", "2.3", "2"),
    ("IX", "IV", "VIII"),
    ("XL", "I", "XXXIX"),
    ("XC", "II", "LXXXIX"),
    ("IV", "7", "IV"),
    ("7", "IV", "7"),
]


@pytest.mark.parametrize(("number", "removed", "expected"), MOVED)
def test_a_number_moves_up_where_an_elder_sibling_is_gone(
    number: str, removed: str, expected: str
) -> None:
    assert moved_up(number, removed) == expected
