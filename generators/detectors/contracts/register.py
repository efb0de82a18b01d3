"""Which contract a text is and which master agreement it stands under, by register number."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Protocol, TypeVar

from generators.detectors.contracts.reading import Contract

NUMBER = re.compile(r"\b(?P<kind>[A-Z]{2,4})-(?P<place>\d{4}-\d{3,})\b")
MASTER = re.compile(r"\bmaster\b", re.IGNORECASE)
AMENDMENT = re.compile(r"\bamend(?:ment|ing)\b", re.IGNORECASE)
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
ORDINAL = re.compile(
    rf"\b({'|'.join(ORDINALS)})\b|\bamendment (?:no\.? |number )?(\d+)\b", re.IGNORECASE
)


@dataclass(frozen=True)
class Entry:
    """A contract's place in the register."""

    number: str
    """Its own number; empty where the text has none."""
    place: str
    """The number without its kind: by year, and in a year by date."""
    master: str
    """The number of the master agreement: its own, or that of the one it stands under."""
    amends: bool
    ordinal: int = 0
    """Of an amendment: the first, the second; 0 where its title does not say."""

    @property
    def is_master(self) -> bool:
        """Whether it is the master agreement itself."""
        return bool(self.number) and self.number == self.master


NOWHERE = Entry("", "", "", amends=False)


def entry_of(contract: Contract, text: str) -> Entry:
    """The entry of a text: the first number in it is its own, the next other one its master's."""
    found = list(NUMBER.finditer(text))
    if contract.is_playbook or not found:
        return NOWHERE
    own = found[0]
    amends = bool(AMENDMENT.search(contract.title))
    if MASTER.search(contract.title) and not amends:
        return Entry(own[0], own["place"], own[0], amends=False)
    other = next((match[0] for match in found if match[0] != own[0]), "")
    ordinal = _ordinal(contract.title) if amends else 0
    return Entry(own[0], own["place"], other, amends=amends, ordinal=ordinal)


def _ordinal(title: str) -> int:
    found = ORDINAL.search(title)
    if found is None:
        return 0
    return int(found[2]) if found[2] else ORDINALS.index(found[1].lower()) + 1


class Registered(Protocol):
    """Facts of one file, with its place in the register."""

    @property
    def entry(self) -> Entry: ...


Facts = TypeVar("Facts", bound=Registered)


def masters(facts: Mapping[PurePosixPath, Facts]) -> dict[str, PurePosixPath]:
    """The files of master agreements, by number."""
    return {one.entry.number: path for path, one in facts.items() if one.entry.is_master}


def amendments(facts: Mapping[PurePosixPath, Facts]) -> dict[str, list[PurePosixPath]]:
    """The amendments of each master agreement, by its number, in the order of the register."""
    found: dict[str, list[PurePosixPath]] = {}
    for path in sorted(facts, key=lambda path: (facts[path].entry.place, path)):
        if facts[path].entry.amends:
            found.setdefault(facts[path].entry.master, []).append(path)
    return found


def follows(one: Entry, other: Entry) -> bool:
    """Whether an amendment is, by its title, the next one after another."""
    return bool(one.ordinal) and other.ordinal == one.ordinal + 1


def from_the_first(
    facts: Mapping[PurePosixPath, Facts], paths: Sequence[PurePosixPath]
) -> list[PurePosixPath]:
    """The amendments of one agreement up to the first gap: what stands after it is not known.

    A corpus from which the first amendment is left out says nothing of the second.
    """
    known: list[PurePosixPath] = []
    for path in paths:
        if facts[path].entry.ordinal not in (0, len(known) + 1):
            break
        known.append(path)
    return known
