"""`silent-renewal`: automatic renewal for longer, or on other notice, than the playbook allows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import PurePosixPath

from generators.detectors.contracts.quantities import Duration, durations
from generators.detectors.contracts.reading import Statement, evidence, nearest, read_contract
from generators.detectors.detector import Evidence
from generators.sentences import Sentence

HEADING = re.compile(r"\brenewal\b", re.IGNORECASE)
RENEWS = re.compile(
    r"\b(?:non-)?renew\w*|\bprolong\w*|\bextend(?:s|ed)?\b(?=.*\b(?:periods?|terms?|each time|"
    r"at a time|successive\w*)\b)|\b(?:periods?|terms?)\b.*\bextend(?:s|ed)?\b|\broll\w* over\b",
    re.IGNORECASE,
)
AUTOMATIC = re.compile(
    r"\bautomatic\w*|\btacit\w*|\bunless\b|\bsave where\b|\bif neither\b|\bif no\b|\bfailing\b"
    r"|\bwhere no\b|\bby itself\b|\bwithout further act\b|\bsuccessive\b|\bauto-renew\w*"
    r"|\bevergreen\b|\beach renewal\b|\brenewal (?:period|term)s?\b|\brenews\b",
    re.IGNORECASE,
)
BY_AGREEMENT = re.compile(
    r"\bby (?:mutual |signed |written |joint )*(?:agreement|amendment|consent)\b"
    r"|\bmutual(?:ly)?\b|\boption to (?:renew|extend)\b|\bthe parties may (?:renew|extend)\b",
    re.IGNORECASE,
)
TRIGGERS: Mapping[str, re.Pattern[str]] = {
    "renewal": re.compile(
        r"\b(?:renew\w*|extend(?:s|ed)?|prolong\w*|successive|further|additional|thereafter)\b",
        re.IGNORECASE,
    ),
    "initial": re.compile(
        r"\binitial\w*|\bfirst\b|\bremain\w* in force\b|\bcommenc\w*|\bstarts?\b|\bbegins?\b",
        re.IGNORECASE,
    ),
}
NOTICE_FOLLOWS = re.compile(
    r"\s*(?:['\u2019]\s*)?(?:or more\s+)?(?:prior\s+|written\s+|advance\s+)*"
    r"(?:notice|before|prior|in advance|ahead|beforehand|earlier|preceding)\b",
    re.IGNORECASE,
)
REFUSAL = re.compile(
    r"\bnotice\b|\bnotif\w+|\bnon-renewal\b|\bopt\w*\b|\bdeclare\w*|\boppos\w+|\bwish\w*"
    r"|\bprevent\w*|\bcancel\w*|\bterminat\w*|\bsay so\b|\bobject\w*",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class RenewalFacts:
    """What one file says on automatic renewal."""

    longest: Fraction | None
    """Months, the playbook's."""
    notice: tuple[Fraction, Fraction] | None
    """Least and most days, the playbook's."""
    periods: tuple[Statement, ...]
    """In months."""
    notices: tuple[Statement, ...]
    """In days."""


class SilentRenewal:
    """Finds renewal periods and notices outside of what the playbook allows."""

    def extract(self, path: PurePosixPath, text: str) -> RenewalFacts:
        """Renewal periods and notices, or the playbook's limits."""
        contract = read_contract(text)
        if contract.is_playbook:
            under = contract.under(HEADING)
            months = [
                d.months for s in under for d in durations(s.text) if d.unit in ("month", "year")
            ]
            days = [d.days for s in under for d in durations(s.text) if d.unit in ("day", "week")]
            return RenewalFacts(
                longest=months[0] if months else None,
                notice=(min(days), max(days)) if days else None,
                periods=(),
                notices=(),
            )
        return RenewalFacts(
            None,
            None,
            periods=tuple(s for sentence in contract.sentences for s in _periods(sentence)),
            notices=tuple(s for sentence in contract.sentences for s in _notices(sentence)),
        )

    def decide(self, facts: Mapping[PurePosixPath, RenewalFacts]) -> tuple[Evidence, ...]:
        """The renewals beyond the playbook."""
        book = next((f for f in facts.values() if f.longest is not None), None)
        if book is None or book.longest is None:
            return ()
        found: list[Evidence] = []
        for path in sorted(facts):
            beyond = [s for s in facts[path].periods if s.value > book.longest]
            if book.notice is not None:
                least, most = book.notice
                beyond += [s for s in facts[path].notices if not least <= s.value <= most]
            found += evidence(path, beyond)
        return tuple(found)


def _renewing(sentence: Sentence) -> Iterator[Duration]:
    if not RENEWS.search(sentence.text):
        return
    if BY_AGREEMENT.search(sentence.text) and not AUTOMATIC.search(sentence.text):
        return
    yield from durations(sentence.text)


def _periods(sentence: Sentence) -> Iterator[Statement]:
    for duration in _renewing(sentence):
        if duration.unit not in ("month", "year", "quarter"):
            continue
        if NOTICE_FOLLOWS.match(sentence.text, duration.end):
            continue
        if nearest(sentence.text, duration.start, TRIGGERS) == "renewal":
            yield Statement(duration.months, sentence.first, sentence.last)


def _notices(sentence: Sentence) -> Iterator[Statement]:
    if not REFUSAL.search(sentence.text):
        return
    for duration in _renewing(sentence):
        if NOTICE_FOLLOWS.match(sentence.text, duration.end):
            yield Statement(duration.days, sentence.first, sentence.last)
