"""OpenCode's store of sessions, a SQLite database: rows as sessions, whoever wrote them.

Prevents two false results: the newest rows lie in a file beside the database (`-wal`), without
which a session ends early; and an agent could write the store itself, with views for tables that
never end. So it is read from a copy of its own, tables alone, and never for long.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from authoring.errors import Place, UserError
from evaluation.transcripts.json_lines import Object, line_of, open_session
from evaluation.transcripts.opencode_sessions import OpenCodeSession, OpenCodeSessions, count_of
from evaluation.transcripts.opencode_v2 import add_row

STORE = "opencode.db"
WAL = "-wal"
MAGIC = b"SQLite format 3\0"
FAULTS = (OSError, sqlite3.Error, UnicodeDecodeError)
"""What a damaged file may raise: the last where a message quotes a name that is no text."""
Columns = Mapping[str, frozenset[str]]
"""Names of columns by table."""
PARTS = {
    "session": frozenset(("id", "parent_id", "version", "directory")),
    "message": frozenset(("id", "session_id", "data")),
    "part": frozenset(("id", "message_id", "data")),
}
"""What is needed of the tables of version 1."""
ROWS = {"session_message": frozenset(("id", "session_id", "type", "seq", "data"))}
"""What is needed of those of version 2. Late versions of 1 have the table, and nothing in it."""
SESSIONS = "session_v2"
STEPS = 1_000_000
"""Instructions of the database's machine between two looks at how many there were."""
MOST_LOOKS = 2_000
LONGEST = 64 << 20
"""Bytes of one value."""
MESSAGES = """
    SELECT id, session_id, data FROM message
    WHERE session_id IN (SELECT value FROM json_each(?))
"""
OF_MESSAGES = """
    SELECT id, message_id, data FROM part WHERE message_id IN (
        SELECT id FROM message WHERE session_id IN (SELECT value FROM json_each(?))
    )
"""
NEWER = """
    SELECT id, session_id, type, seq, data FROM session_message
    WHERE session_id IN (SELECT value FROM json_each(?)) ORDER BY session_id, seq
"""

Choose = Callable[[OpenCodeSessions], frozenset[str]]
"""Which sessions are read, once it is known which there are."""


def every_session(found: OpenCodeSessions) -> frozenset[str]:
    """All of them."""
    return frozenset(found.sessions)


def is_store(path: Path) -> bool:
    """Whether a file is such a store, of whatever version."""
    try:
        with open_session(path) as file:
            if file.read(len(MAGIC)) != MAGIC:
                return False
    except (UserError, OSError):
        return False
    # A small one may stand in the file beside it as yet, and only a copy can be read with that.
    return _has_tables(_as_it_stands(path)) or _has_tables(_opened(path))


def _has_tables(opened: AbstractContextManager[sqlite3.Connection]) -> bool:
    try:
        with opened as database:
            tables = frozenset(_columns(database))
    except FAULTS:
        return False
    return bool(tables & {"session", SESSIONS}) and bool(tables & {"message", *ROWS})


