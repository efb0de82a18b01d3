"""A small sound scenario, from which each broken one of the table is made by one change.

Eight boats keep a log and a list of the fuel they took; a rule book says what is allowed.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from authoring.catalogue import Kind
from authoring.loading import load_spec
from generators.build import Build, build_scenario, load_build
from generators.catalogue import NoParameters, Registered, Registrations, installed
from generators.detectors.detector import Detector, Evidence
from generators.document import Document

SPEC = (Path(__file__).parent / "harbour_week.yaml").read_text()
BOATS = ("alder", "birch", "cedar", "elm", "hazel", "larch", "maple", "rowan")
PLACES = ("Skerry Bank", "the north light", "Gull Island", "the outer buoy", "Hollow Bay", "Ness")
MASTERS = ("Marta Ruiz", "Ole Dahl", "Ines Prado", "Tom Birk", "Ada Quist", "Jon Vale", "Mia Holt")
WEATHER = ("rain from the west", "a light swell", "fog until noon", "clear air", "a fresh breeze")
WORK = (
    "the crew greased winch {n} and coiled {m} fathoms of line",
    "{m} crates of ice came aboard over ramp {n}",
    "pump {n} was opened, cleaned and run for {m} minutes",
    "a net of {m} metres was mended at table {n}",
    "the glass stood at {n}{m} and the lamp on mast {n} was trimmed",
)
RULES = """\
# Rules of the harbour

## Sailing hours

No boat leaves its berth before 05:00 in the morning.

## Reserve

A boat that comes back holds at least 40 litres of fuel in reserve.

## Signature

Every log ends with the signature of the master.

## Fuel

