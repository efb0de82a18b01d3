"""Kinds of defect where two logs tell different things of one request or one deploy."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from generators.detectors.detector import Evidence
from generators.detectors.incidents.reading import at_lines, records, time_of
from generators.lines import split_lines

PROXIED = re.compile(r'"[A-Z]+ /v\d+/\S* HTTP/[\d.]+" (?P<status>\d{3}) ')
REQUEST_ID = re.compile(r"(?:^| |=)(?P<rid>[0-9a-f]{8})(?= |$)")
ANNOUNCED = re.compile(
    r"DEP-\d+ announced \| (?P<host>\S+) \| \S+ \| (?P<service>\S+) (?P<version>\S+)$"
)
FAILED, SUCCEEDED = range(500, 600), range(200, 300)


@dataclass(frozen=True)
class Answer:
    """How a request ended, by one log."""

    status: int
    line: int


@dataclass(frozen=True)
class AnswerFacts:
    """The requests of one file, by id."""

    proxied: Mapping[str, Answer]
    served: Mapping[str, Answer]


class ProxiedFailure:
    """Finds requests that the proxy calls a success and the service a failure."""

    def extract(self, path: PurePosixPath, text: str) -> AnswerFacts:
        """The requests that a proxy or a service logs."""
        served = {r.text("rid"): Answer(r.status, r.line) for r in records(text) if r.status}
        return AnswerFacts(dict(_proxied(text)), served)

    def decide(self, facts: Mapping[PurePosixPath, AnswerFacts]) -> tuple[Evidence, ...]:
        """Both lines of each such request."""
        failed = {
            rid: (path, answer)
            for path in sorted(facts)
            for rid, answer in facts[path].served.items()
            if answer.status in FAILED
        }
        found: list[Evidence] = []
        for path in sorted(facts):
            for rid, answer in facts[path].proxied.items():
                if answer.status in SUCCEEDED and rid in failed:
                    where, failure = failed[rid]
                    found += [*at_lines(path, answer.line), *at_lines(where, failure.line)]
        return tuple(found)


def _proxied(text: str) -> Iterator[tuple[str, Answer]]:
    if text.startswith("{"):
        return
    for number, line in enumerate(split_lines(text), start=1):
        request = PROXIED.search(line)
        if request is None:
            continue
        outside = line[: request.start()] + " " + line[request.end() :]
        rid = REQUEST_ID.search(outside)
        if rid:
            yield rid["rid"], Answer(int(request["status"]), number)


@dataclass(frozen=True)
class Release:
    """A version of a service on a host, announced or running."""

    host: str
    service: str
    version: str
    at: int
    line: int


@dataclass(frozen=True)
class ReleaseFacts:
    """What one file announces and what it shows to run."""

    announced: tuple[Release, ...]
    started: tuple[Release, ...]


class VersionDrift:
    """Finds hosts that come up with another version than the last one announced for them."""

    def extract(self, path: PurePosixPath, text: str) -> ReleaseFacts:
        """Announcements and starts."""
        started = tuple(
            Release(r.text("host"), r.text("service"), r.text("version"), r.at, r.line)
            for r in records(text)
            if r.text("version") and r.text("host")
        )
        return ReleaseFacts(tuple(_announced(text)), started)

    def decide(self, facts: Mapping[PurePosixPath, ReleaseFacts]) -> tuple[Evidence, ...]:
        """The announcement and the start that differs from it."""
        announced = [(path, one) for path in sorted(facts) for one in facts[path].announced]
        found: list[Evidence] = []
        for path in sorted(facts):
            for start in facts[path].started:
                before = [
                    (where, one)
                    for where, one in announced
                    if (one.host, one.service) == (start.host, start.service) and one.at < start.at
                ]
                if not before:
                    continue
                where, last = max(before, key=lambda pair: pair[1].at)
                if last.version != start.version:
                    found += [*at_lines(where, last.line), *at_lines(path, start.line)]
        return tuple(found)


def _announced(text: str) -> Iterator[Release]:
    for number, line in enumerate(split_lines(text), start=1):
        found, at = ANNOUNCED.search(line), time_of(line)
        if found and at is not None:
            yield Release(found["host"], found["service"], found["version"], at, number)
