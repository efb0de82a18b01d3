"""Which contracts there are: kind, vendor, number, dates and terms, before a word is written."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import PurePosixPath
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from authoring.artefacts import Value
from generators.world import Vendor, World, business_day

ContractKind = Literal["msa", "sow", "nda", "dpa", "order_form", "amendment"]
KINDS: tuple[ContractKind, ...] = ("msa", "sow", "nda", "dpa", "order_form", "amendment")
UNDER_MASTER = frozenset({"sow", "dpa", "order_form", "amendment"})
LAWS = ("New York", "Delaware", "Illinois", "Massachusetts", "Pennsylvania", "California")
"""The states whose law the playbook permits."""
FIRST_MASTER, LAST_MASTER = date(2021, 2, 1), date(2023, 3, 31)
LAST_ORDER = date(2024, 2, 29)
"""Orders use the rates of the master agreement, so they come before any amendment of the rates."""
FIRST_AMENDMENT, LAST_AMENDMENT = date(2024, 3, 4), date(2024, 11, 29)
BETWEEN_AMENDMENTS = (395, 450)
"""Days from one amendment to the next: rates rise at most once a year."""
AMENDMENTS_A_MASTER = 2
FIXED_TERM = 60
"""Months of a master agreement that does not renew by itself: it outlasts all made under it."""
PAYMENT_CHANGES: Mapping[int, tuple[int, ...]] = {30: (15, 30), 45: (15, -15), 60: (-15, -30)}
"""By how many days an amendment may move a payment term: the result is one of the three."""
CAP_CHANGES: Mapping[int, tuple[int, ...]] = {6: (3, 6), 9: (3, -3), 12: (-3, -6)}
"""By how many months an amendment may move a cap."""
FIRST_NDA = date(2020, 9, 1)
TURNS = 3
"""A clause stands in one of three thirds of a file."""

Count = Annotated[int, Field(ge=0, le=1000)]


class ContractsParameters(Value):
    """How many contracts of each kind, and with how many vendors."""

    length: Literal["full", "short"] = "full"
    """`short`: the clauses that a kind must have and a few more; about three fifths of the text."""
    msa: Count = 6
    """Master agreements, one a vendor."""
    sow: Count = 5
    nda: Count = 4
    dpa: Count = 3
    order_form: Count = 3
    amendment: Count = 3
    vendors: Annotated[int, Field(ge=1, le=149)] = 8
    """At least as many as master agreements."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.msa > self.vendors:
            raise ValueError("there are more master agreements (msa) than vendors")
        if not self.msa and any((self.sow, self.dpa, self.order_form, self.amendment)):
            raise ValueError("sow, dpa, order_form and amendment need a master agreement (msa)")
        if self.amendment > AMENDMENTS_A_MASTER * self.msa:
            raise ValueError("there are more than two amendments a master agreement (msa)")
        return self

    def count(self, kind: ContractKind) -> int:
        """How many of a kind."""
        counts: Mapping[ContractKind, int] = {
            "msa": self.msa,
            "sow": self.sow,
            "nda": self.nda,
            "dpa": self.dpa,
            "order_form": self.order_form,
            "amendment": self.amendment,
        }
        return counts[kind]


@dataclass(frozen=True)
class Terms:
    """What was negotiated with one vendor; all within the playbook."""

    payment_days: int
    cap_months: int
    initial_months: int
    renewal_months: int
    notice_days: int
    convenience_days: int
    cure_days: int
    exit_days: int
    order_months: int
    survival_years: int
    breach_hours: int
    subprocessor_days: int
    insurance: int
    """Millions of US dollars."""
    interest: str
    """Per cent a month."""
    uplift: int
    """Per cent a year."""
    law: str


@dataclass(frozen=True)
class Contract:
    """One contract, before it is written."""

    kind: ContractKind
    vendor: Vendor
    effective: date
    starts: date
    ends: date
    signed_client: date
    signed_vendor: date
    terms: Terms
    number: str = ""
    path: PurePosixPath = field(default_factory=PurePosixPath)
    master: str = ""
    """The number of the master agreement it stands under."""
    order: int = 0
    """Which of its kind with this vendor, from 0: amendments in the order of their dates."""
    changed: Terms | None = None
    """Of an amendment: what holds after it; `terms` is what held before."""
    turn: int = 0
    """Which of its main clauses stands early, which in the middle, which late; below `TURNS`."""


def draw_terms(source: random.Random) -> Terms:
    """Terms within every limit of the playbook."""
    return Terms(
        payment_days=source.choice([30, 45, 60]),
        cap_months=source.choice([6, 9, 12, 12, 12]),
        initial_months=source.choice([24, 36, FIXED_TERM]),
        renewal_months=source.choice([6, 12, 12]),
        notice_days=source.choice([30, 45, 60, 90]),
        convenience_days=source.choice([30, 45, 60, 90]),
        cure_days=source.choice([10, 15, 20, 30]),
        exit_days=source.choice([60, 90, 120]),
        order_months=source.choice([24, 36]),
        survival_years=source.choice([3, 4, 5]),
        breach_hours=source.choice([24, 36, 48, 72]),
        subprocessor_days=source.choice([20, 30, 45]),
        insurance=source.choice([1, 2, 3, 5]),
        interest=source.choice(["1", "0.75", "1.25", "1.5"]),
        uplift=source.choice([2, 3, 4]),
        law=source.choice(LAWS),
    )


