"""What a command printed that is no text of a file, or that a model wrote.

Prevents two false results: a name that `ls` printed taken for the line of a list of names, and what
another agent answered taken for the file that it quotes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from evaluation.reading.calls.commands import asks_a_model, lists_too, runs_of
from evaluation.reading.lines.forms import LONGEST_PATH, MARKED_NUMBER, NUMBERED
from evaluation.reading.lines.placement import Placement, Span, merged
from generators.lines import CorpusIndex, normal_form, split_lines

LONGEST = 1 << 12
"""Characters of a line that is looked at for numbers: names are shorter."""


def doubt_hearsay(placement: Placement, command: str, shown: str, index: CorpusIndex) -> None:
    """Count at the upper end what a command need not have printed from a file.

    Lines that go on each other are looked at together, however they were placed.
    """
    if asks_a_model(command):
        placement.doubt()
    elif lists_too(command):
        spans = merged(placement.sure)
        doubted = [span for span in spans if _are_words(_lines(span, index))]
        if not doubted:
            return
        placement.sure = [span for span in spans if not _are_words(_lines(span, index))]
        numbered = set(_numbered(shown, command))
        for one in doubted:
            for number, line in enumerate(_lines(one, index), start=one.first):
                span = Span(one.path, number, number)
                if _Numbered(number, line) in numbered:
                    placement.sure.append(span)
                else:
                    placement.allow((span,), 1)


def _lines(span: Span, index: CorpusIndex) -> Sequence[str]:
    return index.files[span.path][span.first - 1 : span.last]


class _Numbered(NamedTuple):
    """A line that was printed with its number, which no list of names has."""

    number: int
    text: str


def _numbered(shown: str, command: str) -> Iterator[_Numbered]:
    counts_too = any(run.name == "du" for run in runs_of(command))
    for line in split_lines(shown):
        if len(line) > LONGEST:
            continue
        match = NUMBERED.match(line)
        if match is not None and not (counts_too and line[match.end() - 1] == "\t"):
            number = int(line[: match.end() - 1])
            yield _Numbered(number, normal_form(line[match.end() :]))
        for marked in MARKED_NUMBER.finditer(line, 0, LONGEST_PATH):
            yield _Numbered(int(marked["n"]), normal_form(line[marked.end() :]))


def _are_words(lines: Sequence[str]) -> bool:
    """Whether each line may be a name."""
    return all(len(line.split()) <= 1 for line in lines)
