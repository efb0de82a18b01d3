"""Numbers as written in prose: digits with separators, and English words up to the thousands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_UNITS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
)  # fmt: skip
_TENS = (
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
)  # fmt: skip
_SMALL = {word: i for i, word in enumerate(_UNITS)} | {w: 20 + 10 * i for i, w in enumerate(_TENS)}
_LARGE = {"hundred": 100, "dozen": 12, "thousand": 1000}
_LONGEST = 9
"""Words of one number; digits of one number too: no count of files is longer."""


@dataclass(frozen=True)
class Number:
    """A number, and how many words it took."""

    value: int
    length: int


def _joins(last: str, word: str) -> bool:
    """Whether `word` may follow `last` inside one number: "twenty" "four", not "four" "six"."""
    if word in _LARGE:
        return last not in _LARGE
    return last in _LARGE or (last in _TENS and _SMALL[word] < 10)


def number_at(words: Sequence[str], at: int) -> Number | None:
    """The number written in words from `at` on: "one hundred and twenty"."""
    start = (
        at + 1 if words[at] == "a" and words[at + 1 : at + 2] in (["hundred"], ["dozen"]) else at
    )
    if words[start] not in _SMALL and words[start] not in _LARGE:
        return None
    total, part, i, last = 0, 0, start, ""
    while i < min(len(words), at + _LONGEST):
        word = words[i]
        if word == "and" and last in _LARGE and words[i + 1 : i + 2] and words[i + 1] in _SMALL:
            i += 1
            continue
        if word not in _SMALL and word not in _LARGE:
            break
        if last and not _joins(last, word):
            break
        if word in _LARGE:
            part = max(part, 1) * _LARGE[word]
            if word == "thousand":
                total, part = total + part, 0
        else:
            part += _SMALL[word]
        last, i = word, i + 1
    return Number(total + part, i - at)


def digits(text: str) -> int | None:
    """The value of a run of decimal digits, of any script; None for anything else."""
    if text.isdecimal() and len(text) <= _LONGEST:
        return int(text)
    return None
