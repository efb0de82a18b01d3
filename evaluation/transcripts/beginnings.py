"""The beginnings of files, by which formats of sessions are told apart: content, never names.

Little is read, and nothing raises: what cannot be read begins with nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import orjson

from authoring.errors import UserError
from evaluation.transcripts.json_lines import BOM, MOST_VALUES, Object, open_session

READ = 1 << 20
"""Bytes: the first row of a session may hold all instructions of its agent."""
MOST_READ = 64 << 20
"""Bytes, where these are so few rows that they may tell nothing: a prompt may hold images."""
ENOUGH_ROWS = 8
END = 1 << 16
MOST_ROWS = 50
MOST_FILES = 64
"""Of a folder that are looked into."""
MOST_ENTRIES = 20_000
"""Of a folder that are looked at."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """How a file begins."""

    data: bytes
    """Its first bytes."""
    rows: tuple[Object, ...] = ()
    """Its first lines as rows, where they are JSON objects."""
    end: bytes = b""
    """Its last bytes, where they are not among the first."""

    def has(self, key: str, value: str = "") -> bool:
        """Whether a JSON document has a key (whose text begins so) near its beginning or end. One
        that is quoted inside of a text has backslashes before its quotes, and is not found."""
        wanted = re.compile(rf'"{key}"\s*:\s*'.encode() + (f'"{value}'.encode() if value else b""))
        return bool(wanted.search(self.data) or wanted.search(self.end))

    @property
    def is_document(self) -> bool:
        """Whether it may be one JSON object."""
        return self.data.lstrip().startswith(b"{")


def beginning_of(path: Path) -> Beginning:
    """How a file begins; with nothing where it is none, or cannot be read."""
    try:
        with open_session(path) as file:
            # A file of the kernel may have nothing yet, and gives no bytes at all.
            data = (file.read(READ) or b"").removeprefix(BOM)
            lines = data.split(b"\n", MOST_ROWS)[:MOST_ROWS]
            end = b""
            if len(data) >= READ - len(BOM):
                if len(lines) <= ENOUGH_ROWS and data.startswith(b"{"):
                    lines = _long_lines(file, lines)
                file.seek(max(READ, file.seek(0, os.SEEK_END) - END))
                end = file.read(END) or b""
    except (UserError, OSError):
        return Beginning(b"")
    return Beginning(data, tuple(_rows(lines)), end)


def _long_lines(file: BinaryIO, begun: list[bytes]) -> list[bytes]:
    """The first lines of a file of long ones, of which the last that was read is torn.

    None of a file of one line alone: it is a document, and no row.
    """
    *lines, torn = begun
    left = MOST_READ - READ
    while len(lines) < ENOUGH_ROWS and (rest := file.readline(left)):
        left -= len(rest)
        lines.append(torn + rest)
        torn = b""
    return [] if len(lines) == 1 and not file.read(1) else lines


def _rows(lines: Iterable[bytes]) -> Iterator[Object]:
    for line in lines:
        if len(line) > MOST_VALUES and sum(map(line.count, (b",", b"[", b"{"))) > MOST_VALUES:
            continue  # too much memory for a glance
        try:
            row = orjson.loads(line)
        except orjson.JSONDecodeError:
            continue
        if isinstance(row, dict):
            yield row


def files_below(path: Path) -> Iterator[Path]:
    """A file itself, or the files below a folder, by name; links are not followed."""
    if not path.is_dir():
        yield path
        return
    seen = 0
    for folder, folders, names in os.walk(path):
        folders.sort()
        seen += len(folders) + len(names)
        if seen > MOST_ENTRIES:
            return
        for name in sorted(names):
            yield Path(folder, name)


def any_begins(path: Path, ending: str, test: Callable[[Beginning], bool]) -> bool:
    """Whether a file, or one of a folder's with such an ending, passes a test."""
    if not path.is_dir():
        return test(beginning_of(path))
    files = (file for file in files_below(path) if file.name.endswith(ending))
    looked = (file for file, _ in zip(files, range(MOST_FILES), strict=False))
    return any(test(beginning_of(file)) for file in looked)
