"""What all detectors of contract terms share: which text is the playbook, and what is near what."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import PurePosixPath

from generators.detectors.detector import Evidence
from generators.sentences import Sentence, sentences

PLAYBOOK = re.compile(r"\bplaybook\b", re.IGNORECASE)


@dataclass(frozen=True)
class Statement:
    """A sentence that states a limit or a period."""

    value: Fraction
    first: int
    last: int


@dataclass(frozen=True)
class Contract:
    """A text taken apart."""

    title: str
    """The text of its first heading."""
    sentences: tuple[Sentence, ...]
    """Without headings."""

    @property
    def is_playbook(self) -> bool:
        """Whether this is the reference and not a contract."""
        return bool(PLAYBOOK.search(self.title))

    def under(self, heading: re.Pattern[str]) -> tuple[Sentence, ...]:
        """The sentences under headings that match."""
        return tuple(s for s in self.sentences if heading.search(s.heading))


def read_contract(text: str) -> Contract:
    """Take a text apart."""
    found = sentences(text)
    title = next((sentence.text for sentence in found if sentence.level), "")
    return Contract(title, tuple(sentence for sentence in found if not sentence.level))


def nearest(text: str, place: int, triggers: Mapping[str, re.Pattern[str]]) -> str:
    """The name of the trigger that stands last before a place, or else first after it.

    Where two end at one place ("report", "final report"), the one named first.
    """
    before = {
        name: max((m.end() for m in pattern.finditer(text, 0, place)), default=-1)
        for name, pattern in triggers.items()
    }
    best = max(before, key=lambda name: before[name])
    if before[best] >= 0:
        return best
    after = {
        name: min((m.start() for m in pattern.finditer(text, place)), default=len(text))
        for name, pattern in triggers.items()
    }
    best = min(after, key=lambda name: after[name])
    return best if after[best] < len(text) else ""


def evidence(path: PurePosixPath, statements: Iterable[Statement]) -> list[Evidence]:
    """The lines of statements, each place once."""
    places = dict.fromkeys((s.first, s.last) for s in statements)
    return [Evidence(path, first, last) for first, last in places]
