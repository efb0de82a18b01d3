"""The run index: states of a sweep's runs, so that they can be counted without opening each.

The files are the truth. A row holds what `run.json` said and the mark by which that file is known
again; where the file is another one, or gone, the row is made anew. An index that is missing, torn,
or of another version or make is thrown away, and losing it loses nothing.
"""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
import stat
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from authoring.artefacts import read_artefact
from authoring.errors import UserError
from evaluation.run import OutcomeKind, RunPaths, RunRecord
from evaluation.sandboxes.trees import remove_tree
from evaluation.sweep.plan import SweepPaths

VERSION = 2
TABLE = """\
CREATE TABLE runs (
    folder TEXT PRIMARY KEY, -- a run's, or that of an earlier attempt: <run key>.<attempt>
    state TEXT NOT NULL, -- planned, running, done
    outcome TEXT, -- of the last attempt that came to an end; while the next runs, too
    cost REAL, -- US dollars; NULL where a price is unknown
    uncounted INTEGER, -- calls of which the upstream did not tell the usage: the cost is at least
    taken INTEGER, -- 1: it was made, and paid for, in another sweep
    seconds REAL,
    file TEXT -- run.json as it was read: inode, size, time
) WITHOUT ROWID"""
WRITE = "INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
FOLDER = re.compile(r"[0-9a-f]{12}(\.[1-9]\d{0,8})?")


@dataclass(frozen=True)
class Counts:
    """A sweep at a moment."""

    planned: int = 0
    """Runs of which no attempt has come to an end."""
    running: int = 0
    outcomes: Counter[OutcomeKind] = field(default_factory=Counter)
    """Of the other runs, by their last attempt."""
    attempts: int = 0
    """Earlier attempts, all of them void."""
    cost: float = 0.0
    """US dollars of all attempts as far as they are known; what other sweeps paid left out."""
    uncounted: int = 0
    """Of those attempts, how many cost more than was told: the sum is at least."""
    seconds: float = 0.0
    """Of all attempts."""


class RunIndex:
    """The index of one sweep, for the one process that is at work in it.

    Where the disk fails it, it is left behind: no sweep ends for its index.
    """

    def __init__(self, paths: SweepPaths) -> None:
        self._paths = paths
        self._database: sqlite3.Connection | None = None

    def __enter__(self) -> Self:
        with self._forgiving():
            try:
                self._database = _opened(self._paths.index)
            except sqlite3.Error:
                _throw_away(self._paths.index)
                self._database = _opened(self._paths.index)
            with self._open() as database:
                _bring_up_to_date(database, self._paths.root)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._leave()

    def plan(self, digests: Iterable[str]) -> int:
        """Enter the runs that are planned; one that is there keeps its row. Says how many."""
        number = 0

        def rows() -> Iterator[tuple[str]]:
            nonlocal number
            for digest in digests:
                number += 1
                yield (digest,)

        rest = rows()
        with self._forgiving(), self._open() as database:
            database.execute("DELETE FROM runs WHERE outcome IS NULL")
            database.execute("UPDATE runs SET state = 'done'")
            database.executemany(
                "INSERT OR IGNORE INTO runs (folder, state) VALUES (?, 'planned')", rest
            )
        for _ in rest:  # they are counted, whatever becomes of the index
            pass
        return number

    def begin(self, digest: str) -> None:
        """An attempt is being made."""
        with self._forgiving(), self._open() as database:
            database.execute("UPDATE runs SET state = 'running' WHERE folder = ?", (digest,))

    def break_off(self, digest: str) -> None:
        """The attempt came to no end."""
        with self._forgiving(), self._open() as database:
            database.execute(
                "UPDATE runs SET state = iif(outcome IS NULL, 'planned', 'done') WHERE folder = ?",
                (digest,),
            )

    def enter(self, run: RunPaths, record: RunRecord) -> None:
        """A run, or an earlier attempt at one, is there."""
        with self._forgiving(), self._open() as database:
            database.execute(WRITE, _row(run, record, _mark(run.record)))

    def counts(self) -> Counts:
        """By what was entered; by the files, where the index was left behind."""
        counts: Counts | None = None
        with self._forgiving(), self._open() as database:
            counts = _counts(database)
        return counts or read_counts(self._paths)

    @contextlib.contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """One transaction."""
        if self._database is None:
            raise sqlite3.OperationalError("the index was left behind")
        with self._database:
            yield self._database

    @contextlib.contextmanager
    def _forgiving(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError):
            self._leave()

    def _leave(self) -> None:
        if self._database is not None:
            with contextlib.suppress(sqlite3.Error):
                self._database.close()
            self._database = None


def read_counts(paths: SweepPaths) -> Counts:
    """A sweep counted by its index and, where that is silent or wrong, by its files.

    Writes nothing, so it can be asked while a sweep is at work.
    """
    with contextlib.closing(sqlite3.connect(":memory:")) as memory:
        memory.execute(TABLE)
        _copy(paths.index, memory)
        _bring_up_to_date(memory, paths.root)
        return _counts(memory)


