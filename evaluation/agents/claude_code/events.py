"""Events of Claude Code's stream: how the CLI itself says it ended, and whether it is about to.

Prevents a false result: in headless mode the CLI gives a `result` and then waits for commands that
run in the background, and when one ends it goes on and gives another.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import orjson
from pydantic import JsonValue

from evaluation.gateway import json_fields as json

LONGEST = 64 << 20
"""Bytes of one event that are looked at. A longer line is no result."""
WAKERS = frozenset(("CronCreate", "Monitor", "ScheduleWakeup", "Workflow"))
"""Tools after which the CLI may go on by itself, without a background task to show for it."""


@dataclass(frozen=True)
class Result:
    """The `result` event."""

    failed: bool
    """Said to be an error, by its flag or its subtype. The CLI's exit code may still be 0."""
    text: str


def last_result(stdout: Path) -> Result | None:
    """The last `result` event of a stream; None where there is none. Lines end with LF alone."""
    last: Result | None = None
    with stdout.open("rb") as file:
        while line := file.readline(LONGEST):
            if b'"result"' in line:
                last = _result(line) or last
    return last


def _result(line: bytes) -> Result | None:
    row = _event(line)
    if json.text_field(row, "type") != "result":
        return None
    failed = json.field(row, "is_error") is not False or json.field(row, "subtype") != "success"
    text = json.field(row, "result")
    return Result(failed, text if isinstance(text, str) else str(json.field(row, "subtype") or ""))


class FinishedWatch:
    """Reads a stream while it is written, and says whether the CLI has nothing more to do."""

    def __init__(self) -> None:
        self._read = 0
        self._result = False
        self._background = False
        self._may_wake = False

    def __call__(self, stdout: Path) -> bool:
        """Whether its last word is a `result`, and nothing is left that it would wait for."""
        with stdout.open("rb") as file:
            file.seek(self._read)
            while line := file.readline(LONGEST):
                if not line.endswith(b"\n") and len(line) < LONGEST:
                    break  # the rest of it is still to come
                self._read += len(line)
                self._take(_event(line))
        return self._result and not self._background and not self._may_wake

    def _take(self, event: JsonValue) -> None:
        match json.text_field(event, "type"):
            case "result":
                self._result = True
            case "assistant":
                self._result = False
                content = json.list_field(json.field(event, "message"), "content")
                used = {json.text_field(block, "name") for block in content}
                self._may_wake = self._may_wake or not used.isdisjoint(WAKERS)
            case "user":
                self._result = False
            case "system":
                self._take_system(event)

    def _take_system(self, event: JsonValue) -> None:
        match json.text_field(event, "subtype"):
            case "init":
                self._result = False  # another turn begins
            case "background_tasks_changed":
                self._background = bool(json.list_field(event, "tasks"))


def _event(line: bytes) -> JsonValue:
    """One line as JSON; None where it is none, or nested too deep to be an event."""
    try:
        event: JsonValue = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    return event
