"""Rows of Claude Code without its own instructions, which are long and say nothing of reading."""

from __future__ import annotations

from typing import Any

DISPLAYS = frozenset(("toolUseResult", "tool_use_result"))
MOST_SHOWN = 4000
"""Characters of a text for the display: some are much longer than what the model was given."""
INIT = ("type", "subtype", "session_id", "claude_code_version", "cwd", "model")
INSTRUCTIONS = frozenset(
    (
        "agent_listing_delta",
        "deferred_tools_delta",
        "environment",
        "model",
        "prompt_snapshot",
        "remote_session_change",
        "skill_listing",
        "task_reminder",
    )
)


def shortened(row: dict[str, Any]) -> dict[str, Any]:
    """One row. Hashes of messages still hold."""
    kind = row.get("type")
    row = {name: cut(value) if name in DISPLAYS else value for name, value in row.items()}
    if kind == "api-request-shape":
        return {**row, "shape": {}}
    if kind == "system" and row.get("subtype") == "init":
        return {key: row[key] for key in INIT if key in row}
    if kind == "attachment" and row["attachment"]["type"] in INSTRUCTIONS:
        bare = {"type": row["attachment"]["type"]}
        return {k: v for k, v in row.items() if k != "rendered"} | {"attachment": bare}
    if kind == "api-request-blob" and row["message"]["role"] != "assistant":
        content = row["message"]["content"]
        if not isinstance(content, list) or "tool_result" not in {one["type"] for one in content}:
            return {**row, "message": {**row["message"], "content": []}}
    return row


def cut(value: Any) -> Any:
    """A value with no text that is longer than is shown."""
    if isinstance(value, str):
        return value if len(value) <= MOST_SHOWN else f"{value[:MOST_SHOWN]}…"
    if isinstance(value, dict):
        return {key: cut(inner) for key, inner in value.items()}
    return value
