"""Messages of OpenCode 2, each a row of its own, as messages with parts.

Late versions of 1 write them too, where a session is held over their newer interface
(`/api/session`): the same rows, with names of tools and arguments between those of 1 and of 2.

Prevents two false results. A command that the user ran stands there twice, as a `shell` row for the
screen and as a `synthetic` one, which is what the model was given. And a result without `content`
is not empty: the model was given `structured`, as JSON.
"""

from __future__ import annotations

import orjson

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
        is_late_1 = session in found.sessions and found.sessions[session].version.startswith("1.")
        for number, item in enumerate(objects_field(row, "content")):
            given = _part(item)
            if given is None:
                found.add_unreadable()
            else:
                found.add_part(f"{key}-{number:06}", key, _renamed(given) if is_late_1 else given)
        found.add_part(f"{key}-end", key, {"type": "step-finish", "tokens": row.get("tokens")})
    else:
        found.rows += 1
        found.unknown[kind or "(none)"] += 1


def _time(row: Object) -> Object:
    return {"time": row.get("time")}


def _part(item: Object) -> Object | None:
    """None where nobody can tell what the model was given."""
    if text_field(item, "type") != "tool":
        return item
    state = object_field(item, "state")
    output = _given(state)
    if output is None:
        return None
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
            "output": output,
            "error": said,
            "metadata": {**metadata, **({"sessionId": started} if started else {})},
        },
    }


def _given(state: Object) -> str | None:
    texts = [text_field(block, "text") for block in objects_field(state, "content")]
    structured = object_field(state, "structured")
    if texts or not structured:
        return "\n".join(texts)
    try:
        return orjson.dumps(structured).decode()
    except TypeError:  # nested too deep, or no text
        return None


def _renamed(part: Object) -> Object:
    """What reads a file calls it by the name that it has in version 1."""
    if part.get("tool") != "read":
        return part
    state = object_field(part, "state")
    names = {"path": "filePath"}
    given = {names.get(key, key): value for key, value in object_field(state, "input").items()}
    return {**part, "state": {**state, "input": given}}
