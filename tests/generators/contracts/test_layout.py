from __future__ import annotations

import random
from dataclasses import replace

from generators.contracts.layout import (
    Clause,
    Compositor,
    capitalised,
    clause_lines,
    expected_lines,
    plain_lines,
)
from generators.contracts.style import Style, draw_style, read_style_words
from generators.world import build_world

SOURCE = """\
the first paragraph is long enough that it has to be wrapped over two lines.

It lists:
- one thing;
- another.
"""


def style(**changes: object) -> Style:
    world = build_world(random.Random(1), 1)
    drawn = draw_style(
        random.Random(1),
        read_style_words(),
        world.client,
        world.vendors[0].company,
        kind="sow",
    )
    settled = replace(
        drawn,
        numbering="decimal",
        numbered_paragraphs=True,
        items="(a)",
        width=40,
        below_heading=("",),
    )
    return replace(settled, **changes)  # type: ignore[arg-type]


def test_a_clause_gets_its_numbers_letters_and_line_ends() -> None:
    assert list(clause_lines(Clause(7, "Payment", SOURCE), Compositor(style()))) == [
        "## 7. Payment",
        "",
        "7.1 The first paragraph is long enough",
        "that it has to be wrapped over two",
        "lines.",
        "",
        "7.2 It lists:",
        "",
        "(a) one thing;",
        "(b) another.",
        "",
    ]


def test_a_titled_part_has_a_heading_of_its_own_and_no_second_number() -> None:
    source = "## Invoices\n\nOne.\n\n## Payment\n\nTwo.\n"
    lines = list(clause_lines(Clause(3, "Money", source), Compositor(style(below_heading=()))))
    assert lines == ["## 3. Money", "### 3.1 Invoices", "One.", "", "### 3.2 Payment", "Two.", ""]


def test_rows_of_a_table_are_never_wrapped() -> None:
    row = "| " + "long cell " * 12 + "|"
    assert list(plain_lines(f"{row}\n|---|\n| b |\n", Compositor(style()))) == [
        row,
        "|---|",
        "| b |",
        "",
    ]


def test_sentences_begin_with_a_capital_but_not_after_an_abbreviation() -> None:
    assert capitalised("the end. it is.") == "The end. It is."
    assert capitalised("Acme, Inc. and others.") == "Acme, Inc. and others."


TEXT = "either party may end this agreement by notice to the other at any time"


def test_a_paragraph_of_which_a_line_stands_elsewhere_is_broken_elsewhere() -> None:
    usual = list(plain_lines(TEXT, Compositor(style())))
    assert usual == [
        "Either party may end this agreement by",
        "notice to the other at any time",
        "",
    ]
    again = list(plain_lines(TEXT, Compositor(style(), used={usual[1]})))
    assert again == [
        "Either party may end this agreement",
        "by notice to the other at any time",
        "",
    ]


def test_a_paragraph_that_comes_twice_in_a_file_has_other_lines_the_second_time() -> None:
    lines = list(plain_lines(f"{TEXT}\n\n{TEXT}", Compositor(style())))
    assert len({line for line in lines if line}) == len([line for line in lines if line])


def test_a_paragraph_of_one_line_stays_as_it_is_wherever_else_it_stands() -> None:
    assert list(plain_lines("Short.", Compositor(style(), used={"Short."}))) == ["Short.", ""]


def test_the_length_of_a_clause_is_known_before_its_place() -> None:
    lines = list(clause_lines(Clause(7, "Payment", SOURCE), Compositor(style())))
    assert abs(expected_lines(SOURCE, 40) - len(lines)) <= 2
