"""The kinds of defect of contracts, by name: for the catalogue."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from generators.detectors.contracts.amended import AmendedBeyondLimit
from generators.detectors.contracts.breach import LateBreachNotice
from generators.detectors.contracts.governing_law import ForeignGoverningLaw
from generators.detectors.contracts.liability import UncappedLiability
from generators.detectors.contracts.payment import ShortPaymentTerm
from generators.detectors.contracts.rates import MisstatedRate, RateAboveSchedule
from generators.detectors.contracts.renewal import SilentRenewal
from generators.detectors.contracts.termination import MissingTerminationRight
from generators.detectors.detector import Detector


@dataclass(frozen=True)
class ContractTerm:
    """One kind of defect: what it is and what finds it."""

    summary: str
    make: Callable[[], Detector[Any]]


CONTRACT_TERMS: Mapping[str, ContractTerm] = {
    "uncapped-liability": ContractTerm(
        "liability goes beyond the playbook's cap, or has none", UncappedLiability
    ),
    "short-payment-term": ContractTerm(
        "payment is due sooner than the playbook allows", ShortPaymentTerm
    ),
    "silent-renewal": ContractTerm(
        "automatic renewal for longer, or on other notice, than the playbook allows", SilentRenewal
    ),
    "foreign-governing-law": ContractTerm(
        "the governing law is not on the playbook's list", ForeignGoverningLaw
    ),
    "late-breach-notice": ContractTerm(
        "a data breach is notified later than the playbook allows", LateBreachNotice
    ),
    "amended-beyond-limit": ContractTerm(
        "an amendment moves a term of its master agreement beyond the playbook", AmendedBeyondLimit
    ),
    "rate-above-schedule": ContractTerm(
        "work is charged above the rate schedule of its master agreement", RateAboveSchedule
    ),
    "misstated-rate": ContractTerm(
        "an amendment raises rates from figures that were not in force", MisstatedRate
    ),
    "missing-termination-right": ContractTerm(
        "a master agreement that cannot be ended for convenience", MissingTerminationRight
    ),
}
