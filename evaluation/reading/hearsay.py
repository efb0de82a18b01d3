"""What a command printed that is no text of a file, or that a model wrote.

Prevents two false results: a name that `ls` printed taken for the line of a list of names, and what
another agent answered taken for the file that it quotes.
"""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.reading.calls.commands import asks_a_model, lists_too
from evaluation.reading.lines.placement import Placement
from generators.lines import CorpusIndex


def doubt_hearsay(placement: Placement, command: str, index: CorpusIndex) -> None:
    """Count at the upper end what a command need not have printed from a file."""
    if asks_a_model(command):
        placement.doubt()
    elif lists_too(command):
        sure, placement.sure = placement.sure, []
        for span in sure:
            if _are_words(index.files[span.path][span.first - 1 : span.last]):
                placement.allow((span,), span.last - span.first + 1)
            else:
                placement.sure.append(span)


def _are_words(lines: Sequence[str]) -> bool:
    """Whether each line may be a name."""
    return all(len(line.split()) <= 1 for line in lines)
