"""What lies in a sweep's folder of one run: its last attempt, and the void ones before it.

Prevents a run that is made twice, and one that vanishes: what counts is what lies on disk, every
step is one rename, and after a crash the next process goes on with the step that was left.
"""

from __future__ import annotations

import contextlib
import os
import re
from dataclasses import dataclass
from pathlib import Path

from authoring.artefacts import read_artefact
from authoring.errors import Place, UserError
from evaluation.run import VOID, RunKey, RunPaths, RunRecord
from evaluation.sandboxes.trees import remove_tree
from evaluation.sweep.plan import SweepPaths

HALF_WRITTEN = re.compile(r"\.[a-z]+\.[a-z]+\.\w{8}")
"""`.score.json.a1b2c3d4`"""
UNFINISHED = re.compile(r"\.[0-9a-f]{12}\.unfinished")


@dataclass(frozen=True)
class Standing:
    """How one run stands."""

    record: RunRecord | None
    """Of its last attempt; None where it has none."""
    attempts: int
    """How many came to an end."""
    counted: int
    """Of them, those that count for how often a void run is made again. One that came to no end for
    want of money does not: with more money it goes on."""

    @property
    def is_void(self) -> bool:
        """Whether it may be made again."""
        return self.record is not None and self.record.outcome.kind in VOID


def whole_run(run: RunPaths, key: RunKey) -> RunRecord | None:
    """The record of a run that came to its end in this folder; None where there is none."""
    try:
        record = read_artefact(run.record, RunRecord)
    except UserError:
        return None
    return record if record.key == key else None


def standing(paths: SweepPaths, key: RunKey) -> Standing:
    """By the files."""
    record = whole_run(paths.run(key), key)
    earlier = _free_number(paths, key) - 1
    attempts = earlier if record is None else max(record.attempt, earlier + 1)
    if record is None or record.outcome.kind not in VOID:
        return Standing(record, attempts, attempts)
    kept = (whole_run(paths.attempt(key, number), key) for number in range(1, earlier + 1))
    broke = sum(one.unpaid is not None for one in (record, *kept) if one is not None)
    return Standing(record, attempts, attempts - broke)


def put_in_place(paths: SweepPaths, key: RunKey) -> RunPaths | None:
    """Give an attempt that is over the run's name. Says where the one before it is kept now."""
    made, run = paths.unfinished(key), paths.run(key)
    earlier = None
    if whole_run(run, key) is None:
        discard(run)
    else:
        earlier = paths.attempt(key, _free_number(paths, key))
        run.root.rename(earlier.root)
    made.root.rename(run.root)
    return earlier


def discard(run: RunPaths) -> None:
    """Remove a run's folder; its record first, so that no half of it is ever taken for whole.

    Raises UserError where there is a file in its place.
    """
    if run.root.is_symlink():
        run.root.unlink()
        return
    _refuse_a_file(run.root)
    if not run.record.is_dir():
        run.record.unlink(missing_ok=True)
    remove_tree(run.root)


def check_places(paths: SweepPaths, key: RunKey) -> None:
    """Raise UserError where something else has the place of a run, or of a file of it.

    Before any money is spent: what is made there could not be kept.
    """
    run = paths.run(key)
    for folder in (run.root, paths.unfinished(key).root):
        _refuse_a_file(folder)
    for path in (run.record, run.score, run.trajectory, run.final):
        if path.exists() and not path.is_file():
            remedy = "remove it; the run is scored again, or made again where it is run.json"
            raise UserError("is no plain file", place=Place(str(path)), remedy=remedy)


def _refuse_a_file(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        remedy = "remove it; the run is made again"
        raise UserError("is no folder of a run", place=Place(str(folder)), remedy=remedy)


def discard_unfinished(paths: SweepPaths) -> None:
    """Remove what a crash left of runs that came to no end; those that did are kept."""
    discard_half_written(paths.root, paths.plan.name)
    with os.scandir(paths.root) as entries:
        names = [entry.name for entry in entries if UNFINISHED.fullmatch(entry.name)]
    for name in names:
        run = RunPaths(paths.root / name)
        try:
            read_artefact(run.record, RunRecord)
        except UserError:
            discard(run)


def discard_half_written(folder: Path, artefact: str = "") -> None:
    """Remove artefacts of a folder that a crash cut off before they had their name."""
    for path in folder.glob(f".{artefact}*"):
        if HALF_WRITTEN.fullmatch(path.name) and path.is_file():
            path.unlink()


def money_spent(paths: SweepPaths) -> float:
    """US dollars of all attempts in a sweep that count against its cap, by their files alone: of
    calls of which the upstream told nothing, the estimate.

    What another sweep paid is left out, and so are runs that a crash cut off.
    """
    spent = 0.0
    with os.scandir(paths.root) as entries:
        names = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
    for name in names:
        with contextlib.suppress(UserError):
            record = read_artefact(RunPaths(paths.root / name).record, RunRecord)
            if not record.taken_from:
                spent += record.cost or 0.0 if record.charged is None else record.charged
    return spent


def _free_number(paths: SweepPaths, key: RunKey) -> int:
    """The first number that no attempt has."""
    number = 1
    while os.path.lexists(paths.attempt(key, number).root):
        number += 1
    return number
