"""Reads a request that has come, within bounds: a small one may unpack to millions of values.

Prevents a lost sweep: while one such request was looked into, no run got an answer.
"""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import JsonValue

from evaluation.gateway.bodies import encodings_of, read_body
from evaluation.gateway.json_fields import Document
from evaluation.gateway.messages import RequestBody, WireFormat

AT_ONCE = 1 << 20
"""Bytes of a body that is read while all else waits; a larger one is read beside it."""

MOST_PARTS = 1 << 18
"""Messages, blocks, fields of a request that are looked at. One that has more is nobody's."""


@dataclass(frozen=True)
class Request:
    """What a request says."""

    text: str
    messages: tuple[JsonValue, ...]
    """As they were sent; empty where there are too many."""
    body: RequestBody | None
    """None where it cannot be read, or has too many parts."""
    model: str
    """That it asks for; empty where it names none."""
    max_tokens: int | None
    size: int
    """Characters of its body, as far as they are known."""
    is_too_large: bool


def is_slow(body: bytes | bytearray, encoding: str) -> bool:
    """Whether to read a body may take long."""
    return len(body) > AT_ONCE or bool(encodings_of(encoding))


def read_arrived(
    form: WireFormat, path: str, body: bytes, encoding: str, *, latest: int | None
) -> Request:
    """Read a request's body, and so many of its last messages as tell whose it is; None: all."""
    decoded = read_body(body, encoding)
    text = Document.of(decoded.text)
    messages = form.read_messages(text)
    is_read = not _has_more(messages, MOST_PARTS)
    needed = len(messages) if latest is None else latest
    skipped = max(len(messages) - needed, 0) if is_read else len(messages)
    read = form.read_request(text, skipped)
    model = form.model_in_path(path) if form.model_in_path else read.model if read else ""
    return Request(
        text=text.plain,
        messages=messages if is_read else (),
        body=read if is_read else None,
        model=model,
        max_tokens=read.max_tokens if read else None,
        size=max(len(text.plain), 0 if decoded.is_decoded else len(body)),
        is_too_large=decoded.is_too_large,
    )


def _has_more(values: tuple[JsonValue, ...], most: int) -> bool:
    """Whether there are more values than so many, those in others included."""
    count = len(values)
    inside: list[JsonValue] = [*values] if count <= most else []
    while inside and count <= most:
        value = inside.pop()
        if isinstance(value, list | dict):
            count += len(value)
            if count <= most:
                inside.extend(value.values() if isinstance(value, dict) else value)
    return count > most
