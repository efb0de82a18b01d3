"""Events of OpenCode's stream (`run --format json`): what it did last, and whether that is the end.

Prevents a false result: the CLI tells of a failed call by an event alone, and its exit code is 1
also where it went on after that and gave its answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import orjson
from pydantic import JsonValue

from evaluation.gateway import json_fields as json

LONGEST = 64 << 20
"""Bytes of one event that are looked at. A longer line is the result of a tool."""
GOES_ON = frozenset(("tool-calls", "unknown"))
"""Reasons for the end of a step after which another one begins."""


@dataclass(frozen=True)
class Last:
    """How a stream ends."""

    answered: bool = False
    """The last step that ended was one after which no other begins."""
    error: str = ""
    """What went wrong, where nothing came after it."""
    erred: bool = False
    """Something went wrong at any time: the CLI's exit code will be 1."""


def last_of(stdout: Path) -> Last:
    """How a stream ends. Lines end with LF alone."""
    watch = FinishedWatch()
    watch(stdout)
    return watch.last


class FinishedWatch:
    """Reads a stream while it is written, and says whether the CLI has nothing more to do."""

    def __init__(self) -> None:
        self._read = 0
        self.last = Last()

    def __call__(self, stdout: Path) -> bool:
        """Whether its last word is the end of a step after which no other begins."""
        with stdout.open("rb") as file:
            file.seek(self._read)
            while line := file.readline(LONGEST):
                if not line.endswith(b"\n") and len(line) < LONGEST:
                    break  # the rest of it is still to come
                self._read += len(line)
                self._take(_event(line))
        return self.last.answered

    def _take(self, event: JsonValue) -> None:
        match json.text_field(event, "type"):
            case "error":
                self.last = Last(error=error_text(json.field(event, "error")), erred=True)
            case "step_start":
                self.last = Last(erred=self.last.erred)
            case "step_finish":
                reason = json.text_field(json.field(event, "part"), "reason")
                self.last = Last(answered=reason not in GOES_ON, erred=self.last.erred)


def error_text(error: JsonValue) -> str:
    """An error in words: its name, the status where there is one, what the server said."""
    data = json.field(error, "data")
    name = json.text_field(error, "name") or "error"
    status = json.count_field(data, "statusCode")
    told = " ".join(part for part in (name, str(status or "")) if part)
    message = json.text_field(data, "message")
    return f"{told}: {message}" if message else told


def _event(line: bytes) -> JsonValue:
    """One line as JSON; None where it is none, or nested too deep to be an event."""
    try:
        event: JsonValue = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    return event
