"""The words of contracts: defined terms, dates of effect, lengths of time, marks of templates.

What one document calls its fees, a document under it calls fees too; a term has one definition, a
document one date of effect and one way of writing lengths of time.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date

from generators.contracts.manner import manners
from generators.contracts.paper import DATE, Paper, date_of
from generators.lines import split_lines

MARKS = ("<<", ">>", "{{", "}}")
"""What only a template holds."""
RIVALS: Mapping[str, str] = {
    "fees": "Fees|Charges|Prices",
    "results": "Deliverables|Work Products|Results",
    "services": "Contract Services|Services",
    "customer": "Customer|Client|Company|Purchaser|Principal",
    "supplier": "Supplier|Contractor|Vendor|Provider|Consultant|Seller",
}
"""Terms of which a document and all that stands under it use one."""
USED = {
    name: re.compile(rf"\b[a-z]+,? ({words})\b(?! Agreement| Operations| Services)")
    for name, words in RIVALS.items()
}
"""In the middle of a sentence, after a word in lower case: there a capital makes a term."""
DEFINED = re.compile(
    r'"([A-Z][^"]*)" (?:(?:of a \w+ )?(?:means|is(?! sponsored)|are|has the meaning)|covers'
    r'|includes|takes in|embraces)\b|\([^()"]{0,60}"([^"]+)"\)'
    r'|is "([^"]+)"(?= (?:of that|,|with|whether))'
)
EFFECT = re.compile(r"\b(?:effective|effect)(?: date)?(?: as)?(?: from| of| on)?:?(?: \|)? $", re.I)
BEGINS = re.compile(
    r"\b(?:effective|effect|as|from|as of|on or after|starting|beginning)(?: from| of| on)? $", re.I
)
"""What stands before a date from which something holds: in an amendment, all of these."""


def mark_faults(text: str) -> Iterator[str]:
    """Marks of a template that are left."""
    for mark in MARKS:
        if mark in text:
            yield f"holds the mark {mark}"


def definition_faults(paper: Paper) -> Iterator[str]:
    """Terms that a document defines more than once."""
    found = Counter(one or two or three for one, two, three in DEFINED.findall(paper.flat))
    for term, count in found.items():
        if count > 1:
            yield f'defines "{term}" {count} times'


def manner_faults(paper: Paper) -> Iterator[str]:
    """Lengths of time that are not all written alike."""
    found = Counter(manners(paper.text))
    if len(found) > 1:
        yield f"writes lengths of time in several ways: {dict(found)}"


def term_faults(paper: Paper, master: Paper | None) -> Iterator[str]:
    """Two words for one thing, in a document or between it and its master agreement."""
    for name, pattern in USED.items():
        own = set(pattern.findall(_body(paper)))
        if len(own) > 1:
            yield f"has several words for its {name}: {', '.join(sorted(own))}"
        known = set(pattern.findall(_body(master))) if master else own
        if own and known and not own & known:
            yield f"calls its {name} {', '.join(own)}, {paper.master} calls them {', '.join(known)}"


def _body(paper: Paper) -> str:
    """On one line, without headings: these may say "Scope of Services" whatever is defined."""
    return " ".join(line for line in split_lines(paper.text) if not line.startswith("#"))


def effect_faults(paper: Paper, master: Paper | None) -> Iterator[str]:
    """Dates of effect besides a document's own and that of its master agreement."""
    others = {master.dates[0]} if master and master.dates else set[date]()
    pattern = BEGINS if paper.kind == "AMD" else EFFECT
    for match in DATE.finditer(paper.flat):
        day = date_of(match)
        before = paper.flat[max(0, match.start() - 40) : match.start()]
        if pattern.search(before) and day != paper.dates[0] and day not in others:
            yield f"is dated {paper.dates[0]} and has effect from {day}"
