"""A response cut into sentences of raw words: once, for all that read it.

The grammar of labels and that of claims class the same words by lexicons of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from evaluation.judging.rules.words import Namer, Word
from validation.matching.names import Names
from validation.matching.segments import LONGEST, Document, Sentence, parse

_LABELLED_LINE = re.compile(r"\n(?=[ \t]{0,3}(?:[*_`]{0,4}[A-Z][^:\n]{0,40}:|[❌✗✘☐✖🔲⬜✅✓✔☑]))")


class Cut(NamedTuple):
    """One sentence, and its words without their classes."""

    sentence: Sentence
    raw: tuple[Word, ...]


@dataclass(frozen=True)
class CutResponse:
    """A response as blocks, and as sentences of raw words."""

    document: Document
    names: Names
    cuts: tuple[Cut, ...]
    """Without those that are code."""


def cut(response: str, namer: Namer) -> CutResponse:
    """Cut a response. Never fails."""
    document = parse(response)
    cuts = tuple(
        Cut(sentence, namer.raw(response, sentence.start, sentence.end))
        for sentence in sentences_of(document)
        if document.blocks[sentence.block].kind != "code"
    )
    return CutResponse(document, namer.names, cuts)


def sentences_of(document: Document) -> Iterator[Sentence]:
    """The sentences; each row of a table is one ("Reviewed?" ends none), and where a line opens
    with a label or a tick of its own, another begins."""
    done = -1
    for sentence in document.sentences:
        block = document.blocks[sentence.block]
        if block.kind not in ("header", "row") or block.end - block.start > LONGEST:
            yield from _cut(document.text, sentence)
        elif sentence.block != done:
            yield Sentence(sentence.start, block.end, sentence.block)
            done = sentence.block


def _cut(text: str, sentence: Sentence) -> Iterator[Sentence]:
    start = sentence.start
    for match in _LABELLED_LINE.finditer(text, start, sentence.end):
        yield Sentence(start, match.start(), sentence.block)
        start = match.end()
    yield Sentence(start, sentence.end, sentence.block)
