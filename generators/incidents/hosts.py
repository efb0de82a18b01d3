"""The hosts of one site: logins, sudo, locked accounts, cron, certificates, the rest of syslog."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

from generators.incidents.changes import ChangeLog, Ticket
from generators.incidents.fleet import Account, Fleet, Site, Work
from generators.incidents.log import Log, syslog
from generators.incidents.night import CALM, END, HOUR, MINUTE, SECOND, Night, Process
from generators.incidents.traffic import People
from generators.incidents.wording import Wording, read_phrases

AUTH_PHRASES, SYSTEM_PHRASES, CRON_COMMANDS = 11, 18, 4
LOCKS = 3
EARLIEST_LOCK, LATEST_LOCK = END // 100, END * 6 // 10
FIRST_LOCK = END // 12
"""By then one account is locked, so that the rest of the night knows a locked account."""
CERTIFICATES = 2
TTYS = 10
FIRST_PID, LAST_PID = 120_000, 900_000
"""Hosts have been up for weeks: what runs at midnight has a number between these."""
PIDS_BETWEEN = 600
"""Processes from one that is logged to the next, at most."""


class Login(NamedTuple):
    """Who comes from where to which host."""

    user: str
    host: str
    address: str


class Hosts:
    """The two syslogs of a site, each of all its hosts."""

    def __init__(
        self,
        night: Night,
        site: Site,
        fleet: Fleet,
        changes: ChangeLog,
        people: People,
        source: random.Random,
    ) -> None:
        self._night, self._site, self._fleet = night, site, fleet
        self._changes, self._people, self._source = changes, people, source
        self._hosts = [site.host(role) for role in fleet.words.roles]
        self._pids = {host: source.randrange(FIRST_PID, LAST_PID) for host in self._hosts}
        self.auth = Log(f"logs/{site.code}/auth.log", "auth", syslog(fleet.day))
        self.system = Log(f"logs/{site.code}/system.log", "system", syslog(fleet.day))
        words: dict[str, Callable[..., object]] = {
            "pid": self._pid,
            "port": lambda: source.randrange(32768, 60999),
            "outside": self._outside,
            "inside": lambda: f"{site.network}.{source.randrange(2, 250)}",
            "set": lambda: source.choice(fleet.words.datasets),
        }
        self._wording = Wording(source, "{{ t }} {{ host }} <>", words)
        self._pool = read_phrases("hosts")
        say = self._wording.phrase
        self._accepted = say(
            "sshd[{{ p }}]: Accepted publickey for {{ user }} from {{ address }}"
            " port {{ port }} ssh2"
        )
        self._opened = say(
            "sshd[{{ p }}]: pam_unix(sshd:session): session opened for user {{ user }}"
        )
        self._left = say(
            "sshd[{{ p }}]: Disconnected from user {{ user }} {{ address }} port {{ port }}"
        )
        self._closed = say(
            "sshd[{{ p }}]: pam_unix(sshd:session): session closed for user {{ user }}"
        )
        self._sudo = say(
            "sudo[{{ p }}]: {{ user }} : TTY=pts/{{ tty }} ; PWD=/home/{{ user }} ; USER=root ;"
            " COMMAND={{ command }}"
        )
        self._locked = say(source.choice(self._pool["locks"]))

    def begin(self, sessions: int, chatter: int) -> None:
        """All that happens on the hosts in the night."""
        start = self._night.start
        start(self._chatter(self.auth, "auth", AUTH_PHRASES, chatter))
        start(self._chatter(self.system, "system", SYSTEM_PHRASES, chatter))
        start(self._cron(max(2, chatter // 8)))
        start(self._certificates())
        start(self._locks())
        for _ in range(sessions):
            start(self._account_login(self._source.choice(self._fleet.accounts)))
        start(self._people_come(sessions))

    # Logins

    def _people_come(self, count: int) -> Process:
        """Every other login is for work under a ticket, and each time another person does it."""
        rota = self._source.sample(self._site.admins, len(self._site.admins))
        for turn, wait in enumerate(self._night.one_in_each(self._source, count, END - HOUR)):
            yield wait
            works = not turn % 2
            user = rota[turn // 2 % len(rota)] if works else self._source.choice(rota)
            login = Login(user, self._source.choice(self._hosts), self._office())
            self._night.start(self._work(login) if works else self._visit(login))

    def _visit(self, login: Login) -> Process:
        yield from self._session(login, [], self._source.randrange(2, 40) * MINUTE)

    def _work(self, login: Login) -> Process:
        """A ticket, and in its window a session with the commands of the work."""
        source = self._source
        work: Work = source.choice(self._fleet.words.work)
        first = self._night.now // MINUTE + source.randrange(6, 16)
        last = first + source.randrange(20, 36)
        self._changes.approve(Ticket(login.host, login.user, first, last, work.title))
        yield first * MINUTE + source.randrange(MINUTE, 4 * MINUTE) - self._night.now
        yield from self._session(login, work.commands, (last - first - 6) * MINUTE)

    def _account_login(self, account: Account) -> Process:
        """A login well inside of the window of a service account."""
        source = self._source
        length = source.randrange(20 * SECOND, 4 * MINUTE)
        first, last = account.first * MINUTE, account.last * MINUTE
        yield source.randrange(first + MINUTE, last - MINUTE)
        login = Login(account.name, source.choice(self._hosts), account.address)
        if self._night.now < END - CALM:
            yield from self._session(login, [], length)

    def _session(self, login: Login, commands: Sequence[str], length: int) -> Process:
        """From login to logout; commands are spread over the time between."""
        values: dict[str, object] = {
            "host": login.host,
            "user": login.user,
            "address": login.address,
            "port": self._source.randrange(32768, 60999),
            "p": self._pid(login.host),
        }
        self.auth.write(self._night.now, self._accepted, values)
        yield self._source.randrange(20, 90)
        self.auth.write(self._night.now, self._opened, values)
        tty = self._source.randrange(TTYS)
        for command in commands:
            yield self._source.randrange(length // 2, length) // (len(commands) + 1)
            sudo = {"p": self._pid(login.host), "tty": tty, "command": command}
            self.auth.write(self._night.now, self._sudo, values | sudo)
        yield length // (len(commands) + 1)
        self.auth.write(self._night.now, self._left, values)
        yield self._source.randrange(5, 40)
        self.auth.write(self._night.now, self._closed, values)

    # The rest

    def _locks(self) -> Process:
        """Some who use the service are locked; from that moment on it refuses them."""
        users = self._source.sample(self._people.staff, LOCKS)
        first = self._source.randrange(EARLIEST_LOCK, FIRST_LOCK)
        others = (self._source.randrange(FIRST_LOCK, LATEST_LOCK) for _ in users[1:])
        for user, moment in zip(users, sorted((first, *others)), strict=True):
            yield moment - self._night.now
            values = {"host": self._site.host("jump"), "user": user}
            self.auth.write(self._night.now, self._locked, values)
            self._people.locked.add(user)

    def _cron(self, count: int) -> Process:
        pool = self._pool["cron"][0]
        opened, command, closed = (
            self._wording.phrase(pool[name]) for name in ("opened", "command", "closed")
        )
        commands = self._source.sample(self._fleet.words.cron, CRON_COMMANDS)
        for wait in self._night.at_each(self._source, count):
            yield wait
            host = self._source.choice(self._hosts)
            values = {
                "p": self._pid(host),
                "host": host,
                "user": self._source.choice(["root", "root", "backup", "collect"]),
                "command": self._source.choice(commands),
            }
            for phrase, length in ((opened, 6), (command, 2 * SECOND), (closed, 1)):
                self.auth.write(self._night.now, phrase, values)
                yield self._source.randrange(1, length + 1)

    def _certificates(self) -> Process:
        """Hours left of the site's certificates, hour by hour."""
        source = self._source
        phrase = self._wording.phrase(source.choice(self._pool["certificate"]))
        names = [
            f"{name}.{self._site.code}.example.net"
            for name in source.sample(["edge", "mail", "sso", "git", "vpn", "queue"], CERTIFICATES)
        ]
        left = [source.randrange(200, 1900) for _ in names]
        yield source.randrange(MINUTE, 20 * MINUTE)
        for hour in range(END // HOUR):
            for name, hours in zip(names, left, strict=True):
                values = {"host": self._site.host("jump"), "name": name, "hours": hours - hour}
                self.system.write(self._night.now, phrase, values)
                yield source.randrange(100, 900)
            yield (hour + 1) * HOUR + source.randrange(MINUTE, 20 * MINUTE) - self._night.now

    def _chatter(self, log: Log, pool: str, phrases: int, count: int) -> Process:
        known = self._wording.some(self._pool[pool], phrases)
        for wait in self._night.at_each(self._source, count):
            yield wait
            values = {"host": self._source.choice(self._hosts)}
            log.write(self._night.now, self._source.choice(known), values)

    # Figures

    def _pid(self, host: str) -> int:
        """Numbers of processes rise through the night, on each host from another one."""
        self._pids[host] += self._source.randrange(1, PIDS_BETWEEN)
        return self._pids[host]

    def _office(self) -> str:
        return f"10.8.{self._source.randrange(1, 30)}.{self._source.randrange(2, 250)}"

    def _outside(self) -> str:
        source = self._source
        return f"{source.randrange(80, 220)}.{source.randrange(256)}.{source.randrange(256)}.9"
