from __future__ import annotations

import pytest

from authoring.errors import UserError
from generators.sections import find_section, parse_sections

TEXT = """\
# Agreement

## 1. Parties
Text.

## Section 2: Term

### 2.1 Start
Text.

```
## not a heading
```

## Article 3 \u2014 Fees ##

Text.


## 30 days
"""


LINES = TEXT.splitlines()


def test_a_section_reaches_to_the_next_heading_of_its_level() -> None:
    found = [(s.level, s.number, s.title, s.first, s.last, s.end) for s in parse_sections(LINES)]
    assert found == [
        (1, "", "Agreement", 1, 20, 20),
        (2, "1", "Parties", 3, 4, 5),
        (2, "2", "Term", 6, 13, 14),
        (3, "2.1", "Start", 8, 13, 14),
        (2, "3", "Fees", 15, 17, 19),
        (2, "30", "days", 20, 20, 20),
    ]


@pytest.mark.parametrize("heading", ["Term", "term", " Term "])
def test_case_and_numbering_of_a_heading_do_not_matter(heading: str) -> None:
    assert find_section("a.md", LINES, heading).first == 6


def test_a_heading_that_is_not_there_is_told_with_the_headings_that_are() -> None:
    with pytest.raises(UserError) as caught:
        find_section("a.md", LINES[:7], "Trem")
    assert str(caught.value).splitlines() == [
        "a.md: no section is headed 'Trem'; the headings are:",
        "    line 1: # Agreement",
        "    line 3: ## 1. Parties",
        "    line 6: ## Section 2: Term",
        "  did you mean 'Term'?",
    ]


def test_a_heading_that_is_there_twice_is_told_with_its_lines() -> None:
    with pytest.raises(UserError) as caught:
        find_section("a.md", ["## 1. Fees", "x", "### Fees"], "Fees")
    assert str(caught.value).splitlines() == [
        "a.md: 2 sections are headed 'Fees':",
        "    line 1: ## 1. Fees",
        "    line 3: ### Fees",
    ]
