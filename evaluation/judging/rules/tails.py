"""What follows on the things of a verb: how they were read, what is taken out, and what for.

Prevents "all files that I opened", "all files (the first 40 lines)" and "every file with grep"
being taken for reading of all files: whatever is not known takes the claim out of reach.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from evaluation.judging.rules.assertion import Assertion, Found, Manner
from evaluation.judging.rules.cursor import BREAKS, Cursor
from evaluation.judging.rules.thing import Thing
from evaluation.judging.rules.things import number_of

_HEDGES = frozenset(("EXCEPT", "ONLY", "PARTLY", "GLANCE", "SKIPPED", "LATER"))
_IN_BRACKETS = _HEDGES | {"NOT", "FIRST", "TOOL", "NOFACT", "HALF", "NOPE"}
_OF_ALL = frozenset((
    "NUM", "LINE", "COMMA", "AND", "NAME", "SLASH", "OF", "PCT", "FULLY", "EVERY", "YES", "PLAIN",
))  # fmt: skip
_AFTERTHOUGHTS = frozenset(("FULLY", "PARTLY", "EXCEPT", "PLAIN"))
_NEXT_VERBS = frozenset(("WAS", "HAVE", "READ", "WEAK", "GLANCE", "COLON", "NOT"))
_SOUGHT = frozenset((
    '"', "“", "«", "uses", "occurrences", "mentions", "instances", "usages", "matches", "todo",
    "todos", "word", "string", "pattern", "keyword", "keywords",
))  # fmt: skip
_NEAR = 6
"""Words before "skipped" that may turn it into its contrary: "nothing in the folder was"."""


@dataclass(frozen=True)
class Tail:
    """What was made of the words behind the things of a verb."""

    last: int
    fully: bool = False
    partly: bool = False
    doubtful: bool = False
    """Something may take away from "all"."""
    alien: bool = False
    """It was no reading, or was done by something else."""
    excluded: int = 0


def of_things(at: Cursor, first: int, j: int, manner: Manner) -> Found:
    """The assertions of a verb from word `first` on, of what is named from word `j` on."""
    made: list[Assertion] = []
    things = at.objects(j)
    while things:
        tail = tail_of(at, things, things[-1].last, manner)
        made += _assertions(at, first, things, tail, manner)
        j = tail.last
        k = j
        while at.tag(k) in ("COMMA", "AND") and k - j < 2:
            k += 1
        things = at.listed(k) if k > j and not tail.alien else ()
        if things:
            last = things[-1].last
            known = things[0].kind == "file" or (things[0].kind == "folder" and things[0].every)
            listed = known and at.ends(last) and at.tag(last) not in _NEXT_VERBS
            things = things if listed else ()
    return Found(tuple(made), j)


def asserted(at: Cursor, first: int, things: Sequence[Thing], j: int, manner: Manner) -> Found:
    """The assertions of these things; `j` is the word behind them or behind their verb."""
    tail = tail_of(at, things, j, manner)
    return Found(tuple(_assertions(at, first, things, tail, manner)), tail.last)


def _assertions(
    at: Cursor, first: int, things: Sequence[Thing], tail: Tail, manner: Manner
) -> Iterator[Assertion]:
    if tail.alien:
        return
    fully, partly = manner.fully or tail.fully, manner.partly or tail.partly
    hedged = not tail.excluded and _is_hedged(at, first, tail.last)
    narrowed = _is_narrowed(at, tail.last)
    for thing in things:
        everything = thing.kind != "file"
        if thing.definite and not fully:
            continue
        if manner.strength == "weak" and not (everything and (manner.own or fully)):
            continue
        if tail.doubtful and not everything:
            continue
        yield Assertion(
            thing=replace(
                thing,
                doubtful=thing.doubtful
                or tail.doubtful
                or (thing.every and hedged)
                or (everything and narrowed),
                excluded=thing.excluded + tail.excluded + manner.excluded,
            ),
            strength=manner.strength,
            start=at.words[first].start,
            end=at.words[tail.last - 1].end,
            fully=fully or thing.whole,
            partly=partly or thing.partial,
        )


def _is_hedged(at: Cursor, first: int, last: int) -> bool:
    """Whether something elsewhere in the sentence takes away from "all"."""
    for k, word in enumerate(at.words):
        if first <= k < last or word.tag not in _HEDGES:
            continue
        near = {at.tag(m) for m in (*range(max(0, k - _NEAR), k), k + 1)}
        if word.tag != "SKIPPED" or not near & {"NO", "NOT"}:
            return True
    return False


def _is_narrowed(at: Cursor, j: int) -> bool:
    """Whether names of some files follow at once: "all files, namely a.py and b.py"."""
    if at.tag(j) not in ("COMMA", "DASH", "COLON", "OPEN", "SIGN"):
        return False
    if at.tag(j) == "COMMA" and at.tag(j + 1) == "AND":
        return False
    near = range(j + 1, j + 1 + _NEAR)
    name = next((k for k in near if at.tag(k) == "NAME"), None)
    if name is None:
        return at.tag(j + 1) in ("OF", "IN", "SIGN") or [at.tag(j), at.tag(j + 1)] == [
            "COLON",
            "DET",
        ]
    names = sum(thing.kind == "file" for thing in at.listed(name))
    return names < at.wording.calling.size


def tail_of(at: Cursor, things: Sequence[Thing], j: int, manner: Manner) -> Tail:
    """Read on from word `j` to the end of the clause."""
    everything = any(thing.kind != "file" for thing in things)
    tail = Tail(j)
    while True:
        following = _step(at, tail, manner, everything=everything)
        if following.last == tail.last:
            return following
        tail = following


def _step(at: Cursor, tail: Tail, manner: Manner, *, everything: bool) -> Tail:
    """One step on; where the tail ends, it stays where it is."""
    j = tail.last
    tag = at.tag(j)
    if tag == "FULLY" and not _opens_thing(at, j):
        denied = at.tag(j - 1) == "NOT"
        return replace(
            tail, last=j + 1, fully=tail.fully or not denied, partly=tail.partly or denied
        )
    if tag in ("PARTLY", "PLAIN", "ADV"):
        return replace(tail, last=j + 1, partly=tail.partly or tag == "PARTLY")
    if tag == "ONLY" and at.tag(j + 1) in BREAKS:
        return replace(tail, last=j + 1)
    if tag == "COMMA" and (behind := _past_comma(at, j + 1, tail, everything=everything)):
        return behind
    if at.text(j) == "from" and (end := _past_lines(at, j + 1)):
        return replace(tail, last=end)
    if tag == "OPEN":
        end = _past_brackets(at, j, everything=everything)
        return replace(tail, last=end or j, doubtful=tail.doubtful or (not end and everything))
    if tag == "EXCEPT" or (everything and at.text(j) == "but"):
        return _exception(at, tail)
    if tag == "PURPOSE":
        named = manner.strength == "weak"
        tools = any(at.tag(k) == "TOOL" for k in range(j, at.end_of_clause(j)))
        searched = _is_sought(at, j)
        return replace(tail, alien=tail.alien or named or tools or searched)
    if tag in BREAKS:
        return tail
    return replace(tail, doubtful=True, alien=tail.alien or tag == "TOOL" or not everything)


def _past_comma(at: Cursor, j: int, tail: Tail, *, everything: bool) -> Tail | None:
    """Past what a comma adds: "in full", "reading each of them completely", "including a.md"."""
    if at.tag(j) in _AFTERTHOUGHTS:
        return replace(tail, last=j)
    if end := _past_participle(at, j):
        return replace(tail, last=end, fully=True)
    end = _past_including(at, j) if everything else 0
    return replace(tail, last=end) if end else None


def _is_sought(at: Cursor, j: int) -> bool:
    """Whether a word or a pattern is looked for, which a search does: 'for "minutes"'."""
    near = range(j + 1, min(j + 1 + _NEAR, len(at.words)))
    return any(at.tag(k) in ("Q", "CODE") or at.text(k) in _SOUGHT for k in near)


def _past_participle(at: Cursor, j: int) -> int:
    """Past "reading every one of them completely"; 0 where it says less."""
    if at.text(j) != "reading":
        return 0
    k = j + 1
    while at.tag(k) in ("EVERYONE", "EVERY", "THEM", "OF", "DET", "PLAIN") or at.text(k) == "one":
        k += 1
    return k + 1 if k > j + 1 and at.tag(k) == "FULLY" and at.tag(k + 1) in BREAKS else 0


def _past_including(at: Cursor, j: int) -> int:
    """Past "including the tests and both docs"; 0 where something is taken away there."""
    if at.text(j) != "including":
        return 0
    k = j + 1
    while at.tag(k) not in ("COMMA", "SEMI", "DASH", "CLOSE", "SIGN", ""):
        k += 1
    return 0 if {at.tag(m) for m in range(j, k)} & (_IN_BRACKETS | {"BUT"}) else k


def _past_lines(at: Cursor, j: int) -> int:
    """Past "line 1 to line 150"."""
    value = at.wording.value
    if at.tag(j) != "LINE" or value(j + 1) is None or at.tag(j + 2) not in ("TO", "DASH"):
        return 0
    last = j + 3 + (at.tag(j + 3) == "LINE")
    return last + 1 if value(last) is not None else 0


def _exception(at: Cursor, tail: Tail) -> Tail:
    """ "except a.py", "but the last two"; a "but" with a verb behind opens a new clause."""
    out = at.listed(tail.last + 1)
    number = number_of(out)
    if at.tag(tail.last) == "BUT" and not (number and at.ends(out[-1].last)):
        return tail
    if not number:
        return replace(tail, doubtful=True)
    return replace(tail, last=out[-1].last, excluded=tail.excluded + number)


def _opens_thing(at: Cursor, j: int) -> bool:
    """Whether "every line of" opens the next thing rather than closing this one."""
    return at.text(j).endswith(" of") and at.tag(j + 1) in ("NAME", "DET")


def _past_brackets(at: Cursor, j: int, *, everything: bool) -> int:
    """Past brackets that take nothing away; 0 where they may. Of all files they may tell the
    number, the lines and the names."""
    if _is_breakdown(at, j):
        return _closing(at, j) + 1
    k = j + 1
    while at.tag(k) not in ("CLOSE", ""):
        known = at.tag(k) in _OF_ALL or at.is_file(k) or at.text(k) in ("total", "altogether")
        if at.tag(k) in _IN_BRACKETS or (everything and not known):
            return 0
        k += 1
    return k + 1 if at.tag(k) == "CLOSE" else 0


def _is_breakdown(at: Cursor, j: int) -> bool:
    """Whether the numbers in the brackets add up to the scope: "(src: 5, docs: 3)"."""
    inside = range(j + 1, _closing(at, j))
    hedged = any(at.tag(k) in _IN_BRACKETS for k in inside)
    counts = [at.wording.value(k) or 0 for k in inside if at.tag(k) == "NUM"]
    return len(counts) > 1 and sum(counts) == at.wording.calling.size and not hedged


def _closing(at: Cursor, j: int) -> int:
    """Where the brackets that open at word `j` close, or the sentence ends."""
    return next((k for k in range(j, len(at.words)) if at.tag(k) == "CLOSE"), len(at.words))
