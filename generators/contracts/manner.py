"""How one document writes lengths of time: `ten (10) days`, `10 days` or `ten days`.

A drafter has one manner for all of them. Prevents a term that is changed later from being the only
one of its document in another manner.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Literal, get_args

from generators.contracts.wording import formal, number_words, plural
from generators.detectors.contracts.quantities import TIME, WORDS

Manner = Literal["formal", "digits", "words"]
MANNERS: tuple[Manner, ...] = get_args(Manner)
FORMAL = re.compile(rf"({WORDS}) \((\d+)\)")
"""A number in words and figures: `thirty-six (36)`."""
ARTICLES = ("a", "an")


def quantity(number: int, unit: str, manner: Manner) -> str:
    """A quantity in a manner: `ten (10) days`, `10 days`, `ten days`."""
    if manner == "formal":
        return formal(number, unit)
    shown = str(number) if manner == "digits" else number_words(number)
    return f"{shown} {plural(number, unit)}"


def restated(wording: str, manner: Manner) -> str:
    """A wording whose quantities are formal, in a manner."""
    if manner == "formal":
        return wording
    return FORMAL.sub(r"\2" if manner == "digits" else r"\1", wording)


def manners(text: str) -> Iterator[Manner]:
    """The manner of each length of time in a text; `a day` has none."""
    for match in TIME.finditer(text):
        if match["inner"]:
            yield "formal"
        elif match["digits"]:
            yield "digits"
        elif match["words"].lower() not in ARTICLES:
            yield "words"


def manner_of(text: str) -> Manner:
    """The manner of most lengths of time in a text; formal where it has none."""
    counted = Counter(manners(text))
    return max(MANNERS, key=lambda manner: counted[manner])
