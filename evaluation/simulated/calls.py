"""The tool calls of a plan: listing, and reading a file whole or by ranges, in turns."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from evaluation.simulated.assignment import Assignment, Filling, fill
from evaluation.simulated.hands import Call
from evaluation.simulated.truth import Asked

PARALLEL = 4
"""The most tool calls in one turn."""


@dataclass(frozen=True)
class PlannedCall:
    """One tool call that will be made."""

    asked: Asked
    tool: str
    arguments: Mapping[str, JsonValue]
    subagent: str = ""
    """The thread that it starts, or whose report it fetches."""


Turn = tuple[PlannedCall, ...]


@dataclass(frozen=True)
class Part:
    """A run of lines to ask for."""

    first: int
    count: int


def planned(call: Call, asked: Asked, filling: Filling, subagent: str = "") -> PlannedCall:
    """A call with its places filled in."""
    return PlannedCall(asked, call.tool, fill(call, filling), subagent)


def list_files(run: Assignment) -> PlannedCall:
    """The call that lists the corpus."""
    return planned(run.hands.list_files, Asked(action="list"), Filling(path=run.locate()))


def read_part(run: Assignment, path: str, part: Part) -> PlannedCall:
    """The call that reads a run of lines."""
    filling = Filling(path=run.locate(path), first=part.first, count=part.count)
    asked = Asked(action="read", path=path, first=part.first, count=part.count)
    return planned(run.hands.read_range, asked, filling)


def read_from_top(run: Assignment, path: str, lines: int | None = None) -> list[PlannedCall]:
    """The reads of a file, or of its first lines: one, or as many as show so much text."""
    wanted = run.lines[path][:lines]
    most = run.hands.most
    sizes = [len(line.encode()) + 1 for line in wanted]
    if len(wanted) == len(run.lines[path]) and (most is None or sum(sizes) <= most):
        asked = Asked(action="read", path=path)
        return [planned(run.hands.read_file, asked, Filling(path=run.locate(path)))]
    parts: list[Part] = []
    first = size = 0
    for number, more in enumerate(sizes):
        if size and most is not None and size + more > most:
            parts.append(Part(first + 1, number - first))
            first, size = number, 0
        size += more
    parts.append(Part(first + 1, len(sizes) - first))
    return [read_part(run, path, part) for part in parts]


def in_turns(calls: Sequence[PlannedCall], rng: random.Random) -> tuple[Turn, ...]:
    """Calls in turns of one to several."""
    turns: list[Turn] = []
    at = 0
    while at < len(calls):
        size = rng.randint(1, PARALLEL)
        turns.append(tuple(calls[at : at + size]))
        at += size
    return tuple(turns)
