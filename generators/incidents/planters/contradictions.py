"""A change to one log that contradicts a line of another, with the witnesses of both."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from generators.edits import Change, edits_of
from generators.incidents.planters.anchors import spans
from generators.planting import Ground, Planted


class Place(NamedTuple):
    """A line of a file."""

    path: PurePosixPath
    line: int


def contradiction(ground: Ground, change: Change, partner: Place, varied: Sequence[str]) -> Planted:
    """A changed line, the line of the partner that it contradicts, and the witnesses of both.

    `varied`: the partner's lines in a world in which the target, as it is planted, is in order.
    """
    target = PurePosixPath(change.path)
    return Planted(
        edits=edits_of([change]),
        evidence=(*spans(target, change.first), *spans(partner.path, partner.line)),
        witnesses={
            str(target): {str(partner.path): "\n".join(varied) + "\n"},
            str(partner.path): {str(target): ground.texts[target]},
        },
    )
