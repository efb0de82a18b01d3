"""The last event of Claude Code's stream: how the CLI itself says it ended."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import orjson

LONGEST = 64 << 20
"""Bytes of one event that are looked at. A longer line is no result."""


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
    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    if not isinstance(row, dict) or row.get("type") != "result":
        return None
    failed = row.get("is_error") is not False or row.get("subtype") != "success"
    text = row.get("result")
    return Result(failed, text if isinstance(text, str) else str(row.get("subtype", "")))
