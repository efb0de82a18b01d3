"""What prompts and other files may not quote."""

from __future__ import annotations

from typing import Any

import pytest

from generators.registry import Edit
from tests.validation.made_builds import made_needle, made_subject
from validation.quotes import Quotes
from validation.subject import Subject

PLACE = "letters/014-osgood.md"
CLEAN = "The sum for Osgood is due within 27 days of the invoice INV-1014."
PLANTED = CLEAN.replace("27", "75")
PAPERS = {
    PLACE: f"Letter\n{PLANTED}\nYours\n",
    "letters/015-penhallow.md": "Letter\nThe sum for Penhallow is due within 30 days.\nYours\n",
    "ledger.csv": "INV-1014,20.00\n",
    "rules.md": "Sums are due within sixty days.\n",
}


def subject(**more: str) -> Subject:
    texts = PAPERS | {name.replace("_", "/", 1) + ".md": text for name, text in more.items()}
    edit = Edit(path=PLACE, first=2, last=2, planted=(PLANTED,), clean=(CLEAN,))
    needle: dict[str, Any] = {"edits": (edit,)}
    return made_subject(texts, made_needle(PLACE, 2, **needle))


@pytest.mark.parametrize(
    "prompt",
    [
        pytest.param(f"Is this right? {PLANTED}", id="the-line"),
        pytest.param("One says: Due within\n75 days.", id="four-words-of-it"),
    ],
)
def test_the_planted_words_in_a_prompt_are_told(prompt: str) -> None:
    (told,) = Quotes(subject()).in_prompt(prompt)
    assert told.startswith("the planted words ")


def test_words_that_the_clean_corpus_holds_too_are_none() -> None:
    assert list(Quotes(subject()).in_prompt("The sum for Osgood is due within some days.")) == []


@pytest.mark.parametrize("name", [PLACE, "014-osgood.md"])
def test_one_file_of_many_that_holds_a_needle_is_told(name: str) -> None:
    assert list(Quotes(subject()).in_prompt(f"Look at {name}, above all.")) == [
        f"the file {PLACE}, which holds what is to be found,"
    ]


def test_a_prompt_may_name_other_files_or_all_of_a_sort() -> None:
    quotes = Quotes(subject())
    assert list(quotes.in_prompt("Look at letters/015-penhallow.md, not at 2014-osgood.md.")) == []
    assert list(quotes.in_prompt(f"Look at {', '.join(PAPERS)}.")) == []


def test_a_file_that_quotes_the_line_as_it_was_is_told() -> None:
    assert list(Quotes(subject(letters_notes=f"Notes\n{CLEAN}\n")).in_files()) == [
        f"letters/notes.md (holds the line that was changed in {PLACE})"
    ]


def test_a_line_that_stands_in_several_files_is_no_quotation() -> None:
    more = {f"letters_n{number}": f"Notes\n{CLEAN}\n" for number in range(2)}
    assert list(Quotes(subject(**more)).in_files()) == []


def test_a_row_of_amounts_and_dates_may_stand_twice() -> None:
    row = "- Countersigned: 27 May 2024, Niels Hartwig, 1,070.00 and 55,640.00"
    made = subject(letters_notes=f"Notes\n{row}\n")
    edit = made.needles[0].edits[0].model_copy(update={"clean": (row,)})
    needle = made.needles[0].model_copy(update={"edits": (edit,)})
    assert list(Quotes(made_subject(made.planted, needle)).in_files()) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("See letters/014-osgood.md, line 2.", True),
        ("014-osgood.md:2 was altered", True),
        ("See letters/014-osgood.md, line 3.", False),
        ("line 2 of letters/015-penhallow.md", False),
        ("See letters/014-osgood.md for 2 crates", False),
    ],
)
def test_a_file_that_names_file_and_line_is_told(text: str, told: bool) -> None:
    found = list(Quotes(subject(letters_notes=f"Notes\n{text}\n")).in_files())
    assert found == ([f"letters/notes.md (names {PLACE} and the line)"] if told else [])
