"""The numbers of sections in a text: in headings, before clauses, and in references to either.

Prevents a removed section from being found by counting: what stands below takes its number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from generators.sections import parse_sections

ONE = r"(?:[0-9]+(?:\.[0-9]+)*|[IVXLC]+\b)"
REFERENCE = re.compile(
    r"\b(?:[Ss]ection|[Aa]rticle|[Cc]lause)(?P<plural>s?)\s+"
    rf"(?P<numbers>{ONE}(?:(?:,|,?\s+(?:and|or|to))\s+{ONE})*)"
    r"(?!\S*\s+of\s+(?!this\b))"
)
"""A reference to a section of the same file; `Section 4 of the Act` is none."""
NAME = re.compile(r"\b[A-Za-z0-9]+(?:[-/][A-Za-z0-9]+)+\b")
HEAD = 12
"""Lines at the top of a file in which its own number stands."""
ROMAN = (
    (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"),
    (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip
VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}


class Number(NamedTuple):
    """A section number in a text, by character offsets."""

    start: int
    end: int
    is_reference: bool


def find_numbers(lines: Sequence[str]) -> list[Number]:
    """The numbers of headings, of the clauses under them, and in references; sorted."""
    return sorted((*_own_numbers(lines), *_references("\n".join(lines))))


def _own_numbers(lines: Sequence[str]) -> Iterator[Number]:
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    for section in parse_sections(lines):
        if not section.number:
            continue
        title = re.search(rf"(?<![A-Za-z]){re.escape(section.number)}", lines[section.first - 1])
        if title:
            start = starts[section.first - 1] + title.start()
            yield Number(start, start + len(section.number), is_reference=False)
        clause = re.compile(
            rf"[ \t]*(?:[-*+][ \t]+)?(?:\*\*|__)?({re.escape(section.number)}(?:\.[0-9]+)+)"
        )
        for index in range(section.first, section.end):
            match = clause.match(lines[index])
            if match:
                at = starts[index]
                yield Number(at + match.start(1), at + match.end(1), is_reference=False)


def _references(text: str) -> Iterator[Number]:
    for reference in REFERENCE.finditer(text):
        found = list(re.finditer(ONE, reference["numbers"]))
        # "Section 5 and 30 days later": only a plural speaks of several.
        for match in found if reference["plural"] else found[:1]:
            at = reference.start("numbers")
            yield Number(at + match.start(), at + match.end(), is_reference=True)


def quoted_references(text: str, title: str) -> Iterator[re.Match[str]]:
    """Where a text speaks of a section by its heading: `the section "Term"`."""
    words = r"\s+".join(map(re.escape, title.split()))
    pattern = rf"\b(?:section|article|clause)\s+[\"'\u201c\u2018]{words}[\"'\u201d\u2019]"
    return re.finditer(pattern, text, re.IGNORECASE)


def cited_names(text: str) -> frozenset[str]:
    """By what other files may cite this one: the numbers in its head, such as `MSA-2022-007`."""
    head = "\n".join(text.split("\n")[:HEAD])
    return frozenset(
        name for name in NAME.findall(head) if sum(char.isdecimal() for char in name) > 2
    )


def moved_up(number: str, removed: str) -> str:
    """A number after an elder sibling is gone: without section 7, 9.2 is 8.2 and IX is VIII."""
    *above, own = removed.split(".")
    parts = number.split(".")
    level = len(above)
    if len(parts) <= level or parts[:level] != above:
        return number
    is_roman = not own.isdecimal()
    if is_roman == parts[level].isdecimal():
        return number
    if _value(parts[level]) > _value(own):
        value = _value(parts[level]) - 1
        parts[level] = _roman(value) if is_roman else str(value)
    return ".".join(parts)


def _value(number: str) -> int:
    if number.isdecimal():
        return int(number)
    values = [VALUES[digit] for digit in number]
    following = [*values[1:], 0]
    return sum(
        -value if value < after else value for value, after in zip(values, following, strict=True)
    )


def _roman(number: int) -> str:
    digits = ""
    for value, letters in ROMAN:
        while number >= value:
            digits += letters
            number -= value
    return digits
