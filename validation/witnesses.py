"""Witnesses: of a needle across files no single file decides anything.

For each file that shows such a needle, a world is made that holds that very file, byte for byte as
an agent sees it, and no such defect: the clean corpus, this file, and its partners as the planter
wrote them for this world. There no detector may find anything. The file may hold edits of other
needles as well: what is registered of these there, and that alone, may be found in it.

Prevents a needle that passes for one across files although one of them betrays it. The rules are
the same in every world: a partner is never a reference file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from generators.detectors.detector import Evidence
from generators.lines import split_lines
from generators.registry import Edit, RegisteredNeedle
from generators.witnesses import evidence_files
from validation.check import Check, Checked, verdict
from validation.natural import NaturalNeedles
from validation.shifts import without
from validation.subject import Subject, as_evidence, as_span, shown

CODES: dict[str, str] = {
    "witness-missing": "each file that shows a needle across files has partners with which it shows"
    " none",
    "witness": "beside these partners that very file, as it is planted, passes every detector",
}


NAMING = re.compile(r"(?=[\w.-]*\d)\w[\w.-]+\w")
"""Numbers and ids: words of three characters or more that hold a digit."""


def check_witnesses(subject: Subject) -> Checked:
    """Both checks for each needle that more than one file under review shows."""
    natural = NaturalNeedles(subject)
    checks: list[Check] = []
    for needle in subject.needles:
        files = [path for path in evidence_files(needle.evidence) if path in subject.review]
        if len(files) == 1:
            continue
        partners = subject.build.witnesses.get(needle.id, {})
        missing = [file for file in files if not partners.get(file)]
        reason = f"there is no witness for {', '.join(missing)}" if missing else ""
        checks.append(verdict("witness-missing", reason, needle=needle.id))
        worlds = [
            _World(subject, needle, file, partners[file]) for file in files if file not in missing
        ]
        checks.append(_witness(needle, worlds, natural))
    return Checked(tuple(checks))


class _Fault(NamedTuple):
    """What is wrong with a world."""

    what: str
    places: frozenset[Evidence] = frozenset()


def _witness(needle: RegisteredNeedle, worlds: Sequence[_World], natural: NaturalNeedles) -> Check:
    faults = [fault for world in worlds for fault in world.faults(natural)]
    beside = sorted({other.id for world in worlds for other in world.others})
    places = frozenset[Evidence]().union(*(fault.places for fault in faults))
    return Check(
        code="witness",
        needle=needle.id,
        passed=not faults,
        reason="; ".join(fault.what for fault in faults),
        note="; ".join(_notes(needle, beside, worlds)),
        evidence=tuple(map(as_span, sorted(places))),
    )


def _notes(
    needle: RegisteredNeedle, beside: Sequence[str], worlds: Sequence[_World]
) -> Iterator[str]:
    if beside:
        yield f"in the same files stand {', '.join(beside)}"
    for world in worlds:
        edits = [edit for edit in needle.edits if edit.path == world.file]
        for token in _replaced(edits):
            if token not in _told_beside(world):
                continue
            where = _elsewhere(token, world.subject.planted[world.file], edits)
            if where:
                yield (
                    f"{token}, which an edit replaced, still stands in line {where} of"
                    f" {world.file}: does this file alone show the defect?"
                )


def _replaced(edits: Sequence[Edit]) -> list[str]:
    """Numbers and ids of the clean lines that the planted ones lack."""
    clean, planted = (
        dict.fromkeys(
            token
            for edit in edits
            for line in (edit.clean if which else edit.planted)
            for token in NAMING.findall(line)
        )
        for which in (True, False)
    )
    return [token for token in clean if token not in planted]


def _told_beside(world: _World) -> set[str]:
    """What the lines of the other files that show the needle say."""
    return {
        token
        for span in world.needle.evidence
        if span.path != world.file
        for line in split_lines(world.subject.planted[span.path])[span.first - 1 : span.last]
        for token in NAMING.findall(line)
    }


def _elsewhere(token: str, text: str, edits: Sequence[Edit]) -> int | None:
    """The first line, of those that no edit of the needle put there, that holds the token."""
    put = {number for edit in edits for number in range(edit.first, edit.last + 1)}
    lines = enumerate(split_lines(text), start=1)
    return next((n for n, line in lines if n not in put and token in NAMING.findall(line)), None)


@dataclass(frozen=True)
class _World:
    """The clean corpus with one file as it is planted, and witnesses in the place of partners."""

    subject: Subject
    needle: RegisteredNeedle
    file: str
    partners: Mapping[str, str]

    @property
    def others(self) -> list[RegisteredNeedle]:
        """The needles that change the same file."""
        return [
            other
            for other in self.subject.needles
            if other.id != self.needle.id and any(edit.path == self.file for edit in other.edits)
        ]

    def faults(self, natural: NaturalNeedles) -> Iterator[_Fault]:
        """What detectors find, or why there is no such world."""
        name = f"the witness for {self.file}"
        for path in self.partners:
            if path == self.file or path not in self.subject.review:
                yield _Fault(f"{name} puts another text in the place of {path}")
                return
        changed = {**self.partners, self.file: self.subject.planted[self.file]}
        for kind in self.subject.kinds:
            found = self.subject.found_beside(kind, changed) - self._allowed(kind)
            if found and self.subject.of_real_files:
                found -= natural.in_world(kind, self.file)
                found = frozenset(one for one in found if str(one.path) not in self.partners)
            if found:
                yield _Fault(f"beside {name} {kind} is found at {shown(found)}", found)

    def _allowed(self, kind: str) -> frozenset[Evidence]:
        """The lines of the other needles: in this file as planted, in all others as clean."""
        spans = (
            span if span.path == self.file else without(span, self.subject.needles)
            for other in self.others
            if other.kind == kind
            for span in other.evidence
        )
        return frozenset(as_evidence(span) for span in spans if span is not None)
