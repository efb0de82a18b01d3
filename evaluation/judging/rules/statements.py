"""Verbs joined to what they speak of: "read" + "12 of 24", "not opened" + "contract-019".

Prevents an exclusion being lost behind its "all", and "in full" being given to the wrong verb.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evaluation.judging.rules.exclusions import HIDES, exceptions, exclusions
from evaluation.judging.rules.mentions import Mention
from evaluation.judging.rules.reach import is_labelled, objects_of, picks_files, subjects_of
from evaluation.judging.rules.statement import Parsed, Statement, spanning
from evaluation.judging.rules.verb import Verb
from evaluation.judging.rules.words import Word

_QUALIFIER_STOPS = frozenset(("SEMI", "CONTRAST", "FOUND", "ISSUE", "THAT"))
_AFTERTHOUGHT = 5


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
    after = _after(sentence, i)
    before = sentence.tags(max(verb.window, verb.first - 3), verb.first)
    around = (*before, "VERB", *after)
    fully, partly = _depth(around)
    base = Statement(
        verb.act,
        None,
        words[verb.first].start,
        words[verb.last - 1].end,
        negated=verb.negated,
        factual=verb.factual,
        only=verb.only or verb.tag == "LIMIT",
        fully=fully,
        partly=partly,
        weak=verb.weak,
        noun=verb.form == "noun",
        completed=_completed(words, verb, around),
    )
    parts = [m for m in objects if m.kind == "part"]
    others = [m for m in objects if m.kind != "part"]
    if parts:
        first = any(
            w.tag == "FIRST" or w.text.startswith(("opening", "beginning"))
            for m in parts
            for w in words[m.first : m.last]
        )
        only = base.only or "ONLY" in sentence.tags(verb.last, parts[0].first + 1)
        whole = not first and not only and not verb.negated and verb.act == "read"
        whole = whole or (bool(others) and verb.act in ("search", "program"))
        base = replace(base, part=not whole, only=only, lines=_lines(parts, words))
    if not others:
        keep = parts[0] if parts else None
        if not parts and any(not e.generic for e in excluded) and verb.act == "read":
            return [spanning(replace(base, excluded=tuple(excluded)), excluded[0], words)]
        return [base if keep is None else spanning(base, keep, words)]
    return [_with(sentence, base, verb, mention, excluded) for mention in others]


def _completed(words: Sequence[Word], verb: Verb, around: Sequence[str]) -> bool:
    """Whether work is said to be done: "review complete", "a full review"."""
    near = {w.text for w in words[max(verb.window, verb.first - 3) : verb.last + 3]}
    return "COMPLETE" in around or bool(near & {"complete", "full", "comprehensive"})


def _lines(parts: Sequence[Mention], words: Sequence[Word]) -> int | None:
    """The number of lines that is named, if one is."""
    for mention in parts:
        if words[mention.last - 1].text == "lines" and mention.value is not None:
            return mention.value
    return None


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


def _after(sentence: Parsed, i: int) -> tuple[str, ...]:
    """The words that may qualify a verb to its right: up to the next verb's own."""
    verb, words = sentence.verbs[i], sentence.words
    end = len(words)
    if i + 1 < len(sentence.verbs):
        following = sentence.verbs[i + 1]
        end = max(verb.last, following.first)
        while end > verb.last and words[end - 1].tag in ("PARTLY", "FULLY", "ADV", "NOT", "ONLY"):
            end -= 1
    stop = next((k for k in range(verb.last, end) if words[k].tag in _QUALIFIER_STOPS), end)
    if stop < end and words[stop].tag == "CONTRAST" and len(words) - stop <= _AFTERTHOUGHT:
        stop = len(words)  # "..., though not in full"
    return sentence.tags(verb.last, stop)


def _depth(tags: Sequence[str]) -> tuple[bool, bool]:
    """Whether it is said to be in full, and whether in part; "not in full" is in part."""
    fully = partly = False
    for i, tag in enumerate(tags):
        if tag == "PARTLY":
            partly = True
        elif tag == "FULLY":
            denied = i > 0 and tags[i - 1] == "NOT"
            fully, partly = fully or not denied, partly or denied
    return fully, partly
