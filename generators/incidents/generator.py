"""The `incidents` generator: seven logs of each site, and the runbook."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import PurePosixPath

from generators.document import Document
from generators.incidents.changes import ChangeLog, Numbers
from generators.incidents.fleet import Fleet, Site, build_fleet
from generators.incidents.hosts import Hosts
from generators.incidents.jobs import Jobs
from generators.incidents.log import MONTHS, Log
from generators.incidents.night import CALM, END, MINUTE, Night, Process
from generators.incidents.parameters import IncidentsParameters
from generators.incidents.traffic import People, Traffic
from generators.incidents.wording import make_environment
from generators.incidents.worker import QueueWorker

SUMMARY = "logs of a fleet over one night: nginx, JSON lines, workers, jobs, syslog; a runbook"
EXAMPLE = """\
generator: incidents
parameters: {sites: 3}
sizes:
  standard: {requests: 45, messages: 100, busiest: 2000}
"""
RUNBOOK = PurePosixPath("runbook.md")
DEPLOYS = 3
DEPLOY_HOSTS = ("app1", "app2")
FEWEST_NOTES = 5
OWN_ANSWERS = 5
"""One for so many requests to the service."""


class IncidentsGenerator:
    """Logs under `logs/`, one folder a site, and `runbook.md`.

    One night is played through in the order of time; what happens writes its lines into every log
    that would hold it, so that ids, statuses, sessions, tickets and versions agree.
    """

    def __init__(self, parameters: IncidentsParameters, source: random.Random) -> None:
        self._parameters = parameters
        self._seed = source.getrandbits(64)

    def documents(self) -> Iterator[Document]:
        """The runbook, and the logs of each site."""
        source = random.Random(self._seed)
        fleet = build_fleet(source, self._parameters.sites)
        yield Document(RUNBOOK, "runbook", _runbook(fleet))
        night = Night()
        numbers = Numbers()
        busy = source.randrange(len(fleet.sites))
        logs = [
            log
            for index, site in enumerate(fleet.sites)
            for log in self._site(night, site, fleet, numbers, _stream(source), busy=index == busy)
        ]
        night.run()
        for log in logs:
            yield log.document()

    def _site(
        self,
        night: Night,
        site: Site,
        fleet: Fleet,
        numbers: Numbers,
        source: random.Random,
        *,
        busy: bool,
    ) -> tuple[Log, ...]:
        """Set up what will happen at one site; its logs, which are still empty.

        Each part has a stream of randomness of its own: a change to one leaves the others as they
        are.
        """
        wanted = self._parameters
        people = People(site.staff)
        changes = ChangeLog(
            night, site.code, fleet.words.peers, fleet.day, numbers, _stream(source)
        )
        night.start(changes.chatter(FEWEST_NOTES + wanted.chatter // 4))
        traffic = Traffic(
            night, site, fleet.words, fleet.bounds, people, fleet.day, _stream(source)
        )
        night.start(_deploys(night, traffic, site, changes, _stream(source)))
        night.start(traffic.requests(wanted.requests))
        night.start(traffic.own_answers(wanted.requests // OWN_ANSWERS))
        night.start(traffic.checks())
        night.start(traffic.chatter(wanted.chatter))
        busy = busy and wanted.busiest > 0
        worker = QueueWorker(night, site, fleet.bounds, _stream(source), busy=busy)
        worker.opens(fleet.day)
        night.start(worker.messages(wanted.messages + (wanted.busiest if busy else 0)))
        night.start(worker.chatter(wanted.chatter * (4 if busy else 1)))
        jobs = Jobs(night, site, fleet.words, fleet.bounds, fleet.day, _stream(source))
        jobs.begin(wanted.backups, wanted.chatter)
        hosts = Hosts(night, site, fleet, changes, people, _stream(source))
        hosts.begin(wanted.sessions, wanted.chatter)
        return (
            traffic.access,
            traffic.service,
            worker.log,
            jobs.log,
            hosts.auth,
            hosts.system,
            changes.log,
        )


def _stream(source: random.Random) -> random.Random:
    return random.Random(source.getrandbits(64))


def _deploys(
    night: Night, traffic: Traffic, site: Site, changes: ChangeLog, source: random.Random
) -> Process:
    """Releases of the site's service, host after host, each announced before it starts."""
    hosts = [site.host(role) for role in DEPLOY_HOSTS]
    major, minor, patch = source.randrange(1, 9), source.randrange(20), source.randrange(6)
    traffic.log_opens(dict.fromkeys(hosts, f"{major}.{minor}.{patch}"))
    each = (END - CALM) // DEPLOYS
    for turn in range(DEPLOYS):
        yield each * turn + source.randrange(each // 10, each // 2) - night.now
        minor, patch = (minor, patch + 1) if source.randrange(3) else (minor + 1, 0)
        version, owner = f"{major}.{minor}.{patch}", source.choice(site.admins)
        for host in hosts:
            changes.announce(host, owner, site.service.name, version)
            yield source.randrange(3 * MINUTE, 9 * MINUTE)
            traffic.start(host, version)
            yield source.randrange(MINUTE, 4 * MINUTE)


def _runbook(fleet: Fleet) -> str:
    values = {
        "company": fleet.company,
        "sites": len(fleet.sites),
        "day": f"{fleet.day.day} {MONTHS[fleet.day.month - 1]} {fleet.day.year}",
        "accounts": fleet.accounts,
        **vars(fleet.bounds),
    }
    return make_environment().get_template("runbook.j2").render(values)
