"""The word classes and patterns of the judge, read from the data files beside this code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import yaml

from evaluation.judging.rules.patterns import Pattern, Patterns, compile_pattern

MODIFIERS = ("W", "KIND", "FILE", "OTHER", "ADV", "REVIEW", "OUT", "SET", "MORE", "SAY")
"""Classes of words that may stand between a quantifier and the noun."""
SHARED = ("FULLY", "PARTLY", "EXCEPT", "YES", "NOPE")
"""Classes of words.yaml that hold in claims too."""


@dataclass(frozen=True)
class Lexicon:
    """Phrase to class, and the patterns of mentions in their order."""

    phrases: Mapping[tuple[str, ...], str]
    mentions: Patterns
    signs: frozenset[str]
    """Phrases that begin with no letter or digit: a tick, an ampersand."""

    longest: Mapping[str, int]
    """Words of the longest phrase that begins with a word."""

    def class_at(self, words: Sequence[str], at: int) -> tuple[str, int] | None:
        """The class of the longest phrase from `at` on, and how many words it takes."""
        for length in range(min(self.longest.get(words[at], 0), len(words) - at), 0, -1):
            found = self.phrases.get(tuple(words[at : at + length]))
            if found is not None:
                return found, length
        return None


def _load(name: str) -> Any:
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    # The base loader keeps "no", "on" and "yes" as the words they are.
    return yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506  # makes no objects


def _phrases(name: str) -> dict[tuple[str, ...], str]:
    """Phrase to class. A phrase in two classes is a fault of ours."""
    phrases: dict[tuple[str, ...], str] = {}
    words: dict[str, list[str]] = _load(name)
    for tag, entries in words.items():
        for entry in entries:
            phrase = tuple(entry.split())
            if phrases.setdefault(phrase, tag) != tag:
                raise ValueError(f"{entry!r} is in {phrases[phrase]} and in {tag}")
    return phrases


def load_lexicon() -> Lexicon:
    """Read words.yaml and mentions.yaml."""
    patterns: list[Pattern] = []
    kinds: list[dict[str, list[str]]] = _load("mentions.yaml")
    for group in kinds:
        for kind, sources in group.items():
            patterns += [compile_pattern(kind, s, {"MOD": MODIFIERS}) for s in sources]
    return _lexicon(_phrases("words.yaml"), Patterns(tuple(patterns)))


def load_claim_lexicon() -> Lexicon:
    """Read claims.yaml: its classes, and a few of words.yaml."""
    phrases = {phrase: tag for phrase, tag in _phrases("words.yaml").items() if tag in SHARED}
    return _lexicon(phrases | _phrases("claims.yaml"), Patterns(()))


def _lexicon(phrases: dict[tuple[str, ...], str], patterns: Patterns) -> Lexicon:
    signs = frozenset(phrase[0] for phrase in phrases if not phrase[0][0].isalnum())
    longest: dict[str, int] = {}
    for phrase in phrases:
        longest[phrase[0]] = max(longest.get(phrase[0], 0), len(phrase))
    return Lexicon(phrases, patterns, signs, longest)
