"""Files whose lines end in CR LF: planters see LF alone, and what they plant gets the CR again.

Prevents the planted lines of such a file from being the only ones without a CR.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from generators.edits import Change, changes_of, edits_of
from generators.planting import Ground, Planted


def has_cr_lf(text: str) -> bool:
    """Whether every line ends in CR LF; the last one may have no end."""
    return "\n" in text and text.count("\n") == text.count("\r\n") == text.count("\r")


def with_lf(ground: Ground) -> Ground:
    """The same ground with LF in files of CR LF."""
    texts = {
        path: text.replace("\r\n", "\n") if has_cr_lf(text) else text
        for path, text in ground.texts.items()
    }
    return Ground(texts, ground.kinds)


def with_cr(planted: Planted, ground: Ground) -> Planted:
    """What was planted on `with_lf(ground)`, as it is on that ground."""
    paths = {edit.path for edit in planted.edits} | {
        path for partners in planted.witnesses.values() for path in partners
    }
    ends = {path for path in paths if has_cr_lf(ground.texts.get(PurePosixPath(path), ""))}
    if not ends:
        return planted
    changes = [
        _with_cr(change, ground) if change.path in ends else change
        for change in changes_of(planted.edits)
    ]
    witnesses: Mapping[str, Mapping[str, str]] = {
        file: {
            path: text.replace("\n", "\r\n") if path in ends else text
            for path, text in partners.items()
        }
        for file, partners in planted.witnesses.items()
    }
    return Planted(edits_of(changes), planted.evidence, witnesses)


def _with_cr(change: Change, ground: Ground) -> Change:
    lines = ground.texts[PurePosixPath(change.path)].split("\n")
    planted = [f"{line}\r" for line in change.planted]
    if planted and change.last == len(lines):
        # The last line of the file has no end, and the new last one has none.
        planted[-1] = change.planted[-1]
    return Change(
        change.path,
        change.first,
        tuple(lines[change.first - 1 : change.last]),
        tuple(planted),
    )
