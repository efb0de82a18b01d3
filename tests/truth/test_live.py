"""Real CLIs, driven: by wire = by session = the truth, but for the differences that have a name.

Two versions of Claude Code and one of each other; `./dev truth` drives more.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from generators.lines import CorpusIndex
from tests.truth.catalogue import LIVE, Driving
from tests.truth.differences import faults
from tests.truth.frame import make_frame
from tests.truth.install import TOOLS
from tests.truth.matrix import Bench, run_case

CASES = [
    pytest.param(one, case.name, id=f"{one.name} {case.name}")
    for one in LIVE
    for case in one.driver.cases(one.version, "")
]


@pytest.fixture(scope="module")
def bench(index: CorpusIndex, tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(TOOLS, make_frame(tmp_path_factory.mktemp("frame")), index)


@pytest.mark.parametrize(("driving", "name"), CASES)
def test_every_channel_is_the_truth_or_differs_by_name(
    bench: Bench, driving: Driving, name: str, tmp_path: Path
) -> None:
    cases = driving.driver.cases(driving.version, bench.frame.command)
    case = next(one for one in cases if one.name == name)
    outcome = asyncio.run(run_case(driving, case, tmp_path, bench))
    assert faults(driving.driver.name, driving.version, name, outcome.results) == ()
    assert {"wire", "session"} <= outcome.results[0].findings.keys()
