"""What a verb speaks of: its subject where it is passive, else its object.

Prevents the object of one verb being given to its neighbour: "I read 12 and skimmed the rest".
"""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.judging.rules.mentions import Mention
from evaluation.judging.rules.moods import restricts
from evaluation.judging.rules.statement import Parsed
from evaluation.judging.rules.verb import Verb
from evaluation.judging.rules.words import Word

_STOPS = frozenset(("SEMI", "CONTRAST", "THAT", "CAUSE"))
_LISTED = frozenset(("named", "count", "definite"))
_JOINS = frozenset(("AND", "COMMA", "SIGN"))
_HOLDS = frozenset(("i have", "we have", "i've", "we've"))
_OF_NOUN = 3
"""Words between a noun of action and what it is of: "review of", "coverage of the"."""
_BEFORE = 6
"""Words between a verb and what stands before its subject."""
_NEAR = 10
"""Words between a verb and its object or subject."""


def is_labelled(sentence: Parsed, i: int, subjects: Sequence[Mention]) -> bool:
    """Whether what counts stands to the right: "files not reviewed: none", "reviewed (24)"."""
    verb = sentence.verbs[i]
    label = all(m.kind == "definite" and m.generic for m in subjects)
    marks = sentence.tags(verb.last, verb.last + 1) in (("COLON",), ("PIPE",), ("OPEN",), ("DASH",))
    follows = any(verb.last < m.first <= verb.last + 4 for m in sentence.spoken)
    return label and marks and follows


def picks_files(words: Sequence[Word], verb: Verb, objects: Sequence[Mention]) -> bool:
    """Whether the verb only picks files; "all 24 contracts reviewed were" counts all the same."""
    counted = any(m.kind == "universal" and m.value is not None for m in objects)
    return restricts(words, verb) and not counted


def subjects_of(sentence: Parsed, i: int, free: Sequence[Mention]) -> list[Mention]:
    """What a passive verb or an adjective speaks of, to its left."""
    verb = sentence.verbs[i]
    least = sentence.verbs[i - 1].last if i else 0
    before = [m for m in free if least <= m.first and m.last <= verb.first]
    result: list[Mention] = []
    right = verb.first
    for mention in reversed(before):
        between = sentence.tags(mention.last, right)
        joined = all(tag in _JOINS for tag in between)
        listed = bool(result) and {mention.kind, result[0].kind} <= _LISTED
        if result and not (joined and listed):
            break
        if not result and "COLON" in between and between[-1:] != ("COLON",) and "W" in between:
            break  # "store.py: the limit is not checked" speaks of the limit
        relative = [tag for tag in between if tag != "COMMA"][:1] == ["THAT"]
        if not result and (len(between) > _NEAR or (_STOPS & set(between) and not relative)):
            break
        placed = sentence.tags(max(0, mention.first - 1), mention.first) == ("IN",)
        opens = mention.first == 1 and sentence.tags(mention.last, mention.last + 1) == ("DET",)
        if placed and (verb.act == "skip" or (opens and verb.negated)):
            break  # "the cap in contract-007 was excluded" speaks of the cap
        result.insert(0, mention)
        right = mention.first
    return result


def objects_of(sentence: Parsed, i: int, free: Sequence[Mention], hops: int = 3) -> list[Mention]:
    """What a verb speaks of, to its right; or just before it: "the six files I did not open"."""
    verb, words = sentence.verbs[i], sentence.words
    end = len(words)
    if i + 1 < len(sentence.verbs):
        end = sentence.verbs[i + 1].first
    stop = next((k for k in range(verb.last, end) if _ends_reach(words, k)), end)
    if _complement(words, verb):
        return []
    after = [m for m in free if verb.last <= m.first and m.last <= stop]
    passive = verb.passive and verb.form == "past" and verb.tag != "LIMIT"
    if passive and not words[verb.first].text.endswith(" on"):
        after = [m for m in after if _introduced(words, m)]
    if verb.form == "noun":
        after = _of_noun(words, verb, after)
    after = [m for k, m in enumerate(after) if k == 0 or not m.bare or _qualified(words, m)]
    if after and after[0].first - verb.last <= _NEAR:
        fronted = all(m.kind == "part" for m in after) or _fronted(sentence, verb, after[0])
        return [*(_before(sentence, verb, free) if fronted else ()), *after]
    if held := _held(words, verb, free):
        return held
    if hops and i + 1 < len(sentence.verbs) and _shares(sentence, i):
        return objects_of(sentence, i + 1, free, hops - 1)
    return _before(sentence, verb, free)


