"""Goods in and goods out, as the scanners at the gates report them."""

import csv
import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

log = logging.getLogger(__name__)

GATES = ("north", "quay", "returns")  # as the scanners spell them


class MovementError(Exception):
    """A line of a scanner cannot be booked."""


@dataclass(frozen=True)
class Movement:
    """One pallet that went through a gate."""

    at: datetime
    gate: str
    article: str
    pieces: int


def parse_movements(lines: Iterable[str]) -> Iterator[Movement]:
    """Every movement of one scanner file. The scanners end a shift with an empty line."""
    for row in csv.reader(lines, delimiter=";"):
        if not row:
            continue
        stamp, gate, article, pieces = row
        if gate not in GATES:
            raise MovementError(f"unknown gate {gate!r} at {stamp}")
        try:
            yield Movement(datetime.fromisoformat(stamp), gate, article, int(pieces))
        except ValueError as error:
            raise MovementError(f"cannot read the scan of {article} at {stamp}") from error


def book(counts: dict[str, int], movements: Iterable[Movement]) -> dict[str, int]:
    """The counts after all movements; returns count as goods in."""
    booked = dict(counts)
    for movement in movements:
        sign = -1 if movement.gate == "quay" else 1
        left = booked.get(movement.article, 0) + sign * movement.pieces
        if left < 0:
            log.error("%s went below none at gate %s", movement.article, movement.gate)
            left = 0
        booked[movement.article] = left
    return booked
