"""What a sentence asserts of the answerer's own finished reading, clause by clause.

Prevents honest answers being called false: what code, tools, other people or an earlier session
did, what is planned, wished, asked for or denied is no claim; and where a clause says more than the
grammar knows, it claims nothing, or nothing that is held against the reading.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from evaluation.judging.rules.assertion import Assertion, Found
from evaluation.judging.rules.clauses import following, fronted, lined, own, passive
from evaluation.judging.rules.cursor import Cursor
from evaluation.judging.rules.labels import label, noun, share
from evaluation.judging.rules.things import number_of

_LABELS = frozenset((
    "LABEL", "LEAD", "ADV", "DET", "ME", "READ", "READBASE", "DONE", "THIS", "YES", "DID",
))  # fmt: skip
_OF_TESTS = frozenset(("test", "tests", "line", "branch", "statement"))
"""Beside "coverage" these make it that of a program."""
_SUBORDINATE = frozenset(("IN", "NOT", "TOOL", "PURPOSE"))
"""What opens a clause of which it is not known how it bears on the next: "in theory, ..."."""


class _Lead(NamedTuple):
    """Words that open a sentence and change nothing of what follows."""

    last: int
    excluded: int = 0
    """Files that they take out: "apart from a.md, ..."."""


@dataclass
class _State:
    """What the clauses so far make of the next one."""

    fresh: bool = True
    """Nothing stands before that is not the answerer's own account."""
    mine: bool = False
    """The clause before is one of "I ..."; its verb may go on."""
    blocked: bool = False
    """Something stands before that makes no fact of it: "if", "he says", "Goal:"."""
    excluded: int = 0


def assertions(at: Cursor) -> Iterator[Assertion]:
    """Every assertion of a sentence, in order."""
    state = _State()
    before: tuple[Assertion, ...] = ()
    i = at.past_marks(0)
    while i < len(at.words):
        if (lead := _lead(at, i)) is not None:
            state.excluded = lead.excluded
            i = at.past_marks(lead.last)
            continue
        found = None if state.blocked else _clause(at, i, state)
        if found is None:
            end = at.end_of_clause(i)
            _pass_by(at, i, end, state)
        else:
            yield from _of_it(at, found.assertions, before)
            before, end = found.assertions, found.last
            state.mine, state.excluded = at.tag(i) == "ME" or state.mine, 0
        i = at.past_marks(max(end, i + 1))


def _clause(at: Cursor, i: int, state: _State) -> Found | None:
    joined = at.tag(i) == "AND"
    j = i + joined
    head = (state.fresh and not joined) or _is_total(at, i)
    found = own(at, j, head=head, mine=state.mine)
    if found is not None:
        return found
    if head:
        forms = (
            share(at, j)
            or fronted(at, j)
            or following(at, j)
            or lined(at, j)
            or label(at, j)
            or noun(at, j)
        )
        return forms or passive(at, j, state.excluded)
    return passive(at, j, state.excluded) if joined and (state.fresh or state.mine) else None


def _is_total(at: Cursor, i: int) -> bool:
    """ "Coverage: 100 % (8 of 8 files read)": a total in brackets, of all files in scope."""
    size = at.wording.calling.size
    told = at.tag(i - 1) == "OPEN" and at.tag(i) == "NUM" and at.tag(i + 1) in ("OF", "SLASH")
    whole = told and at.wording.value(i) == at.wording.value(i + 2) == size > 1
    before = [word.text for word in at.words[:i]]
    of_review = any("coverage" in text for text in before) and any("review" in t for t in before)
    return whole and of_review and not _OF_TESTS & set(before)


def _pass_by(at: Cursor, i: int, end: int, state: _State) -> None:
    """What a clause that asserts nothing makes of those behind it."""
    clause = at.words[i:end]
    opens = clause[0].tag if clause else ""
    state.blocked = state.blocked or opens in _SUBORDINATE or any(w.tag == "NOFACT" for w in clause)
    state.mine = opens == "ME" and not state.blocked
    state.fresh = state.mine
    if at.tag(end) == "COLON":
        state.fresh = _is_label(at, i, end)
        state.blocked = state.blocked or not state.fresh
    elif at.tag(end) == "SEMI":
        state.blocked, state.fresh, state.mine = False, True, False


def _lead(at: Cursor, i: int) -> _Lead | None:
    if at.tag(i) == "LABEL" and at.tag(i + 1) == "COMMA":
        return _Lead(i + 2)
    if at.tag(i) in ("LEAD", "ADV") and not at.listed(i):
        return _Lead(i + 1)
    if at.tag(i) == "OF" and (end := at.past_total(i)):
        return _Lead(end)
    if at.tag(i) == "EXCEPT":
        out = at.listed(i + 1)
        if number_of(out) and at.tag(out[-1].last) == "COMMA":
            return _Lead(out[-1].last + 1, number_of(out))
    return None


def _is_label(at: Cursor, i: int, end: int) -> bool:
    """Whether what stands before a colon is a label of one's own account."""
    if at.tag(i) == "THIS" and at.tag(i + 1) == "SPANS":
        return True
    return all(at.tag(k) in _LABELS or at.is_file(k) for k in range(i, end))


def _of_it(
    at: Cursor, said: Sequence[Assertion], before: Sequence[Assertion]
) -> Iterator[Assertion]:
    """The assertions; "it" is the one file that the clause before spoke of."""
    files = [one.thing for one in before if one.thing.kind == "file"]
    for one in said:
        it = one.thing.kind == "scope" and at.text(one.thing.first) == "it"
        if it and len(files) == 1 == len(before):
            yield replace(one, thing=files[0], start=before[0].start)
        else:
            yield one
