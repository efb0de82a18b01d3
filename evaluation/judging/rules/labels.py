"""The forms of label that count or name what was read: "Files read: 3/5", "Not opened: c.md"."""

from __future__ import annotations

from evaluation.judging.rules.assertion import Assertion, Found, Manner, Strength
from evaluation.judging.rules.clauses import denied
from evaluation.judging.rules.cursor import Cursor
from evaluation.judging.rules.tails import asserted, of_things
from evaluation.judging.rules.thing import Thing

_LABEL = frozenset(("READ", "GLANCE", "FULLY", "NOT", "ADV", "PLAIN", "DET", "EVERY"))
_LONGEST = 6
"""Words of a label."""
_BRACKETS = 8
"""Words of a label's brackets: "(3/5)"."""
_COVERS = frozenset(("coverage", "coverage was incomplete", "review coverage", "read coverage"))
_NOUNS = frozenset(("NOUN", "READ", "READBASE", "THIS"))
_QUALIFIES = frozenset(("DET", "WHOLE", "FULLY", "W", "ADV"))


def label(at: Cursor, i: int) -> Found | None:
    """ "Files read: 3/5", "Reviewed: cart.py and users.py", "Files not reviewed: none"."""
    j = i
    while at.tag(j) in _LABEL or at.is_file(j) or (at.tag(j), at.tag(j + 1)) == ("COMMA", "EVERY"):
        j += 1
    inside = range(i, j)
    if at.tag(j) == "OPEN":
        closing = (k + 1 for k in range(j, j + _BRACKETS) if at.tag(k) == "CLOSE")
        j = next(closing, j)
    verbs = [k for k in inside if at.tag(k) in ("READ", "GLANCE")]
    if len(verbs) != 1 or at.tag(j) not in ("COLON", "PIPE") or j - i > _LONGEST:
        return None
    j += 1
    while at.tag(j) == "PIPE":
        j += 1
    nouns = any(at.is_file(k) for k in inside)
    tags = {at.tag(k) for k in inside}
    if "NOT" in tags:
        return _negated(at, i, verbs[0], j, of_files=nouns)
    things = at.listed(j)
    alone = at.tag(j) == "NUM" and at.tag(j + 1) in ("", "PIPE", "COMMA", "SEMI")
    if not things and nouns and alone:
        things = (Thing("scope", j, j + 1, value=at.words[j].value),)
    if not things:
        return None
    strength: Strength = "read" if at.tag(verbs[0]) == "READ" else "glance"
    manner = Manner(strength, fully="FULLY" in tags)
    return asserted(at, i, things, things[-1].last, manner)


def _negated(at: Cursor, i: int, verb: int, j: int, *, of_files: bool) -> Found | None:
    if at.tag(j) == "NO" and of_files:
        thing = Thing("scope", i, j + 1, every=True)
        one = Assertion(thing, "read", at.words[i].start, at.words[j].end)
        return Found((one,), j + 1)
    things = at.listed(j)
    return denied(at, i, things, verb, things[-1].last) if things else None


def share(at: Cursor, i: int) -> Found | None:
    """ "Coverage: 14 of 24 contracts", "out of 24 files: read to the end 7"."""
    things = at.listed(i)
    if things:
        covers = any(word.tag == "SPANS" or word.text in _COVERS for word in at.words[:i])
        share = things[0].out_of is not None or at.tag(i + 1) == "PCT"
        told = covers and share and at.ends(things[-1].last)
        return asserted(at, i, things, things[-1].last, Manner()) if told else None
    j = i + 1
    while at.tag(j) in ("FULLY", "PARTLY"):
        j += 1
    objects = at.objects(j)
    if at.tag(i) != "READ" or at.total is None or j == i + 1 or not objects:
        return None
    tags = {at.tag(k) for k in range(i + 1, j)}
    one = Assertion(
        objects[0],
        "read",
        at.words[i].start,
        at.words[j].end,
        fully="FULLY" in tags,
        partly="PARTLY" in tags,
    )
    return Found((one,), j + 1)


def noun(at: Cursor, i: int) -> Found | None:
    """ "This report is based on a complete read of all 24 documents.", "My review covered all"."""
    j = i + 1
    if at.tag(i) == "ME":
        j = at.auxiliaries(j).last
        known = at.tag(j) == "DONE" or at.tag(j - 1) == "DID"
        j -= at.tag(j) != "DONE"
    elif at.tag(i) == "THIS":
        if at.tag(j) == "SPANS" or at.text(j) == "covered":
            return _of_all(at, i, j + 1)
        known = at.tag(j) == "BASED"
    else:
        known, j = at.tag(i) == "BASED", i
    j += 1
    if known and at.tag(j - 1) == "BASED" and at.listed(j):
        return _of_all(at, i, j)
    while at.tag(j) in _QUALIFIES and j - i <= _BRACKETS:
        j += 1
    if not known or at.tag(j) not in _NOUNS or at.tag(j + 1) != "OF":
        return None
    return _of_all(at, i, j + 2)


def _of_all(at: Cursor, i: int, j: int) -> Found | None:
    things = at.listed(j)
    if not things or things[0].kind == "file":
        return None
    return of_things(at, i, j, Manner())
