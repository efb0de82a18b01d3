"""What a sub-agent was asked to read: the files in scope that its order names, or all of them.

Prevents a report being held against files that nobody asked its author to read.
"""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.judging.rules.analysis import analyse
from evaluation.judging.rules.lexicon import Lexicon
from evaluation.judging.rules.words import Reader
from validation.matching.names import names_of


def ordered_files(order: str, scope: Sequence[str], lexicon: Lexicon) -> tuple[str, ...] | None:
    """The files of an order, in the order of the scope; None where it does not tell which.

    It does not where it leaves some out, or names some by a name that several have.
    """
    analysis = analyse(order, Reader(lexicon, names_of(scope)))
    spoken = [mention for sentence in analysis.sentences for mention in sentence.spoken]
    left_out = any(said.excluded for sentence in analysis.sentences for said in sentence.statements)
    if left_out or any(mention.ambiguous for mention in spoken):
        return None
    named = {path for mention in spoken for path in mention.paths if mention.kind == "named"}
    if named:
        return tuple(path for path in scope if path in named)
    whole = any(
        mention.kind == "universal" and mention.value in (None, len(scope)) for mention in spoken
    )
    return tuple(scope) if whole else None
