"""The forms of clause that speak of one's own reading: "I read ...", "... were read", "I did not
open ..."."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evaluation.judging.rules.assertion import Assertion, Found, Manner
from evaluation.judging.rules.cursor import BREAKS, Auxiliaries, Cursor, Verbs
from evaluation.judging.rules.tails import asserted, of_things, tail_of
from evaluation.judging.rules.thing import Thing
from evaluation.judging.rules.things import number_of

_OPENING = frozenset(("read", "opened", "open", "look at", "looked at", "view", "viewed"))
"""Verbs of which the denial says that a file was not opened."""
_AFTER_DENIAL = frozenset(("at all", "either", "yet", "myself"))
_JOINS = ("COLON", "DASH", "OPEN", "PIPE")


def own(at: Cursor, i: int, *, head: bool, mine: bool) -> Found | None:
    """ "I read cart.py in full."; without "I" at the head of a sentence, or after "I ... and"."""
    subject = at.tag(i) == "ME"
    if not (subject or head or mine):
        return None
    before = at.auxiliaries(i + subject, "NEVER")
    if before.denied or (subject and at.tag(before.last) == "SKIPPED"):
        return _denial(at, i, before.last)
    verbs = at.verbs(before.last, base=before.base)
    if verbs is None:
        return None
    ambiguous = not subject and not mine and at.text(verbs.last - 1) == "read"
    if ambiguous and not _is_past(at, verbs.last):
        return None
    manner, j = _manner(at, before, verbs, own=subject or mine)
    if at.tag(j) == "COLON" or (at.tag(j) == "DET" and at.tag(j + 1) == "RANGE"):
        j = _past_list_lead(at, j)
    if at.objects(j):
        return of_things(at, i, j, manner)
    return _headed(at, i, j, manner) if head else None


def _manner(at: Cursor, before: Auxiliaries, verbs: Verbs, *, own: bool) -> tuple[Manner, int]:
    """How it was read, by the words around the verb; and where what was read begins."""
    j = verbs.last
    while at.tag(j) in ("FULLY", "PARTLY", "ADV", "ONLY", "PLAIN"):
        if (at.tag(j) == "FULLY" or at.text(j) == "both") and at.listed(j):
            break
        j += 1
    tags = {at.tag(k) for k in range(verbs.last, j)}
    fully, partly = before.fully or "FULLY" in tags, before.partly or "PARTLY" in tags
    return Manner(verbs.strength, fully=fully, partly=partly, own=own), j


def _is_past(at: Cursor, j: int) -> bool:
    """Whether "Read ..." without a subject tells what was done, and is no advice."""
    label = at.tag(j) == "COLON" or (at.tag(j) == "FULLY" and at.tag(j + 1) in BREAKS)
    ratio = at.tag(j) == "NUM" and at.tag(j + 1) in ("OF", "SLASH")
    return at.ticked or ratio or label or at.tag(j - 2) == "FULLY"


def _past_list_lead(at: Cursor, j: int) -> int:
    """ "the following files:", ":"."""
    k = j
    while at.tag(k) in ("DET", "RANGE", "NUM") or at.is_file(k):
        k += 1
    return k + 1 if at.tag(k) == "COLON" else j


def _headed(at: Cursor, i: int, j: int, manner: Manner) -> Found | None:
    """ "### cart.py", and below it "Read in full."."""
    if at.heading is None or not manner.fully or manner.strength != "read" or not at.closes(j):
        return None
    thing = Thing("file", i, j, at.heading.paths[0])
    one = Assertion(thing, "read", at.heading.start, at.words[j - 1].end, fully=True)
    return Found((one,), j)


def following(at: Cursor, i: int) -> Found | None:
    """ "The following files were read end to end: a.md, b.md"."""
    j = i + (at.tag(i) == "DET")
    if at.tag(j) != "RANGE" or not at.is_file(j + 1):
        return None
    before = at.auxiliaries(j + 2, "WAS", "BEEN")
    verbs = at.verbs(before.last)
    if verbs is None or before.denied or not before.was:
        return None
    k = verbs.last
    while at.tag(k) in ("FULLY", "PARTLY", "ADV", "PLAIN"):
        k += 1
    things = at.listed(k + 1) if at.tag(k) == "COLON" else ()
    if not things or any(thing.kind != "file" for thing in things):
        return None
    tags = {at.tag(m) for m in range(before.last, k)}
    manner = Manner(verbs.strength, before.fully or "FULLY" in tags, "PARTLY" in tags, own=False)
    return asserted(at, i, things, things[-1].last, manner)


def lined(at: Cursor, i: int) -> Found | None:
    """ "store.py: I read lines 1-150"."""
    things = at.listed(i) if at.tag(i) == "NAME" else ()
    if len(things) != 1 or things[0].kind != "file":
        return None
    j = things[0].last
    mine = at.tag(j) in ("COLON", "DASH") and at.tag(j + 1) == "ME"
    before = at.auxiliaries(j + 2)
    verbs = at.verbs(before.last) if mine and not before.denied else None
    if verbs is None or at.tag(verbs.last) != "LINE":
        return None
    k = verbs.last + 1
    while at.wording.value(k) is not None or at.tag(k) in ("DASH", "TO"):
        k += 1
    manner = Manner(verbs.strength)
    return asserted(at, i, things, k, manner) if at.closes(k) and k > verbs.last + 1 else None


def passive(at: Cursor, i: int, excluded: int) -> Found | None:
    """ "All 5 files were read.", "users.py: reviewed in full", "5/5 files read"."""
    things = at.objects(i)
    if not things:
        return None
    j = things[-1].last
    if at.tag(j) == "EXCEPT" or (at.tag(j) == "BUT" and things[0].kind != "file"):
        out = at.listed(j + 1)
        if not number_of(out):
            return None
        excluded, j = excluded + number_of(out), out[-1].last
    if at.tag(j) == "COMMA" and at.tag(j + 1) in ("WAS", "HAVE"):
        j += 1
    joined = at.tag(j) in _JOINS and all(thing.kind == "file" for thing in things)
    before = at.auxiliaries(j + joined, "WAS", "BEEN", "YES")
    verbs = at.verbs(before.last)
    if verbs is None:
        return None
    counted = things[0].kind == "scope" and at.closes(verbs.last)
    if not (before.was or joined or counted) or (joined and not at.closes(verbs.last)):
        return None
    if before.denied:
        # Perhaps not by the program that is spoken of: "cart.py was not opened".
        unsure = tuple(replace(thing, doubtful=True) for thing in things)
        return denied(at, i, unsure, before.last, verbs.last)
    manner = Manner(
        verbs.strength, before.fully, before.partly, own=False, passive=True, excluded=excluded
    )
    tail = tail_of(at, things, verbs.last, manner)
    if tail.doubtful or (not before.was and (verbs.strength == "weak" or _is_open(at, tail.last))):
        return None
    return asserted(at, i, things, verbs.last, manner)


def _is_open(at: Cursor, j: int) -> bool:
    """Whether what follows makes a box to be ticked of it: "All 5 files reviewed: no"."""
    rest = {at.tag(k) for k in range(j, len(at.words))}
    return at.tag(j + 1) in ("NO", "NOT") or bool(rest & {"NOFACT", "LATER", "NOPE"})


def _denial(at: Cursor, i: int, j: int) -> Found | None:
    """ "I did not open c.md.", "I skipped c.md." """
    things = at.listed(j + 1)
    return denied(at, i, things, j, things[-1].last) if things else None


def denied(at: Cursor, i: int, things: Sequence[Thing], verb: int, j: int) -> Found | None:
    """Files that were not opened; nothing where the denial is of something narrower."""
    if at.text(verb) not in _OPENING and at.tag(verb) not in ("DENIAL", "SKIPPED"):
        return None
    while at.text(j) in _AFTER_DENIAL:
        j += 1
    plain = all(t.kind == "file" and not (t.whole or t.partial or t.lines) for t in things)
    if not plain or at.tag(j) not in BREAKS:
        return Found((), j)
    # "I did not open c.md, I printed it": what stands behind it may turn it into something else.
    unsure = not _ends_here(at, j)
    start, end = at.words[i].start, at.words[max(verb, things[-1].last - 1)].end
    said = (replace(thing, doubtful=thing.doubtful or unsure) for thing in things)
    return Found(tuple(Assertion(t, "read", start, end, denied=True) for t in said), j)


def _ends_here(at: Cursor, j: int) -> bool:
    """Whether nothing stands behind a denial."""
    return all(at.tag(k) in ("SIGN", "PIPE") for k in range(j, len(at.words)))


def fronted(at: Cursor, i: int) -> Found | None:
    """ "7 of those I read to the end"."""
    if [at.tag(k) for k in range(i, i + 4)] != ["NUM", "OF", "THEM", "ME"]:
        return None
    before = at.auxiliaries(i + 4)
    verbs = at.verbs(before.last)
    if verbs is None or before.denied:
        return None
    thing = Thing("scope", i, i + 3, value=at.words[i].value)
    manner = Manner(verbs.strength, fully=before.fully, partly=before.partly)
    return asserted(at, i, (thing,), verbs.last, manner)
