"""`uncapped-liability`: a liability clause exceeds the playbook's cap, or takes the cap away."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import PurePosixPath

from generators.detectors.contracts.changes import is_change
from generators.detectors.contracts.quantities import NUMBER, durations, matched_number
from generators.detectors.contracts.reading import Statement, evidence, read_contract
from generators.detectors.detector import Evidence
from generators.lines import split_lines
from generators.sections import parse_sections
from generators.sentences import Sentence

HEADING = re.compile(r"\bliab|\blimit(?:s|ation)\b|\bcap\b", re.IGNORECASE)
LIABLE = re.compile(r"\bliab\w*|\bdamages\b|\brecover", re.IGNORECASE)
FEES = re.compile(
    r"\b(?:fees?|charges|prices?|paid|payable|pays|invoiced|charged|remuneration|owed)\b",
    re.IGNORECASE,
)
TIMES = re.compile(
    rf"(?<![\w.,$]){NUMBER}\s*(?:\(\s*(?P<x>\d+)\s*x\s*\)\s*)?(?:x\b|times\b|-fold\b|fold\b)",
    re.IGNORECASE,
)
DOUBLE = re.compile(r"\b(?:(?P<two>twice|double)|(?P<three>triple|treble|thrice))\b", re.IGNORECASE)
PERCENT = re.compile(rf"(?<![\w.,$]){NUMBER}\s*(?:%|per\s?cent\b)", re.IGNORECASE)
MULTIPLE = re.compile(rf"\bmultiple\b[^.;]*?(?<![\w.,$]){NUMBER}", re.IGNORECASE)
REMOVED = re.compile(
    r"\bunlimited\b|\buncapped\b|\bwithout (?:any )?(?:limit|cap|ceiling|limitation)\b"
    r"|\bno (?:limit|cap|ceiling|limitation|maximum)\b"
    r"|\bnot (?:be )?(?:subject to (?:any|a) (?:limit|cap|ceiling)|limited|capped|restricted)\b"
    r"|\b(?:limits?|limitations?|caps?|ceiling)\b[^.;:]*\b(?:do|does|shall|will) not apply\b",
    re.IGNORECASE,
)
TURN_OF_PHRASE = re.compile(
    r"\b(?:including|includes?|includ\w+,)?[,\s]*without limitation\b|\bbut not limited to\b"
    r"|\bincluding,? (?:but )?not limited to\b",
    re.IGNORECASE,
)
CARVE_OUT = re.compile(
    r"\b(?:fraud\w*|wil?lful|death|injury|gross(?:ly)?|confidential\w*|infring\w*|indemni\w*|"
    r"(?:by|the) law|lawfully)\b",
    re.IGNORECASE,
)
CAPPED = re.compile(
    r"\b(?:exceed\w*|limited|capped|caps?|maximum|the most|more than|greater than|at most|up to|"
    r"equal to|limits?|ceiling)\b",
    re.IGNORECASE,
)
CAPPED_OR_AMOUNT = re.compile(CAPPED.pattern + r"|\b(?:amount|sum|total|equals?)\b", re.IGNORECASE)
INSURANCE = re.compile(r"\binsur\w*|\bcover\b", re.IGNORECASE)
ELSEWHERE = re.compile(r"\bmaster agreement\b|\bprincipal agreement\b", re.IGNORECASE)
MASTER = re.compile(r"\bmaster\b", re.IGNORECASE)
UNDER_MASTER = re.compile(r"\b(?:amend\w*|statement of work|order|addendum)\b", re.IGNORECASE)


@dataclass(frozen=True)
class LiabilityFacts:
    """What one file says on the cap, in months of fees."""

    cap: Fraction | None
    """The playbook's, in months."""
    multiple: Fraction | None
    """The playbook's, of a year's fees, in months."""
    by_months: tuple[Statement, ...]
    by_multiple: tuple[Statement, ...]
    removed: tuple[Statement, ...]
    """Sentences that take the cap away, and a section of a master agreement that has none."""


