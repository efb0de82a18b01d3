"""Which contract a text is and which master agreement it stands under, by register number."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Protocol, TypeVar

from generators.detectors.contracts.reading import Contract

NUMBER = re.compile(r"\b(?P<kind>[A-Z]{2,4})-(?P<place>\d{4}-\d{3,})\b")
MASTER = re.compile(r"\bmaster\b", re.IGNORECASE)
AMENDMENT = re.compile(r"\bamend(?:ment|ing)\b", re.IGNORECASE)


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
    return Entry(own[0], own["place"], other, amends=amends)


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
