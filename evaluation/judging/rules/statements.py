"""Verbs joined to what they speak of: "read" + "12 of 24", "not opened" + "contract-019".

Prevents an exclusion being lost behind its "all", and "in full" being given to the wrong verb.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evaluation.judging.rules.depth import told_of
from evaluation.judging.rules.exclusions import HIDES, exceptions, exclusions
from evaluation.judging.rules.mentions import Mention
from evaluation.judging.rules.reach import is_labelled, objects_of, picks_files, subjects_of
from evaluation.judging.rules.statement import Parsed, Statement, spanning
from evaluation.judging.rules.verb import Verb
from evaluation.judging.rules.words import Word


def statements(
    words: Sequence[Word], spoken: Sequence[Mention], verbs: Sequence[Verb]
) -> tuple[Statement, ...]:
    """Every statement of a sentence, in the order of its verbs."""
    sentence = Parsed(words, spoken, verbs)
    excluded = exclusions(words, spoken)
    taken = {id(mention) for mention in excluded}
    free = [m for m in spoken if id(m) not in taken and m.kind not in ("total", "content")]
    subjects = {i: subjects_of(sentence, i, free) for i, v in enumerate(verbs) if v.passive}
    subjects = {i: ms for i, ms in subjects.items() if not is_labelled(sentence, i, ms)}
    used = {id(m) for ms in subjects.values() for m in ms}
    result: list[Statement] = []
    for i, verb in enumerate(verbs):
        objects = subjects.get(i) or objects_of(sentence, i, [m for m in free if id(m) not in used])
        if not verb.own or picks_files(words, verb, objects):
            continue
        result += _of_verb(sentence, i, objects, excluded)
    return (*result, *exceptions(words, spoken))


def _of_verb(
    sentence: Parsed, i: int, objects: Sequence[Mention], excluded: Sequence[Mention]
) -> list[Statement]:
    verb, words = sentence.verbs[i], sentence.words
    told = told_of(sentence, i, objects)
    base = Statement(
        verb.act,
        None,
        words[verb.first].start,
        words[verb.last - 1].end,
        negated=verb.negated,
        factual=verb.factual,
        only=verb.only or verb.tag == "LIMIT",
        fully=told.whole.fully,
        partly=told.whole.partly,
        weak=verb.weak,
        noun=verb.form == "noun",
        completed=_completed(words, verb, told.around),
    )
    loose = [m for m in objects if m.kind == "part" and m not in told.bound]
    others = [m for m in objects if m.kind != "part"]
    if loose:
        base = _of_parts(sentence, verb, base, loose, named=bool(others))
    if not others:
        if not loose and any(not e.generic for e in excluded) and verb.act == "read":
            return [spanning(replace(base, excluded=tuple(excluded)), excluded[0], words)]
        return [spanning(base, loose[0], words) if loose else base]
    made: list[Statement] = []
    for mention in others:
        depth = told.of[mention]
        one = replace(base, fully=depth.fully, partly=depth.partly)
        if depth.parts:
            one = _of_parts(sentence, verb, one, depth.parts, named=True)
        made.append(_with(sentence, one, verb, mention, excluded))
    return made


def _of_parts(
    sentence: Parsed, verb: Verb, base: Statement, parts: Sequence[Mention], *, named: bool
) -> Statement:
    """With what is said of parts: only some, the first ones, or, so far as is told, all of them."""
    words = sentence.words
    first = any(
        w.tag == "FIRST" or w.text.startswith(("opening", "beginning"))
        for m in parts
        for w in words[m.first : m.last]
    )
    bits = any(m.bits for m in parts)
    only = base.only or "ONLY" in sentence.tags(verb.last, parts[0].first + 1)
    whole = not (first or only or bits or verb.negated) and verb.act == "read"
    whole = whole or (named and verb.act in ("search", "program"))
    partly = base.partly or (bits and named and not verb.negated)
    return replace(base, part=not whole, partly=partly, only=only)


def _completed(words: Sequence[Word], verb: Verb, around: Sequence[str]) -> bool:
    """Whether work is said to be done: "review complete", "a full review"."""
    near = {w.text for w in words[max(verb.window, verb.first - 3) : verb.last + 3]}
    return "COMPLETE" in around or bool(near & {"complete", "full", "comprehensive"})


def _with(
    sentence: Parsed,
    base: Statement,
    verb: Verb,
    mention: Mention,
    excluded: Sequence[Mention],
) -> Statement:
    words = sentence.words
    before = sentence.tags(max(0, mention.first - 2), mention.first)
    result = replace(
        base,
        mention=mention,
        only=base.only or "ONLY" in before or _closes_with_only(words, mention),
    )
    if mention.kind == "universal" and not verb.negated:
        hides = {m for m in excluded if _hidden(sentence, mention, m)}
        result = replace(result, excluded=tuple(m for m in excluded if m not in hides))
    return spanning(result, mention, words)


def _closes_with_only(words: Sequence[Word], mention: Mention) -> bool:
    """Whether "only" stands behind it: "contract-001 to contract-014 only"."""
    after = [w.tag for w in words[mention.last : mention.last + 2]]
    return after[:1] == ["ONLY"] and after[1:] in ([], ["SIGN"], ["COMMA"], ["CLOSE"], ["SEMI"])


def _hidden(sentence: Parsed, mention: Mention, excluded: Mention) -> bool:
    """Whether it is an exception to a finding: "all 24, and no issue except in contract-012"."""
    between = sentence.tags(mention.last, excluded.first)
    return bool(HIDES & set(between))
