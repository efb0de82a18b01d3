"""One JSON object that is a whole session, read in parts: a document of 300 MB is not held whole.

Its long lists (messages, steps) are found by their brackets in one pass over the bytes; all else of
it is small, and decoded at once. Each item is decoded when it is asked for.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import orjson
from pydantic import JsonValue

from evaluation.transcripts.json_lines import (
    BOM,
    LONGEST,
    Object,
    Telling,
    line_of,
    open_session,
    teller,
    tolerant,
)

CHUNK = 4 << 20
MOST_HEAD = 256 << 20
"""Bytes of what is no item of a long list."""
BRACKET = re.compile(
    rb'(?:[^"{}\[\]]++|"[^"\\]*+(?:\\.[^"\\]*+)*+")*+(?:(?P<open>[{\[])|(?P<close>[}\]]))',
    re.DOTALL,
)
"""Up to the next bracket that stands in no text."""
NEAR = 200
"""Bytes before a list in which its key stands."""
LISTED = 2
"""How deep an item of a long list stands."""
KEY = re.compile(rb'"([A-Za-z_]{1,40})"\s*:\s*\Z')
BETWEEN = b" \t\r\n,"


@dataclass(frozen=True)
class Document:
    """A JSON object with the places of the items of its long lists."""

    path: Path
    head: Object
    """All of it, with those lists empty."""
    spans: Mapping[str, array[int]]
    """By list, where each item begins and ends in the file."""
    loose: Mapping[str, int]
    """By list, how many of its items are no objects and no lists, or too large."""

    def items(self, key: str) -> Iterator[JsonValue]:
        """The items of a list in their order; None for one that cannot be read."""
        spans = self.spans.get(key, array("Q"))
        with open_session(self.path) as file:
            for begin, end in zip(spans[::2], spans[1::2], strict=True):
                file.seek(begin)
                yield _value(file.read(end - begin))


def _value(data: bytes) -> JsonValue:
    try:
        value: JsonValue = orjson.loads(data)
    except orjson.JSONDecodeError:
        try:
            value = tolerant(data.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            return None
    return value


def read_document_in_parts(path: Path, lists: frozenset[str]) -> Document | None:
    """The one JSON object of a file; None where it holds something else. Raises UserError."""
    scan = _Scan(lists)
    with open_session(path) as file:
        told = teller(path, file)
        if not scan.read(file, told):
            return None
        told.end()
    line = line_of(bytes(scan.head))
    if not line.whole or len(line.rows) != 1:
        return None
    return Document(path, line.rows[0], scan.spans, scan.loose)


class _Scan:
    """One pass over the bytes."""

    def __init__(self, lists: frozenset[str]) -> None:
        self.head = bytearray()
        self.spans: dict[str, array[int]] = {}
        self.loose: Counter[str] = Counter()
        self._lists = lists
        self._list = ""
        """The long list that the place is in."""
        self._depth = 0
        self._begin = 0
        """Where the item begins that the place is in."""

    def read(self, file: BinaryIO, told: Telling) -> bool:
        """Whether it is one object that ends, and not too large."""
        size, base = CHUNK, 0
        data = file.read(size)
        if data.startswith(BOM):
            data, base = data[len(BOM) :], len(BOM)
        while data:
            place = self._take(data, base)
            more = file.read(size)
            told.read(len(more))
            # What holds no bracket is one long text: it is looked at again with twice as much.
            size = CHUNK if place else size * 2
            data, base = data[place:] + more, base + place
            if len(self.head) > MOST_HEAD or (not place and len(data) > LONGEST):
                return False
            if self._depth <= 0:
                return self._depth == 0 and bool(self.head) and not data.strip()
            if not more:
                return False
        return False

    def _take(self, data: bytes, base: int) -> int:
        """All brackets of a buffer that begins at `base`, up to that which closes the object; how
        far they go."""
        match = BRACKET.match
        place = 0
        while found := match(data, place):
            end = found.end()
            if found.lastindex == 1:
                if not self._list or self._depth <= LISTED:
                    self._open(data, place, end, base)
                self._depth += 1
            else:
                self._depth -= 1
                if not self._list or self._depth <= LISTED:
                    self._close(data, place, end, base)
            place = end
            if self._depth <= 0:
                break
        return place

    def _open(self, data: bytes, place: int, end: int, base: int) -> None:
        if self._list:
            self._between(data[place : end - 1])
            self._begin = base + end - 1
            return
        key = (
            KEY.search(data, max(place, end - NEAR), end - 1)
            if data[end - 1 : end] == b"["
            else None
        )
        if self._depth == 1 and key is not None and (name := key[1].decode()) in self._lists:
            self._list = name
            self.spans.setdefault(name, array("Q"))
        self.head += data[place:end]

    def _close(self, data: bytes, place: int, end: int, base: int) -> None:
        if self._list and self._depth == LISTED:
            if base + end - self._begin > LONGEST:
                self.loose[self._list] += 1
            else:
                self.spans[self._list].extend((self._begin, base + end))
        elif self._list:
            self._between(data[place : end - 1])
            self.head += data[end - 1 : end]
            self._list = ""
        else:
            self.head += data[place:end]

    def _between(self, data: bytes) -> None:
        """What stands before, between and behind items: commas, and items of other kinds."""
        told = data.strip(BETWEEN)
        if told:
            values = _value(b"[" + told + b"]")
            self.loose[self._list] += len(values) if isinstance(values, list) else 1
