"""The words of a text, plain or with all masked that one template fills in twice: names, numbers,
dates, time stamps, ids.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

ADDRESS = re.compile(r"(?:https?://|www\.)\S+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
"""Of the web and of mail: names in lower case."""
TOKEN = re.compile(
    r"(?P<number>\w*\d\w*(?:[.,:/+-]\w*\d\w*)*)|(?P<word>[^\W\d]+(?:['\u2019][^\W\d]+)*)"
)
NAME = re.compile(r"[A-Z](?:[a-z]+|[a-zA-Z]*[a-z])")
DATE_WORD = re.compile(
    "Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
    "|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?"
    "|Mon(?:day)?|Tue(?:sday)?|Wed(?:nesday)?|Thu(?:rsday)?|Fri(?:day)?|Sat(?:urday)?|Sun(?:day)?"
)
A_NAME, A_NUMBER = "\u2022name", "\u2022number"
"""No word begins so."""


def plain_words(text: str) -> list[str]:
    """Words and numbers in order, in lower case."""
    return [match.group().casefold() for match in TOKEN.finditer(text)]


def lower_case_words(texts: Iterable[str]) -> frozenset[str]:
    """Every word that stands in lower case somewhere: none of them is a name."""
    found: set[str] = set()
    for text in texts:
        found |= {
            match["word"]
            for match in TOKEN.finditer(ADDRESS.sub(" ", text))
            if match["word"] and match["word"].islower()
        }
    return frozenset(found)


def masked_words(text: str, known: frozenset[str]) -> list[str]:
    """Words in lower case, with one mask for each run of names, and of numbers and dates.

    A name is a word with a capital that is nowhere in `known`, the words that occur in lower case.
    """
    words: list[str] = []
    for token in TOKEN.finditer(ADDRESS.sub(" Address ", text)):
        word = _masked(token, known)
        if word[0] != A_NAME[0] or not words or words[-1] != word:
            words.append(word)
    return words


def _masked(token: re.Match[str], known: frozenset[str]) -> str:
    word = token["word"]
    if not word or DATE_WORD.fullmatch(word):
        return A_NUMBER
    lower = word.casefold()
    return A_NAME if NAME.fullmatch(word) and lower not in known else lower


def shingles(words: Sequence[str], length: int) -> frozenset[tuple[str, ...]]:
    """Every run of so many words."""
    return frozenset(
        tuple(words[start : start + length]) for start in range(len(words) - length + 1)
    )