class UncappedLiability:
    """Finds caps above the playbook's, and caps taken away."""

    def extract(self, path: PurePosixPath, text: str) -> LiabilityFacts:
        """Caps in months of fees, or the playbook's own."""
        contract = read_contract(text)
        if contract.is_playbook:
            under = contract.under(HEADING)
            months = [
                d.months for s in under for d in durations(s.text) if d.unit in ("month", "year")
            ]
            multiples = [m for s in under for m in MULTIPLE.finditer(s.text)]
            cap = months[0] if months else None
            multiple = Fraction(12 * matched_number(multiples[0])) if multiples else cap
            return LiabilityFacts(cap, multiple, (), (), ())
        relevant = [s for s in contract.sentences if _is_on_liability(s)]
        removed = [Statement(Fraction(0), s.first, s.last) for s in relevant if _removes(s)]
        if not removed and MASTER.search(contract.title):
            removed = list(_section_without_cap(text, contract.title, relevant))
        return LiabilityFacts(
            cap=None,
            multiple=None,
            by_months=tuple(s for sentence in relevant for s in _months(sentence)),
            by_multiple=tuple(s for sentence in relevant for s in _multiples(sentence)),
            removed=tuple(removed),
        )

    def decide(self, facts: Mapping[PurePosixPath, LiabilityFacts]) -> tuple[Evidence, ...]:
        """The clauses beyond the playbook's cap."""
        book = next((f for f in facts.values() if f.cap is not None), None)
        if book is None or book.cap is None or book.multiple is None:
            return ()
        found: list[Evidence] = []
        for path in sorted(facts):
            stated = facts[path]
            beyond = [s for s in stated.by_months if s.value > book.cap]
            beyond += [s for s in stated.by_multiple if s.value > book.multiple]
            found += evidence(path, [*beyond, *stated.removed])
        return tuple(found)


def _is_on_liability(sentence: Sentence) -> bool:
    if INSURANCE.search(sentence.text) or INSURANCE.search(sentence.heading):
        return False
    return bool(LIABLE.search(sentence.text) or HEADING.search(sentence.heading))


def _months(sentence: Sentence) -> Iterator[Statement]:
    """Caps of the form "the fees of the last twelve months"."""
    if not (FEES.search(sentence.text) and CAPPED_OR_AMOUNT.search(sentence.text)):
        return
    for duration in durations(sentence.text):
        in_months = duration.unit in ("month", "year", "quarter")
        if in_months and not is_change(sentence.text, duration):
            yield Statement(duration.months, sentence.first, sentence.last)


def _multiples(sentence: Sentence) -> Iterator[Statement]:
    """Caps of the form "twice the annual fees", in months; "three times the monthly fees" is 3."""
    if not FEES.search(sentence.text):
        return
    per = 1 if re.search(r"\bmonthly\b", sentence.text, re.IGNORECASE) else 12
    for match in TIMES.finditer(sentence.text):
        times = int(match["x"]) if match["x"] else matched_number(match)
        yield Statement(Fraction(times * per), sentence.first, sentence.last)
    for match in DOUBLE.finditer(sentence.text):
        yield Statement(Fraction((2 if match["two"] else 3) * per), sentence.first, sentence.last)
    for match in PERCENT.finditer(sentence.text):
        share = Fraction(matched_number(match) * per, 100)
        yield Statement(share, sentence.first, sentence.last)


def _removes(sentence: Sentence) -> bool:
    text = TURN_OF_PHRASE.sub(" ", sentence.text)
    return bool(REMOVED.search(text)) and not CARVE_OUT.search(text)


def _section_without_cap(text: str, title: str, relevant: list[Sentence]) -> Iterator[Statement]:
    """The liability section of a master agreement in which no sentence limits anything."""
    if UNDER_MASTER.search(title):
        return
    for section in parse_sections(split_lines(text)):
        if section.level == 1 or not re.search(r"\bliab", section.title, re.IGNORECASE):
            continue
        inside = [s for s in relevant if section.first < s.first <= section.end]
        # "Nothing here limits liability for fraud" limits nothing.
        if not any(_caps(s) or ELSEWHERE.search(s.text) for s in inside):
            yield Statement(Fraction(0), section.first, section.last)


def _caps(sentence: Sentence) -> bool:
    if any(_months(sentence)) or any(_multiples(sentence)):
        return True
    return bool(CAPPED.search(sentence.text)) and not CARVE_OUT.search(sentence.text)
