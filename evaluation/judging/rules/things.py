"""What a verb of reading is of: files by their names, so many of them, all of them, a folder.

Strict: a pronoun, a restricted "all" ("all the relevant files", "every file that I opened") and a
noun that is none of the files' own are never taken for the scope.
"""

from __future__ import annotations

from dataclasses import replace

from evaluation.judging.rules.amounts import amount_at
from evaluation.judging.rules.named import names_at
from evaluation.judging.rules.thing import Thing, Wording


def things_at(at: Wording, i: int) -> tuple[Thing, ...]:
    """The things from word `i` on, as one list; none where it is not known what is meant."""
    if at.tag(i) == "EXCEPT" and at.words[i].text == "all but":
        return _all_but(at, i)
    one = amount_at(at, i)
    if one is None:
        return names_at(at, i)
    step = at.past(one.last, "FULLY", "PARTLY")
    if at.tag(step) in ("COLON", "OPEN") and one.kind == "scope":
        return _specified(at, one, step)
    return (one,)


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
    if len(named) in (0, at.calling.size) or (not one.every and one.value == len(named)):
        return (one,)
    whole = any(at.tag(k) == "FULLY" for k in range(one.last, sign))
    last = named[-1].last
    last += at.tag(sign) == "OPEN" and at.tag(last) == "CLOSE"
    return tuple(
        replace(thing, first=one.first, last=last, whole=thing.whole or whole) for thing in named
    )
