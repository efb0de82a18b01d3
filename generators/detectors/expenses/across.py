"""Rules that no file breaks by itself: receipts, charges and purchases in two places."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from generators.detectors.detector import Evidence
from generators.detectors.expenses.desk import Claimed, Desk, line


def same_receipt(desk: Desk) -> Iterator[Evidence]:
    """One receipt of one merchant in two reports."""
    known: dict[tuple[str, str], list[Claimed]] = {}
    for one in desk.claims if desk.policy else ():
        known.setdefault((one.claim.merchant, one.claim.receipt), []).append(one)
    for lines in known.values():
        if len({one.report.number for one in lines}) > 1:
            yield from (one.evidence for one in lines)


def card_difference(desk: Desk) -> Iterator[Evidence]:
    """Lines that do not come to what the card was charged with."""
    claimed: dict[str, list[Claimed]] = {}
    for one in desk.claims if desk.policy else ():
        if one.claim.transaction:
            claimed.setdefault(one.claim.transaction, []).append(one)
    for charged in desk.charges:
        lines = claimed.get(charged.charge.transaction)
        if lines and sum(one.claim.euro for one in lines) != charged.charge.euro:
            yield line(charged.path, charged.charge.line)
            yield from (one.evidence for one in lines)


def split_purchase(desk: Desk) -> Iterator[Evidence]:
    """Purchases of a team at one supplier that need an order together, and are in two reports."""
    policy = desk.policy
    if policy is None or policy.purchase is None or policy.split_days is None:
        return
    bought: dict[tuple[str, str], list[Claimed]] = {}
    for one in desk.claims:
        if one.claim.category == "Equipment" and "PO " not in one.claim.description:
            bought.setdefault((one.report.cost_centre, one.claim.merchant), []).append(one)
    for lines in bought.values():
        for one, other in combinations(lines, 2):
            apart = abs((one.claim.day - other.claim.day).days)
            small = max(one.claim.euro, other.claim.euro) <= policy.purchase
            both = one.claim.euro + other.claim.euro > policy.purchase
            if one.path != other.path and apart <= policy.split_days and small and both:
                yield one.evidence
                yield other.evidence
