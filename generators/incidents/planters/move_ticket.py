"""`move-ticket`: the ticket under which commands were run is for another host of the site."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from authoring.artefacts import Value
from generators.detectors.incidents.accounts import UnticketedSudo, Window
from generators.edits import Change, edits_of
from generators.incidents.planters.anchors import chosen, spans, within
from generators.lines import split_lines
from generators.planters.lines import target_lines
from generators.planting import Aim, Ground, Planted
from generators.seeding import draw

SUMMARY = "the ticket under which commands were run is for another host of the site"
EXAMPLE = """\
planter: move-ticket
"""


class MoveTicketParameters(Value):
    """Nothing: tickets and commands are known by person, host and time."""


class _Covered(NamedTuple):
    """A ticket, and the commands of the target that it alone allows."""

    path: PurePosixPath
    ticket: Window
    lines: Sequence[int]


class MoveTicket:
    """Changes the host of a ticket in the change log; the target, a log of logins, stays."""

    def __init__(self, parameters: MoveTicketParameters) -> None:
        self._parameters = parameters

    def plant(self, ground: Ground, aim: Aim) -> Planted:
        lines = target_lines(ground, aim)
        found = {covered.lines[0]: covered for covered in _covered(ground, aim)}
        shown = {first: covered.lines for first, covered in found.items()}
        first = chosen(aim, lines, within(aim, lines, shown), "command under a ticket")
        path, ticket, under = found[first]
        said = split_lines(ground.texts[path])[ticket.line - 1]
        moved = said.replace(f" {ticket.host} ", f" {_other_host(lines, ticket.host, said)} ")
        without = [line for number, line in enumerate(lines, start=1) if number not in under]
        return Planted(
            edits=edits_of([Change(str(path), ticket.line, (said,), (moved,))]),
            evidence=(*spans(aim.target, *under), *spans(path, ticket.line)),
            witnesses={
                str(aim.target): {str(path): ground.texts[path]},
                str(path): {str(aim.target): "\n".join(without) + "\n"},
            },
        )


def _covered(ground: Ground, aim: Aim) -> Iterator[_Covered]:
    reader = UnticketedSudo()
    acts = reader.extract(aim.target, ground.texts[aim.target]).commands
    tickets = [
        (path, ticket)
        for path, text in ground.texts.items()
        for ticket in reader.extract(path, text).tickets
    ]
    for path, ticket in tickets:
        there = [act for act in acts if (act.user, act.host) == (ticket.owner, ticket.host)]
        near = any(_comes_near(other, ticket) for _, other in tickets)
        if there and not near and all(ticket.holds(act) for act in there):
            yield _Covered(path, ticket, [act.line for act in there])


def _comes_near(other: Window, ticket: Window) -> bool:
    """Whether another ticket of the same person would stand as near to the commands."""
    if other.line == ticket.line or other.owner != ticket.owner:
        return False
    return other.host == ticket.host or (other.first <= ticket.last and ticket.first <= other.last)


def _other_host(lines: Sequence[str], host: str, said: str) -> str:
    """Another host that the log speaks of."""
    site = re.escape(host.rpartition("-")[0])
    named: set[str] = set(re.findall(rf" ({site}-\w+) ", "\n".join(lines)))
    others = sorted(named - {host})
    return others[draw(0, said) % len(others)]
