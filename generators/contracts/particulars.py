"""What only one kind of contract holds: its tables, its dates, the people on its side."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeVar

from generators.contracts import figures
from generators.contracts.plan import Contract, ContractKind
from generators.contracts.wording import MONTHS
from generators.world import Person, Vendor, World

Item = TypeVar("Item")

MEASURED = (("92", "94", "95", "97"), ("80", "85", "88", "90"), ("90", "93", "95"), ("4.0", "4.2"))
"""Targets of a master agreement: punctuality, acceptance, answers, satisfaction."""
SUPPORT = ((1, 8, 4, 2, "99.5"), (2, 12, 8, 3, "99.0"), (1, 6, 3, 1, "99.8"))
"""Hours to respond and mend, priority 1 and 2; days for the last; availability in per cent."""
TARGETS = (
    (("91", "94", "96"), ("82", "88", "91"), ("2.6", "1.5", "1.2")),
    (("88", "93", "95"), ("79", "85", "89"), ("3.1", "2.0", "1.5")),
    (("93", "95", "97"), ("84", "90", "92"), ("2.2", "1.5", "1.0")),
)
"""What was reached, and what is aimed at next: punctuality, acceptance, days to answer."""


@dataclass(frozen=True)
class Particulars:
    """Draws the values of one contract from a world."""

    world: World
    measures: Sequence[Sequence[str]]
    """Security measures, each in several wordings."""

    def sponsor(self, contract: Contract) -> Person:
        """Each vendor has one sponsor, whatever the contract."""
        place = self.world.vendors.index(contract.vendor)
        return self.world.sponsors[place % len(self.world.sponsors)]

    def of(self, contract: Contract, source: random.Random) -> dict[str, object]:
        """The values that only one kind of contract has."""
        figures_of: Mapping[ContractKind, Callable[[Contract, random.Random], dict[str, object]]]
        figures_of = {
            "msa": self._framework,
            "sow": self._project,
            "dpa": self._processing,
            "order_form": self._order,
            "amendment": self._changes,
        }
        make = figures_of.get(contract.kind)
        return make(contract, source) if make else {}

    def _framework(self, contract: Contract, source: random.Random) -> dict[str, object]:
        services = source.sample(contract.vendor.trade.services, 3)
        sites = [
            {"city": city, "contact": contact, "service": service}
            for city, contact, service in zip(
                self.world.sites, self.world.sponsors, services, strict=False
            )
        ]
        measures = [source.choice(options) for options in MEASURED]
        return {"sites": sites, "support": measures}

    def _processing(self, contract: Contract, source: random.Random) -> dict[str, object]:
        return {
            "data": contract.vendor.trade.data,
            "measures": [
                self._measure(source.choice(options), contract, source)
                for options in _some(source, self.measures, 5, 7)
            ],
            "subprocessors": self._subprocessors(contract.vendor, source),
        }

    def _order(self, contract: Contract, source: random.Random) -> dict[str, object]:
        order = figures.order(source, contract.vendor)
        owners = [self.sponsor(contract).name, contract.vendor.manager.name]
        return {
            "items": order.items,
            "subtotal": order.subtotal,
            "discount": order.discount,
            "discount_amount": order.discount_amount,
            "total": order.total,
            "contract_value": order.total * contract.terms.order_months // 12,
            "support": source.choice(SUPPORT),
            "steps": figures.steps(source, contract.starts, owners),
        }

    def _changes(self, contract: Contract, source: random.Random) -> dict[str, object]:
        vendor, before, after = contract.vendor, contract.terms, contract.changed
        if after is None:
            raise AssertionError("an amendment that changes nothing")
        # Later amendments go on from the targets, and add the services, that earlier ones left.
        ladders = TARGETS[self.world.vendors.index(vendor) % len(TARGETS)]
        return {
            "payment_change": after.payment_days - before.payment_days,
            "cap_change": after.cap_months - before.cap_months,
            "uplift": contract.terms.uplift,
            "limit": source.choice([2_000_000, 2_500_000, 4_000_000, 5_000_000]),
            "new_rates": figures.new_rates(vendor, contract.terms.uplift, contract.order),
            "services": _some(source, vendor.trade.services[contract.order % 2 :: 2], 2, 3),
            "targets": [ladder[contract.order : contract.order + 2] for ladder in ladders],
        }

    def _project(self, contract: Contract, source: random.Random) -> dict[str, object]:
        trade = contract.vendor.trade
        effort = figures.effort(source, contract.vendor)
        total = sum(line.amount for line in effort)
        services = _some(source, trade.services, 3, 5)
        approvers = [self.sponsor(contract), *source.sample(self.world.sponsors, 1)]
        return {
            "project": trade.projects[contract.order % len(trade.projects)],
            "services": services,
            "excluded": next(name for name in trade.services if name not in services),
            "deliverables": figures.deliverables(
                source, contract.vendor, contract.starts, contract.ends, approvers
            ),
            "phases": figures.phases(
                source,
                contract.starts,
                contract.ends,
                [contract.vendor.manager.name, self.sponsor(contract).name],
            ),
            "effort": effort,
            "effort_days": sum(line.quantity for line in effort),
            "total": total,
            "milestones": figures.milestones(source, total),
            "expenses": source.randrange(20, 120) * 10_000,
        }

    def _measure(self, name: str, contract: Contract, source: random.Random) -> dict[str, str]:
        """A security measure, since when it is taken, and who sees to it."""
        since = contract.effective - timedelta(days=source.randrange(40, 900))
        owners = (contract.vendor.manager, contract.vendor.signatory)
        return {
            "name": name,
            "since": f"{MONTHS[since.month - 1]} {since.year}",
            "owner": source.choice(owners).name,
        }

    def _subprocessors(self, vendor: Vendor, source: random.Random) -> list[dict[str, str]]:
        """Other companies of this world: the same names mean the same companies."""
        others = [other for other in self.world.vendors if other != vendor]
        chosen = source.sample(others, min(len(others), source.randrange(2, 4)))
        return [
            {
                "name": other.company.name,
                "city": other.company.city,
                "task": source.choice(other.trade.services),
            }
            for other in chosen
        ]


def _some(source: random.Random, items: Sequence[Item], least: int, most: int) -> list[Item]:
    """A few of a list, in its order."""
    chosen = sorted(source.sample(range(len(items)), source.randrange(least, most + 1)))
    return [items[index] for index in chosen]
