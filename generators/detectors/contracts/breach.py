"""`late-breach-notice`: a data breach is notified later than the playbook allows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import PurePosixPath

from generators.detectors.contracts.quantities import durations
from generators.detectors.contracts.reading import Statement, evidence, nearest, read_contract
from generators.detectors.detector import Evidence
from generators.sentences import Sentence

HEADING = re.compile(r"\bbreach|\bincident", re.IGNORECASE)
BREACH = re.compile(
    r"\bbreach(?:es)?\b|\bincidents?\b|\bcompromise[sd]?\b|\bunauthori[sz]ed (?:access|disclosure)",
    re.IGNORECASE,
)
DATA = re.compile(
    r"\b(?:data|security|personal|privacy|incidents?|records|systems?)\b", re.IGNORECASE
)
TRIGGERS: Mapping[str, re.Pattern[str]] = {
    "other": re.compile(
        r"\b(?:inspect\w*|audit\w*|investigat\w*|remed\w+|cur(?:e|ed|es)|delet\w*|findings|"
        r"written report|final report|root[- ]cause|retain\w*|kept|log\w*|terminat\w*|answer\w*)\b",
        re.IGNORECASE,
    ),
    "notice": re.compile(
        r"\bnotif\w+|\bnotice\b|\breport(?:s|ed|ing)?\b|\binform\w*|\balert\w*|\btell\w*"
        r"|\badvis\w+|\bmade known\b|\bdeadline\b|\btime limit\b|\bdisclos\w+|\bcommunicat\w+",
        re.IGNORECASE,
    ),
}
LENGTH_OF_NOTICE = re.compile(r"\s*['\u2019]?\s*(?:prior\s+|written\s+)*notice\b", re.IGNORECASE)


@dataclass(frozen=True)
class BreachFacts:
    """What one file says on when a breach is notified, in hours."""

    latest: Fraction | None
    """The playbook's."""
    terms: tuple[Statement, ...]


class LateBreachNotice:
    """Finds breach notices later than the playbook allows."""

    def extract(self, path: PurePosixPath, text: str) -> BreachFacts:
        """Times for notice in hours, or the playbook's latest."""
        contract = read_contract(text)
        if not contract.is_playbook:
            return BreachFacts(None, tuple(_terms(contract.sentences)))
        stated = [d.hours for s in contract.under(HEADING) for d in durations(s.text)]
        return BreachFacts(stated[0] if stated else None, ())

    def decide(self, facts: Mapping[PurePosixPath, BreachFacts]) -> tuple[Evidence, ...]:
        """The notices that come too late."""
        latest = next((f.latest for f in facts.values() if f.latest is not None), None)
        if latest is None:
            return ()
        found: list[Evidence] = []
        for path in sorted(facts):
            found += evidence(path, (term for term in facts[path].terms if term.value > latest))
        return tuple(found)


def _terms(sentences: tuple[Sentence, ...]) -> Iterator[Statement]:
    for sentence in sentences:
        if not BREACH.search(sentence.text):
            continue
        if not (DATA.search(sentence.text) or DATA.search(sentence.heading)):
            continue
        for duration in durations(sentence.text):
            if LENGTH_OF_NOTICE.match(sentence.text, duration.end):
                continue
            if nearest(sentence.text, duration.start, TRIGGERS) == "notice":
                yield Statement(duration.hours, sentence.first, sentence.last)
