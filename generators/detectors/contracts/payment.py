"""`short-payment-term`: payment is due in fewer days than the playbook's least."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import PurePosixPath

from generators.detectors.contracts.changes import is_change
from generators.detectors.contracts.quantities import durations
from generators.detectors.contracts.reading import Statement, evidence, nearest, read_contract
from generators.detectors.detector import Evidence
from generators.sentences import Sentence

HEADING = re.compile(r"payment|invoice", re.IGNORECASE)
OWED = re.compile(
    r"\b(?:invoice[sd]?|fees?|charges|prices?|amounts?|sums?|bills?|remuneration|payment)\b",
    re.IGNORECASE,
)
AT_ONCE = re.compile(
    r"\b(?:due|payable|pay|paid|settled?|payment)\b[^.;]*?"
    r"\b(?:immediately|at once|up?on (?:receipt|presentation|demand)|on (?:receipt|demand))\b"
    r"(?! of (?:notice|a notice))",
    re.IGNORECASE,
)
TRIGGERS: Mapping[str, re.Pattern[str]] = {
    "pay": re.compile(
        r"\b(?:pay(?:s|able|ing|ments?)?|paid|due|settle[sd]?|remit\w*|net|transfer(?:s|red)?)\b",
        re.IGNORECASE,
    ),
    "other": re.compile(
        r"\b(?:disput(?:e|es|ed|ing)|contest\w*|quer(?:y|ies|ied)|object\w*|questions?|"
        r"say so|reasons?|notif\w+|notice|interest|overdue|late|suspend\w*|terminat\w*|"
        r"refund\w*|repay\w*|reimburs\w*|credit(?:s|ed)?|remind\w*|review\w*|correct\w*|"
        r"deliver\w*|submit\w*|send\w*|sent|issue[sd]?|increase\w*|cancel\w*|cure\w*|"
        r"remed\w+|audit\w*|inspect\w*|retain\w*|expenses?|withh\w+|accept\w*|reject\w*|"
        r"(?:shall|must|will|may) invoice)\b",
        re.IGNORECASE,
    ),
}
NOT_IN_DISPUTE = re.compile(
    r"\b(?:not|un) ?(?:in |being |subject to a? ?)?(?:good-faith )?"
    r"(?:disput\w*|contest\w*|question\w*)|\b(?:correct|accepted) (?:and \w+ )?invoices?",
    re.IGNORECASE,
)
AMOUNT_OF_TIME = re.compile(r"\s+(?:a|an|per|each|in (?:a|any|each)) (?:week|month|year)\b")
"""Five days a year are no term of payment."""


@dataclass(frozen=True)
class PaymentFacts:
    """What one file says on when payment is due."""

    least: Fraction | None
    """Days, where this is the playbook."""
    terms: tuple[Statement, ...]


class ShortPaymentTerm:
    """Finds payment terms below the least that the playbook allows."""

    def extract(self, path: PurePosixPath, text: str) -> PaymentFacts:
        """Payment terms in days, or the playbook's least."""
        contract = read_contract(text)
        if not contract.is_playbook:
            return PaymentFacts(None, tuple(_terms(contract.sentences)))
        stated = [d.days for s in contract.under(HEADING) for d in durations(s.text)]
        return PaymentFacts(stated[0] if stated else None, ())

    def decide(self, facts: Mapping[PurePosixPath, PaymentFacts]) -> tuple[Evidence, ...]:
        """The terms that are too short."""
        least = next((f.least for f in facts.values() if f.least is not None), None)
        if least is None:
            return ()
        found: list[Evidence] = []
        for path in sorted(facts):
            found += evidence(path, (term for term in facts[path].terms if term.value < least))
        return tuple(found)


def _terms(sentences: tuple[Sentence, ...]) -> Iterator[Statement]:
    for sentence in sentences:
        # Words that only say which invoices are meant decide nothing; keep their place.
        text = NOT_IN_DISPUTE.sub(lambda match: "-" * len(match.group()), sentence.text)
        if not OWED.search(sentence.text):
            continue
        stated = list(durations(text))
        for duration in stated:
            if AMOUNT_OF_TIME.match(text, duration.end) or is_change(text, duration):
                continue
            if nearest(text, duration.start, TRIGGERS) == "pay":
                yield Statement(duration.days, sentence.first, sentence.last)
        if not stated and AT_ONCE.search(text):
            yield Statement(Fraction(0), sentence.first, sentence.last)
