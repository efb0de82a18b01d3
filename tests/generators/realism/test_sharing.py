from __future__ import annotations

import pytest

from generators.realism.sharing import Pair, sharing
from generators.realism.words import (
    A_NAME,
    A_NUMBER,
    lower_case_words,
    masked_words,
    shingles,
)


def masked(text: str) -> str:
    words = masked_words(text, lower_case_words([text, "the order is due"]))
    return " ".join(words).replace(A_NAME, "N").replace(A_NUMBER, "#")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada Lovelace owes 1,200.50 EUR", "N owes # eur"),
        ("The order of Northgate is due", "the order of N is due"),
        ("due on 17 March 2025", "due on #"),
        ("due on Monday, 2025-03-17", "due on #"),
        ("you may pay in May", "you may pay in #"),
        ("write to ada.lovelace@north.example.com now", "write to N now"),
        ("Mar  4 10:22:01 web-03 sshd[1234]: opened", "# web # sshd # opened"),
        ("id 9f8e7d6c-1b2a-4c3d-9e8f-001122334455 from 10.0.0.1:443", "id # from #"),
        ("fetch_orders(limit=20)", "fetch_orders limit #"),
        ("NDA and MSA", "nda and msa"),
    ],
    ids=str,
)
def test_names_numbers_and_dates_are_masked(text: str, expected: str) -> None:
    assert masked(text) == expected


def test_two_fillings_of_one_template_share_everything() -> None:
    template = "This order is made by {} on {} and is worth {} dollars in all."
    found = sharing(
        {
            "a": template.format("Northgate Hosting", "3 May 2024", "1,200"),
            "b": template.format("Cedarbrook", "2024-11-30", "88"),
            "c": "Quite another thing was said by the other one.",
        }
    )
    assert found is not None
    assert found.pairs == 3
    assert found.upper == 1
    assert found.most == Pair("a", "b", 1.0)


def test_a_share_is_of_the_shingles_of_both() -> None:
    # Shingles of five: 3 in each, of which 1 is the same: 1 of 5.
    found = sharing({"a": "p q r s t u v", "b": "x y p q r s t"})
    assert found is not None
    assert found.most.share == pytest.approx(1 / 5)


def test_one_file_has_no_pair() -> None:
    assert sharing({"a": "one two three four five six", "b": "too short"}) is None


def test_shingles_are_all_runs_of_words() -> None:
    assert shingles(["a", "b", "c"], 2) == {("a", "b"), ("b", "c")}
    assert shingles(["a"], 2) == frozenset()
