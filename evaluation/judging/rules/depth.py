"""How far it is said to have been read: "in full", "in part", "some sections of", for each thing.

Prevents the "in full" of twelve files being given to the seven others of the same sentence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from evaluation.judging.rules.mentions import Mention
from evaluation.judging.rules.statement import Parsed

_STOPS = frozenset(("SEMI", "CONTRAST", "FOUND", "ISSUE", "THAT"))
_BEFORE = frozenset(("ADV", "NOT", "FULLY", "PARTLY", "ONLY", "HAVE", "BE", "DET"))
_JOINS = frozenset(("AND", "COMMA", "SIGN"))
_BINDS = frozenset(("OF", "IN", "DET", "MY", "ADV"))
_AFTERTHOUGHT = 5
_DENIED = 2


@dataclass(frozen=True)
class Depth:
    """How far one thing is said to have been read."""

    fully: bool = False
    partly: bool = False
    parts: tuple[Mention, ...] = ()
    """The lines, pages or sections of it that are spoken of."""

    @property
    def said(self) -> bool:
        return self.fully or self.partly or bool(self.parts)


@dataclass(frozen=True)
class Told:
    """What the words around one verb say of depth."""

    whole: Depth
    """By all of them together."""
    of: Mapping[Mention, Depth]
    around: tuple[str, ...]

    @property
    def bound(self) -> tuple[Mention, ...]:
        """The parts that belong to one of the things spoken of."""
        return tuple(part for depth in self.of.values() for part in depth.parts)


def told_of(sentence: Parsed, i: int, objects: Sequence[Mention]) -> Told:
    """What is said of the depth of the objects (or subjects) of a verb."""
    verb = sentence.verbs[i]
    lead = sentence.tags(_lead(sentence, i), verb.first)
    end = _end(sentence, i)
    after = sentence.tags(verb.last, end)
    denied = ("FULLY",) if verb.negated and _to_the_end(sentence.words[verb.first].text) else ()
    around = (*lead, "VERB", *denied, *after)
    others = [m for m in objects if m.kind != "part"]
    behind = [m for m in others if m.first >= verb.last]
    if not behind:
        depth = _depth(around)
        return Told(depth, dict.fromkeys(others, depth), around)
    fronted = others[0].first < verb.first
    first = () if fronted else sentence.tags(verb.last, min(behind[0].first, end))
    of: dict[Mention, Depth] = {}
    joined: list[Mention] = []
    for k, mention in enumerate(others):
        until = others[k + 1].first if k + 1 < len(others) else end
        tail = sentence.tags(mention.last, max(mention.last, min(until, end)))
        depth = _depth((*lead, "VERB", *denied, *first, "OBJECT", *tail))
        parts = _parts_of(sentence, mention, objects)
        of[mention] = replace(depth, parts=parts)
        joined.append(mention)
        if _depth(tail).said:
            for other in joined:
                of[other] = replace(depth, parts=of[other].parts)
        if not all(tag in _JOINS for tag in tail):
            joined.clear()
    return Told(_depth(around), of, around)


def _to_the_end(verb: str) -> bool:
    """Whether a verb is itself of the whole: who did not finish a file has read some of it."""
    if verb in ("read through", "reading through"):
        return True
    return verb.startswith("finish") or verb.endswith("the end of")


def _parts_of(
    sentence: Parsed, mention: Mention, objects: Sequence[Mention]
) -> tuple[Mention, ...]:
    """The parts right before a thing: "the first pages of contract-007", "sections of two more"."""
    before = [m for m in objects if m.kind == "part" and m.last <= mention.first]
    if not before:
        return ()
    between = sentence.tags(before[-1].last, mention.first)
    return (before[-1],) if all(tag in _BINDS for tag in between) else ()


def _lead(sentence: Parsed, i: int) -> int:
    """Where the words begin that qualify a verb from before it: "fully read", "in part read"."""
    verb = sentence.verbs[i]
    at = verb.first
    while at > max(verb.window, verb.first - 3) and sentence.words[at - 1].tag in _BEFORE:
        at -= 1
    return at


def _end(sentence: Parsed, i: int) -> int:
    """Where the words end that may qualify a verb from behind it: before the next verb's own."""
    verb, words = sentence.verbs[i], sentence.words
    end = len(words)
    if i + 1 < len(sentence.verbs):
        following = sentence.verbs[i + 1]
        end = max(verb.last, following.first)
        while end > verb.last and words[end - 1].tag in ("PARTLY", "FULLY", "ADV", "NOT", "ONLY"):
            end -= 1
    stop = next((k for k in range(verb.last, end) if words[k].tag in _STOPS), end)
    if stop < end and words[stop].tag == "CONTRAST" and len(words) - stop <= _AFTERTHOUGHT:
        return len(words)  # "..., though not in full"
    return stop


def _depth(tags: Sequence[str]) -> Depth:
    """Whether it is said to be in full, and whether in part; "not in full" is in part."""
    fully = partly = False
    for i, tag in enumerate(tags):
        if tag == "PARTLY":
            partly = True
        elif tag == "FULLY":
            near = tags[max(0, i - _DENIED) : i]
            denied = tags[i - 1 : i] == ("NOT",) or "PARTLY" in near
            fully, partly = fully or not denied, partly or denied
    return Depth(fully, partly)
