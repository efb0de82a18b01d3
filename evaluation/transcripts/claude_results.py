"""What a result or an attachment of Claude Code is: shown whole, in part, again, or never.

Prevents the commonest false result of such readers: credit from `toolUseResult`, the field made for
the display, which holds whole files that the model never saw. Text comes from `tool_result` blocks,
and from `content-replacement` rows and request records where the model was given another.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pydantic import JsonValue

from evaluation.transcripts.claude_attached import in_messages
from evaluation.transcripts.claude_rows import Row, kind_of, list_of, object_of, text_of
from evaluation.transcripts.trajectory import ResultStatus

PERSISTED = "<persisted-output>"
STUBS = ("File unchanged since last read", "Wasted call")
"""Beginnings of the sentences that stand in the place of a file that was shown before."""
REJECTED = ("The user doesn't want to ", "[Request interrupted by user")
NEVER_RAN = ("<tool_use_error>Sibling tool call errored", "<tool_use_error>Cancelled: ")


def joined(content: JsonValue) -> str:
    """The text of a block's content: a string, or a list of blocks of which some are text."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = (block.get("text") for block in content if isinstance(block, dict))
    return "\n".join(text for text in texts if isinstance(text, str))


def status_of(text: str, *, is_error: bool) -> ResultStatus:
    """What a tool's answer is, by the text that the model was given."""
    if is_error:
        if text.startswith(REJECTED):
            return "rejected"
        return "never_ran" if text.startswith(NEVER_RAN) else "error"
    if text.startswith(PERSISTED):
        return "preview"
    return "stub" if text.startswith(STUBS) else "whole"


class Attached(NamedTuple):
    """The text of a file that came into the context without a call."""

    path: str
    text: str
    """With line numbers where they are known."""


def attached(attachment: Row, rendered: list[str]) -> list[Attached]:
    """The files of an attachment whose text it holds.

    `rendered` is what the model was given, in versions that keep it.
    """
    kind = kind_of(attachment)
    if kind in FILES and rendered:
        path = text_of(attachment, "filename")
        given = [Attached(file.path or path, file.text) for file in in_messages(rendered)]
        if given:
            return given
    if kind == "instructions":
        files = (file for file in list_of(attachment, "files") if isinstance(file, dict))
        found = [Attached(text_of(file, "path"), text_of(file, "content")) for file in files]
    else:
        found = list(_attached(attachment))
    return [one for one in found if one.text]


def _attached(attachment: Row) -> Iterator[Attached]:
    match kind_of(attachment):
        case "file":
            file = object_of(object_of(attachment, "content"), "file")
            path = text_of(attachment, "filename") or text_of(file, "filePath")
            yield Attached(path, _numbered(text_of(file, "content"), file.get("startLine")))
        case "edited_text_file":
            yield Attached(text_of(attachment, "filename"), text_of(attachment, "snippet"))
        case "selected_lines_in_ide":
            text = _numbered(text_of(attachment, "content"), attachment.get("lineStart"))
            yield Attached(text_of(attachment, "filename"), text)
        case "nested_memory":
            content = object_of(attachment, "content")
            path = text_of(content, "path") or text_of(attachment, "path")
            yield Attached(path, text_of(content, "content"))


def _numbered(text: str, first: JsonValue) -> str:
    """The lines with the numbers that they were shown with."""
    if not text or not isinstance(first, int) or first < 1:
        return text
    lines = text.removesuffix("\n").split("\n")
    return "\n".join(f"{number}\t{line}" for number, line in enumerate(lines, start=first))


def rendered_texts(row: Row) -> list[str]:
    """What the model was given of an attachment; empty in versions that do not keep it."""
    found = (text_of(item, "content") for item in list_of(row, "rendered"))
    return [text for text in found if text]


FILES = frozenset(
    ("file", "edited_text_file", "selected_lines_in_ide", "nested_memory", "instructions")
)
"""Attachments that hold text of files."""
_NOT_FILES = """
    agent_color_reminder agent_listing_delta agent_mention already_read_file async_hook_response
    attention_budget auto_mode auto_mode_exit budget_usd command_permissions
    compact_file_reference companion_intro context_efficiency critical_system_reminder
    current_session_memory date date_change deferred_tools_delta diagnostics directory
    dynamic_skill edited_image_file effort environment goal_status hook_additional_context
    hook_blocking_error hook_cancelled hook_error_during_execution hook_non_blocking_error
    hook_permission_decision hook_stopped_continuation hook_success hook_system_message
    invoked_skills max_turns_reached mcp_dropped_tools_delta mcp_instructions_delta mcp_resource
    memory_update model opened_file_in_ide output_style output_token_usage pdf_reference
    plan_file_reference plan_mode plan_mode_exit plan_mode_reentry plan_mode_v2 poll_events
    prompt_snapshot queued_command read_truncation_notice relevant_memories remote_session_change
    session_context skill_discovery skill_listing structured_output task_progress task_reminder
    task_status team_context teammate_mailbox teammate_shutdown_batch todo todo_reminder token_usage
    tool_search_usage_reminder total_tokens_reminder ultrathink_effort verify_plan_reminder
    workflow_keyword_request
"""
NOT_FILES = frozenset(_NOT_FILES.split())
"""Attachments that hold none."""
