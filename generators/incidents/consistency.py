"""Whether the logs of a night agree with themselves, with each other and with the runbook.

Reads the texts alone: nothing here knows how they were made. A corpus before anything is planted in
it has no fault.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import PurePosixPath
from typing import NamedTuple

from generators.detectors.incidents.accounts import TICKET
from generators.detectors.incidents.across import PROXIED, REQUEST_ID
from generators.detectors.incidents.bounds import LEASE
from generators.detectors.incidents.kinds import INCIDENT_KINDS
from generators.detectors.incidents.order import RUN, STARTED, STORED, SUCCEEDED
from generators.detectors.incidents.reading import MINUTE, is_runbook, minutes, records, time_of
from generators.lines import split_lines

Texts = Mapping[str, str]

SESSION = re.compile(
    r" (?P<host>\S+) (?P<process>\w+\[\d+\]): pam_unix\(\w+:session\):"
    r" session (?P<what>opened|closed) for user (?P<user>\S+)$"
)
ENDED = re.compile(
    r" (?P<host>\S+) (?P<process>sshd\[\d+\]): Disconnected from user (?P<user>\S+) "
)
QUOTA = re.compile(
    r"quota (?P<a>[\w-]+) at (?P<av>[\d.]+) percent|(?P<b>[\w-]+) quota (?P<bv>[\d.]+) percent full"
    r"|share of quota (?P<c>[\w-]+): (?P<cv>[\d.]+) percent"
)
CERTIFICATE = re.compile(
    r"(?P<name>[\w.-]+\.example\.net),? (?:good for |expires in )?(?P<hours>\d+) h(?: left)?$"
)
COPIED = re.compile(
    r"(?P<done>\d+)(?: of |/)(?P<all>\d+) (?:segments|blocks|chunks|extents)|part "
    r"(?P<part>\d+) of (?P<parts>\d+)"
)
RELEASED = re.compile(
    r"lease p(\d+) released$|p(\d+) lease given up$|dropped hold on p(\d+)$"
    r"|p(\d+): no longer owner$|own\(p(\d+)\) ends$"
)
HOUR = 60 * MINUTE
SECOND = 1000


def faults(texts: Texts) -> tuple[str, ...]:
    """What does not agree, one sentence each."""
    logs = {path: split_lines(text) for path, text in texts.items() if not is_runbook(text)}
    found = [f"{kind}: {where}" for kind, where in _detected(texts)]
    found += _unique_lines(logs)
    found += _requests(logs, texts)
    for path, lines in logs.items():
        for check in CHECKS:
            found += [f"{path}: {fault}" for fault in check(lines)]
    return tuple(found)


def _detected(texts: Texts) -> Iterator[tuple[str, str]]:
    for kind, entry in INCIDENT_KINDS.items():
        detector = entry.make()
        facts = {
            PurePosixPath(path): detector.extract(PurePosixPath(path), text)
            for path, text in texts.items()
        }
        for evidence in detector.decide(facts):
            yield kind, f"{evidence.path}:{evidence.first}"


def _unique_lines(logs: Mapping[str, Sequence[str]]) -> Iterator[str]:
    seen: dict[str, str] = {}
    for path, lines in logs.items():
        for number, line in enumerate(lines, start=1):
            place = f"{path}:{number}"
            if seen.setdefault(line, place) != place:
                yield f"{place}: the line stands at {seen[line]} too"


class _Answer(NamedTuple):
    """How a request ended in a service."""

    status: int
    at: int
    site: str


def _requests(logs: Mapping[str, Sequence[str]], texts: Texts) -> Iterator[str]:
    """Each request has one line at the proxy and one in the service, with the same outcome."""
    served: dict[str, _Answer] = {}
    for path, text in texts.items():
        for record in records(text):
            if not record.status:
                continue
            if record.text("rid") in served:
                yield f"{path}:{record.line}: request {record.text('rid')} ends twice"
            served[record.text("rid")] = _Answer(record.status, record.at, _site(path))
    for path, lines in logs.items():
        for number, line in enumerate(lines, start=1):
            request = None if line.startswith("{") else PROXIED.search(line)
            if request is None:
                continue
            rid = REQUEST_ID.search(line[: request.start()] + " " + line[request.end() :])
            answer = served.pop(rid["rid"], None) if rid else None
            ended = _Answer(int(request["status"]), time_of(line) or 0, _site(path))
            if answer is None or not _agree(ended, answer):
                yield f"{path}:{number}: {ended}, but in the service {answer}"
    for name in served:
        yield f"request {name} is in no log of a proxy"


def _site(path: str) -> str:
    return path.rpartition("/")[0]


def _agree(one: _Answer, other: _Answer) -> bool:
    """The proxy's times may be whole seconds."""
    same = (one.status, one.site) == (other.status, other.site)
    return same and abs(one.at - other.at) < SECOND