def plan_contracts(
    source: random.Random, world: World, parameters: ContractsParameters
) -> tuple[Contract, ...]:
    """Every contract, master agreements first; still without number and path."""
    without = _without_master(world, parameters.msa)
    masters = [
        _contract(source, "msa", vendor, business_day(source, FIRST_MASTER, LAST_MASTER))
        for vendor in world.vendors
        if vendor not in without
    ]
    rest = _others(source, world, parameters, masters)
    return (*masters, *rest)


def _without_master(world: World, masters: int) -> tuple[Vendor, ...]:
    """The vendors that have no master agreement: spread evenly over their names, and so over paths.

    Otherwise a third of the files could hold no more than one contract of a kind.
    """
    by_name = sorted(world.vendors, key=lambda vendor: vendor.company.slug)
    count = len(by_name) - masters
    return tuple(by_name[(2 * place + 1) * len(by_name) // (2 * count)] for place in range(count))


def _others(
    source: random.Random,
    world: World,
    parameters: ContractsParameters,
    masters: Sequence[Contract],
) -> Iterator[Contract]:
    master_of = {master.vendor.company.name: master for master in masters}
    latest: dict[str, Contract] = {}
    for kind in KINDS[1:]:
        vendors = [master.vendor for master in masters]
        order = source.sample(vendors, len(vendors))
        if kind == "nda":
            # First those that never got further.
            order = [vendor for vendor in world.vendors if vendor not in vendors] + order
        for index in range(parameters.count(kind)):
            vendor = order[index % len(order)]
            if kind == "amendment":
                name = vendor.company.name
                latest[name] = _amendment(source, latest.get(name) or master_of[name])
                yield latest[name]
                continue
            master = master_of.get(vendor.company.name)
            effective = _effective(source, kind, master)
            contract = _contract(source, kind, vendor, effective)
            terms = master.terms if master and kind in UNDER_MASTER else contract.terms
            yield replace(contract, terms=terms, order=index // len(order))


def _effective(source: random.Random, kind: ContractKind, master: Contract | None) -> date:
    if kind == "nda":
        last = master.effective - timedelta(days=14) if master else LAST_ORDER
        return business_day(source, FIRST_NDA, last)
    if master is None:
        raise AssertionError(f"a {kind} without a master agreement")
    first = master.effective + timedelta(days=3)
    last = first + timedelta(days=60) if kind == "dpa" else LAST_ORDER
    return business_day(source, first, last)


def _contract(
    source: random.Random, kind: ContractKind, vendor: Vendor, effective: date
) -> Contract:
    starts = business_day(source, effective + timedelta(days=7), effective + timedelta(days=35))
    days = source.randrange(90, 260)
    before = effective - timedelta(days=12)
    return Contract(
        kind=kind,
        vendor=vendor,
        effective=effective,
        starts=starts,
        ends=business_day(source, starts + timedelta(days=days), starts + timedelta(days=days + 9)),
        signed_client=business_day(source, before, effective),
        signed_vendor=business_day(source, before, effective),
        terms=draw_terms(source),
    )


def _amendment(source: random.Random, before: Contract) -> Contract:
    """The next amendment of a master agreement, after it or after the amendment before."""
    if before.changed is None:
        effective = business_day(source, FIRST_AMENDMENT, LAST_AMENDMENT)
        order, terms, ends = 0, before.terms, _end_of_term(before, effective)
    else:
        least, most = (before.effective + timedelta(days=days) for days in BETWEEN_AMENDMENTS)
        effective = business_day(source, least, most)
        order, terms, ends = before.order + 1, before.changed, before.ends
    drawn = _contract(source, "amendment", before.vendor, effective)
    changed = replace(
        terms,
        payment_days=terms.payment_days + source.choice(PAYMENT_CHANGES[terms.payment_days]),
        cap_months=terms.cap_months + source.choice(CAP_CHANGES[terms.cap_months]),
    )
    ends = months_later(ends, source.choice([24, 36]))
    # What an amendment changes is changed from its own date on.
    return replace(drawn, starts=effective, ends=ends, terms=terms, changed=changed, order=order)


def _end_of_term(master: Contract, day: date) -> date:
    """The last day of the term that runs on a day, once renewed as often as need be."""
    terms = master.terms
    months = terms.initial_months
    while months_later(master.effective, months) <= day:
        months += terms.renewal_months
    return months_later(master.effective, months) - timedelta(days=1)


def months_later(day: date, months: int) -> date:
    """The same day of a later month, the 28th where that might not exist."""
    years, month = divmod(day.month - 1 + months, 12)
    return date(day.year + years, month + 1, min(day.day, 28))
