"""Server-sent events, as far as model servers use them.

Lines end in LF or CRLF and in nothing else: U+2028 inside a model's text ends no line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Event:
    """One event with data."""

    name: str
    """Empty where the stream gave none."""
    data: str
    """Its data lines, joined with LF."""


def read_events(text: str) -> Iterator[Event]:
    """The events of a stream in order; a last one without its blank line included."""
    name = ""
    data: list[str] = []
    for line in (*text.removeprefix("\ufeff").split("\n"), ""):
        line = line.removesuffix("\r")
        if not line:
            if data:
                yield Event(name, "\n".join(data))
            name, data = "", []
            continue
        key, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if key == "event":
            name = value
        elif key == "data":
            data.append(value)
