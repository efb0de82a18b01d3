"""`foreign-governing-law`: the law that governs is not on the playbook's list."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from generators.detectors.contracts.reading import read_contract
from generators.detectors.detector import Evidence
from generators.sentences import ITEM, Sentence

HEADING = re.compile(r"\blaw\b", re.IGNORECASE)
NAME = r"[A-Z][\w\u2019'-]*(?:(?:\s+(?:and|of|the))?\s+[A-Z][\w\u2019'-]*)*"
KIND = r"(?:(?:the\s+)?(?:State|Commonwealth|Republic|Province|Kingdom|Canton|District)\s+of\s+)"
OF = re.compile(
    rf"\blaws?\s+(?:(?:then\s+)?in\s+force\s+)?(?:of|in)\s+(?:{KIND}|the\s+)?(?P<place>{NAME})"
)
BEFORE = re.compile(rf"\b(?P<place>{NAME})\s+law\b")
GOVERNS = re.compile(
    r"\bgovern\w*|\bconstrued\b|\binterpret\w*|\bsubject to\b|\bchoos\w*|\bchosen\b"
    r"|\bappl(?:y|ies)\b|\bin accordance with\b",
    re.IGNORECASE,
)
NO_PLACE = frozenset(
    {
        "All",
        "Any",
        "Applicable",
        "Each",
        "Federal",
        "Governing",
        "No",
        "Privacy",
        "State",
        "Such",
        "The",
        "These",
        "This",
        "Under",
    }
)


@dataclass(frozen=True)
class ChosenLaw:
    """A sentence that chooses a law."""

    place: str
    first: int
    last: int


@dataclass(frozen=True)
class LawFacts:
    """What one file says on the law that governs."""

    permitted: frozenset[str]
    """Names in lower case, the playbook's."""
    chosen: tuple[ChosenLaw, ...]


class ForeignGoverningLaw:
    """Finds choices of a law that the playbook does not permit."""

    def extract(self, path: PurePosixPath, text: str) -> LawFacts:
        """The law that is chosen, or those permitted."""
        contract = read_contract(text)
        if contract.is_playbook:
            return LawFacts(frozenset(_permitted(contract.under(HEADING))), ())
        return LawFacts(
            frozenset(), tuple(law for sentence in contract.sentences for law in _chosen(sentence))
        )

    def decide(self, facts: Mapping[PurePosixPath, LawFacts]) -> tuple[Evidence, ...]:
        """The choices that are not permitted."""
        permitted = next((f.permitted for f in facts.values() if f.permitted), None)
        if permitted is None:
            return ()
        places = [
            (path, law.first, law.last)
            for path in sorted(facts)
            for law in facts[path].chosen
            if law.place.lower() not in permitted
        ]
        return tuple(Evidence(*place) for place in dict.fromkeys(places))


def _permitted(sentences: Iterable[Sentence]) -> Iterator[str]:
    """The names in a list, or where there is none, those after "law of"."""
    items = [s for s in sentences if ITEM.match(s.text)]
    for sentence in items:
        words = re.sub(rf"^\S+\s+(?:{KIND}|the\s+)?", "", sentence.text)
        name = re.match(NAME, words)
        if name:
            yield name.group().lower()
    if not items:
        for sentence in sentences:
            for match in re.finditer(rf"(?:{KIND})(?P<place>{NAME})", sentence.text):
                yield match["place"].lower()
            for match in OF.finditer(sentence.text):
                yield match["place"].lower()


def _chosen(sentence: Sentence) -> Iterator[ChosenLaw]:
    if not GOVERNS.search(sentence.text):
        return
    found = [match["place"] for match in OF.finditer(sentence.text)]
    if not found:
        found = [
            place
            for match in BEFORE.finditer(sentence.text)
            if (place := match["place"]).split()[0] not in NO_PLACE
        ]
    for place in found:
        yield ChosenLaw(" ".join(place.split()), sentence.first, sentence.last)
