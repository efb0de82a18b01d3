"""Takes over a run that another sweep of the same parent folder has made already.

Two runs of one key are the same run, whatever their sweeps are called: adding a model, or giving
the sweep another name, makes only what is new.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from authoring.artefacts import write_artefact
from evaluation.run import VOID, RunKey, RunPaths, RunRecord
from evaluation.sandboxes.trees import OPEN_FILE, Entry, Tree
from evaluation.sweep.attempts import discard, whole_run
from evaluation.sweep.plan import SweepPaths


class OtherSweeps:
    """The sweeps beside one, as they were when it began."""

    def __init__(self, paths: SweepPaths) -> None:
        self._sweeps = tuple(_beside(paths.root))

    def find(self, key: RunKey) -> RunRecord | None:
        """The run of this key that would be taken over, as its new sweep would name its source."""
        digest = key.digest()
        for sweep in self._sweeps:
            record = _finished(sweep.named(digest), key)
            if record is not None:
                return _taken(record, sweep)
        return None

    def take_over(self, key: RunKey, target: RunPaths) -> RunRecord | None:
        """Bring a run of this key into `target`, where another sweep has one that is not void.

        The files are linked, or copied where they cannot be. The record comes last.
        """
        digest = key.digest()
        for sweep in self._sweeps:
            record = _finished(sweep.named(digest), key)
            if record is None:
                continue
            taken = _taken(record, sweep)
            discard(target)
            try:
                _link_tree(sweep.named(digest).root, target.root, without=target.record.name)
                write_artefact(target.record, taken)
            except OSError:  # it went meanwhile, or cannot be read
                discard(target)
            else:
                return taken
        return None


def _taken(record: RunRecord, sweep: SweepPaths) -> RunRecord:
    return record.model_copy(update={"taken_from": record.taken_from or sweep.root.name})


def _finished(run: RunPaths, key: RunKey) -> RunRecord | None:
    """The record of a run that is worth taking over."""
    if run.root.is_symlink() or not run.record.exists() or not run.wire.is_file():
        return None
    record = whole_run(run, key)
    return None if record is None or record.outcome.kind in VOID else record


def _beside(root: Path) -> Iterator[SweepPaths]:
    if not root.parent.is_dir():
        return
    with os.scandir(root.parent) as entries:
        names = sorted(entry.name for entry in entries if entry.is_dir(follow_symlinks=False))
    for name in names:
        if name != root.name and not name.startswith("."):
            yield SweepPaths(root.parent / name)


def _link_tree(source: Path, target: Path, without: str) -> None:
    """Give every plain file a second name below `target`."""
    target.mkdir(parents=True)
    names: list[str] = []
    for entry in Tree(source, wanted=lambda name: name != without):
        del names[entry.depth :]
        names.append(entry.name)
        path = target.joinpath(*names)
        if entry.is_folder:
            path.mkdir(exist_ok=True)
        elif stat.S_ISREG(entry.mode):
            _link(entry, path)


def _link(entry: Entry, path: Path) -> None:
    try:
        os.link(entry.name, path, src_dir_fd=entry.folder, follow_symlinks=False)
    except OSError:
        file = os.open(entry.name, OPEN_FILE, dir_fd=entry.folder)
        with os.fdopen(file, "rb") as data, path.open("xb") as copy:
            shutil.copyfileobj(data, copy)
