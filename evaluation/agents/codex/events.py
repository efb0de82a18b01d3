"""Events of `codex exec --json`: how the CLI itself says it ended, and whether it is about to.

Prevents a false result: an `error` event is a note on a connection that is tried again, or on a
setting, and no failure; only the end of a turn tells.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import orjson
from pydantic import JsonValue

from evaluation.gateway import json_fields as json

LONGEST = 64 << 20
"""Bytes of one event that are looked at. A longer line is no end of a turn."""


@dataclass(frozen=True)
class TurnEnd:
    """How the last turn ended."""

    failed: bool
    message: str = ""
    """What the CLI says of a failure."""


@dataclass(frozen=True)
class Told:
    """What a stream says."""

    end: TurnEnd | None
    """None where a turn goes on, or none began."""
    error: str
    """Of the last `error` event."""


def told(stdout: Path) -> Told:
    """All that a finished stream says of its end."""
    end: TurnEnd | None = None
    error = ""
    with stdout.open("rb") as file:
        for line in _lines(file):
            event = _event(line)
            match json.text_field(event, "type"):
                case "turn.started":
                    end = None
                case "turn.completed" | "turn.failed":
                    end = _end(event)
                case "error":
                    error = json.text_field(event, "message")
    return Told(end, error)


class FinishedWatch:
    """Reads a stream while it is written, and says whether the CLI has nothing more to do."""

    def __init__(self) -> None:
        self._read = 0
        self._is_over = False

    def __call__(self, stdout: Path) -> bool:
        """Whether its last word is the end of a turn."""
        with stdout.open("rb") as file:
            file.seek(self._read)
            for line in _lines(file):
                if not line.endswith(b"\n") and len(line) < LONGEST:
                    break  # the rest of it is still to come
                self._read += len(line)
                self._take(json.text_field(_event(line), "type"))
        return self._is_over

    def _take(self, kind: str) -> None:
        if kind == "turn.started":
            self._is_over = False  # it goes on by itself
        elif kind in ("turn.completed", "turn.failed"):
            self._is_over = True


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """Lines end with LF alone."""
    while line := file.readline(LONGEST):
        yield line


def _end(event: JsonValue) -> TurnEnd:
    failed = json.text_field(event, "type") == "turn.failed"
    return TurnEnd(failed, json.text_field(json.field(event, "error"), "message"))


def _event(line: bytes) -> JsonValue:
    """One line as JSON; None where it is none, or nested too deep to be an event."""
    try:
        event: JsonValue = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    return event
