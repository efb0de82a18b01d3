"""Events of Gemini CLI's stream: how the CLI itself says it ended, and that it has.

What its tools gave back is no part of the stream: the event of a read file is empty.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import orjson
from pydantic import JsonValue

from evaluation.gateway import json_fields as json

LONGEST = 64 << 20
"""Bytes of one event that are looked at. A longer line is no result."""


@dataclass(frozen=True)
class Result:
    """The `result` event, which is the last."""

    failed: bool
    text: str
    """What the CLI says of its failure."""


def last_result(stdout: Path) -> Result | None:
    """The last `result` event of a stream; None where there is none. Lines end with LF alone."""
    last: Result | None = None
    with stdout.open("rb") as file:
        while line := file.readline(LONGEST):
            last = _result(line) or last
    return last


def _result(line: bytes) -> Result | None:
    if b'"result"' not in line:
        return None
    try:
        event: JsonValue = orjson.loads(line)
    except orjson.JSONDecodeError:  # torn, or nested too deep to be an event
        return None
    if json.text_field(event, "type") != "result":
        return None
    status = json.text_field(event, "status")
    said = json.text_field(json.field(event, "error"), "message")
    return Result(failed=status != "success", text=said or f"status {status or 'unknown'}")


class FinishedWatch:
    """Reads a stream while it is written, and says whether the CLI has nothing more to do."""

    def __init__(self) -> None:
        self._read = 0
        self._result = False

    def __call__(self, stdout: Path) -> bool:
        """Whether a `result` has come."""
        with stdout.open("rb") as file:
            file.seek(self._read)
            while line := file.readline(LONGEST):
                if not line.endswith(b"\n") and len(line) < LONGEST:
                    break  # the rest of it is still to come
                self._read += len(line)
                self._result = self._result or _result(line) is not None
        return self._result
