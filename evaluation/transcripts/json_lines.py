"""Rows of JSON, one to a line, read as a stream: only one row is held at a time.

Prevents two false results. Rows hold U+2028 and form feeds, so lines end with LF alone. And what a
strict parser refuses is often whole: half a surrogate pair, a NaN, two rows on one line where a
killed writer lost the LF. Such a line is read again, slowly, before it counts as unreadable.
"""

from __future__ import annotations

import json
import math
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

import orjson
from pydantic import JsonValue

from authoring.errors import Place, UserError

Object = dict[str, JsonValue]

LONGEST = 256 << 20
"""Bytes of one line that are read. A longer one is no row."""
LARGEST = 1 << 30
"""Bytes of one JSON document."""
MOST_FAILURES = 100
"""Places on one line from which a row is tried."""
MOST_TRIED = 64 << 20
"""Bytes of a line that are tried again after a failure: it must not cost a square."""
BUFFER = 1 << 20
"""Bytes: a row is longer than Python's own buffer, and would be put together from pieces."""
BOM = b"\xef\xbb\xbf"


class Line(NamedTuple):
    """The rows of one line: one, or several where an LF was lost."""

    rows: list[Object]
    whole: bool
    """Whether all of it could be read."""


def read_lines(path: Path, beginning: str = "{") -> Iterator[Line]:
    """The lines of a file that are not blank. `beginning` is that of every row, by which the rest
    of a torn line is found. Raises UserError where it cannot be read."""
    with open_session(path) as file:
        is_first = True
        while line := file.readline(LONGEST):
            if is_first:
                line, is_first = line.removeprefix(BOM), False
            if len(line) == LONGEST and not line.endswith(b"\n"):
                _skip(file)
                yield Line([], whole=False)
            elif not line.isspace() and line:
                yield line_of(line, beginning)


def read_document(path: Path) -> Object | None:
    """The one JSON object of a file; None where it holds something else. Raises UserError."""
    with open_session(path) as file:
        data = file.read(LARGEST + 1).removeprefix(BOM)
    if len(data) > LARGEST:
        raise UserError("is too large to be read at once", place=Place(str(path)))
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
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        return _torn(line.decode("utf-8", "replace").strip(), beginning)
    return Line([value], whole=True) if isinstance(value, dict) else Line([], whole=False)


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
    kept: JsonValue = orjson.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
    return kept


def _number(text: str) -> float | None:
    value = float(text)
    return value if math.isfinite(value) else None


_DECODER = json.JSONDecoder(parse_constant=lambda _: None, parse_float=_number, strict=False)
"""NaN and what is too large are no numbers; control characters stand in texts as they are."""
