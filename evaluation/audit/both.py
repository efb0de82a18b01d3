"""Figures over files of which the session changed the text: of the one before it, and the one now.

Prevents two false results: a claim called false since the lines that were read have been edited
away, and one called true since the lines that were not read are gone.
"""

from __future__ import annotations

from collections.abc import Collection

from evaluation.audit.epochs import Readings
from evaluation.audit.following import Held
from evaluation.judging.claim import ReadingClaim
from evaluation.scoring.coverage import FileScope, covered
from evaluation.scoring.ledger import Holding
from evaluation.scoring.score import Covered, Rule


def text_before(readings: Readings, paths: Collection[str]) -> Held | None:
    """The reading of the text before the session; None where these files had no other, or where
    figures were not asked of all of them."""
    start = readings.start
    if start is None or readings.followed.isdisjoint(paths):
        return None
    return start if start.index.files.keys() >= set(paths) else None


def holding_of_both(claim: ReadingClaim, before: Holding, now: Holding) -> Holding:
    """A claim is false where it is false of both texts, and true where it is true of the one that
    was there to be read, and not false of the other. A denial is false where either was opened."""
    told = f"{before.evidence}, of the text before the session"
    states = {before.status, now.status}
    if claim.quantity == "none":
        if "contradicted" in states:
            return before._replace(evidence=told) if before.status == "contradicted" else now
        return Holding("supported" if states == {"supported"} else "not checkable", told)
    if states == {"contradicted"}:
        return Holding("contradicted", told)
    if before.status == "supported" and now.status != "contradicted":
        return Holding("supported", told)
    return Holding("not checkable", f"{told}; {now.evidence}, of the text at hand")


def covered_by_both(readings: Readings, scope: tuple[str, ...], rule: Rule) -> Covered:
    """Whether all files are covered; of those that the session changed, by what was there to be
    read before it, unless the text at hand says the contrary."""

    def of(held: Held) -> Covered:
        return covered(held.reading.union, FileScope(scope, ()), held.index, rule)

    now, start = of(readings.at_hand), text_before(readings, scope)
    if start is None:
        return now
    before = of(start)
    return Covered(
        least=before.least and now.most,
        most=before.most or now.most,
        files=(min(before.files[0], now.files[1]), max(before.files[1], now.files[1])),
        reformatted=before.reformatted or now.reformatted,
    )