def _copy(path: Path, memory: sqlite3.Connection) -> None:
    """Take over the rows of an index, where it can be used."""
    if not path.exists() or not _is_plain(path):
        return
    try:
        address = f"{path.absolute().as_uri()}?mode=ro"
        with contextlib.closing(sqlite3.connect(address, uri=True)) as database:
            if _is_ours(database):
                memory.executemany(WRITE, database.execute("SELECT * FROM runs"))
    except sqlite3.Error:
        memory.execute("DELETE FROM runs")


def _opened(path: Path) -> sqlite3.Connection:
    """An index that can be used. Raises sqlite3.Error where this one cannot."""
    if not _is_plain(path):
        raise sqlite3.DatabaseError("is no plain file")
    database = sqlite3.connect(path)
    try:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = OFF")  # one that a power cut tears is made anew
        if not database.execute("SELECT name FROM sqlite_master").fetchall():
            database.execute(TABLE)
            database.execute(f"PRAGMA user_version = {VERSION}")
        elif not _is_ours(database) or not _is_sound(database):
            raise sqlite3.DatabaseError("is of another make")
    except sqlite3.Error:
        database.close()
        raise
    return database


def _is_ours(database: sqlite3.Connection) -> bool:
    """Whether it holds this table at this version, and nothing that acts of its own accord."""
    made = database.execute("SELECT sql FROM sqlite_master").fetchall()
    (version,) = database.execute("PRAGMA user_version").fetchone()
    return version == VERSION and made == [(TABLE,)]


def _is_sound(database: sqlite3.Connection) -> bool:
    return database.execute("PRAGMA quick_check").fetchall() == [("ok",)]


def _files(path: Path) -> tuple[Path, ...]:
    """An index, with what lies beside it while it is open."""
    return path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")


def _is_plain(path: Path) -> bool:
    """Whether no file of an index is anything else: from a pipe, a read would never come back."""
    there = [file for file in _files(path) if os.path.lexists(file)]
    return all(stat.S_ISREG(file.lstat().st_mode) for file in there)


def _throw_away(path: Path) -> None:
    for file in _files(path):
        if file.is_dir() and not file.is_symlink():
            remove_tree(file)
        else:
            file.unlink(missing_ok=True)


def _bring_up_to_date(database: sqlite3.Connection, root: Path) -> None:
    """Make the rows say what the files say, by reading those files that a row does not know."""
    there = _there(root)
    rows = database.execute("SELECT folder, file FROM runs WHERE outcome NOTNULL")
    known: dict[str, str] = dict(rows.fetchall())
    for folder in known.keys() - there.keys():
        _forget(database, folder)
    for folder, mark in there.items():
        if known.get(folder) != mark:
            run = RunPaths(root / folder)
            record = _record(run)
            if record is not None:
                database.execute(WRITE, _row(run, record, mark))
            elif folder in known:
                _forget(database, folder)


def _forget(database: sqlite3.Connection, folder: str) -> None:
    database.execute("DELETE FROM runs WHERE folder = ?", (folder,))
    if "." not in folder:
        database.execute("INSERT INTO runs (folder, state) VALUES (?, 'planned')", (folder,))


def _there(root: Path) -> dict[str, str]:
    """The runs and attempts of a folder, with the mark of each one's record."""
    found = {}
    with contextlib.suppress(OSError), os.scandir(root) as entries:
        for entry in entries:
            if FOLDER.fullmatch(entry.name) and entry.is_dir(follow_symlinks=False):
                mark = _mark(RunPaths(Path(entry.path)).record)
                if mark:
                    found[entry.name] = mark
    return found


def _mark(path: Path) -> str:
    """By what a file is told from another that took its place; empty where there is none."""
    try:
        found = path.stat(follow_symlinks=False)
    except OSError:
        return ""
    return f"{found.st_ino}:{found.st_size}:{found.st_mtime_ns}"


def _record(run: RunPaths) -> RunRecord | None:
    """What a folder holds, where that is what its name says."""
    try:
        record = read_artefact(run.record, RunRecord)
    except UserError:
        return None
    return record if record.key.digest() == run.root.name.partition(".")[0] else None


def _row(run: RunPaths, record: RunRecord, mark: str) -> tuple[str | float | bool | None, ...]:
    kind, taken = record.outcome.kind, bool(record.taken_from)
    calls = record.usage.uncounted
    return run.root.name, "done", kind, record.cost, calls, taken, record.seconds, mark


def _counts(database: sqlite3.Connection) -> Counts:
    runs = database.execute(
        "SELECT outcome, count(*) FROM runs WHERE folder NOT LIKE '%.%' GROUP BY outcome"
    )
    outcomes = dict(runs.fetchall())
    planned = outcomes.pop(None, 0)
    (running,) = database.execute("SELECT count(*) FROM runs WHERE state = 'running'").fetchone()
    attempts, cost, uncounted, seconds = database.execute(
        "SELECT total(folder LIKE '%.%'), total(iif(taken, 0, cost)),"
        " total(not taken AND uncounted > 0 AND cost NOTNULL), total(seconds) FROM runs"
    ).fetchone()
    return Counts(planned, running, Counter(outcomes), int(attempts), cost, int(uncounted), seconds)
