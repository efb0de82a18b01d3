"""Messages of OpenCode 2, each a row of its own, as messages with parts.

Prevents a false result: a command that the user ran stands there twice, as a `shell` row for the
screen and as a `synthetic` one, which is what the model was given.
"""

from __future__ import annotations

from evaluation.transcripts.json_lines import Object
from evaluation.transcripts.opencode_sessions import (
    OpenCodeSessions,
    object_field,
    objects_field,
    text_field,
)

SILENT = frozenset(("shell", "idle", "system", "agent-switched", "model-switched"))
"""Rows of which the model was given nothing."""


def add_row(found: OpenCodeSessions, session: str, key: str, kind: str, row: Object) -> None:
    """One row of a session."""
    if kind in SILENT:
        found.rows += 1
        return
    if kind == "compaction":
        found.add_message(key, session, {"role": "assistant", "summary": True, **_time(row)})
    elif kind in ("user", "synthetic"):
        found.add_message(key, session, {"role": "user", **_time(row)})
        part: Object = {"type": "text", "text": text_field(row, "text")}
        if kind == "synthetic":
            part |= {"synthetic": True, "given": True}
        found.add_part(f"{key}-0", key, part)
    elif kind == "assistant":
        model = text_field(object_field(row, "model"), "id")
        found.add_message(key, session, {"role": "assistant", "modelID": model, **_time(row)})
        for number, item in enumerate(objects_field(row, "content")):
            found.add_part(f"{key}-{number:06}", key, _part(item))
        found.add_part(f"{key}-end", key, {"type": "step-finish", "tokens": row.get("tokens")})
    else:
        found.rows += 1
        found.unknown[kind or "(none)"] += 1


def _time(row: Object) -> Object:
    return {"time": row.get("time")}


def _part(item: Object) -> Object:
    if text_field(item, "type") != "tool":
        return item
    state = object_field(item, "state")
    texts = (text_field(block, "text") for block in objects_field(state, "content"))
    error = state.get("error")
    said = text_field(error, "message") if isinstance(error, dict) else error
    metadata = object_field(state, "metadata")
    started = metadata.get("sessionID") if item.get("name") == "subagent" else None
    return {
        "type": "tool",
        "tool": item.get("name"),
        "callID": item.get("id"),
        "state": {
            **state,
            "output": "\n".join(texts),
            "error": said,
            "metadata": {**metadata, **({"sessionId": started} if started else {})},
        },
    }
