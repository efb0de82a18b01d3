"""The change log of a site: tickets, announced deploys, notes."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from generators.incidents.fleet import clock
from generators.incidents.log import Log, after_date
from generators.incidents.night import Night, Process
from generators.incidents.wording import Wording, read_phrases

FIRST_TICKET, FIRST_DEPLOY = 4000, 300
"""Tickets of others, which were put off, have higher numbers."""
PHRASES = 9


@dataclass
class Numbers:
    """The last numbers given; one register serves all sites."""

    ticket: int = FIRST_TICKET
    deploy: int = FIRST_DEPLOY


class Ticket(NamedTuple):
    """An approved piece of work on one host, in minutes of the night."""

    host: str
    owner: str
    first: int
    last: int
    title: str


class ChangeLog:
    """`logs/<site>/changes.log`."""

    def __init__(
        self,
        night: Night,
        code: str,
        peers: Sequence[str],
        day: date,
        numbers: Numbers,
        source: random.Random,
    ) -> None:
        self._night, self._numbers, self._source = night, numbers, source
        self.log = Log(f"logs/{code}/changes.log", "changes", after_date(f"{day} "))
        words = {"peer": lambda: f"{code}-{source.choice(peers)}"}
        wording = Wording(source, "{{ t }} <>", words)
        pool = read_phrases("changes")
        self._ticket = wording.phrase(pool["ticket"])
        self._deploy = wording.phrase(pool["deploy"])
        self._chatter = wording.some(pool["chatter"], PHRASES)

    def approve(self, ticket: Ticket) -> None:
        """A ticket is approved, some time before its window begins."""
        self._numbers.ticket += self._source.randrange(1, 9)
        values = {
            "id": self._numbers.ticket,
            "host": ticket.host,
            "owner": ticket.owner,
            "first": clock(ticket.first),
            "last": clock(ticket.last),
            "title": ticket.title,
        }
        self.log.write(self._night.now, self._ticket, values)

    def announce(self, host: str, owner: str, service: str, version: str) -> None:
        """A deploy to one host is about to begin."""
        self._numbers.deploy += self._source.randrange(1, 4)
        values = {
            "id": self._numbers.deploy,
            "host": host,
            "owner": owner,
            "service": service,
            "version": version,
        }
        self.log.write(self._night.now, self._deploy, values)

    def chatter(self, count: int) -> Process:
        """Notes, and tickets that came to nothing."""
        for wait in self._night.at_each(self._source, count):
            yield wait
            self.log.write(self._night.now, self._source.choice(self._chatter), {})
