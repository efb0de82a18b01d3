"""Searches for single words, as `grep -i` makes them; the words are data beside this file."""

from __future__ import annotations

import importlib.resources
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import yaml
from pydantic import TypeAdapter

from validation.shortcuts.corpus import Corpus
from validation.shortcuts.features import Indices
from validation.shortcuts.search import Look, Unit, of_lines

MOST_HITS = 20
"""Lines: whoever gets more does not look at all of them."""


@cache
def word_list() -> tuple[str, ...]:
    """Every word once, in the order of the list."""
    source = importlib.resources.files("validation.shortcuts") / "words.yaml"
    lists = TypeAdapter(dict[str, list[str]]).validate_python(
        yaml.safe_load(source.read_text(encoding="utf-8"))
    )
    return tuple(dict.fromkeys(word for words in lists.values() for word in words))


def hits_of(texts: Sequence[str], words: Sequence[str]) -> dict[str, Indices]:
    """In which of the distinct lines each word stands."""
    lowered = [text.lower() for text in texts]
    return {word: _hits(lowered, word.lower()) for word in words}


def _hits(texts: Sequence[str], word: str) -> Indices:
    found = [index for index, text in enumerate(texts) if word in text]
    if word[0].isalpha():
        found = [index for index in found if _begins(texts[index], word)]
    return np.array(found, dtype=np.int64)


def _begins(text: str, word: str) -> bool:
    """Whether the word stands somewhere at the start of a word."""
    at = text.find(word)
    while at > 0 and text[at - 1].isalnum():
        at = text.find(word, at + 1)
    return at >= 0


@dataclass(frozen=True)
class OneWord:
    """Ranks the lines that hold a word before all others."""

    word: str
    hits: Indices
    """The distinct lines that hold it."""
    unit: Unit = "lines"

    @property
    def name(self) -> str:
        return f"word {self.word}"

    @property
    def does(self) -> str:
        return f"Shows the lines that hold {self.word!r}."

    def look(self, corpus: Corpus) -> Look:
        scores = np.zeros(len(corpus.material.texts))
        scores[self.hits] = 1.0
        return Look(of_lines(corpus, scores), lambda line: f"it holds {self.word!r}")


@dataclass(frozen=True)
class AnyWord:
    """Ranks lines by the words of the list that they hold, those with the fewest hits first."""

    words: tuple[OneWord, ...]
    name: str = "suspicious words"
    does: str = (
        "Ranks lines by the word of the list that they hold, the one with the fewest hits first."
    )
    unit: Unit = "lines"

    def look(self, corpus: Corpus) -> Look:
        counts = corpus.counts().lines
        scores = np.zeros(len(corpus.material.texts))
        for word in self.words:
            hits = int(counts[word.hits].sum())
            np.maximum.at(scores, word.hits, 1 / max(1, hits))

        def seen(line: int) -> str:
            text = corpus.lines[line]
            held = [word.word for word in self.words if text in word.hits]
            return f"it holds {', '.join(map(repr, held))}" if held else "no word of the list"

        return Look(of_lines(corpus, scores), seen)
