"""`serve-locked-account`: a service answers a request of an account that was locked before."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from authoring.artefacts import Value
from authoring.errors import UserError
from generators.detectors.incidents.accounts import GRACE, LOCKED, SERVED
from generators.detectors.incidents.reading import MINUTE, figure, records, time_of
from generators.edits import Change
from generators.incidents.formats import KEYS
from generators.incidents.planters.anchors import chosen, runbook_of
from generators.incidents.planters.contradictions import Place, contradiction
from generators.lines import split_lines
from generators.planters.lines import target_lines
from generators.planting import Aim, Ground, Planted
from generators.seeding import draw

SUMMARY = "a service answers a request of an account that was locked before"
EXAMPLE = """\
planter: serve-locked-account
"""


class ServeLockedAccountParameters(Value):
    """Nothing: who is locked stands in the logs, the grace in the runbook."""


class _Lock(NamedTuple):
    user: str
    at: int
    place: Place


class ServeLockedAccount:
    """The target, a service, answers a request of an account that was locked long before."""

    def __init__(self, parameters: ServeLockedAccountParameters) -> None:
        self._parameters = parameters

    def plant(self, ground: Ground, aim: Aim) -> Planted:
        lines = target_lines(ground, aim)
        grace = figure(runbook_of(ground), GRACE)
        if grace is None:
            raise UserError("the runbook states no grace for locked accounts")
        answered = list(records(ground.texts[aim.target]))
        users = {record.text("user") for record in answered}
        locks = [lock for lock in _locks(ground) if lock.user in users]
        locked = {lock.user for lock in locks}
        found = {
            record.line: (record.text("user"), late)
            for record in answered
            if record.status in SERVED and record.text("user") not in locked
            if (late := [lock for lock in locks if record.at > lock.at + (grace + 1) * MINUTE])
        }
        number = chosen(aim, lines, list(found), "request after an account was locked")
        user, late = found[number]
        line = lines[number - 1]
        lock = late[draw(0, line) % len(late)]
        key = "|".join(KEYS["user"])
        planted = re.sub(rf'("(?:{key})": ?)"{user}"', rf'\g<1>"{lock.user}"', line)
        change = Change(str(aim.target), number, (line,), (planted,))
        partner = split_lines(ground.texts[lock.place.path])
        del partner[lock.place.line - 1]
        return contradiction(ground, change, lock.place, partner)


def _locks(ground: Ground) -> Iterator[_Lock]:
    for path, text in ground.texts.items():
        for number, line in enumerate(split_lines(text), start=1):
            found, at = LOCKED.search(line), time_of(line)
            if found and at is not None:
                yield _Lock(found["a"] or found["b"] or found["c"], at, Place(path, number))
