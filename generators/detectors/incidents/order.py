"""Kinds of defect that are in the order of lines: clocks, messages, backups."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import PurePosixPath
from typing import NamedTuple

from generators.detectors.detector import Evidence
from generators.detectors.incidents.reading import is_runbook, time_of
from generators.lines import split_lines

STORED = tuple(
    re.compile(pattern)
    for pattern in (
        r" p(?P<partition>\d+) committed (?P<offset>\d+)$",
        r" processed (?P<offset>\d+) of p(?P<partition>\d+)$",
        r" p(?P<partition>\d+) -> (?P<offset>\d+) delivered$",
        r" acknowledged p(?P<partition>\d+)@(?P<offset>\d+)$",
        r" p(?P<partition>\d+)/(?P<offset>\d+) complete$",
        r" (?P<offset>\d+)/p(?P<partition>\d+) transferred$",
        r" published p(?P<partition>\d+):(?P<offset>\d+)$",
    )
)
"""How workers say that a message is stored."""
RUN = re.compile(
    r"backup (?P<a>[\w-]+-\d+) (?P<at>.*)"
    r"|run (?P<b>\d+) \([\w-]+\): (?P<bt>.*)"
    r"|(?P<c>[\w-]+#\d+) (?P<ct>.*)"
    r"|dump of (?P<d>[\w-]+ \[\d+\]) (?P<dt>.*)"
    r"|save\((?P<e>[\w-]+, \d+)\) (?P<et>.*)"
)
"""A line of a backup run: which run, and what it says."""
STARTED = re.compile(
    r"started|begins|opens|snapshot taken|snapshot frozen|in progress|queued|picked up"
)
COMPARED = re.compile(
    r"verified|checksum pass clean|restore check passed|compared with source|read back"
)
SUCCEEDED = re.compile(
    r"finished, success|completed ok|closed as successful|is complete, exit 0|ended: good"
)


@dataclass(frozen=True)
class Places:
    """What one file shows by itself."""

    found: tuple[tuple[int, int], ...]
    """First and last lines."""


class Alone:
    """What these kinds share that are decided by each file alone."""

    def decide(self, facts: Mapping[PurePosixPath, Places]) -> tuple[Evidence, ...]:
        """What each file shows."""
        return tuple(
            Evidence(path, first, last)
            for path in sorted(facts)
            for first, last in facts[path].found
        )


class ClockStep(Alone):
    """Finds lines with an earlier time than the line above, and shows both."""

    def extract(self, path: PurePosixPath, text: str) -> Places:
        """Where the time goes back."""
        if is_runbook(text):
            return Places(())
        found: list[tuple[int, int]] = []
        before = -1
        for number, line in enumerate(split_lines(text), start=1):
            at = time_of(line)
            if at is None:
                continue
            if at < before:
                found.append((number - 1, number))
            before = at
        return Places(tuple(found))


class Message(NamedTuple):
    """That a message of a partition is stored."""

    partition: str
    offset: int
    line: int


def messages(text: str) -> Iterator[Message]:
    """What a worker stores, in the order of its log."""
    for number, line in enumerate(split_lines(text), start=1):
        match = next((m for pattern in STORED if (m := pattern.search(line))), None)
        if match is not None:
            yield Message(match["partition"], int(match["offset"]), number)


class SequenceGap(Alone):
    """Finds offsets of a partition that are nowhere, and shows the lines on both sides."""

    def extract(self, path: PurePosixPath, text: str) -> Places:
        """The messages before and after each gap, wherever they stand."""
        first: dict[tuple[str, int], int] = {}
        for partition, offset, line in messages(text):
            first.setdefault((partition, offset), line)
        found: list[int] = []
        for one, other in pairwise(sorted(first)):
            if one[0] == other[0] and other[1] > one[1] + 1:
                found += [first[one], first[other]]
        return Places(tuple((line, line) for line in dict.fromkeys(found)))


class RepeatedMessage(Alone):
    """Finds messages that are stored again, and shows both lines."""

    def extract(self, path: PurePosixPath, text: str) -> Places:
        """Where an offset of a partition stands, and where it stands again."""
        first: dict[tuple[str, int], int] = {}
        found: list[int] = []
        for partition, offset, line in messages(text):
            before = first.setdefault((partition, offset), line)
            if before != line:
                found += [before, line]
        return Places(tuple((line, line) for line in dict.fromkeys(found)))


class OvertakenMessage(Alone):
    """Finds messages that are stored after a later one, and shows both lines."""

    def extract(self, path: PurePosixPath, text: str) -> Places:
        """Where an offset of a partition comes for the first time, and is not the highest."""
        highest: dict[str, Message] = {}
        seen: set[tuple[str, int]] = set()
        found: list[int] = []
        for message in messages(text):
            before = highest.setdefault(message.partition, message)
            if message.offset >= before.offset:
                highest[message.partition] = message
            elif message[:2] not in seen:
                found += [before.line, message.line]
            seen.add(message[:2])
        return Places(tuple((line, line) for line in dict.fromkeys(found)))


class UnverifiedBackup(Alone):
    """Finds runs that report success without a comparison since their start."""

    def extract(self, path: PurePosixPath, text: str) -> Places:
        """The lines that report success."""
        compared: dict[str, bool] = {}
        found: list[tuple[int, int]] = []
        for number, line in enumerate(split_lines(text), start=1):
            match = RUN.search(line)
            if match is None:
                continue
            run = next(match[name] for name in "abcde" if match[name])
            said = next(match[f"{name}t"] for name in "abcde" if match[f"{name}t"] is not None)
            if SUCCEEDED.match(said):
                if not compared.get(run):
                    found.append((number, number))
            elif COMPARED.match(said):
                compared[run] = True
            elif STARTED.match(said):
                compared[run] = False
        return Places(tuple(found))
