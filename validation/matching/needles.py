"""Which needle a finding reports: by place and by kind of defect, never by wording alone.

A needle is *reported* when a unit has one of its files and a term of every group; a unit holds no
more findings of one file than it has clauses, and one finding reports one needle: a largest
assignment, the same for the same input. It is *partly* reported when a finding that reports no
other needle has its file and some group but not all, or all groups and no file at all. The same
defect told of another file counts for nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from generators.registry import RegisteredNeedle
from validation.matching.cues import Cues
from validation.matching.findings import StatedFinding, Unit, is_finding, stated, units
from validation.matching.names import names_of
from validation.matching.terms import Term, term_of

MatchLabel = Literal["reported", "partly", "missed"]

Slot = tuple[int, str, int]
"""A unit, a file, and which of its findings."""


@dataclass(frozen=True)
class _Wanted:
    """A needle as what is looked for."""

    id: str
    files: tuple[str, ...]
    groups: tuple[tuple[Term, ...], ...]


@dataclass(frozen=True)
class NeedleMatch:
    """What a text says of one needle."""

    needle: str
    label: MatchLabel
    unit: Unit | None = None
    """The piece of the text that reports it, or partly does."""


@dataclass(frozen=True)
class Matching:
    """What a text says of all needles."""

    needles: tuple[NeedleMatch, ...]
    """In the order in which they were given."""
    findings: int
    """Findings in the text, matched or not."""
    unmatched: int
    """Findings that match no needle."""


def match_response(
    response: str,
    scope: Sequence[str],
    needles: Sequence[RegisteredNeedle],
    cues: Cues,
    aside: Collection[int] = (),
) -> Matching:
    """Match every needle with the findings of a report in prose.

    `scope`: the files that it may name beside those of the needles. `aside`: where sentences begin
    that disclose what was not read; they are no findings.
    """
    wanted = [_wanted(needle) for needle in needles]
    known = dict.fromkeys([*scope, *(path for w in wanted for path in w.files)])
    found = units(response, names_of(tuple(known), plain_stems=True), cues, aside)
    return _matching(wanted, found, cues)


def match_stated(
    findings: Sequence[StatedFinding], needles: Sequence[RegisteredNeedle], cues: Cues
) -> Matching:
    """Match every needle with findings that are told as file and defect, each of one defect."""
    found = [stated(finding, number, cues) for number, finding in enumerate(findings)]
    return _matching([_wanted(needle) for needle in needles], found, cues)


def _matching(wanted: Sequence[_Wanted], found: Sequence[Unit], cues: Cues) -> Matching:
    edges = {w.id: _slots(w, found, len(wanted)) for w in wanted}
    taken = _assign(edges)
    spent = {unit for unit, _, _ in taken.values()}
    matches = []
    for w in wanted:
        reports = found[taken[w.id][0]] if w.id in taken else None
        # A finding that reports another needle tells nothing of this one, unless it would do too.
        own = {unit for unit, _, _ in edges[w.id]}
        left = [u for i, u in enumerate(found) if i not in spent or i in own]
        matches.append(_match(w, reports, left))
    matched = {(found[unit].finding, path) for slots in edges.values() for unit, path, _ in slots}
    other = _findings(found, cues) - matched
    return Matching(tuple(matches), findings=len(taken) + len(other), unmatched=len(other))


def _findings(found: Sequence[Unit], cues: Cues) -> set[tuple[int, str]]:
    """All findings as head and file; one told again in a summary or a recommendation is not two."""
    told = [(u, path) for u in found if is_finding(u, cues) for path in u.places]
    first = {path for unit, path in told if not unit.retells}
    return {(u.finding, path) for u, path in told if not u.retells or path not in first}


def _wanted(needle: RegisteredNeedle) -> _Wanted:
    groups = tuple(tuple(term_of(term) for term in group) for group in needle.report.terms)
    return _Wanted(needle.id, tuple(dict.fromkeys(s.path for s in needle.evidence)), groups)


def _slots(wanted: _Wanted, found: Sequence[Unit], most: int) -> tuple[Slot, ...]:
    """Every finding that would report this needle; of one unit and file no more than `most`."""
    slots: list[Slot] = []
    for i, unit in enumerate(found):
        files = [path for path in wanted.files if path in unit.places]
        if files and _names_defect(wanted, unit):
            slots += [(i, path, k) for path in files for k in range(min(unit.clauses, most))]
    return tuple(slots)


def _names_defect(wanted: _Wanted, unit: Unit) -> bool:
    """One term of every group, some of it in the unit's own words unless those are only a name."""
    if not unit.source:
        return False
    own = [unit.text.holds_one(group) for group in wanted.groups]
    if not any(own) and not (unit.name_only and unit.own_place):
        return False
    return all(
        here or unit.above.holds_one(group) for here, group in zip(own, wanted.groups, strict=True)
    )


def _assign(edges: Mapping[str, Sequence[Slot]]) -> dict[str, Slot]:
    """A largest assignment of needles to findings, by augmenting paths in the given order."""
    owner: dict[Slot, str] = {}

    def place(needle: str, tried: set[Slot]) -> bool:
        for slot in edges[needle]:
            if slot in tried:
                continue
            tried.add(slot)
            if slot not in owner or place(owner[slot], tried):
                owner[slot] = needle
                return True
        return False

    for needle in edges:
        place(needle, set())
    return {needle: slot for slot, needle in owner.items()}


def _match(wanted: _Wanted, reports: Unit | None, left: Sequence[Unit]) -> NeedleMatch:
    if reports is not None:
        return NeedleMatch(wanted.id, "reported", reports)
    unit = next((u for u in left if _is_partly(wanted, u)), None)
    return NeedleMatch(wanted.id, "missed" if unit is None else "partly", unit)


def _is_partly(wanted: _Wanted, unit: Unit) -> bool:
    if not unit.source:
        return False
    own = [unit.text.holds_one(group) for group in wanted.groups]
    if any(path in unit.places for path in wanted.files):
        # "[x] contracts/…-msa.md": a mark and a name say nothing of a master agreement.
        return any(own) and len(unit.text.words) - unit.names > 1
    return not unit.places and all(own)
