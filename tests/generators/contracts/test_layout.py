from __future__ import annotations

import random
from dataclasses import replace

from generators.contracts.layout import Clause, capitalised, clause_lines, plain_lines
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
        by_name=False,
        compact=False,
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
    assert list(clause_lines(Clause(7, "Payment", SOURCE), style())) == [
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
    lines = list(clause_lines(Clause(3, "Money", source), style(below_heading=())))
    assert lines == ["## 3. Money", "### 3.1 Invoices", "One.", "", "### 3.2 Payment", "Two.", ""]


def test_rows_of_a_table_are_never_wrapped() -> None:
    row = "| " + "long cell " * 12 + "|"
    assert list(plain_lines(f"{row}\n|---|\n| b |\n", style())) == [row, "|---|", "| b |", ""]


def test_sentences_begin_with_a_capital_but_not_after_an_abbreviation() -> None:
    assert capitalised("the end. it is.") == "The end. It is."
    assert capitalised("Acme, Inc. and others.") == "Acme, Inc. and others."
