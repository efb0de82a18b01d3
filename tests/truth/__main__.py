"""Drives real CLIs, old and new, and holds what is read of them to what their models were sent.

    ./dev truth [CLI[@VERSION]…] [--keep] [--case NAME]

Prints a row for each version and route: the lines that were shown whole, and what the gateway's
record, the CLI's session and what it printed say of them. Exit code 1 where a difference has no
name, or one that has is gone.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from authoring.errors import OcbError
from generators.lines import CorpusIndex
from tests.truth.catalogue import DRIVERS, LIVE, Driving, check_cases, drivings
from tests.truth.comparison import CHANNELS
from tests.truth.corpus import corpus
from tests.truth.differences import Row, judge
from tests.truth.frame import make_frame
from tests.truth.install import TOOLS, install_version
from tests.truth.keeping import keep
from tests.truth.matrix import Bench, Outcome, run_case
from tests.truth.session import NotDrivenError

WIDTHS = (21, 11, 29, 7, *(11 for _ in CHANNELS))


def main() -> int:
    """Drive what was asked for; whether all that differs has a name."""
    parser = argparse.ArgumentParser(
        prog="./dev truth", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    known = ", ".join(f"{one.name} ({' '.join(one.versions)})" for one in DRIVERS.values())
    parser.add_argument("versions", nargs="*", metavar="CLI[@VERSION]", help=f"else all: {known}")
    parser.add_argument("--keep", action="store_true", help="write the fixtures again")
    parser.add_argument("--case", action="append", default=[], help="only this one; repeatable")
    parser.add_argument("--install", action="store_true", help="only install what the tests drive")
    given = parser.parse_args()
    try:
        if given.install:
            _install(LIVE)
            return 0
        wanted = drivings(given.versions)
        check_cases(given.case, wanted)
        _install(wanted)
        return _drive(wanted, given.case, keeps=given.keep)
    except OcbError as error:
        _say(str(error))
        return error.exit_code


def _install(wanted: Iterable[Driving]) -> None:
    for one in wanted:
        install_version(one.driver, one.version, TOOLS, _say)


def _drive(wanted: Iterable[Driving], cases: list[str], *, keeps: bool) -> int:
    failed = 0
    _row("version", "case", "route", "truth", *CHANNELS)
    with tempfile.TemporaryDirectory(prefix="truth-") as folder:
        frame = Path(folder, "frame")
        frame.mkdir()
        bench = Bench(TOOLS, make_frame(frame), CorpusIndex.of(corpus()))
        for driving in wanted:
            for case in driving.driver.cases(driving.version, bench.frame.command):
                if cases and case.name not in cases:
                    continue
                root = Path(folder, driving.name, case.name)
                try:
                    outcome = asyncio.run(run_case(driving, case, root, bench))
                except (NotDrivenError, OcbError) as error:
                    _row(driving.name, case.name, f"! {error}")
                    failed += 1
                    continue
                failed += _tell(driving, outcome)
                if keeps:
                    _say(f"kept in {keep(outcome)}")
    return 1 if failed else 0


def _tell(driving: Driving, outcome: Outcome) -> int:
    """Print a session's rows; how many of them nothing explains."""
    failed = 0
    case = outcome.driven.case.name
    for result in outcome.results:
        counts = [
            str(result.findings[one].count) if one in result.findings else "" for one in CHANNELS
        ]
        _row(driving.name, case, result.route, str(result.truth), *counts)
        judged = judge(Row(driving.driver.name, driving.version, case, result))
        for one in judged:
            if one.told != "agrees":
                mark = " " if one.explained else "!"
                _print(f"    {mark} {one.channel}: {one.told}")
        if result.broken:
            _print(f"    ! {result.broken}")
        failed += bool(result.broken) or not all(one.explained for one in judged)
    return failed


def _row(*cells: str) -> None:
    _print(" ".join(f"{cell:<{width}}" for cell, width in zip(cells, WIDTHS, strict=False)))


def _print(line: str) -> None:
    sys.stdout.write(f"{line.rstrip()}\n")
    sys.stdout.flush()


def _say(line: str) -> None:
    sys.stderr.write(f"truth: {line}\n")


if __name__ == "__main__":
    sys.exit(main())
