"""Rows of JSON, one to a line, read as a stream: only one row is held at a time.

Prevents two false results. Rows hold U+2028 and form feeds, so lines end with LF alone. And what a
strict parser refuses is often whole: half a surrogate pair, a NaN, two rows on one line where a
killed writer lost the LF. Such a line is read again, slowly, before it counts as unreadable.
"""

from __future__ import annotations

import json
import math
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import BinaryIO, NamedTuple

import orjson
from pydantic import JsonValue

from authoring.errors import Place, UserError
from evaluation.reading.progress import Progress, Tell

Object = dict[str, JsonValue]

LONGEST = 64 << 20
"""Bytes of one line that are read: no request to a model is so long. A longer one is no row."""
LARGEST = 1 << 30
"""Bytes of one JSON document."""
MOST_FAILURES = 100
"""Places on one line from which a row is tried."""
MOST_TRIED = 64 << 20
"""Bytes of a line that are tried again after a failure: it must not cost a square."""
MOST_VALUES = 1 << 22
"""Of one row: more would take half a gigabyte, in a file of a few megabytes."""
BUFFER = 1 << 20
"""Bytes: a row is longer than Python's own buffer, and would be put together from pieces."""
BOM = b"\xef\xbb\xbf"
STEP = 4 << 20
"""Bytes of a file, after which it is told how far its reading has come."""

_TELL: ContextVar[Tell | None] = ContextVar("tell", default=None)
# Readers of all formats take a path and give a trajectory; that somebody listens is no part of it.


@contextmanager
def telling(tell: Tell | None) -> Iterator[None]:
    """While this is open, whoever reads files tells how far that has come."""
    token = _TELL.set(tell)
    try:
        yield
    finally:
        _TELL.reset(token)


class Telling:
    """Tells how far the reading of one file has come."""

    def __init__(self, tell: Tell | None, path: Path, file: BinaryIO) -> None:
        self._tell = tell
        self._what = path.name
        self._file = file
        self._total = os.fstat(file.fileno()).st_size if tell is not None else 0
        self._since = 0

    def read(self, count: int) -> None:
        """So many bytes more were read."""
        self._since += count
        if self._since >= STEP and self._tell is not None:
            self._since = 0
            done = self._file.tell()
            if done < self._total:
                self._tell(Progress("reading", done, self._total, self._what))

    def end(self) -> None:
        """All of it was read."""
        if self._tell is not None:
            self._tell(Progress("reading", self._total, self._total, self._what))


def teller(path: Path, file: BinaryIO) -> Telling:
    """Tells of a file to whoever listens now."""
    return Telling(_TELL.get(), path, file)


class Line(NamedTuple):
    """The rows of one line: one, or several where an LF was lost."""

    rows: list[Object]
    whole: bool
    """Whether all of it could be read."""
    number: int = 0
    """Of one that is not whole: which line of its file it is, from 1."""


def read_lines(path: Path, beginning: str = "{") -> Iterator[Line]:
    """The lines of a file that are not blank. `beginning` is that of every row, by which the rest
    of a torn line is found. Raises UserError where it cannot be read."""
    with open_session(path) as file:
        told = teller(path, file)
        number = 0
        while line := file.readline(LONGEST):
            told.read(len(line))
            if not number:
                line = line.removeprefix(BOM)
            number += 1
            if len(line) == LONGEST and not line.endswith(b"\n"):
                _skip(file)
                yield Line([], whole=False, number=number)
            elif not line.isspace() and line:
                found = line_of(line, beginning)
                yield found if found.whole else found._replace(number=number)
        told.end()


def read_document(path: Path) -> Object | None:
    """The one JSON object of a file; None where it holds something else. Raises UserError."""
    with open_session(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size > LARGEST:
            raise UserError("is too large to be read at once", place=Place(str(path)))
        data = file.read(size).removeprefix(BOM)
        teller(path, file).end()
    rows = line_of(data)
    return rows.rows[0] if rows.whole and len(rows.rows) == 1 else None


def open_session(path: Path) -> BinaryIO:
    """A file to read. Raises UserError where there is none: a folder, a pipe, a socket."""
    place = Place(str(path))
    try:
        # A pipe without a writer would keep its reader.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", place=place) from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise UserError("is no file", place=place)
    return os.fdopen(descriptor, "rb", BUFFER)


def _skip(file: BinaryIO) -> None:
    """The rest of a line that is too long."""
    while rest := file.readline(LONGEST):
        if rest.endswith(b"\n"):
            return


def line_of(line: bytes, beginning: str = "{") -> Line:
    """What a line holds."""
    if len(line) > MOST_VALUES and _is_too_much(line):
        return Line([], whole=False)
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        return _torn(line.decode("utf-8", "replace").strip(), beginning)
    return Line([value], whole=True) if isinstance(value, dict) else Line([], whole=False)


def _is_too_much(line: bytes) -> bool:
    """Whether a row holds more values than one can. What stands in texts is none."""
    if sum(map(line.count, _MARKS)) <= MOST_VALUES:
        return False
    return sum(map(_TEXT.sub(b"", line).count, _MARKS)) > MOST_VALUES


def tolerant(text: str) -> JsonValue:
    """A JSON text that a strict parser refused. Raises ValueError or RecursionError."""
    return _kept(_DECODER.decode(text))


def _torn(line: str, beginning: str) -> Line:
    rows: list[Object] = []
    failures = at = 0
    most = min(MOST_FAILURES, 1 + MOST_TRIED // max(1, len(line)))
    while 0 <= at < len(line) and failures < most:
        try:
            value, end = _DECODER.raw_decode(line, at)
            kept = _kept(value)
        except (ValueError, RecursionError):
            kept, end = None, line.find(beginning, at + 1)
        if isinstance(kept, dict):
            rows.append(kept)
        else:
            failures += 1
        at = end
        while 0 <= at < len(line) and line[at].isspace():
            at += 1
    return Line(rows, whole=not failures and bool(rows))


def _kept(value: JsonValue) -> JsonValue:
    """The value as it can be written again: half a surrogate pair can be read, and not be."""
    text = _HALF.sub("\ufffd", json.dumps(value, ensure_ascii=False))
    kept: JsonValue = orjson.loads(text)
    return kept


_HALF = re.compile("[\ud800-\udfff]")
"""What stands for it is no sign of any language: a question mark would make a question."""
_MARKS = (b",", b"[", b"{")
_TEXT = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)


def _number(text: str) -> float | None:
    value = float(text)
    return value if math.isfinite(value) else None


_DECODER = json.JSONDecoder(parse_constant=lambda _: None, parse_float=_number, strict=False)
"""NaN and what is too large are no numbers; control characters stand in texts as they are."""