The litres of a receipt are the same in the log and in the list of fuel.
"""


class HarbourWeek:
    """Logs and lists of fuel of one week."""

    def __init__(self, parameters: NoParameters, randomness: random.Random) -> None:
        self._random = randomness

    def documents(self) -> Iterator[Document]:
        for boat in BOATS:
            receipts = [self._random.randrange(10_000, 99_999) for _ in range(9)]
            litres = [self._random.randrange(60, 290) for _ in receipts]
            log = self._log(boat, receipts, litres)
            yield Document(PurePosixPath(f"boats/{boat}/log.md"), "log", log)
            rows = (
                f"{self._day()},{self._random.randrange(1, 6)},{amount},R-{receipt}\n"
                for receipt, amount in zip(receipts, litres, strict=True)
            )
            table = f"day,pump,litres,receipt of the {boat}\n" + "".join(rows)
            yield Document(PurePosixPath(f"boats/{boat}/fuel.csv"), "fuel", table)
        yield Document(PurePosixPath("rules.md"), "rules", RULES)

    def _log(self, boat: str, receipts: list[int], litres: list[int]) -> str:
        pick = self._random.choice
        master = pick(MASTERS)
        sections = [
            "## Voyages\n\n" + "".join(self._voyage() for _ in range(12)),
            "## Fuel\n\n"
            + "".join(
                f"- {self._day()}: took {amount} litres at the quay, receipt R-{receipt}\n"
                for receipt, amount in zip(receipts, litres, strict=True)
            ),
            "## Work\n\n" + "".join(self._work() for _ in range(10)),
        ]
        self._random.shuffle(sections)
        end = f"## Signature\n\nSigned at berth {self._number()} by {master}, {boat.title()}.\n"
        return "\n".join((f"# Log of the {boat.title()}, {master}\n", *sections, end))

    def _voyage(self) -> str:
        out = f"{self._random.randrange(5, 12):02}:{self._random.randrange(60):02}"
        back = f"{self._random.randrange(13, 22):02}:{self._random.randrange(60):02}"
        return (
            f"- {self._day()}: out at {out} for {self._random.choice(PLACES)}, back at {back} with"
            f" {self._random.randrange(41, 99)} litres in reserve, {self._random.choice(WEATHER)}\n"
        )

    def _work(self) -> str:
        work = self._random.choice(WORK).format(n=self._number(), m=self._number())
        return f"- {self._day()}: {work}\n"

    def _day(self) -> str:
        return f"{self._random.randrange(2, 9)} June"

    def _number(self) -> int:
        return self._random.randrange(11, 99)


class LineDetector:
    """Finds the lines with a number that a rule does not allow."""

    def __init__(self, pattern: str, least: int) -> None:
        self._pattern = re.compile(pattern)
        self._least = least

    def extract(self, path: PurePosixPath, text: str) -> tuple[int, ...]:
        found = ((n, self._pattern.search(line)) for n, line in enumerate(text.split("\n"), 1))
        return tuple(n for n, match in found if match and int(match[1]) < self._least)

    def decide(self, facts: Mapping[PurePosixPath, tuple[int, ...]]) -> tuple[Evidence, ...]:
        return tuple(Evidence(path, n, n) for path, lines in facts.items() for n in lines)


class UnsignedLog:
    """Finds the end of a log that nobody signed."""

    def extract(self, path: PurePosixPath, text: str) -> int:
        last = text.count("\n")
        return 0 if path.suffix != ".md" or "## Signature" in text else last

    def decide(self, facts: Mapping[PurePosixPath, int]) -> tuple[Evidence, ...]:
        return tuple(Evidence(path, last - 1, last) for path, last in facts.items() if last)


class Taken(NamedTuple):
    """Fuel by a receipt, as one file has it."""

    line: int
    litres: int


class FuelDiffers:
    """Finds the two lines of a receipt whose litres are not the same."""

    ROW = re.compile(r",(\d+),(R-\d{5})$|took (\d+) litres .* receipt (R-\d{5})$")

    def extract(self, path: PurePosixPath, text: str) -> dict[str, Taken]:
        rows = ((n, self.ROW.search(line)) for n, line in enumerate(text.split("\n"), 1))
        return {row[2] or row[4]: Taken(n, int(row[1] or row[3])) for n, row in rows if row}

    def decide(self, facts: Mapping[PurePosixPath, dict[str, Taken]]) -> tuple[Evidence, ...]:
        known: dict[str, list[tuple[PurePosixPath, Taken]]] = {}
        for path, rows in facts.items():
            for receipt, taken in rows.items():
                known.setdefault(receipt, []).append((path, taken))
        return tuple(
            Evidence(path, taken.line, taken.line)
            for both in known.values()
            if len({taken.litres for _, taken in both}) > 1
            for path, taken in both
        )


def night_sailing() -> LineDetector:
    return LineDetector(r"out at (\d\d):\d\d", 5)


def low_reserve() -> LineDetector:
    return LineDetector(r"with (\d+) litres in reserve", 40)


KINDS: Mapping[str, Callable[[], Detector[Any]]] = {
    "night-sailing": night_sailing,
    "low-reserve": low_reserve,
    "unsigned-log": UnsignedLog,
    "fuel-differs": FuelDiffers,
}


def registrations() -> Registrations:
    """What ocb brings, and the harbour."""
    known = installed()
    generator = Registered(Kind("harbour", "logs of boats", NoParameters), HarbourWeek)
    kinds = {
        name: Registered(Kind(name, "a breach of the rules", NoParameters), make)
        for name, make in KINDS.items()
    }
    return replace(known, generators={"harbour": generator}, kinds=kinds)


def build_harbour(parent: Path, *, spec: str = SPEC, known: Registrations | None = None) -> Build:
    """Build it under a folder; with another spec or other registrations where a test has them."""
    parent.mkdir(parents=True, exist_ok=True)
    path = parent / "harbour_week.yaml"
    path.write_text(spec)
    known = known or registrations()
    paths = build_scenario(
        load_spec(path, known.catalogue()),
        size="small",
        parent=parent / "build",
        ocb_version="0.0.0",
        registrations=known,
    )
    return load_build(paths.root)