def _times(lines: Sequence[str]) -> Iterator[str]:
    times = [time_of(line) for line in lines]
    for number, at in enumerate(times, start=1):
        if at is None or at > 6 * HOUR:
            yield f"line {number} has no time of the night"
    for number, (one, other) in enumerate(pairwise(times), start=2):
        if one is not None and other is not None and other < one:
            yield f"line {number} is earlier than the line above"


def _sessions(lines: Sequence[str]) -> Iterator[str]:
    """A session is opened once and closed once, or stays open."""
    opened: dict[str, str] = {}
    closed: set[str] = set()
    for number, line in enumerate(lines, start=1):
        found = SESSION.search(line)
        ended = ENDED.search(line)
        if ended and opened.get(f"{ended['host']} {ended['process']}") != ended["user"]:
            yield f"line {number} ends a session that is not open"
        if found is None:
            continue
        name = f"{found['host']} {found['process']}"
        if found["what"] == "opened":
            if name in opened or name in closed:
                yield f"line {number} opens {name} again"
            opened[name] = found["user"]
        else:
            if opened.pop(name, None) != found["user"]:
                yield f"line {number} closes {name}, which is not open for this user"
            closed.add(name)


def _backups(lines: Sequence[str]) -> Iterator[str]:
    """What was started is finished; a copy grows to the whole before it is."""
    open_runs: dict[str, int] = {}
    copied: dict[str, tuple[int, int]] = {}
    for number, line in enumerate(lines, start=1):
        run = RUN.search(line)
        if run is None:
            continue
        name = next(run[group] for group in "abcde" if run[group])
        said = next(run[f"{group}t"] for group in "abcde" if run[f"{group}t"] is not None)
        progress = COPIED.search(said)
        if SUCCEEDED.match(said):
            if name not in open_runs or len(set(copied.get(name, (0, 1)))) != 1:
                yield f"line {number} ends run {name}, which was not started or is not whole"
            open_runs.pop(name, None)
        elif progress and name in open_runs:
            done = int(progress["done"] or progress["part"])
            if done <= copied.get(name, (0, 0))[0]:
                yield f"line {number}: the copy of {name} does not grow"
            copied[name] = (done, int(progress["all"] or progress["parts"]))
        elif STARTED.match(said):
            open_runs[name] = number
    for name, number in open_runs.items():
        yield f"line {number} starts run {name}, which is never finished"


def _leases(lines: Sequence[str]) -> Iterator[str]:
    """What a worker stores is of a partition that it holds."""
    held: set[str] = set()
    for number, line in enumerate(lines, start=1):
        lease, released = LEASE.search(line), RELEASED.search(line)
        stored = next((m for pattern in STORED if (m := pattern.search(line))), None)
        if lease is not None:
            held.add(next(lease[group] for group in "abcde" if lease[group]))
        elif released is not None:
            held.discard(next(group for group in released.groups() if group))
        elif stored is not None and stored["partition"] not in held:
            yield f"line {number} stores for partition {stored['partition']}, which is not held"


def _quotas(lines: Sequence[str]) -> Iterator[str]:
    last: dict[str, float] = {}
    for number, line in enumerate(lines, start=1):
        found = QUOTA.search(line)
        if found is None:
            continue
        name = found["a"] or found["b"] or found["c"]
        share = float(found["av"] or found["bv"] or found["cv"])
        if not last.get(name, 0.0) <= share <= 100:
            yield f"line {number}: quota {name} falls to {share}"
        last[name] = share


def _certificates(lines: Sequence[str]) -> Iterator[str]:
    """Hours left fall by the hours that have gone by."""
    last: dict[str, tuple[int, int]] = {}
    for number, line in enumerate(lines, start=1):
        found, at = CERTIFICATE.search(line), time_of(line)
        if found is None or at is None:
            continue
        left, hour = int(found["hours"]), at // HOUR
        before = last.setdefault(found["name"], (left, hour))
        if before[0] - left != hour - before[1]:
            yield f"line {number}: {found['name']} has {left} hours left after {before[0]}"
        last[found["name"]] = (left, hour)


def _tickets(lines: Sequence[str]) -> Iterator[str]:
    """A ticket is approved before its window begins, and the window has a length."""
    for number, line in enumerate(lines, start=1):
        found, at = TICKET.search(line), time_of(line)
        if found is None or at is None:
            continue
        first, last = minutes(found["first"]), minutes(found["last"])
        if not at / MINUTE < first < last < 6 * 60:
            yield f"line {number}: the window of the ticket is not after its approval"


CHECKS = (_times, _sessions, _backups, _leases, _quotas, _certificates, _tickets)
"""Of one log each."""
