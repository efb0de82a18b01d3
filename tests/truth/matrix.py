"""Drives one version through its cases, and holds every channel to the truth."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from generators.lines import CorpusIndex
from tests.truth.accounts import Account, Namer, Truth, session_account, truth_of, wire_account
from tests.truth.cases import Case
from tests.truth.catalogue import Driving
from tests.truth.comparison import Channel, RouteResult, compare
from tests.truth.frame import Frame
from tests.truth.session import Driven, drive


@dataclass(frozen=True)
class Bench:
    """What all sessions share."""

    tools: Path
    frame: Frame
    index: CorpusIndex


@dataclass(frozen=True)
class Outcome:
    """One session, driven and compared."""

    driven: Driven
    truth: Truth
    results: tuple[RouteResult, ...]


async def run_case(driving: Driving, case: Case, root: Path, bench: Bench) -> Outcome:
    """Drive one case, and compare what comes of it. Raises NotDrivenError."""
    driver, version = driving.driver, driving.version
    driven = await drive(driver, version, case, root, bench.tools, bench.frame)
    truth = truth_of(case, driven.script.sent, driver.rules(version).thread_header)
    return Outcome(driven, truth, compare(case, truth, accounts_of(driven, truth, bench.index)))


def accounts_of(driven: Driven, truth: Truth, index: CorpusIndex) -> dict[Channel, Account]:
    """What each channel says."""
    driver, version, place = driven.driver, driven.version, driven.place
    namer = Namer(driven.case, truth.names)
    accounts: dict[Channel, Account] = {
        "wire": wire_account(namer, place.wire, driver.cli.profile, driver.tools(version), index),
        "session": session_account(namer, driver.session(place.home, version), index),
    }
    if driven.case.is_streamed:
        accounts["stream"] = session_account(namer, place.stdout(0), index)
    if place.export.exists():
        accounts["export"] = session_account(namer, place.export, index)
    return accounts
