"""OpenCode's store of sessions, a SQLite database: rows as sessions, whoever wrote them.

Prevents two false results: the newest rows lie in a file beside the database (`-wal`), without
which a session ends early; and an agent could write the store itself, with views for tables that
never end. So it is read from a copy of its own, tables alone, and never for long.
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import orjson
from pydantic import JsonValue

from authoring.errors import Place, UserError

STORE = "opencode.db"
WAL = "-wal"
TABLES = {
    "session": ("id", "parent_id", "version", "directory"),
    "message": ("id", "session_id", "data"),
    "part": ("id", "message_id", "data"),
}
"""What is needed of the store's tables; later versions have other ones."""
STEPS = 1_000_000
"""Instructions of the database's machine between two looks at how many there were."""
MOST_LOOKS = 2_000
LONGEST = 256 << 20
"""Bytes of one value."""


@dataclass
class OpenCodeMessage:
    """One message with its parts, as the CLI keeps them. Filled while reading."""

    info: dict[str, JsonValue]
    parts: list[dict[str, JsonValue]] = field(default_factory=list)


@dataclass
class OpenCodeSession:
    """One agent's conversation. Filled while reading."""

    id: str
    parent: str | None
    version: str
    messages: list[OpenCodeMessage] = field(default_factory=list)


@dataclass
class OpenCodeSessions:
    """All that a store holds. Filled while reading."""

    sessions: dict[str, OpenCodeSession] = field(default_factory=dict)
    rows: int = 0
    unreadable: int = 0


def read_store(path: Path) -> OpenCodeSessions:
    """The sessions of a store, in the order in which they began.

    Raises UserError where it is torn, none of OpenCode 1, or meant to keep its reader.
    """
    place = Place(str(path))
    try:
        with _opened(path) as database:
            _check_tables(database, place)
            return _read(database)
    except (sqlite3.Error, OSError) as error:
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
            database.execute("PRAGMA query_only = ON")
            database.execute("PRAGMA trusted_schema = OFF")
            database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
            looks = iter(range(MOST_LOOKS))
            database.set_progress_handler(lambda: next(looks, None) is None, STEPS)
            database.text_factory = _text
            yield database


def _text(value: bytes) -> str:
    return value.decode("utf-8", "replace")


def _check_tables(database: sqlite3.Connection, place: Place) -> None:
    """The tables are tables, of plain columns."""
    query = "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?"
    for table, wanted in TABLES.items():
        row = database.execute(query, (table,)).fetchone()
        made = row[0] if row and isinstance(row[0], str) else ""
        columns = {
            name for _, name, *_ in database.execute("SELECT * FROM pragma_table_info(?)", (table,))
        }
        if not made.upper().startswith("CREATE TABLE") or not columns.issuperset(wanted):
            raise UserError(
                f"is no store of OpenCode 1: its table `{table}` is not as expected", place=place
            )


def _read(database: sqlite3.Connection) -> OpenCodeSessions:
    found = OpenCodeSessions()
    messages: dict[str, OpenCodeMessage] = {}
    for key, parent, version in _rows(database, "SELECT id, parent_id, version FROM session"):
        found.rows += 1
        if not isinstance(key, str):
            found.unreadable += 1
            continue
        told = version if isinstance(version, str) else "unknown"
        found.sessions[key] = OpenCodeSession(
            key, parent if isinstance(parent, str) else None, told
        )
    for key, session, data in _rows(database, "SELECT id, session_id, data FROM message"):
        info = _object(data, found)
        if info is not None and isinstance(key, str) and session in found.sessions:
            messages[key] = OpenCodeMessage(info)
            found.sessions[session].messages.append(messages[key])
    for _, message, data in _rows(database, "SELECT id, message_id, data FROM part"):
        part = _object(data, found)
        if part is not None and message in messages:
            messages[message].parts.append(part)
    return found


def _rows(database: sqlite3.Connection, query: str) -> Iterator[tuple[object, object, object]]:
    """In the order of their ids, which grow with time."""
    yield from database.execute(f"{query} ORDER BY id")


def _object(data: object, found: OpenCodeSessions) -> dict[str, JsonValue] | None:
    found.rows += 1
    try:
        value = orjson.loads(data) if isinstance(data, str) else None
    except orjson.JSONDecodeError:
        value = None
    if isinstance(value, dict):
        return value
    found.unreadable += 1
    return None
