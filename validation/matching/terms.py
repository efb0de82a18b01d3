"""Words compared without their endings, and numbers by their value: the text match of findings.

Prevents "needle 5" being found in "line 25", and a right finding being missed because it says
"thirty days" where the term says "30 days".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from validation.matching.numbers import digits, number_at

_TOKEN = re.compile(r"\d{1,3}(?:,\d{3}){1,4}(?!\d)|[^\W_]+|[%§$€£]")
_SIGNS = {"%": "percent", "§": "section"}
_ENDINGS = (("ing", 4), ("ed", 3), ("ly", 4), ("es", 3), ("s", 3))
_KEPT = frozenset((
    "this", "its", "his", "was", "has", "is", "as", "us", "thus", "less", "plus",
))  # fmt: skip
_NOTES = frozenset(("note", "notes", "noted", "noting"))
"""Without their endings they would be "not"."""


def stem(word: str) -> str:
    """A word without its ending: "capped", "caps" and "cap" are one, and so are "liabilities"."""
    if word in _NOTES:
        return "note"
    if word in _KEPT or not word.isalpha():
        return word
    for ending, least in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= least and not word.endswith("ss"):
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    return word[:-1] + "i" if len(word) > 3 and word.endswith("y") else word


def normal_words(text: str) -> tuple[str, ...]:
    """The words of a text without endings; numbers in digits; "thirty (30)" is one number."""
    raw = [m.group().casefold() for m in _TOKEN.finditer(text)]
    words: list[str] = []
    i = 0
    while i < len(raw):
        value, length = digits(raw[i].replace(",", "")), 1
        if value is None and (spelled := number_at(raw[i : i + 9], 0)) is not None:
            value, length = spelled.value, spelled.length
        word = str(value) if value is not None else stem(_SIGNS.get(raw[i], raw[i]))
        if value is None or words[-1:] != [word]:
            words.append(word)
        i += length
    return tuple(words)


@dataclass(frozen=True)
class Term:
    """A word or phrase to be found; the last word of a `*` term is a beginning."""

    words: tuple[str, ...]
    prefix: str = ""
    """How the word after `words` begins, for a `*` term."""


def term_of(source: str) -> Term:
    """The term that a spec writes as text: `uncapped`, `notice period`, `indemnif*`."""
    text = source.strip()
    if not text.endswith("*"):
        return Term(normal_words(text))
    raw = [m.group().casefold() for m in _TOKEN.finditer(text)]
    return Term(normal_words(" ".join(raw[:-1])), raw[-1] if raw else "")


@dataclass(frozen=True)
class Text:
    """A text made ready for many terms."""

    words: tuple[str, ...]
    full: tuple[str, ...]
    """The same words with their endings, for terms that are beginnings."""
    places: dict[str, tuple[int, ...]]

    def find(self, term: Term) -> Iterator[int]:
        """Where the term stands, as indices of words."""
        if term.words:
            for at in self.places.get(term.words[0], ()):
                end = at + len(term.words)
                if self.words[at:end] == term.words and self._begins(end, term.prefix):
                    yield at
        elif term.prefix:
            yield from (i for i in range(len(self.words)) if self._begins(i, term.prefix))

    def _begins(self, at: int, prefix: str) -> bool:
        return not prefix or (at < len(self.full) and self.full[at].startswith(prefix))

    def holds_one(self, terms: Iterable[Term]) -> bool:
        """Whether one of the terms stands in the text."""
        return any(True for term in terms for _ in self.find(term))


def text_of(text: str) -> Text:
    """Make a text ready for terms. Words keep their order; numbers keep one place."""
    words = normal_words(text)
    full = _full_words(text, words)
    places: dict[str, list[int]] = {}
    for i, word in enumerate(words):
        places.setdefault(word, []).append(i)
    return Text(words, full, {word: tuple(at) for word, at in places.items()})


def _full_words(text: str, words: Sequence[str]) -> tuple[str, ...]:
    """Each normal word with its ending, where one word of the text gave it."""
    raw = [m.group().casefold() for m in _TOKEN.finditer(text)]
    full: list[str] = []
    at = 0
    for word in words:
        while at < len(raw) and stem(_SIGNS.get(raw[at], raw[at])) != word and not word.isdecimal():
            at += 1
        full.append(raw[at] if at < len(raw) and not word.isdecimal() else word)
        at += 0 if word.isdecimal() else 1
    return tuple(full)
