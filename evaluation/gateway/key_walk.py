"""Whether bytes may be the beginning of a key that goes on, in whichever way it is written.

The ways are those of `secrets.any_writing`: each character that is neither letter nor digit may
stand behind backslashes, in percent code or in JSON's, and these may be escaped in turn.
"""

from __future__ import annotations

from collections.abc import Iterator

LONGEST = 24
"""Bytes that one such character may take. One written longer than this is let through."""


def longest_writing(key: str) -> int:
    """Bytes of the longest way of writing a key."""
    return sum(1 if character.isalnum() else LONGEST for character in key)


def first_bytes(key: str) -> frozenset[int]:
    """The bytes by which it may begin."""
    first = key[0]
    return frozenset(first.encode() if first.isalnum() else first.encode() + b"\\%")


def may_become(key: str, data: bytes) -> bool:
    """Whether the bytes, to their end, are the beginning of the key in some writing."""
    at = {0}
    for character in key:
        after: set[int] = set()
        for start in at:
            for end in _ends(character, data, start):
                if end >= len(data):
                    return True
                after.add(end)
        if not after:
            return False
        at = after
    return False


def _ends(character: str, data: bytes, start: int) -> Iterator[int]:
    """Where the character may end that begins there; the end of the data where it may go on."""
    if character.isalnum():
        if data.startswith(character.encode(), start):
            yield start + 1
        return
    code = f"{ord(character):02x}".encode()
    at = _behind(b"\\", data, start)
    if at >= len(data):
        yield at
    if character == "\\":
        yield from range(start + 1, at + 1)
    elif data.startswith(character.encode(), at):
        yield at + 1
    if at > start:
        yield from _read_on(b"u00" + code, data, at)
    if data.startswith(b"%", start):
        at = start + 1
        yield from _read_on(code, data, at)
        while data.startswith(b"25", at):
            at += 2
            yield from _read_on(code, data, at)
        if data[at:] in (b"", b"2"):
            yield len(data)


def _behind(byte: bytes, data: bytes, at: int) -> int:
    while data.startswith(byte, at):
        at += 1
    return at


def _read_on(code: bytes, data: bytes, at: int) -> Iterator[int]:
    """Where the code ends that stands there in any case, or the end of the data in it."""
    given = data[at : at + len(code)].lower()
    if given == code:
        yield at + len(code)
    elif at + len(given) == len(data) and code.startswith(given):
        yield len(data)
