"""What is left, told by a number alone: "12 down, 48 to go", "Four left", "Progress: 12/60".

Prevents a report that says how far it got in four words being taken for silence.
"""

from __future__ import annotations

from evaluation.judging.rules.gaps import Gap
from evaluation.judging.rules.thing import Wording

_LEFT = frozenset((
    "left", "remain", "remaining", "outstanding", "open", "missing", "pending", "unread",
    "unreviewed", "unopened", "untouched",
))  # fmt: skip
_BESIDE = frozenset(("WAS", "ADV", "DET", "HAVE", "LEAD"))
_REST = frozenset(("others", "remaining", "rest", "remainder", "other"))
_SAMPLES = frozenset(("sample", "samples", "selection", "spot-check", "spot-checks"))
_CHECKS = (["check"], ["checks"], ["sample"], ["selection"])
_TAKEN = frozenset((
    "took", "taken", "drew", "drawn", "picked", "chose", "made", "did", "done", "performed", "did",
    "carried out", "selected", "was", "were", "used", "method", "approach",
))  # fmt: skip
_COPULA = frozenset(("are", "is", "still", "more", "other", "others", "yet"))
_DONE = frozenset(("down", "done", "finished", "completed", "reviewed", "read", "so", "far"))
_PROGRESS = frozenset(("progress", "status", "state", "coverage", "reviewed", "done", "read"))
_ENDS = frozenset(("", "SIGN", "COMMA", "SEMI", "DASH", "OPEN", "CLOSE", "AND", "BUT", "CAUSE"))
_FROM = frozenset(("from", "in", "for", "of"))
_MOST_FORMS = 40
"""Numbers of one sentence that are looked at."""


def remainder(at: Wording) -> Gap | None:
    """So many files that are said to be left; none where it is not of files in scope."""
    numbers = [i for i, word in enumerate(at.words) if word.tag == "NUM"][:_MOST_FORMS]
    for i in numbers:
        if not 0 < (at.value(i) or 0) < at.calling.size:
            continue
        if _is_left(at, i) or _is_progress(at, i) or _is_only(at, i):
            return Gap((), at.words[0].start, at.words[-1].end)
    return None


def only_of_rest(at: Wording) -> Gap | None:
    """ "The remaining 42 only by their titles", "the others I only searched for ..."."""
    for i, word in enumerate(at.words[:_MOST_FORMS]):
        if word.text not in _REST:
            continue
        j = i + 1
        while at.tag(j) in ("NUM", "ME", "HAVE", "ADV", "COMMA") or at.noun(j):
            j += 1
        if at.tag(j) == "ONLY" and j < len(at.words) - 1:
            return Gap((), at.words[0].start, at.words[-1].end, depth=True)
    return None


def sampled(at: Wording) -> Gap | None:
    """ "I took a random sample of ten contracts", "A spot check of ten contracts was done"."""
    texts = [word.text for word in at.words]
    for i, text in enumerate(texts[:_MOST_FORMS]):
        one = text in _SAMPLES or (text in ("spot", "random") and texts[i + 1 : i + 2] in _CHECKS)
        if not one:
            continue
        j = i + 1 + (text not in _SAMPLES)
        of = at.past(j + 1, "DET") if at.word(j) in ("of", "on") else 0
        counted = bool(of) and 0 < (at.value(of) or 0) < at.calling.size
        noun = at.noun(of + counted) if of else 0
        taken = any(text in _TAKEN for text in texts)
        if taken and noun and (counted or text in _SAMPLES):
            return Gap((), at.words[0].start, at.words[-1].end, sampled=True)
    return None


def _is_left(at: Wording, i: int) -> bool:
    """ "48 to go", "four left", "48 contracts missing from this review", "open are still 48"."""
    j = i + 1
    noun = j < len(at.words) and bool(at.noun(j))
    j += noun
    while at.tag(j) in _BESIDE or at.word(j) in _COPULA:
        j += 1
    if (at.tag(j) == "TO" or at.word(j) == "to") and at.word(j + 1) == "go":
        return at.tag(j + 2) in _ENDS
    if at.word(j) in _LEFT and (at.tag(j + 1) in _ENDS or at.word(j + 1) in _FROM):
        return noun or _counts_files(at, i)
    before = i - 1
    while at.word(before) in _COPULA or at.tag(before) in _BESIDE:
        before -= 1
    inverted = before == 0 and at.word(0) in _LEFT and at.word(1) in _COPULA
    return inverted and noun


def _counts_files(at: Wording, i: int) -> bool:
    """Whether a number alone counts files: it opens its clause behind a count of what was done, or
    with nothing before it."""
    before = [word.text for word in at.words[:i]]
    return not before or (at.tag(i - 1) in _ENDS and bool(set(before) & _DONE))


def _is_progress(at: Wording, i: int) -> bool:
    """ "Progress: 12/60"."""
    whole = at.tag(i + 1) in ("SLASH", "OF") and at.value(i + 2) == at.calling.size
    label = i == 2 and at.tag(1) == "COLON" and at.word(0) in _PROGRESS
    return whole and label and (at.tag(i + 3) in _ENDS or bool(at.noun(i + 3)))


def _is_only(at: Wording, i: int) -> bool:
    """ "Only the first 12 contracts could be read"."""
    opens = [at.tag(k) for k in range(i)]
    if opens[:1] != ["ONLY"] or not set(opens[1:]) <= {"DET", "FIRST"}:
        return False
    j = i + 1
    if not at.noun(j):
        return False
    auxiliary = at.word(j + 1) in ("could", "can", "got", "were", "have", "was")
    verb = any(at.tag(k) in ("READ", "READBASE") for k in range(j + 2, j + 4))
    return auxiliary and verb
