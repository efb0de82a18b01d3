"""Changes of a figure that is not stated itself: "shortened by fifteen (15) days"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from generators.detectors.contracts.quantities import Duration, durations
from generators.sentences import Sentence

Subject = Literal["payment", "cap"]
MORE = re.compile(
    r"\b(?:lengthen\w*|extend\w*|increas\w+|rais(?:e[sd]?|ing)|longer|later|more|higher|added to)"
    r"\b",
    re.IGNORECASE,
)
LESS = re.compile(
    r"\b(?:shorten\w*|reduc\w+|lower\w*|shorter|earlier|sooner|less|fewer|taken off|cut)\b",
    re.IGNORECASE,
)
LINK = re.compile(r"\bby\s+(?:the\s+[\w\s]{1,20}\s+of\s+)?$", re.IGNORECASE)
"""What stands between the verb and the length: "by", "by the Fees of"."""
AFTER = re.compile(
    r"\s+(?:(?:is|are)\s+)?(?:longer|shorter|later|earlier|sooner|more|less|fewer|added|taken)\b",
    re.IGNORECASE,
)
CAP = re.compile(r"\bcap\b|\bliab\w*|\bceiling\b", re.IGNORECASE)
PAYMENT = re.compile(r"\b(?:payment|pay|payable|paid|invoices?|fall due)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Change:
    """By how much a figure moves, in days for payment and in months for a cap."""

    subject: Subject
    by: Fraction
    first: int
    last: int


def is_change(text: str, duration: Duration) -> bool:
    """Whether a length of time says by how much something moves, and not how long it is."""
    if AFTER.match(text, duration.end):
        return True
    return bool(LINK.search(text, 0, duration.start) and (MORE.search(text) or LESS.search(text)))


def changes(sentences: tuple[Sentence, ...]) -> Iterator[Change]:
    """Every change of a payment term or of a cap on liability, in order."""
    for sentence in sentences:
        for duration in durations(sentence.text):
            if not is_change(sentence.text, duration):
                continue
            sign = _sign(sentence.text, duration)
            if sign and CAP.search(sentence.text):
                yield Change("cap", sign * duration.months, sentence.first, sentence.last)
            elif sign and PAYMENT.search(sentence.text):
                yield Change("payment", sign * duration.days, sentence.first, sentence.last)


def _sign(text: str, duration: Duration) -> int:
    """1 or -1, by the word of direction nearest to the length; 0 where there is none."""
    near = [
        (min(abs(match.start() - duration.end), abs(duration.start - match.end())), sign)
        for sign, pattern in ((1, MORE), (-1, LESS))
        for match in pattern.finditer(text)
    ]
    return min(near)[1] if near else 0
