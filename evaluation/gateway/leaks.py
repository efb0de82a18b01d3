"""Keeps the operator's key from an agent when an upstream says it back.

An upstream may repeat the credential that it was sent: in an error, in a header, in a debug field.
An agent that reads it there could use it without us, so it is starred out on the way, byte for
byte. What is compressed cannot be changed; it is looked into instead, and withheld.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

from evaluation.gateway.bodies import LIMIT, Decoder, UndecodableError, encodings_of, open_decoder
from evaluation.gateway.headers import Header, joined
from evaluation.gateway.key_walk import first_bytes, longest_writing, may_become
from evaluation.gateway.secrets import LEAST, any_writing, plain_part

_NOT_FOR_AGENTS = frozenset(("set-cookie", "set-cookie2"))
"""A cookie can stand for the key."""


class WithheldError(Exception):
    """An answer that holds the key, or that cannot be looked into."""


@dataclass(frozen=True)
class KeySearch:
    """Finds one key in bytes."""

    pattern: re.Pattern[bytes]
    """The key in every way of writing it."""
    key: str = field(repr=False)
    mark: bytes
    """What stands in every way of writing it."""
    longest: int
    """Bytes of the longest way of writing it."""
    first: frozenset[int]
    """The bytes by which it may begin."""

    @classmethod
    def of(cls, key: str) -> KeySearch | None:
        """None for a key too short to be told from other words."""
        if len(key) < LEAST:
            return None
        return cls(
            pattern=re.compile(any_writing(key).encode()),
            key=key,
            mark=plain_part(key).encode(),
            longest=longest_writing(key),
            first=first_bytes(key),
        )

    def is_in(self, data: bytes) -> bool:
        """Whether the key stands there."""
        return self.mark in data and self.pattern.search(data) is not None

    def starred(self, data: bytes) -> bytes:
        """The bytes with stars in the place of the key: as many as before."""
        if self.mark not in data:
            return data
        return self.pattern.sub(lambda match: b"*" * len(match[0]), data)

    def starred_text(self, text: str) -> str:
        """The same for a header's value."""
        return self.starred(text.encode()).decode()

    def begun(self, data: bytes) -> int:
        """How many bytes at the end may be the beginning of the key."""
        tail = data[1 - self.longest :]
        if not self.first.intersection(tail):
            return 0
        for size in range(len(tail), 0, -1):
            if tail[-size] in self.first and may_become(self.key, tail[-size:]):
                return size
        return 0


class Outlet(Protocol):
    """What an answer's body goes through on its way to the agent."""

    def take(self, chunk: bytes) -> bytes:
        """What may go out now. Raises WithheldError."""
        ...

    def rest(self) -> bytes:
        """What is still to go out after the last chunk."""
        ...


class Open:
    """Lets everything through: there is no key to look for."""

    def take(self, chunk: bytes) -> bytes:
        return chunk

    def rest(self) -> bytes:
        return b""


class Starring:
    """Stars the key out; holds back no more than what may be its beginning."""

    def __init__(self, search: KeySearch) -> None:
        self._search = search
        self._held = b""

    def take(self, chunk: bytes) -> bytes:
        data = self._search.starred(self._held + chunk)
        end = len(data) - self._search.begun(data)
        self._held = data[end:]
        return data[:end]

    def rest(self) -> bytes:
        return self._held


class Withholding:
    """Looks into a compressed body and lets through what was seen to hold no key.

    A stream goes out as it comes; anything else as a whole, so that it can still be refused.
    """

    def __init__(self, search: KeySearch, decoder: Decoder, *, whole: bool) -> None:
        self._search = search
        self._decoder = decoder
        self._whole = whole
        self._held = bytearray()
        self._begun = b""
        self._decoded = 0

    def take(self, chunk: bytes) -> bytes:
        self._held += chunk
        try:
            for piece in self._decoder.feed(chunk):
                self._look(piece)
        except UndecodableError as error:
            raise WithheldError from error
        return b"" if self._begun or self._whole else self.rest()

    def _look(self, piece: bytes) -> None:
        self._decoded += len(piece)
        seen = self._begun + piece
        if self._decoded > LIMIT or self._search.is_in(seen):
            raise WithheldError
        self._begun = seen[len(seen) - self._search.begun(seen) :]

    def rest(self) -> bytes:
        held = bytes(self._held)
        self._held.clear()
        return held


def open_outlet(search: KeySearch | None, headers: Iterable[Header]) -> Outlet:
    """For an answer with these headers. Raises WithheldError for an encoding not known here."""
    if search is None:
        return Open()
    given = joined(headers)
    encoding = given.get("content-encoding", "")
    if not encodings_of(encoding):
        return Starring(search)
    try:
        decoder = open_decoder(encoding)
    except UndecodableError as error:
        raise WithheldError from error
    streamed = given.get("content-type", "").startswith("text/event-stream")
    return Withholding(search, decoder, whole=not streamed)


def for_agents(search: KeySearch | None, headers: Iterable[Header]) -> tuple[Header, ...]:
    """An upstream's headers as an agent may see them: no cookie, no key."""
    kept = (header for header in headers if header.key not in _NOT_FOR_AGENTS)
    if search is None:
        return tuple(kept)
    return tuple(Header(header.name, search.starred_text(header.value)) for header in kept)
