"""What a cheap search is: it gives every line, or every file, a score, and can say why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple, Protocol

import numpy as np

from validation.shortcuts.corpus import Corpus
from validation.shortcuts.features import Scores

Unit = Literal["files", "lines"]
SHOWN = 40
"""Characters of a corpus that a sentence quotes at most."""


class Look(NamedTuple):
    """What a search made of a corpus."""

    scores: Scores
    """Of each line or file; what stands out most has the highest."""
    seen: Callable[[int], str]
    """What it saw in one of them, in a few words."""


class Search(Protocol):
    """One cheap search. Pure, and linear in the size of the corpus."""

    @property
    def name(self) -> str: ...

    @property
    def does(self) -> str:
        """What it looks for, in one sentence."""
        ...

    @property
    def unit(self) -> Unit: ...

    def look(self, corpus: Corpus) -> Look: ...


def of_lines(corpus: Corpus, scores: Scores) -> Scores:
    """The scores of the distinct texts as scores of all lines; blank lines come last."""
    blank = np.array([not text for text in corpus.material.texts], dtype=bool)
    return np.where(blank, -np.inf, scores)[corpus.lines]


def by_peers(corpus: Corpus, score: Callable[[int | None], Scores]) -> Scores:
    """Scores of all lines where each text is scored among the lines of its own group alone."""
    result = np.empty(len(corpus.lines))
    for group in corpus.groups:
        inside = corpus.line_group == group
        result[inside] = of_lines(corpus, score(group))[inside]
    return result


def quoted(text: str) -> str:
    """A few words of a corpus; nothing in them acts on a terminal."""
    return repr(text) if len(text) <= SHOWN else f"{text[:SHOWN]!r}…"
