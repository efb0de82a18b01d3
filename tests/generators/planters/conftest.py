"""Planting in one file, with the way back checked."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import NamedTuple

from authoring.spec import Position, Report
from generators.edits import changes_of
from generators.planting import Aim, Ground, Planted, Planter
from generators.registry import RegisteredNeedle, restore


class Outcome(NamedTuple):
    """What a planter made of a file."""

    text: str
    shown: list[tuple[int, int]]
    """First and last line of each span of evidence."""
    planted: Planted


def plant(
    planter: Planter, text: str, *, path: str = "a.txt", depth: Position | None = None
) -> Outcome:
    """Plant in a corpus of one file; putting the edits back must give its very text."""
    target = PurePosixPath(path)
    planted = planter.plant(Ground({target: text}, {target: "log"}), Aim(target, depth))
    return Outcome(
        applied(planted, path, text),
        [(span.first, span.last) for span in planted.evidence],
        planted,
    )


def applied(planted: Planted, path: str, text: str) -> str:
    """The planted text of one file."""
    lines = text.split("\n")
    for change in reversed(changes_of(planted.edits)):
        assert change.path == path
        assert tuple(lines[change.first - 1 : change.last]) == change.clean
        lines[change.first - 1 : change.last] = change.planted
    result = "\n".join(lines)
    needle = RegisteredNeedle(
        id="n",
        kind="k",
        severity="minor",
        report=Report(statement="s", terms=(("t",),)),
        evidence=planted.evidence,
        edits=planted.edits,
    )
    assert restore({path: result}, [needle]) == {path: text}
    return result
