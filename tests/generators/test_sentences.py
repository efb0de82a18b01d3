from __future__ import annotations

import pytest

from generators.sentences import sentences

TEXT = """\
# Terms

The first sentence ends
here. The second one names Acme, Inc. and
St. Louis and runs on. A third.

7.1 A numbered paragraph is
one sentence.
- an item without a stop
- another one
  on two lines
| a | row |
"""


def test_a_sentence_spans_the_lines_it_is_wrapped_over() -> None:
    found = [(s.text, s.first, s.last) for s in sentences(TEXT) if not s.level]
    assert found == [
        ("The first sentence ends here.", 3, 4),
        ("The second one names Acme, Inc. and St. Louis and runs on.", 4, 5),
        ("A third.", 5, 5),
        ("7.1 A numbered paragraph is one sentence.", 7, 8),
        ("- an item without a stop", 9, 9),
        ("- another one on two lines", 10, 11),
        ("| a | row |", 12, 12),
    ]


def test_a_sentence_knows_the_heading_above_it() -> None:
    assert {s.heading for s in sentences(TEXT)} == {"Terms"}
    assert [s.level for s in sentences("## 2. Fees\nAll of them.\n")] == [2, 0]


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("(30) days after receipt.", id="number in parentheses"),
        pytest.param("12.5 per cent of it.", id="decimal number"),
        pytest.param("Inc. is bound by it.", id="legal form"),
    ],
)
def test_a_wrapped_line_that_looks_like_an_item_stays_in_its_sentence(line: str) -> None:
    (only,) = sentences(f"What was said stands\n{line}\n")
    assert (only.first, only.last) == (1, 2)


def test_line_separators_of_unicode_end_no_line() -> None:
    (first, second) = sentences("One\u2028line. Two\x0cparts\nhere.\n")
    assert (first.first, first.last, second.first, second.last) == (1, 1, 1, 2)
