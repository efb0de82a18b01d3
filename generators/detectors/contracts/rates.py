"""Rates that do not fit the agreement they stand under.

`rate-above-schedule`: work is charged above the rate that its master agreement has for the role.
`misstated-rate`: an amendment starts from a rate that was not in force. Both need two files.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import PurePosixPath

from generators.detectors.contracts.rate_tables import RoleRate, role_rates
from generators.detectors.contracts.reading import read_contract
from generators.detectors.contracts.register import (
    Entry,
    amendments,
    entry_of,
    follows,
    from_the_first,
    masters,
)
from generators.detectors.detector import Evidence


@dataclass(frozen=True)
class RateFacts:
    """The rates of one file."""

    entry: Entry
    rates: tuple[RoleRate, ...]


def rate_facts(text: str) -> RateFacts:
    """The rates of one text and where it stands in the register."""
    entry = entry_of(read_contract(text), text)
    return RateFacts(entry, role_rates(text) if entry.number else ())


@dataclass(frozen=True)
class _InForce:
    """A rate and the place that sets it."""

    cents: int
    path: PurePosixPath
    line: int


def _in_force(path: PurePosixPath, facts: RateFacts) -> dict[str, _InForce]:
    return {rate.role: _InForce(rate.cents, path, rate.line) for rate in facts.rates}


def _evidence(path: PurePosixPath, rate: RoleRate, source: _InForce) -> tuple[Evidence, Evidence]:
    return (
        Evidence(path, rate.line, rate.line),
        Evidence(source.path, source.line, source.line),
    )


class RateAboveSchedule:
    """Finds work that is charged above the schedule of its master agreement."""

    def extract(self, _: PurePosixPath, text: str) -> RateFacts:
        """The rates of one file."""
        return rate_facts(text)

    def decide(self, facts: Mapping[PurePosixPath, RateFacts]) -> tuple[Evidence, ...]:
        """The rates above their schedule, each with the line of the schedule.

        A contract signed after an amendment has the rates of that amendment.
        """
        changed, found = amendments(facts), dict[Evidence, None]()
        for number, master in masters(facts).items():
            for path in sorted(facts):
                one = facts[path]
                if one.entry.master != number or one.entry.amends or path == master:
                    continue
                schedule = _in_force(master, facts[master])
                for later in changed.get(number, []):
                    if facts[later].entry.place < one.entry.place:
                        schedule |= _in_force(later, facts[later])
                for rate in one.rates:
                    limit = schedule.get(rate.role)
                    if limit is not None and rate.cents > limit.cents:
                        found |= dict.fromkeys(_evidence(path, rate, limit))
        return tuple(found)


class MisstatedRate:
    """Finds amendments whose previous rates were not the rates in force."""

    def extract(self, _: PurePosixPath, text: str) -> RateFacts:
        """The rates of one file."""
        return rate_facts(text)

    def decide(self, facts: Mapping[PurePosixPath, RateFacts]) -> tuple[Evidence, ...]:
        """The misstated rates, each with the line that sets the rate in force.

        That is the line of the amendment before, of the first one that of the master agreement.
        """
        known, found = masters(facts), dict[Evidence, None]()
        for number, paths in amendments(facts).items():
            chain = [known[number], *from_the_first(facts, paths)] if number in known else []
            pairs = {after: before for before, after in pairwise(chain)}
            for before, after in pairwise(paths):
                if follows(facts[before].entry, facts[after].entry):
                    pairs.setdefault(after, before)
            for path, source in pairs.items():
                schedule = _in_force(source, facts[source])
                for rate in facts[path].rates:
                    stated = schedule.get(rate.role)
                    if stated is not None and rate.former not in (None, stated.cents):
                        found |= dict.fromkeys(_evidence(path, rate, stated))
        return tuple(found)
