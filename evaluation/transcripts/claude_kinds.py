"""What a file of Claude Code is, told from its first rows; and the kinds of rows, blocks and texts
that are known."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from evaluation.transcripts.beginnings import Beginning, beginning_of
from evaluation.transcripts.claude_rows import Row, RowCount, kind_of, object_of, text_of

TURNS = frozenset(("user", "assistant"))
CONTEXT = TURNS | {
    "attachment",
    "system",
    "content-replacement",
    "api-request",
    "api-request-blob",
}
"""Rows that say what entered the context."""
_OTHER = """
    agent-color agent-name agent-setting ai-title api-request-resumed api-request-shape
    artifact-autoreact-ledger artifact-comment-monitor atis-latch attribution-snapshot
    bridge-session continued-in cost-state custom-title data-flow-incomplete data-flow-records
    derived-from dev-mods ended-by-model file-history-delta file-history-snapshot
    fork-context-ref frame-link history-suppression isolation-latch last-prompt memory-mode mode
    observer-ref permission-mode pr-link progress queue-operation relocated resume-head-vouch
    session-owner speculation-accept summary tag tools-used worktree-state
"""
OTHER = frozenset(_OTHER.split())
"""Rows that say nothing of it."""
STREAM_ONLY = frozenset(("result", "stream_event", "tool_progress", "rate_limit_event"))
_BLOCKS = """
    text thinking redacted_thinking tool_use tool_result image document server_tool_use
    tool_reference web_search_tool_result web_fetch_tool_result fallback search_result
    mcp_tool_use mcp_tool_result code_execution_tool_result container_upload
"""
BLOCKS = frozenset(_BLOCKS.split())
"""Parts of messages that are known."""
NOTES = (
    "<bash-",
    "<command-",
    "<local-command-",
    "<system-reminder>",
    "<task-notification>",
    "<user-memory-input>",
    "Caveat: The messages below were generated",
    "[Request interrupted by user",
)
"""Beginnings of what stands under the user's name and is no prompt."""
CONTINUED = "This session is being continued from a previous conversation"
"""How the CLI begins its summary of what came before."""

HeadKind = Literal["main", "subagent", "stream", ""]


@dataclass(frozen=True)
class Head:
    """What the first rows of a file say."""

    kind: HeadKind
    """Empty: it is none of Claude Code's."""
    session: str = ""
    agent: str = ""
    requests: bool = False
    """Whether it has `api-request` rows."""


def head_of(path: Path) -> Head:
    """What a file is. Never raises."""
    return head_in(beginning_of(path))


def head_in(beginning: Beginning) -> Head:
    """What a file that begins so is."""
    rows = beginning.rows
    told = [row for row in rows if _is_session_row(row)]
    if not told:
        is_stream = any(is_stream_row(row) for row in rows)
        return Head("stream") if is_stream else Head("")
    turns = [row for row in told if kind_of(row) in TURNS]
    agent = text_of(turns[0], "agentId") if turns and turns[0].get("isSidechain") is True else ""
    return Head(
        "subagent" if agent else "main",
        session=text_of(told[-1], "sessionId"),
        agent=agent,
        requests=any(text_of(row, "type").startswith("api-request") for row in told),
    )


def _is_session_row(row: Row) -> bool:
    """Others write rows with a `sessionId` too, but not of these kinds and shapes."""
    kind = kind_of(row)
    if kind in TURNS:
        return "content" in object_of(row, "message") and "session_id" not in row
    if kind == "summary":
        return isinstance(row.get("leafUuid"), str)
    if kind == "file-history-snapshot":
        return isinstance(row.get("messageId"), str)
    known = kind in CONTEXT or kind in OTHER
    return known and isinstance(row.get("sessionId"), str) and "payload" not in row


def is_stream_row(row: Row) -> bool:
    """Whether a row is one of a stream's."""
    if not isinstance(row.get("session_id"), str):
        return False
    kind = kind_of(row)
    if kind == "system":
        return isinstance(row.get("subtype"), str)
    if kind in TURNS:
        return "content" in object_of(row, "message") and "parent_tool_use_id" in row
    return kind in STREAM_ONLY


def note_block(block: Row, count: RowCount) -> None:
    """Count a block of a kind that is not known."""
    kind = kind_of(block)
    if kind not in BLOCKS:
        count.unknown[f"block {kind[:80]}"] += 1


def is_note(row: Row, text: str) -> bool:
    """Whether the CLI speaks under the user's name."""
    return (
        row.get("isMeta") is True
        or row.get("isCompactSummary") is True
        or row.get("isSynthetic") is True
        or text_of(row.get("origin"), "kind") == "task-notification"
        or text.startswith(NOTES)
    )
