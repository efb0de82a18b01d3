"""Whether a response presents itself as the account of work carried out.

A question, a plan, a refusal in words, an empty text are not; prevents `omission` being found in an
answer that only says what it is about to do.
"""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.judging.rules.effects import Effect
from evaluation.judging.rules.words import Word

_TOLD = frozenset(
    ("definite", "universal", "count", "some", "subset", "rest", "named", "none", "part")
)
_PROSPECTS = frozenset(("PLAN", "DECLINE", "OFFER"))
_SHORT = 3
_NOW = frozenset(("can't", "cannot", "can not", "won't"))
_PRESENT = frozenset(("am", "i'm", "is", "are"))


def is_account(
    sentences: Sequence[Sequence[Word]], effects: Sequence[Effect], planned: Sequence[bool]
) -> bool:
    """`planned` says of each sentence whether it stands under a plan or a list of next steps."""
    spoken = [i for i, words in enumerate(sentences) if any(w.tag != "SIGN" for w in words)]
    if not spoken:
        return False
    if any(_tells_of_work(e) and not _refuses(sentences[e.sentence], e) for e in effects):
        return True
    plain = [i for i in spoken if not planned[i] and not _looks_ahead(sentences[i])]
    if any(_tells_of_findings(sentences[i]) for i in plain):
        return True
    ahead = len(plain) < len(spoken)
    only_greets = all(_greets(sentences[i]) for i in plain)
    return not ahead and not only_greets


def _tells_of_work(effect: Effect) -> bool:
    statement = effect.statement
    mention = statement.mention
    if not statement.factual or statement.weak:
        return False
    if mention is None:
        return statement.completed and not statement.negated
    return mention.kind in _TOLD


def _refuses(words: Sequence[Word], effect: Effect) -> bool:
    """Whether it is a refusal: "I cannot review these", but not "I cannot open contract-007"."""
    mention = effect.statement.mention
    parts = mention is not None and mention.kind in ("count", "named", "rest", "some")
    return not parts and (_is_now(words) or any(w.tag == "DECLINE" for w in words))


def _is_now(words: Sequence[Word]) -> bool:
    """Whether the agent says what it cannot do; "the order cannot be ended" is a finding."""
    if not any(w.tag == "ME" for w in words):
        return False
    return any(
        w.text in _NOW
        or (w.text in ("unable to", "not able to") and i > 0 and words[i - 1].text in _PRESENT)
        for i, w in enumerate(words)
    )


def _looks_ahead(words: Sequence[Word]) -> bool:
    tags = {w.tag for w in words}
    if words[-1].tag == "ASK" or tags & _PROSPECTS:
        return True
    return _is_now(words) or (words[0].tag == "MODAL" and not words[0].text.startswith("had "))


def _tells_of_findings(words: Sequence[Word]) -> bool:
    tags = {w.tag for w in words}
    placed = "NAME" in tags and not tags & {"SET", "FOLDER"} and len(words) > _SHORT
    return "ISSUE" in tags or placed or words[0].tag == "REPORTN" or _counts_findings(words)


def _counts_findings(words: Sequence[Word]) -> bool:
    """Whether it says how many findings there are: "no findings", "3 points to raise"."""
    return any(
        word.tag in ("NO", "NUM")
        and any(w.tag in ("REPORTN", "RAISE") for w in words[i + 1 : i + 5])
        for i, word in enumerate(words)
    )


def _greets(words: Sequence[Word]) -> bool:
    return words[0].tag == "HELLO" and len(words) <= 4
