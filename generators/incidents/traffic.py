"""The requests of one site: each stands in the proxy's log and in the service's, under one id."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from http import HTTPStatus

from jinja2 import Template

from generators.incidents.fleet import Bounds, Site, Vocabulary
from generators.incidents.formats import (
    REQUEST_EVENTS,
    RETRY_EVENTS,
    ROTATE_EVENTS,
    START_EVENTS,
    JsonWords,
    access_style,
    json_style,
)
from generators.incidents.log import Log
from generators.incidents.night import CALM, END, MINUTE, SECOND, Night, Process
from generators.incidents.wording import Wording, read_phrases

OUTCOMES = ("fine", "fine", "refused", "repeated", "repeated")
"""Of so many requests in a row and one that fails, in any order."""
FIRST_FAILED, LAST_FAILED = 2, 3
"""How many of the others come before the one that fails: no hour of the night goes without one."""
FINE = {"GET": (200,), "POST": (201, 200, 202), "PUT": (200, 204), "DELETE": (204,)}
REFUSED = (400, 403, 404, 409, 422)
FAILED: Mapping[int, tuple[str, ...]] = {
    500: ("unexpected null", "no row returned", "constraint broken", "disk full", "bad cursor"),
    502: ("peer hung up", "no route", "bad answer of peer", "tls alert"),
    503: ("no connection free", "overloaded", "breaker open", "pool empty"),
    504: ("gave up waiting", "deadline passed", "peer too slow"),
}
CALL_ERRORS = ("timeout", "reset", "refused", "eof", "busy", "tls alert", "no route")
LEAST_WAIT, MOST_WAIT = 250, 2600
"""Milliseconds between two tries of one call."""
SHORTEST_TIMEOUT, LONGEST_TIMEOUT = 3000, 9000


@dataclass
class People:
    """Who uses the service, and who was locked and when."""

    staff: tuple[str, ...]
    locked: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class Outcome:
    """How a request ends."""

    status: int
    phrase: Template
    error: str = ""
    repeats: int = 0


class Traffic:
    """The proxy and the service of one site."""

    def __init__(
        self,
        night: Night,
        site: Site,
        words: Vocabulary,
        bounds: Bounds,
        people: People,
        day: date,
        source: random.Random,
    ) -> None:
        self._night, self._site, self._bounds = night, site, bounds
        self._people, self._source = people, source
        access = access_style(source, day)
        self.access = Log(f"logs/{site.code}/edge-access.log", "access", access.stamp)
        self._wording = Wording(source, "<>", {"call": self._call})
        self._line = self._wording.phrase(access.frame)
        style = json_style(source, day)
        self._json = JsonWords(style)
        self.service = Log(f"logs/{site.code}/{site.service.name}.jsonl", "service", style.stamp)
        event = source.choice(REQUEST_EVENTS)
        order = style.order
        self._fine = self._phrase("info", event, order)
        self._refused = self._phrase("warn", event, order)
        self._failed = self._phrase("error", event, (*order, "err"))
        self._retry = self._phrase("warn", source.choice(RETRY_EVENTS), ("rid", "dep", "err"))
        versions = ("service", "version", "host")
        self._started = self._phrase("info", source.choice(START_EVENTS), versions)
        self._rotated = self._phrase("info", source.choice(ROTATE_EVENTS), versions)
        self._agents = source.sample(words.agents, 4)
        self._assets = source.sample(words.assets, 4)
        self._probed = source.sample(words.probed, 4)
        self._deck: list[str] = []

    def _phrase(self, level: str, event: str, names: tuple[str, ...]) -> Template:
        return self._wording.phrase(self._json.named(level, event, names))

    def _call(self) -> str:
        return self._source.choice(self._site.service.calls)

    # What happens

    def requests(self, count: int) -> Process:
        """Requests to the service."""
        for wait in self._night.one_in_each(self._source, count):
            yield wait
            self._night.start(self._request())

    def own_answers(self, count: int) -> Process:
        """Requests that the proxy answers by itself."""
        for wait in self._night.at_each(self._source, count):
            yield wait
            self._own_answer()

    def checks(self) -> Process:
        """The deep check of the watcher, a little before or after its time."""
        yield self._source.randrange(MINUTE, self._bounds.check * MINUTE)
        due = self._night.now
        while self._night.now < END - CALM:
            took = self._source.randrange(3, 90)
            self._write_access("GET", "/-/deep", 200, took, "10.9.9.9", "watcher/2.3")
            due += self._bounds.check * MINUTE
            jitter = self._source.randrange(-20 * SECOND, 20 * SECOND)
            yield due + jitter - self._night.now

    def chatter(self, count: int) -> Process:
        """What the service writes beside."""
        pool = read_phrases("service")
        known = [
            *(self._json.chatter("info", text) for text in self._source.sample(pool["info"], 14)),
            *(self._json.chatter("warn", text) for text in self._source.sample(pool["warn"], 4)),
        ]
        phrases = [self._wording.phrase(text) for text in known]
        for wait in self._night.at_each(self._source, count):
            yield wait
            self.service.write(self._night.now, self._source.choice(phrases), {})

    def log_opens(self, versions: Mapping[str, str]) -> None:
        """What runs at midnight, by host."""
        for host, version in versions.items():
            self._write_version(self._rotated, host, version)

    def start(self, host: str, version: str) -> None:
        """A host comes up with a version."""
        self._write_version(self._started, host, version)

    def _write_version(self, phrase: Template, host: str, version: str) -> None:
        values = {"service": self._site.service.name, "version": version, "host": host}
        self.service.write(self._night.now, phrase, values)

    # One request

    def _request(self) -> Process:
        source, service = self._source, self._site.service
        began = self._night.now
        rid = self._wording.hexadecimal(8)
        path = source.choice(service.paths).replace("#", str(source.randrange(100, 99999)))
        method = source.choice(["GET", "GET", "GET", "POST", "PUT", "DELETE"])
        user = source.choice(self._people.staff)
        outcome = self._outcome(method, user)
        dep = self._call()
        for _ in range(outcome.repeats):
            yield source.randrange(LEAST_WAIT, MOST_WAIT)
            values = {"rid": rid, "dep": dep, "err": source.choice(CALL_ERRORS)}
            self.service.write(self._night.now, self._retry, values)
        yield self._last_wait(outcome)
        took = self._night.now - began
        self.service.write(
            self._night.now,
            outcome.phrase,
            {
                "rid": rid,
                "op": f"{method} /v1{path}",
                "status": outcome.status,
                "took": took,
                "user": user,
                "err": outcome.error,
            },
        )
        yield source.randrange(1, 5)
        took = self._night.now - began
        address = f"{self._site.network}.{source.randrange(10, 250)}"
        agent = source.choice(self._agents)
        self._write_access(method, f"/v1{path}", outcome.status, took, address, agent, rid=rid)

    def _last_wait(self, outcome: Outcome) -> int:
        if outcome.repeats:
            return self._source.randrange(LEAST_WAIT, MOST_WAIT)
        if outcome.status == HTTPStatus.GATEWAY_TIMEOUT:
            return self._source.randrange(SHORTEST_TIMEOUT, LONGEST_TIMEOUT)
        return int(self._source.expovariate(1 / 60)) + 3

    def _outcome(self, method: str, user: str) -> Outcome:
        source = self._source
        if user in self._people.locked:
            return Outcome(403, self._refused)
        if not self._deck:
            self._deck = source.sample(OUTCOMES, len(OUTCOMES))
            self._deck.insert(source.randint(FIRST_FAILED, LAST_FAILED), "failed")
        drawn = self._deck.pop()
        if drawn == "refused":
            return Outcome(source.choice(REFUSED), self._refused)
        if drawn == "failed":
            status = source.choice(tuple(FAILED))
            return Outcome(status, self._failed, source.choice(FAILED[status]))
        repeats = source.randint(1, self._bounds.retries) if drawn == "repeated" else 0
        if repeats == self._bounds.retries and source.randrange(2):
            return Outcome(504, self._failed, source.choice(FAILED[504]), repeats)
        return Outcome(source.choice(FINE[method]), self._fine, repeats=repeats)

    # Lines of the proxy

    def _own_answer(self) -> None:
        source = self._source
        outside = f"{source.randrange(80, 220)}.{source.randrange(256)}.{source.randrange(256)}.7"
        if source.randrange(2):
            path = f"/assets/{source.choice(self._assets)}-{self._wording.hexadecimal(6)}.js"
            self._write_access("GET", path, source.choice([200, 304]), 1, outside, "Mozilla/5.0")
        else:
            self._write_access("GET", source.choice(self._probed), 404, 1, outside, "-")

    def _write_access(
        self,
        method: str,
        path: str,
        status: int,
        took: int,
        ip: str,
        agent: str,
        *,
        rid: str = "",
    ) -> None:
        self.access.write(
            self._night.now,
            self._line,
            {
                "ip": ip,
                "method": method,
                "path": path,
                "status": status,
                "size": self._size(status),
                "took": f"{took / SECOND:.3f}",
                "rid": rid or self._wording.hexadecimal(8),
                "agent": agent,
            },
        )

    def _size(self, status: int) -> int:
        if status in (204, 304):
            return 0
        return (
            self._source.randrange(150, 220) if status >= 400 else self._source.randrange(90, 9000)
        )
