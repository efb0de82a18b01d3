"""What a verb of reading is of: files by their names, so many of them, all of them, a folder.

Strict: a pronoun, a restricted "all" ("all the relevant files", "every file that I opened") and a
noun that is none of the files' own are never taken for the scope.
"""

from __future__ import annotations

from dataclasses import replace

from evaluation.judging.rules.amounts import amount_at, folder_thing
from evaluation.judging.rules.named import names_at
from evaluation.judging.rules.thing import Thing, Wording


def things_at(at: Wording, i: int) -> tuple[Thing, ...]:
    """The things from word `i` on, as one list; none where it is not known what is meant."""
    if at.tag(i) == "EXCEPT" and at.words[i].text == "all but":
        return _all_but(at, i)
    one = amount_at(at, i)
    if one is None:
        return names_at(at, i) or _folders(at, i)
    if one.others:
        return (replace(one, others=()), *(replace(one, path=p, others=()) for p in one.others))
    step = at.past(one.last, "FULLY", "PARTLY")
    if at.tag(step) in ("COLON", "OPEN") and one.kind == "scope":
        return _specified(at, one, step)
    if at.tag(step) == "DASH" and one.kind == "scope" and one.every:
        named = names_at(at, step + 1)
        if len(named) == at.calling.size and at.tag(named[-1].last) == "DASH":
            return (replace(one, last=named[-1].last + 1),)
    return (one,)


def _folders(at: Wording, i: int) -> tuple[Thing, ...]:
    """ "src/ and docs/": all of them where "in full" says so."""
    found: list[Thing] = []
    one = folder_thing(at, at.past(i, "DET", "SET"))
    while one is not None:
        found.append(replace(one, every=True, definite=True))
        following = at.past(one.last, "COMMA", "AND", "DET")
        one = folder_thing(at, following) if following > one.last else None
    return tuple(found)


def number_of(things: tuple[Thing, ...]) -> int:
    """How many files these are, as an exception; 0 where that is not told."""
    names = sum(thing.kind == "file" for thing in things)
    return names or (things[0].value or 0 if things and things[0].kind == "scope" else 0)


def _all_but(at: Wording, i: int) -> tuple[Thing, ...]:
    out = things_at(at, i + 1)
    number = number_of(out)
    return (Thing("scope", i, out[-1].last, every=True, excluded=number),) if number else ()


def _specified(at: Wording, one: Thing, sign: int) -> tuple[Thing, ...]:
    """The names that "all three files" in front of a colon or brackets are, unless all are."""
    named = names_at(at, sign + 1)
    if len(named) in (0, at.calling.size):
        return (one,)
    whole = any(at.tag(k) == "FULLY" for k in range(one.last, sign))
    if not one.every and one.value == len(named):
        each = tuple(replace(thing, whole=thing.whole or whole) for thing in named)
        closes = at.tag(sign) == "OPEN" and at.tag(named[-1].last) == "CLOSE"
        ending = replace(each[-1], last=each[-1].last + closes)
        return (replace(one, whole=whole), *each[:-1], ending)
    last = named[-1].last
    last += at.tag(sign) == "OPEN" and at.tag(last) == "CLOSE"
    return tuple(
        replace(thing, first=one.first, last=last, whole=thing.whole or whole) for thing in named
    )