def read_store(path: Path, choose: Choose = every_session) -> OpenCodeSessions:
    """The sessions of a store.

    Raises UserError where it is torn, of a version that is not known, or meant to keep its reader.
    """
    place = Place(str(path))
    try:
        with _opened(path) as database:
            columns = _columns(database)
            found = OpenCodeSessions()
            is_old = not _fault(columns, PARTS)
            is_new = not _fault(columns, ROWS) and (is_old or SESSIONS in columns)
            if not is_old and not is_new:
                fault = _fault(columns, ROWS if SESSIONS in columns else PARTS)
                raise UserError(
                    f"is no store of a version of OpenCode that is known: {fault}", place=place
                )
            _read_sessions(database, columns, found)
            wanted = choose(found)
            if is_old:
                _read_parts(database, found, wanted)
            if is_new:
                _read_rows(database, found, wanted)
            found.sort()
            return found
    except FAULTS as error:
        raise UserError(f"is no OpenCode store that can be read: {error}", place=place) from error


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A copy, with what its writer had not yet moved into it: reading that needs a file beside."""
    with tempfile.TemporaryDirectory(prefix="store-") as folder:
        copy = Path(folder, STORE)
        shutil.copyfile(path, copy)
        wal = path.with_name(path.name + WAL)
        if wal.is_file():
            shutil.copyfile(wal, copy.with_name(STORE + WAL))
        with contextlib.closing(sqlite3.connect(copy)) as database:
            _restrain(database)
            yield database


@contextlib.contextmanager
def _as_it_stands(path: Path) -> Iterator[sqlite3.Connection]:
    """The file alone, in which nothing is written and nothing is looked for beside it."""
    address = f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1"
    with contextlib.closing(sqlite3.connect(address, uri=True)) as database:
        _restrain(database)
        yield database


def _restrain(database: sqlite3.Connection) -> None:
    database.execute("PRAGMA query_only = ON")
    database.execute("PRAGMA trusted_schema = OFF")
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
    looks = iter(range(MOST_LOOKS))
    database.set_progress_handler(lambda: next(looks, None) is None, STEPS)
    database.text_factory = bytes


def _text(value: object) -> str | None:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else None


def _columns(database: sqlite3.Connection) -> Columns:
    """The tables that are tables, with their plain columns."""
    made = database.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table'").fetchall()
    tables = ((_text(name), _text(sql)) for name, sql in made)
    query = "SELECT name FROM pragma_table_info(?)"
    return {
        table: frozenset(_text(name) or "" for (name,) in database.execute(query, (table,)))
        for table, sql in tables
        if table is not None and sql is not None and sql.upper().startswith("CREATE TABLE")
    }


def _fault(columns: Columns, wanted: Columns) -> str:
    """What is not as expected; empty where all is."""
    for table, names in wanted.items():
        if not columns.get(table, frozenset()) >= names:
            return f"its table `{table}` is not as expected"
    return ""


@dataclass(frozen=True)
class _SessionTable:
    """Where sessions are listed, and which of the columns are there."""

    name: str
    columns: frozenset[str]

    @property
    def query(self) -> str:
        optional = ("parent_id", "version", "directory", "time_updated")
        chosen = (name if name in self.columns else "NULL" for name in optional)
        return f"SELECT id, {', '.join(chosen)} FROM {self.name} ORDER BY id"  # noqa: S608 - names


def _read_sessions(database: sqlite3.Connection, columns: Columns, found: OpenCodeSessions) -> None:
    for name in (SESSIONS, "session"):
        if "id" not in columns.get(name, ()):
            continue
        for key, parent, version, directory, updated in database.execute(
            _SessionTable(name, columns[name]).query
        ):
            identity = _text(key)
            if identity is None:
                found.add_unreadable()
                continue
            found.add_session(
                OpenCodeSession(
                    id=identity,
                    parent=_text(parent),
                    version=_text(version) or "unknown",
                    directory=_text(directory) or "",
                    updated=count_of(updated) or 0,
                )
            )


def _read_parts(
    database: sqlite3.Connection, found: OpenCodeSessions, wanted: frozenset[str]
) -> None:
    """Messages and parts of version 1, in no order."""
    names = (json.dumps(sorted(wanted)),)
    for key, session, data in database.execute(MESSAGES, names):
        message, info = _text(key), _object(data)
        if message is None or info is None:
            found.add_unreadable()
        else:
            found.add_message(message, _text(session) or "", info)
    for key, message, data in database.execute(OF_MESSAGES, names):
        identity, part = _text(key), _object(data)
        if identity is None or part is None:
            found.add_unreadable()
        else:
            found.add_part(identity, _text(message) or "", part)


def _read_rows(
    database: sqlite3.Connection, found: OpenCodeSessions, wanted: frozenset[str]
) -> None:
    """Messages of version 2: all of one in one row."""
    names = (json.dumps(sorted(wanted)),)
    for key, session, kind, seq, data in database.execute(NEWER, names):
        identity, row = _text(key), _object(data)
        if row is None or identity is None or not isinstance(seq, int):
            found.add_unreadable()
        else:
            add_row(found, _text(session) or "", f"{seq:020}-{identity}", _text(kind) or "", row)


def _object(data: object) -> Object | None:
    line = line_of(data) if isinstance(data, bytes) else None
    return line.rows[0] if line is not None and line.whole and len(line.rows) == 1 else None
