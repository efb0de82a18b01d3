"""`login-as-account`: a person's login becomes that of a service account, outside of its window."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from authoring.artefacts import Value
from generators.detectors.incidents.accounts import ACCEPTED, WINDOW
from generators.detectors.incidents.reading import MINUTE, minutes, time_of
from generators.edits import Change, edits_of, joined
from generators.incidents.planters.anchors import chosen, runbook_of, spans
from generators.planters.lines import target_lines
from generators.planting import Aim, Ground, Planted
from generators.seeding import draw

SUMMARY = "a person's login becomes that of a service account outside of its window"
EXAMPLE = """\
planter: login-as-account
"""
SESSION = re.compile(r" (?P<host>\S+) (?P<process>sshd\[\d+\]): (?P<said>.*)$")
FROM = re.compile(r" from (?P<address>[\d.]+) port ")
MARGIN = 15
"""Minutes beyond the window."""


class LoginAsAccountParameters(Value):
    """Nothing: the windows are the runbook's."""


class _Login(NamedTuple):
    user: str
    address: str
    at: int
    lines: Sequence[int]
    """All lines of its session, from 1."""


class LoginAsAccount:
    """Renames one session, with the address that the account comes from elsewhere."""

    def __init__(self, parameters: LoginAsAccountParameters) -> None:
        self._parameters = parameters

    def plant(self, ground: Ground, aim: Aim) -> Planted:
        windows = {
            found["account"]: (minutes(found["first"]), minutes(found["last"]))
            for found in WINDOW.finditer(runbook_of(ground))
        }
        addresses = _addresses(ground, windows)
        lines = target_lines(ground, aim)
        options: dict[int, tuple[_Login, Sequence[str]]] = {}
        for login in _logins(lines):
            names = [name for name in windows if _is_away(windows[name], login.at / MINUTE)]
            if login.user not in windows and names:
                options[login.lines[0]] = (login, names)
        first = chosen(aim, lines, list(options), "login of a person")
        login, away = options[first]
        account = away[draw(0, lines[first - 1]) % len(away)]
        address = addresses.get(account, login.address)
        changes = [
            Change(str(aim.target), number, (lines[number - 1],), (renamed,))
            for number in login.lines
            if (renamed := _renamed(lines[number - 1], login, account, address))
            != lines[number - 1]
        ]
        return Planted(edits=edits_of(joined(changes)), evidence=spans(aim.target, first))


def _is_away(window: tuple[int, int], at: float) -> bool:
    return at < window[0] - MARGIN or at > window[1] + MARGIN


def _addresses(ground: Ground, accounts: Mapping[str, object]) -> dict[str, str]:
    """From where each account logs in, as far as the logs tell."""
    found: dict[str, str] = {}
    for text in ground.texts.values():
        for match in re.finditer(r" Accepted \w+ for (\S+) from ([\d.]+) port ", text):
            if match[1] in accounts:
                found.setdefault(match[1], match[2])
    return found


def _logins(lines: Sequence[str]) -> list[_Login]:
    """Logins under which nothing was run with sudo."""
    sessions: dict[str, list[int]] = {}
    for number, line in enumerate(lines, start=1):
        found = SESSION.search(line)
        if found:
            sessions.setdefault(f"{found['host']} {found['process']}", []).append(number)
    logins = []
    for numbers in sessions.values():
        line = lines[numbers[0] - 1]
        accepted, address, session = ACCEPTED.search(line), FROM.search(line), SESSION.search(line)
        at = time_of(line)
        if accepted is None or address is None or session is None or at is None:
            continue
        sudo = re.compile(rf" {re.escape(session['host'])} sudo\[\d+\]: {accepted['user']} :")
        if not any(sudo.search(line) for line in lines[numbers[0] : numbers[-1]]):
            logins.append(_Login(accepted["user"], address["address"], at, numbers))
    return logins


def _renamed(line: str, login: _Login, account: str, address: str) -> str:
    """One line of a session with another user and address."""
    line = re.sub(rf"(?<= )({re.escape(login.user)})(?= |$)", account, line)
    return line.replace(f" {login.address} ", f" {address} ")
