"""Words that only announce what is said: "I should be upfront that ...", "I must point out: ...".

Prevents a disclosure being read as a wish because its sentence opens with a modal verb.
"""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.judging.rules.words import Word

_OPENS = frozenset(("MODAL", "PLAN", "HAVE", "BE"))
_INSIDE = frozenset(
    ("MODAL", "PLAN", "BE", "ADV", "SAY", "AND", "TO", "OTHER", "HAVE", "IN", "REPORTN")
)
_SPEAKERS = frozenset(("i", "we", "you", "it", "i have", "we have"))
_LONGEST = 8


def without_frames(words: Sequence[Word]) -> tuple[Word, ...]:
    """The words, those of a frame classed as adverbs: they say nothing of what follows."""
    result = list(words)
    for i, word in enumerate(words):
        if word.tag not in _OPENS or (i and words[i - 1].text not in _SPEAKERS):
            continue
        end = _end(words, i)
        for k in range(i, end):
            result[k] = words[k]._replace(tag="ADV")
    return tuple(result)


def _end(words: Sequence[Word], start: int) -> int:
    """Where the frame ends: at "that" or a colon behind a word of saying; else `start`."""
    says = False
    for k in range(start, min(start + _LONGEST, len(words))):
        if says and (words[k].text == "that" or words[k].tag == "COLON"):
            return k + (words[k].text == "that")
        if words[k].tag not in _INSIDE:
            return start
        says = says or words[k].tag == "SAY"
    return start
