"""One thing that is said to be read: a file, a folder, or so many of the files in scope."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from evaluation.judging.rules.calling import Calling
from evaluation.judging.rules.words import Word
from validation.matching.names import Names

_DOCUMENTS = frozenset(("document", "documents"))
"""Said of files of any kind, where number or place tells that they are those in scope."""
_APOSTROPHES = ("'", "\u2018", "\u2019")


@dataclass(frozen=True)
class Thing:
    """One thing that is said to be read; indices of words, the last one not in."""

    kind: Literal["file", "folder", "scope"]
    first: int
    last: int
    path: str = ""
    every: bool = False
    """All of it: "all files", "everything in src/"."""
    value: int | None = None
    out_of: int | None = None
    whole: bool = False
    """From its first line to its last."""
    partial: bool = False
    """Said to be a part of it."""
    lines: int | None = None
    """So many lines of the file."""
    doubtful: bool = False
    """Perhaps not of all the files in scope: a pronoun, or a restriction."""
    excluded: int = 0
    """Files that are taken out."""
    others: tuple[str, ...] = ()
    """More folders of which the same is said: "every file in src/ and docs/"."""
    definite: bool = False
    """A folder by its name alone: all of it only where "in full" says so."""


@dataclass(frozen=True)
class Wording:
    """The words of one sentence, with what they may speak of."""

    text: str
    words: Sequence[Word]
    calling: Calling
    names: Names

    def tag(self, i: int) -> str:
        """The class of a word; empty beyond the ends."""
        return self.words[i].tag if 0 <= i < len(self.words) else ""

    def word(self, i: int) -> str:
        """The text of a word; empty beyond the ends."""
        return self.words[i].text if 0 <= i < len(self.words) else ""

    def value(self, i: int) -> int | None:
        return self.words[i].value if i < len(self.words) else None

    def past(self, i: int, *tags: str) -> int:
        """The next word that is of none of these classes."""
        while self.tag(i) in tags:
            i += 1
        return i

    def goes_on(self, i: int) -> bool:
        """Whether the name or noun before only begins it: "cart.py's header"."""
        return i < len(self.words) and self.words[i].text in _APOSTROPHES

    def noun(self, i: int, *, loose: bool = False) -> int:
        """Where a noun of the files ends, if one stands here; else 0. `loose`: or of documents."""
        if self.tag(i) in ("", "NAME", "FOLDER", "NUM") or self.goes_on(i + 1):
            return 0
        word = self.words[i].text
        return i + 1 if self.calling.is_file(word) or (loose and word in _DOCUMENTS) else 0
