"""Natural needles: defects that stand in the clean corpus, where nobody planted them.

A corpus of real files may hold some; every other corpus must hold none.
"""

from __future__ import annotations

from collections.abc import Iterable

from generators.detectors.detector import Evidence
from generators.edits import Change
from validation.shifts import after, clean_changes
from validation.subject import Subject, wanted


class NaturalNeedles:
    """The natural needles of a corpus of real files, in the lines of its planted variants."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._changes = clean_changes(subject.needles)

    def allowed(self, kind: str, present: Iterable[str]) -> frozenset[Evidence]:
        """Those of a kind, where they stand while these needles are planted, by id."""
        if not self._subject.of_real_files:
            return frozenset()
        changes = [change for name in present for change in self._changes[name]]
        return moved(self._subject.natural[kind], changes)

    def planted(self, found: frozenset[Evidence]) -> frozenset[Evidence]:
        """What was found in clean files, where it stands in the planted ones."""
        return moved(found, [change for own in self._changes.values() for change in own])

    def in_world(self, kind: str, file: str) -> frozenset[Evidence]:
        """Those of a kind, where they stand in a clean corpus with one file as it is planted."""
        changes = [c for own in self._changes.values() for c in own if c.path == file]
        return moved(self._subject.natural[kind], changes)

    def doubled(self, kind: str) -> tuple[str, ...]:
        """The needles of a kind in whose place one stands, in every file that shows them."""
        natural = self._subject.natural[kind]
        there = self.planted(natural)
        names: list[str] = []
        for needle in self._subject.needles:
            own = self._changes[needle.id]
            files = {one.path for one in wanted(needle) & there}
            files |= {one.path for one in natural if after(one, own) is None}
            if needle.kind == kind and {one.path for one in wanted(needle)} <= files:
                names.append(needle.id)
        return tuple(names)


def moved(found: Iterable[Evidence], changes: Iterable[Change]) -> frozenset[Evidence]:
    """Clean lines after some changes; without those that a change replaces."""
    made = list(changes)
    moved_on = (after(one, made) for one in found)
    return frozenset(one for one in moved_on if one is not None)
