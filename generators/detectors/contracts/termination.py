"""`missing-termination-right`: a master agreement without termination for convenience.

The evidence of an absence is where the right should stand: at the end of the section on
termination, so the heading that follows it, with one line on each side.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from generators.detectors.contracts.reading import Contract, read_contract
from generators.detectors.detector import Evidence
from generators.lines import split_lines
from generators.sections import parse_sections

HEADING = re.compile(r"\bterminat", re.IGNORECASE)
MASTER = re.compile(r"\bmaster\b.*\bagreement\b|\bframework agreement\b", re.IGNORECASE)
UNDER_MASTER = re.compile(
    r"\b(?:amend\w*|statement of work|order form|addendum|data processing|schedule)\b",
    re.IGNORECASE,
)
SECTION = re.compile(r"\bterminat\w*|\bending\b|\bearly end\b|\bcancell?ation\b", re.IGNORECASE)
ENDS = re.compile(
    r"\bterminat\w+|\bcancel\w*|\bto an end\b|\bmay end\b|\bend (?:this|the|it)\b"
    r"|\bwithdraw from\b",
    re.IGNORECASE,
)
FREELY = re.compile(
    r"\bconvenience\b|\bwithout (?:any )?(?:cause|reason)\b|\bfor (?:any|no) reason\b"
    r"|\bany or no reason\b|\bwithout (?:giving|stating|having to (?:give|state)) (?:any |a )?"
    r"(?:cause|reasons?)\b|\bat its (?:own |sole )?discretion\b|\bat will\b"
    r"|\bwhenever it sees fit\b|\bno cause\b",
    re.IGNORECASE,
)
REQUIRES = re.compile(r"\bmust\b|\brequired\b|\bshall\b", re.IGNORECASE)


@dataclass(frozen=True)
class TerminationFacts:
    """Whether a right to end without cause is needed, is given, and where it should stand."""

    required: bool
    """The playbook asks for it."""
    lacking: bool
    """A master agreement that does not give it."""
    first: int
    last: int


class MissingTerminationRight:
    """Finds master agreements that cannot be ended without cause."""

    def extract(self, path: PurePosixPath, text: str) -> TerminationFacts:
        """What one file gives, or what the playbook asks for."""
        contract = read_contract(text)
        if contract.is_playbook:
            required = any(
                FREELY.search(s.text) and REQUIRES.search(s.text) for s in contract.under(HEADING)
            )
            return TerminationFacts(required=required, lacking=False, first=0, last=0)
        lacking = (
            bool(MASTER.search(contract.title))
            and not UNDER_MASTER.search(contract.title)
            and not _gives_right(contract)
        )
        if not lacking:
            return TerminationFacts(required=False, lacking=False, first=0, last=0)
        first, last = _place(split_lines(text))
        return TerminationFacts(required=False, lacking=True, first=first, last=last)

    def decide(self, facts: Mapping[PurePosixPath, TerminationFacts]) -> tuple[Evidence, ...]:
        """Where rights are lacking."""
        if not any(f.required for f in facts.values()):
            return ()
        return tuple(
            Evidence(path, facts[path].first, facts[path].last)
            for path in sorted(facts)
            if facts[path].lacking
        )


def _gives_right(contract: Contract) -> bool:
    return any(ENDS.search(s.text) and FREELY.search(s.text) for s in contract.sentences)


def _place(lines: list[str]) -> tuple[int, int]:
    """The heading after the section on termination with a line each side; else the last lines."""
    sections = [s for s in parse_sections(lines) if s.level > 1]
    ending = [s for s in sections if SECTION.search(s.title)]
    if ending:
        top = min(s.level for s in ending)
        following = [s for s in ending if s.level == top][-1].end + 1
        if following <= len(lines):
            return following - 1, min(following + 1, len(lines))
    return max(1, len(lines) - 1), len(lines)