def _fronted(sentence: Parsed, verb: Verb, after: Mention) -> bool:
    """Whether its object stands before: "seven of those I read to the end, seven only in part"."""
    counted = any(m.kind == "count" and m.last == verb.first - 1 for m in sentence.spoken)
    return counted and "COMMA" in sentence.tags(verb.last, after.first)


def _held(words: Sequence[Word], verb: Verb, free: Sequence[Mention]) -> list[Mention]:
    """ "I have all 60 contracts read"."""
    right = [m for m in free if m.last == verb.first and m.kind in ("universal", "count")]
    return right if right and right[0].first and words[right[0].first - 1].text in _HOLDS else []


def _before(sentence: Parsed, verb: Verb, free: Sequence[Mention]) -> list[Mention]:
    """What stands right before the subject of a verb: "of three I read some pages"."""
    before = [m for m in free if m.last <= verb.first and verb.first - m.last <= _BEFORE]
    between = sentence.tags(before[-1].last, verb.first) if before else ()
    relative = bool({"ME", "MY", "THAT", "AGENT"} & set(between))
    if before and before[-1].kind == "universal" and not verb.negated:
        return []  # "all contracts that I opened" are not all contracts
    if before and (relative or not between) and not {"SEMI", "CONTRAST", "AND"} & set(between):
        return before[-1:]
    return []


def _of_noun(words: Sequence[Word], verb: Verb, after: Sequence[Mention]) -> list[Mention]:
    """What a noun of action is of; past "is" or "has been" the talk is of something else."""
    if not after or after[0].first - verb.last > _OF_NOUN:
        return []
    ends = range(verb.last + 1, len(words))
    end = next((k for k in ends if words[k].tag in ("BE", "HAVE", "FOUND")), len(words))
    return [mention for mention in after if mention.last <= end]


def _introduced(words: Sequence[Word], mention: Mention) -> bool:
    """Whether a mark stands before it: "not reviewed: contract-015"."""
    return words[mention.first - 1].tag in ("COLON", "PIPE", "OPEN", "DASH")


def _qualified(words: Sequence[Word], mention: Mention) -> bool:
    """Whether a bare number is itself said to be read: "24 contracts, 12 in full"."""
    return mention.last < len(words) and words[mention.last].tag in ("FULLY", "PARTLY")


def _ends_reach(words: Sequence[Word], k: int) -> bool:
    """A new clause, or "and" with a verb that is none of reviewing: "and listed the folder"."""
    if words[k].tag in _STOPS:
        return True
    verbal = words[k].tag == "FOUND" or (words[k].tag == "W" and words[k].text.endswith("ed"))
    return verbal and words[k - 1].tag in ("AND", "ADV")


def _complement(words: Sequence[Word], verb: Verb) -> bool:
    """Whether "that" follows: in "checked that all contracts ..." files are not what is checked."""
    after = words[verb.last].text if verb.last < len(words) else ""
    return verb.tag == "READ" and after in ("that", "whether", "if", "how", "for")


def _shares(sentence: Parsed, i: int) -> bool:
    verb, following = sentence.verbs[i], sentence.verbs[i + 1]
    between = sentence.tags(verb.last, following.first)
    return len(between) <= 3 and bool({"AND", "COMMA", "SLASH"} & set(between))
