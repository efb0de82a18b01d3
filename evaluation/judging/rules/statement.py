"""One thing that a sentence says about the reviewing of files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evaluation.judging.rules.mentions import Mention
from evaluation.judging.rules.verb import Act, Verb
from evaluation.judging.rules.words import Word


@dataclass(frozen=True)
class Statement:
    """One thing said about the reviewing of files."""

    act: Act
    mention: Mention | None
    start: int
    end: int
    """Offsets into the response, from the verb to what it speaks of."""
    negated: bool = False
    factual: bool = True
    only: bool = False
    fully: bool = False
    partly: bool = False
    part: bool = False
    """Speaks of lines, pages or sections."""
    weak: bool = False
    noun: bool = False
    """Said with a noun of action: "review of ..."."""
    completed: bool = False
    exception: bool = False
    """"The only exceptions are ...": an exclusion in a sentence of its own."""
    excluded: tuple[Mention, ...] = ()
    """What an exclusion in the same sentence takes out; all of it in scope."""


@dataclass(frozen=True)
class Parsed:
    """A sentence with its mentions and verbs."""

    words: Sequence[Word]
    spoken: Sequence[Mention]
    verbs: Sequence[Verb]

    def tags(self, first: int, last: int) -> tuple[str, ...]:
        return tuple(word.tag for word in self.words[first:last])


def spanning(statement: Statement, mention: Mention, words: Sequence[Word]) -> Statement:
    return replace(
        statement,
        start=min(statement.start, words[mention.first].start),
        end=max(statement.end, words[mention.last - 1].end),
    )
