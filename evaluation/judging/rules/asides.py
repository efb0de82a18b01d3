"""Denials that tell of no gap in the reading: of something else, or of more than all the files.

Prevents a full review being taken for one with gaps because of a finding ("users.py: unchecked
cast", "cart.py is not checked for None") or a plain word on its limits ("I did not open any other
files").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from evaluation.judging.rules.analysis import SentenceAnalysis
from evaluation.judging.rules.effects import Effect

_FARTHEST = 40
"""Characters behind a denial that are looked at."""
_OF_SOMETHING = re.compile(
    r"[`*\"')\]]{0,4}(?:['\u2019]s\b|\s(?:tests?|callers?|imports?|dependencies|history|usages?)\b"
    r"|\s(?:for(?!\s(?:lack|want|time|now|reasons|this))|against|when|before\s(?!i|we|running|time)"
    r"|by\s(?!me\b|us\b)|at\srun\s?time)\b"
    r"|\s(?:twice|again)\b|\sin\san?\s(?:editor|browser|ide|debugger)\b"
    r"|\ssince\s?(?:[.,;)\n]|\d|$)|:\s?[a-z])",
    re.IGNORECASE,
)
_HAS_OBJECT = re.compile(
    r"\s(?!(?:due|because|as|since|for|by|in|at|on|so|and|or|but|this|entirely|completely|altogether"
    r"|here|until|also|too|only|with|from|of|to|yet|while|when|though|although|either|if|were|was|are"
    r"|is|has|have|had|may|might|could|should|would|still|again|deliberately|per)\b)[a-z]",
)
_OUTSIDE = re.compile(
    r"\b(?:any|no)\sother|\b(?:anything|nothing)\s(?:else|beyond|outside)|\boutside\b|\bother\sthan\b"
    r"|\bbeyond\b|\b(?:besides|apart\sfrom)\s(?:these|those|them|that)\b",
    re.IGNORECASE,
)


_COMPARES = re.compile(
    r"(?:\bnot|n['\u2019]t|\bnever|\bwithout)\s(?:\w+\s)?(?:compar\w+|verif\w+|check\w*|cross-check\w*|validat\w+)"
    r"[^.;]{0,120}?\b(?:against|with|for)\b",
    re.IGNORECASE,
)
_UNTESTED = re.compile(r"\bcovered\b.{0,60}\btests?\b|\btests?\b.{0,60}\bcovered\b", re.IGNORECASE)
_EARLIER = re.compile(
    r"\b(?:at\sfirst|initially|originally|previously|before\s(?:this|that|today))\b", re.IGNORECASE
)
_UNTIL_LAST = re.compile(r"\b(?:until|to|through|till) the (?:very )?last(?: one)?$", re.IGNORECASE)
_AGAIN = re.compile(r"re-?read", re.IGNORECASE)


def without_asides(
    effects: Sequence[Effect], response: str, sentences: Sequence[SentenceAnalysis]
) -> list[Effect]:
    """The effects; of what is an aside, nothing is left."""
    full = {effect.sentence for effect in effects if effect.kind == "full"}

    def settled(effect: Effect) -> Effect:
        again = effect.kind == "depth" and _AGAIN.match(response, effect.statement.start)
        if again and effect.sentence in full:
            return replace(effect, kind="nothing")
        if effect.kind != "files" or effect.exclusion:
            return effect
        sentence = sentences[effect.sentence]
        said = response[sentence.start : sentence.end]
        if _is_compared(effect, said) or _UNTESTED.search(said):
            return replace(effect, kind="nothing")
        if full and _EARLIER.search(said):
            return replace(effect, kind="nothing")
        beyond = len(full) > (effect.sentence in full) and bool(_OUTSIDE.search(said))
        if _is_of_other_texts(effect, sentence) or _UNTIL_LAST.search(
            response, sentence.start, effect.statement.end
        ):
            return replace(effect, kind="nothing")
        if beyond or _is_narrow(effect, response, sentence):
            return replace(effect, kind="nothing")
        return effect

    return [settled(effect) for effect in effects]


def _is_of_other_texts(effect: Effect, sentence: SentenceAnalysis) -> bool:
    """Whether it is of annexes ("none of the annexes was there, so I could not check those"), or of
    a file out of scope ("the playbook in the parent folder")."""
    mention, words = effect.statement.mention, sentence.words
    if mention is None or mention.kind != "definite":
        return False
    before = [other for other in sentence.spoken if other.last <= mention.first]
    if words[mention.first].tag == "THEM":
        parts = any(other.kind in ("part", "outside") for other in before)
        return parts and not any(other.kind in ("named", "universal", "count") for other in before)
    placed = mention.first > 0 and words[mention.first - 1].tag == "IN"
    return placed and bool(before) and before[-1].kind == "outside"


def _is_compared(effect: Effect, said: str) -> bool:
    """Whether a comparison is denied, or a check for something: of the reading nothing is said."""
    denied = effect.statement.negated and effect.statement.act == "read"
    return denied and bool(_COMPARES.search(said))


def _is_narrow(effect: Effect, response: str, sentence: SentenceAnalysis) -> bool:
    """Whether it denies something about a named file, and not that the file was read."""
    statement, mention = effect.statement, effect.statement.mention
    if mention is None or mention.kind != "named" or mention.folder:
        return False
    undone = statement.act in ("skip", "unread") or statement.negated
    if not undone:
        return False
    after = response[statement.end : statement.end + _FARTHEST]
    if _OF_SOMETHING.match(after):
        return True
    words = sentence.words
    verb_last = words[mention.last - 1].end < statement.end
    if verb_last:
        told = response[words[mention.last - 1].end : statement.end].casefold()
        return (
            bool(_HAS_OBJECT.match(after)) and statement.act != "read"
        ) or "never" in told.split()
    before = words[max(0, mention.first - 3) : mention.first]
    tags = [word.tag for word in before]
    of_noun = tags[-2:] in (["W", "OF"], ["W", "IN"])
    return of_noun or bool({"what", "how", "whether", "why", "who"} & {w.text for w in before})
