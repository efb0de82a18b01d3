"""Kinds of defect around accounts: logins outside of a window, locked accounts, sudo."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from generators.detectors.detector import Evidence
from generators.detectors.incidents.reading import (
    MINUTE,
    at_lines,
    figure,
    is_runbook,
    minutes,
    records,
    time_of,
)
from generators.lines import split_lines

WINDOW = re.compile(r"\| `?(?P<account>[\w-]+)`? +\| (?P<first>\d\d:\d\d)-(?P<last>\d\d:\d\d) +\|")
ACCEPTED = re.compile(r" sshd\[\d+\]: Accepted \w+ for (?P<user>[\w.-]+) from ")
LOCKED = re.compile(
    r"lock user '(?P<a>[^']+)' password|account '(?P<b>[^']+)' locked"
    r"|'(?P<c>[^']+)' set to disabled"
)
GRACE = re.compile(r"refuse it \(403\) after (\d+) minutes")
SUDO = re.compile(r" (?P<host>\S+) sudo\[\d+\]: (?P<user>\S+) : .*COMMAND=")
TICKET = re.compile(
    r"CHG-\d+ approved \| (?P<host>\S+) \| (?P<owner>\S+) \|"
    r" (?P<first>\d\d:\d\d)-(?P<last>\d\d:\d\d) \|"
)
SERVED = range(200, 300)


@dataclass(frozen=True)
class Act:
    """Somebody did something."""

    user: str
    host: str
    at: int
    """Milliseconds since midnight."""
    line: int


@dataclass(frozen=True)
class LoginFacts:
    """Logins of one file, or the windows of the runbook."""

    windows: Mapping[str, tuple[int, int]]
    """First and last minute, by account."""
    logins: tuple[Act, ...]


class OutOfWindowLogin:
    """Finds logins of service accounts outside of their windows."""

    def extract(self, path: PurePosixPath, text: str) -> LoginFacts:
        """Logins, or windows."""
        if is_runbook(text):
            windows = {
                found["account"]: (minutes(found["first"]), minutes(found["last"]))
                for found in WINDOW.finditer(text)
            }
            return LoginFacts(windows, ())
        return LoginFacts({}, tuple(_logins(text)))

    def decide(self, facts: Mapping[PurePosixPath, LoginFacts]) -> tuple[Evidence, ...]:
        """The logins outside of the runbook's windows."""
        windows = {name: window for f in facts.values() for name, window in f.windows.items()}
        found: list[Evidence] = []
        for path in sorted(facts):
            for login in facts[path].logins:
                window = windows.get(login.user)
                if window and not window[0] <= login.at / MINUTE <= window[1]:
                    found += at_lines(path, login.line)
        return tuple(found)


def _logins(text: str) -> Iterator[Act]:
    for number, line in enumerate(split_lines(text), start=1):
        found = ACCEPTED.search(line)
        if found and (at := time_of(line)) is not None:
            yield Act(found["user"], "", at, number)


@dataclass(frozen=True)
class LockFacts:
    """Accounts locked by one file, requests served by another, the grace of the runbook."""

    grace: int | None
    """Minutes."""
    locks: tuple[Act, ...]
    served: tuple[Act, ...]


class DisabledUserServed:
    """Finds requests of locked accounts that a service answers, and the line that locked them."""

    def extract(self, path: PurePosixPath, text: str) -> LockFacts:
        """Locks, answered requests, or the grace."""
        grace = figure(text, GRACE)
        if grace is not None:
            return LockFacts(grace, (), ())
        return LockFacts(None, tuple(_locks(text)), tuple(_served(text)))

    def decide(self, facts: Mapping[PurePosixPath, LockFacts]) -> tuple[Evidence, ...]:
        """Both lines, for each request after the grace."""
        grace = next((f.grace for f in facts.values() if f.grace is not None), None)
        if grace is None:
            return ()
        locks = {lock.user: (path, lock) for path in sorted(facts) for lock in facts[path].locks}
        found: list[Evidence] = []
        for path in sorted(facts):
            for act in facts[path].served:
                where, lock = locks.get(act.user, (path, act))
                if act.at > lock.at + grace * MINUTE:
                    found += [*at_lines(where, lock.line), *at_lines(path, act.line)]
        return tuple(dict.fromkeys(found))


def _locks(text: str) -> Iterator[Act]:
    for number, line in enumerate(split_lines(text), start=1):
        found = LOCKED.search(line)
        if found and (at := time_of(line)) is not None:
            yield Act(found["a"] or found["b"] or found["c"], "", at, number)


def _served(text: str) -> Iterator[Act]:
    for record in records(text):
        if record.status in SERVED and record.text("user"):
            yield Act(record.text("user"), "", record.at, record.line)


@dataclass(frozen=True)
class Window:
    """An approved ticket: on which host, by whom, and its minutes."""

    owner: str
    host: str
    first: int
    last: int
    line: int

    def holds(self, act: Act) -> bool:
        """Whether it covers what somebody did."""
        same = (self.owner, self.host) == (act.user, act.host)
        return same and self.first <= act.at / MINUTE <= self.last + 1

    def distance(self, act: Act) -> tuple[bool, float]:
        """How far it is from covering: another host first, then minutes."""
        at = act.at / MINUTE
        return self.host != act.host, max(self.first - at, at - self.last, 0)


@dataclass(frozen=True)
class SudoFacts:
    """Commands of one file, tickets of another."""

    commands: tuple[Act, ...]
    tickets: tuple[Window, ...]


class UnticketedSudo:
    """Finds commands run with sudo by those whose tickets are for something else.

    Shows the command and the ticket that comes nearest. Whoever has no ticket at all may have one
    in a change log that is not at hand.
    """

    def extract(self, path: PurePosixPath, text: str) -> SudoFacts:
        """Commands and tickets."""
        if is_runbook(text):
            return SudoFacts((), ())
        commands: list[Act] = []
        tickets: list[Window] = []
        for number, line in enumerate(split_lines(text), start=1):
            sudo, at = SUDO.search(line), time_of(line)
            if sudo and at is not None:
                commands.append(Act(sudo["user"], sudo["host"], at, number))
            elif ticket := TICKET.search(line):
                first, last = minutes(ticket["first"]), minutes(ticket["last"])
                tickets.append(Window(ticket["owner"], ticket["host"], first, last, number))
        return SudoFacts(tuple(commands), tuple(tickets))

    def decide(self, facts: Mapping[PurePosixPath, SudoFacts]) -> tuple[Evidence, ...]:
        """Commands that are not covered, each with the nearest ticket of the same person."""
        tickets = [(path, ticket) for path in sorted(facts) for ticket in facts[path].tickets]
        found: list[Evidence] = []
        for path in sorted(facts):
            for act in facts[path].commands:
                own = [(where, ticket) for where, ticket in tickets if ticket.owner == act.user]
                if not own or any(ticket.holds(act) for _, ticket in own):
                    continue
                where, near = min(own, key=lambda one: one[1].distance(act))
                found += [*at_lines(path, act.line), *at_lines(where, near.line)]
        return tuple(dict.fromkeys(found))
