"""The verbs of reviewing in a sentence: what was done, by whom, whether it is said as a fact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evaluation.judging.rules.mentions import Mention
from evaluation.judging.rules.moods import (
    LIGHT,
    is_factual,
    is_marked,
    is_own,
    is_passive,
    serves,
    with_instrument,
)
from evaluation.judging.rules.verb import Act, Form, Verb
from evaluation.judging.rules.words import Word

_ACTS: dict[str, Act] = {
    "READ": "read", "COVER": "read", "LIMIT": "read", "REVIEW": "read", "COVERAGE": "read",
    "WEAKSCOPE": "read", "SKIM": "skim", "SAMPLE": "sample", "SEARCH": "search",
    "PARSE": "program", "GETTO": "read", "SEE": "read", "HAVE": "read",
    "COMPLETE": "read", "RUNV": "program", "SKIP": "skip", "GUESS": "skip", "UNREAD": "unread",
}  # fmt: skip
BREAKS = frozenset(("SEMI", "DASH", "CONTRAST", "CAUSE", "OPEN", "CLOSE", "PIPE", "THAT"))
_NOUN_BEFORE = frozenset(
    ("DET", "REPORTN", "MY", "WHOLE", "PARTLY", "FULLY", "W", "ADV", "NO", "THEM", "IN")
)
_VERB_BEFORE = frozenset(("TO", "PLAN", "MODAL", "DID", "NOT", "ME", "ABLE"))
_IRREGULAR = frozenset((
    "read", "re-read", "reread", "ran", "wrote", "built", "got", "went", "gone", "looked", "sped",
    "left", "passed", "take", "took", "taken", "made", "rest", "set", "part",
    "reflected", "cut", "gave", "put",
))  # fmt: skip
_HAVING = frozenset(("i have", "we have"))
_REACH = 30
"""Words to the left of a verb that may bear on it."""


def _form(word: Word) -> Form:
    if word.tag == "UNREAD":
        return "adjective"
    if word.tag == "COMPLETE" or _may_take_in(word):
        return "past"
    head = word.text.split()[0]
    if head.endswith("ing"):
        return "gerund"
    if head.endswith(("ed", "'d")) or head in _IRREGULAR or word.tag == "LIMIT":
        return "past"
    if word.tag in ("COVER", "COVERAGE", "WEAKSCOPE"):
        return "past" if word.tag == "COVER" else "noun"
    return "base"


def verbs(
    words: Sequence[Word], spoken: Sequence[Mention], *, asks: bool, planned: bool
) -> tuple[Verb, ...]:
    """All verbs of a sentence. `asks`: it is a question; `planned`: it stands under a plan."""
    inside = [False] * len(words)
    for mention in (m for m in spoken if m.kind != "total"):
        inside[mention.first : mention.last] = [True] * (mention.last - mention.first)
    result: list[Verb] = []
    for i, word in enumerate(words):
        if _is_of_program(words, i) and not inside[i]:
            made = Verb("program", "PARSE", "past", i, i + 1, i - 1, factual=not (asks or planned))
            result.append(made)
            continue
        if (word.tag not in _ACTS and word.text not in _HAVING) or inside[i]:
            continue
        if word.tag == "GUESS" and not any(m.kind == "rest" for m in spoken):
            continue
        if _may_take_in(word) and not _takes_in(words, spoken, i):
            continue
        if word.tag == "COMPLETE" and not _labels(words, i, result[-1] if result else None):
            continue
        verb = _verb(words, inside, i, result[-1] if result else None)
        if verb is not None:
            if asks or planned:
                verb = replace(verb, factual=False)
            result.append(verb)
    return tuple(result)


def _verb(
    words: Sequence[Word], inside: Sequence[bool], i: int, before: Verb | None
) -> Verb | None:
    word = words[i]
    form = _form(word)
    if word.tag == "REVIEW":
        form = _noun_or_base(words, i)
        if form == "noun" and any(w.tag in ("COVER", "LIMIT") for w in words[i + 1 : i + 5]):
            return None
    if word.tag == "SEARCH" and _is_tool(words, i, before):
        return None
    if word.tag == "GETTO" and _leads_to_verb(words, i):
        return None
    if word.tag in ("COVERAGE", "WEAKSCOPE") and not _is_label(words, i):
        return None
    if word.tag == "WEAKSCOPE" and i and words[i - 1].tag == "IN":
        return None  # "all files in scope were reviewed"
    window = _window(words, i, before)
    act, weak = _ACTS.get(word.tag, "read"), word.tag == "WEAKSCOPE"
    verb = Verb(act, word.tag, form, i, i + 1, window, weak=weak)
    if before is not None and _coordinated(words, before, i):
        return _inherit(verb, before, words)
    mood = words[_mood_start(words, window, i) : i]
    tags = [w.tag for w in mood]
    passive = is_passive(words, inside, verb) or (before is None and is_marked(words, inside, verb))
    verb = replace(
        verb,
        passive=passive,
        pending="PENDING" in tags,
        negated=tags.count("NOT") % 2 == 1 or "PENDING" in tags,
        only="ONLY" in tags[-4:] or word.tag == "LIMIT",
        factual=is_factual(words, mood, verb),
        own=is_own(words, inside, verb, passive=passive, before=before),
    )
    verb = with_instrument(words, verb)
    if before is not None and serves(words, verb, before):
        verb = replace(verb, act=before.act, factual=before.factual, own=before.own)
    out_of_time = form == "gerund" and "BEFORE" in tags
    if out_of_time:
        ran_out = any(w.tag == "RANOUT" for w in words[:i])
        verb = replace(verb, negated=ran_out, factual=ran_out, own=ran_out)
    return None if verb.tag == "RUNV" and verb.act == "read" else verb


def _noun_or_base(words: Sequence[Word], i: int) -> Form:
    before = words[i - 1].tag if i else ""
    after = words[i + 1].tag if i + 1 < len(words) else ""
    if before in _VERB_BEFORE:
        return "base"
    noun = before in _NOUN_BEFORE or before in ("FILE", "FILES", "NUM", "SEARCH", "OTHER", "PROG")
    return (
        "noun"
        if noun or after in ("OF", "IN", "COMPLETE", "WHOLE", "BE", "HAVE", "DASH", "COLON", "")
        else "base"
    )


def _may_take_in(word: Word) -> bool:
    return word.tag in ("SEE", "HAVE") or word.text in _HAVING


def _takes_in(words: Sequence[Word], spoken: Sequence[Mention], i: int) -> bool:
    """Whether seeing or having is of text: "saw some sections of it", "only have the first page".

    "I saw no issue in contract-007" and "the parties have a contract" are not.
    """
    only = any(w.tag == "ONLY" for w in words[max(0, i - 1) : i + 2])
    if words[i].tag != "SEE" and not only:
        return False
    ours = any(w.tag == "ME" for w in words[max(0, i - 3) : i + 1])
    if i + 1 < len(words) and words[i + 1].text == "that":
        return False
    first = next((m for m in spoken if m.first > i), None)
    near = first is not None and first.first - i <= 2
    return ours and near and first is not None and first.kind not in ("content", "none", "outside")


def _labels(words: Sequence[Word], i: int, before: Verb | None) -> bool:
    """Whether it stands for reading, before a list: "Not done: ...", "what I did: open ..."."""
    alone = before is None or any(w.tag in BREAKS for w in words[before.last : i])
    return alone and i + 2 < len(words) and words[i + 1].tag == "COLON"


def _is_tool(words: Sequence[Word], i: int, before: Verb | None) -> bool:
    """Whether it is the tool of a verb: "used grep", "ran a keyword search"."""
    previous = words[i - 1].tag if i else ""
    ran = before is not None and before.tag == "RUNV"
    return previous in ("RUNV", "VIA", "BY") or (ran and previous in ("DET", "W"))


def _leads_to_verb(words: Sequence[Word], i: int) -> bool:
    """Whether "get to" stands before a verb, and only says that it was done."""
    after = [w.tag for w in words[i + 1 : i + 3] if w.tag != "ADV"]
    return bool(after) and after[0] in ("READ", "REVIEW", "SKIM", "SAMPLE", "SEARCH")


def _is_label(words: Sequence[Word], i: int) -> bool:
    after = words[i + 1].tag if i + 1 < len(words) else ""
    return after in ("COLON", "OF", "PIPE", "BE", "DASH", "OPEN", "")


def _window(words: Sequence[Word], i: int, before: Verb | None) -> int:
    """Where the clause of a verb begins."""
    least = max(before.last if before else 0, i - _REACH)
    start = i
    while start > least and words[start - 1].tag not in BREAKS and words[start - 1].tag != "COLON":
        start -= 1
    return start


def _mood_start(words: Sequence[Word], window: int, i: int) -> int:
    """Past an opening phrase: what stands before "…, I" or "…, all" says nothing of this verb."""
    starts = ("ME", "AGENT", "ALL", "DET", "NUM", "EACHONE", "WHOLE", "NO")
    for at in range(i - 1, window, -1):
        if words[at - 1].tag == "COMMA" and words[at].tag in starts:
            return at
        if words[at].tag == "ME" and words[at - 1].tag not in ("PLAN", "MODAL", "NOT", "BEFORE"):
            return window if _is_wished(words, window, at) else at
    return window


def _is_wished(words: Sequence[Word], window: int, at: int) -> bool:
    """Whether it is only said that it might be so: "it would be wrong to say that I ..."."""
    told = words[at - 1].text == "that"
    return told and any(word.tag == "MODAL" for word in words[window : at - 1])


def _is_of_program(words: Sequence[Word], i: int) -> bool:
    """Whether it is what a program did, whatever that was: "a script counted"."""
    if words[i].tag == "COMPLETE":
        by = [word.tag for word in words[i + 1 : i + 5]]
        return by[:1] == ["BY"] and "PROG" in by
    past = words[i].tag == "W" and words[i].text.endswith("ed")
    return past and i > 0 and words[i - 1].tag == "PROG"


def _coordinated(words: Sequence[Word], before: Verb, i: int) -> bool:
    """Whether only "and", a comma or an adverb stands between two verbs."""
    between = [w.tag for w in words[before.last : i]]
    joins = bool({"AND", "COMMA", "SLASH"} & set(between))
    joins = joins or (before.tag == "COMPLETE" and between == ["COLON"])
    light = (LIGHT - {"NOT"}) | {"COLON"}
    return joins and len(between) <= 4 and all(tag in light for tag in between)


def _inherit(verb: Verb, before: Verb, words: Sequence[Word]) -> Verb:
    inherited = replace(
        verb,
        window=before.window,
        negated=before.negated,
        factual=before.factual,
        passive=before.passive,
        own=before.own,
        only=before.only or any(w.tag == "ONLY" for w in words[before.last : verb.first]),
        pending=before.pending,
    )
    return with_instrument(words, inherited)
