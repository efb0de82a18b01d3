"""`amended-beyond-limit`: an amendment moves a term of its master agreement beyond the playbook.

The amendment says by how much, the master agreement and the amendments before it from where: none
of them alone shows it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import PurePosixPath

from generators.detectors.contracts.changes import Change, Subject, changes
from generators.detectors.contracts.liability import UncappedLiability
from generators.detectors.contracts.payment import ShortPaymentTerm
from generators.detectors.contracts.reading import Statement, read_contract
from generators.detectors.contracts.register import (
    Entry,
    amendments,
    entry_of,
    from_the_first,
    masters,
)
from generators.detectors.detector import Evidence


@dataclass(frozen=True)
class TermFacts:
    """The terms of one file that an amendment may move."""

    entry: Entry
    least: Fraction | None
    """The playbook's payment term in days."""
    cap: Fraction | None
    """The playbook's cap in months of fees."""
    terms: Mapping[Subject, Statement]
    """Of a master agreement."""
    changes: tuple[Change, ...]
    """Of an amendment."""


class AmendedBeyondLimit:
    """Finds amendments after which a term is beyond the playbook that was within it before."""

    def extract(self, path: PurePosixPath, text: str) -> TermFacts:
        """The terms or changes of a contract, or the playbook's limits."""
        contract = read_contract(text)
        entry = entry_of(contract, text)
        payment = ShortPaymentTerm().extract(path, text) if not entry.amends else None
        liability = UncappedLiability().extract(path, text) if not entry.amends else None
        terms: dict[Subject, Statement] = {}
        if entry.is_master and payment is not None and liability is not None:
            caps = {(cap.first, cap.last) for cap in liability.by_months}
            # "The fees paid in the nine months before" is a cap, and no term of payment.
            paid = [term for term in payment.terms if (term.first, term.last) not in caps]
            if paid:
                terms["payment"] = paid[0]
            if liability.by_months:
                terms["cap"] = liability.by_months[0]
        return TermFacts(
            entry=entry,
            least=payment.least if payment is not None else None,
            cap=liability.cap if liability is not None else None,
            terms=terms,
            changes=tuple(changes(contract.sentences)) if entry.amends else (),
        )

    def decide(self, facts: Mapping[PurePosixPath, TermFacts]) -> tuple[Evidence, ...]:
        """The changes that go too far, with the sentences that they start from."""
        least = next((f.least for f in facts.values() if f.least is not None), None)
        cap = next((f.cap for f in facts.values() if f.cap is not None), None)
        if least is None or cap is None:
            return ()
        limits: dict[Subject, Fraction] = {"payment": -least, "cap": cap}
        changed, found = amendments(facts), dict[Evidence, None]()
        for number, master in sorted(masters(facts).items()):
            chain = from_the_first(facts, changed.get(number, []))
            moved = [(path, one) for path in chain for one in facts[path].changes]
            for subject, limit in limits.items():
                own = [(path, one) for path, one in moved if one.subject == subject]
                term = facts[master].terms.get(subject)
                if term is not None:
                    found |= dict.fromkeys(_beyond(master, term, own, limit))
        return tuple(found)


def _beyond(
    master: PurePosixPath,
    term: Statement,
    moved: list[tuple[PurePosixPath, Change]],
    limit: Fraction,
) -> list[Evidence]:
    """Where the limit is passed: the change that passes it, and all that it starts from.

    Payment terms have a least and no most: they are counted below zero, as the limit is.
    """
    stands = term.value if limit > 0 else -term.value
    if stands > limit:
        # A term that was never within the playbook is a defect of the master agreement.
        return []
    starts = [Evidence(master, term.first, term.last)]
    for path, change in moved:
        before, stands = stands, stands + (change.by if limit > 0 else -change.by)
        own = Evidence(path, change.first, change.last)
        if before <= limit < stands:
            return [own, *starts]
        starts.append(own)
    return []
