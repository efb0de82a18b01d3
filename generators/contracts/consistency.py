"""What must be right in a clean corpus of contracts, read from the texts alone.

Knows nothing of the generator's state: it reads tables, numbers, dates and references as a reviewer
would, and says in one line what does not agree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date
from itertools import pairwise
from pathlib import PurePosixPath

from generators.contracts.consistency_tables import sum_faults
from generators.contracts.consistency_words import (
    definition_faults,
    effect_faults,
    manner_faults,
    mark_faults,
    term_faults,
)
from generators.contracts.paper import Paper, read_paper
from generators.detectors.contracts.rate_tables import RoleRate

ORDINALS = ("First", "Second", "Third", "Fourth", "Fifth")


def faults(texts: Mapping[PurePosixPath, str]) -> tuple[str, ...]:
    """What does not agree in a corpus; nothing where all is right."""
    papers = [read_paper(path, text) for path, text in sorted(texts.items())]
    contracts = [paper for paper in papers if paper.number]
    masters = {paper.number: paper for paper in contracts if paper.kind == "MSA"}
    found = [f"{paper.path}: {fault}" for paper in papers for fault in mark_faults(paper.text)]
    for number, count in Counter(paper.number for paper in contracts).items():
        if count > 1:
            found.append(f"{number} is the number of {count} contracts")
    for paper in contracts:
        found += [f"{paper.path}: {fault}" for fault in sum_faults(paper.text)]
        found += [f"{paper.path}: {fault}" for fault in _own_faults(paper)]
        found += [f"{paper.path}: {fault}" for fault in _word_faults(paper, masters)]
        if paper.kind in ("SOW", "DPA", "OF", "AMD"):
            found += [f"{paper.path}: {fault}" for fault in _under_master(paper, masters)]
    found += _register_faults(contracts)
    found += _vendor_faults(contracts)
    for number, master in masters.items():
        below = [paper for paper in contracts if paper.master == number]
        found += _rate_faults(master, sorted(below, key=lambda paper: paper.place))
    return tuple(found)


def _own_faults(paper: Paper) -> Iterator[str]:
    if not paper.dates:
        yield "bears no date"
    elif paper.number.split("-")[1] != str(paper.dates[0].year):
        yield f"is numbered {paper.number} and dated {paper.dates[0]}"
    for label in paper.own_references():
        if paper.heading_of(label) is None:
            yield f"refers to {label}, which it has not"
    for earlier, later in paper.spans():
        if earlier > later:
            yield f"runs from {earlier} to {later}"


def _word_faults(paper: Paper, masters: Mapping[str, Paper]) -> Iterator[str]:
    master = masters.get(paper.master) if paper.kind != "MSA" else None
    yield from definition_faults(paper)
    yield from manner_faults(paper)
    yield from term_faults(paper, master)
    yield from effect_faults(paper, master)


def _under_master(paper: Paper, masters: Mapping[str, Paper]) -> Iterator[str]:
    master = masters.get(paper.master)
    if master is None:
        yield f"stands under {paper.master or 'nothing'}, which is not here"
        return
    if paper.masters != {paper.master}:
        yield f"names several master agreements: {', '.join(sorted(paper.masters))}"
    if not master.dates or not paper.dates:
        return
    if master.dates[0] not in paper.dates:
        yield f"does not give the date of {paper.master}, {master.dates[0]}"
    if paper.dates[0] <= master.dates[0]:
        yield f"is dated {paper.dates[0]}, before {paper.master}"
    if f"{master.title} No. {paper.master}" not in paper.flat:
        yield f"does not give the title of {paper.master}"
    for label, subject in paper.master_references():
        heading = master.heading_of(label)
        if heading is None:
            yield f"refers to {label} of {paper.master}, which has none"
        elif subject is not None and not subject.search(heading):
            yield f"refers to {label} of {paper.master}, which is headed {heading!r}"


def _register_faults(contracts: list[Paper]) -> Iterator[str]:
    """Numbers follow dates; amendments of one agreement count from the first."""
    dated = sorted((paper for paper in contracts if paper.dates), key=lambda paper: paper.place)
    for before, after in pairwise(dated):
        if before.dates[0] > after.dates[0]:
            yield f"{before.number} is dated {before.dates[0]}, {after.number} {after.dates[0]}"
    counted: Counter[str] = Counter()
    terms: dict[str, tuple[str, date | None]] = {
        paper.number: (paper.number, paper.first_term_ends()) for paper in dated
    }
    for paper in dated:
        if paper.kind != "AMD":
            continue
        wanted = ORDINALS[counted[paper.master]]
        counted[paper.master] += 1
        if not paper.title.startswith(f"{wanted} "):
            yield f"{paper.path}: is the {wanted.lower()} of {paper.master}, headed {paper.title}"
        until = paper.extended_until()
        if until is None:
            continue
        known, ends = terms.get(paper.master, ("", None))
        if until <= paper.dates[0]:
            yield f"{paper.path}: extends the term until {until}, before its own date"
        if ends is not None and until <= ends:
            yield f"{paper.path}: extends the term until {until}, by {known} it lasts until {ends}"
        terms[paper.master] = (paper.number, until)


def _vendor_faults(contracts: list[Paper]) -> Iterator[str]:
    """A vendor has one address and one signatory, and so has the client."""
    seen: dict[str, tuple[str, object]] = {}
    for paper in contracts:
        slug = paper.path.stem.partition("-")[0]
        if len(paper.signatories) != 2 or len(paper.addresses) != 2:
            yield f"{paper.path}: has {len(paper.signatories)} signatories, {paper.addresses}"
            continue
        client, vendor = paper.signatories
        for key, value in (
            ("client", client),
            (f"signatory of {slug}", vendor),
            (f"addresses with {slug}", paper.addresses),
        ):
            first, known = seen.setdefault(key, (str(paper.path), value))
            if known != value:
                yield f"{paper.path}: {key} {value}, in {first} {known}"


def _rate_faults(master: Paper, below: list[Paper]) -> Iterator[str]:
    """Work is charged at the rates in force; amendments start from them and raise all alike."""
    rates = {rate.role: rate.cents for rate in master.rates}
    for paper in below:
        for rate in paper.rates:
            stated = rate.cents if rate.former is None else rate.former
            if rates.get(rate.role) != stated:
                yield f"{paper.path}: {rate.role} at {stated}, in force is {rates.get(rate.role)}"
        if paper.kind == "AMD":
            yield from (f"{paper.path}: {fault}" for fault in _uplift_faults(paper))
            rates |= {rate.role: rate.cents for rate in paper.rates}


def _uplift_faults(paper: Paper) -> Iterator[str]:
    uplift = paper.uplift
    if uplift is None:
        yield "raises rates by nothing"
        return
    for rate in paper.rates:
        if rate.former is not None and rate.cents != _raised(rate, uplift):
            yield f"{rate.role} from {rate.former} to {rate.cents} is not {uplift} per cent"


def _raised(rate: RoleRate, uplift: int) -> int:
    return ((rate.former or 0) * (100 + uplift) // 100 + 50) // 100 * 100
