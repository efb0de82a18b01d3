"""The fleet of one seed: sites, hosts, people, accounts, and the bounds of its runbook."""

from __future__ import annotations

import importlib.resources
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache

import yaml
from faker import Faker

from authoring.artefacts import Value
from generators.world import LOCALE, build_world

FIRST_DAY, DAYS = date(2025, 1, 7), 320
ADMINS, STAFF = 5, 12
NIGHT_MINUTES = 360
RETRIES = (3, 4)
CHECKS = ((20, 25), (24, 29), (30, 36))
"""Minutes between deep checks, and after how many one is late."""
LEASES = (30, 36, 40)
GROWTH = (6, 8, 9, 12)
GRACE = (4, 5, 8)


class Service(Value):
    """What a service is called, what it serves and whom it calls."""

    name: str
    product: str
    paths: tuple[str, ...]
    calls: tuple[str, ...]


class Worker(Value):
    """What a queue worker is called, and what one message is to it."""

    name: str
    unit: str


class ServiceAccount(Value):
    """An account that is no person."""

    name: str
    purpose: str


class Work(Value):
    """Something done by night on a host, with the commands it takes."""

    title: str
    commands: tuple[str, ...]


class Vocabulary(Value):
    """The words of `vocabulary.yaml`."""

    sites: tuple[str, ...]
    services: tuple[Service, ...]
    assets: tuple[str, ...]
    probed: tuple[str, ...]
    agents: tuple[str, ...]
    workers: tuple[Worker, ...]
    datasets: tuple[str, ...]
    volumes: tuple[str, ...]
    quotas: tuple[str, ...]
    roles: tuple[str, ...]
    peers: tuple[str, ...]
    service_accounts: tuple[ServiceAccount, ...]
    work: tuple[Work, ...]
    cron: tuple[str, ...]


@dataclass(frozen=True)
class Bounds:
    """The figures of the runbook; minutes where nothing else is said."""

    retries: int
    """Calls to another service that may be repeated for one request."""
    check: int
    check_late: int
    lease: int
    growth: int
    """GiB between two samples of a volume."""
    grace: int


@dataclass(frozen=True)
class Account:
    """A service account and the window of its logins, in minutes of the night."""

    name: str
    purpose: str
    first: int
    last: int
    address: str

    @property
    def window(self) -> str:
        """`01:10-02:40`."""
        return f"{clock(self.first)}-{clock(self.last)}"


@dataclass(frozen=True)
class Site:
    """One site: what runs there and who works there."""

    code: str
    network: str
    """The first three numbers of its addresses."""
    service: Service
    worker: Worker
    admins: tuple[str, ...]
    staff: tuple[str, ...]
    """Logins of those who use the service; some are locked in the night."""

    def host(self, role: str) -> str:
        """`ams1-db1`."""
        return f"{self.code}-{role}"


@dataclass(frozen=True)
class Fleet:
    """All that recurs."""

    company: str
    day: date
    bounds: Bounds
    accounts: tuple[Account, ...]
    sites: tuple[Site, ...]
    words: Vocabulary


def clock(minutes: int) -> str:
    """`01:10`."""
    return f"{minutes // 60:02}:{minutes % 60:02}"


@cache
def read_vocabulary() -> Vocabulary:
    """The vocabulary that ships beside this module."""
    source = importlib.resources.files("generators.incidents") / "vocabulary.yaml"
    return Vocabulary.model_validate(yaml.safe_load(source.read_text(encoding="utf-8")))


def build_fleet(source: random.Random, sites: int) -> Fleet:
    """The fleet of one seed; sites are sorted by their codes."""
    words = read_vocabulary()
    company = build_world(source, 1).client
    check, check_late = source.choice(CHECKS)
    bounds = Bounds(
        retries=source.choice(RETRIES),
        check=check,
        check_late=check_late,
        lease=source.choice(LEASES),
        growth=source.choice(GROWTH),
        grace=source.choice(GRACE),
    )
    logins = _logins(source)
    codes = sorted(source.sample(words.sites, sites))
    services = source.sample(words.services, sites)
    workers = source.sample(words.workers, sites)
    return Fleet(
        company=company.name,
        day=FIRST_DAY + timedelta(days=source.randrange(DAYS)),
        bounds=bounds,
        accounts=tuple(_accounts(source, words.service_accounts)),
        sites=tuple(
            Site(
                code=code,
                network=f"10.{20 + index}.{source.randrange(1, 200)}",
                service=services[index],
                worker=workers[index],
                admins=tuple(next(logins) for _ in range(ADMINS)),
                staff=tuple(next(logins) for _ in range(STAFF)),
            )
            for index, code in enumerate(codes)
        ),
        words=words,
    )


def _logins(source: random.Random) -> Iterator[str]:
    """Logins such as `mkeller`, none twice."""
    faker = Faker(LOCALE)
    faker.seed_instance(source.getrandbits(32))
    given: set[str] = set()
    while True:
        login = f"{faker.first_name()[0]}{faker.last_name()}".lower()
        if login.isascii() and login.isalpha() and login not in given:
            given.add(login)
            yield login


def _accounts(source: random.Random, known: Sequence[ServiceAccount]) -> Iterator[Account]:
    """Windows of 100 to 150 minutes, one after the other, so that each time is out of most."""
    step = NIGHT_MINUTES // len(known)
    for index, account in enumerate(source.sample(known, len(known))):
        first = min(index * step + 5 * source.randrange(4), NIGHT_MINUTES - 100)
        last = min(first + 5 * source.randrange(20, 31), NIGHT_MINUTES - 1)
        yield Account(account.name, account.purpose, first, last, f"10.9.{index}.{20 + index}")
