"""What each tool of Codex adds to file text, in all versions that left sessions behind."""

from __future__ import annotations

import re

from evaluation.reading.context import ATTACHED, ToolOutput, ToolTable

COMMAND = re.compile(
    r"\A(?:Command: [\s\S]*?\n(?=Chunk ID:|Wall time:))?"  # up to 0.118; it may hold line feeds
    r"(?:Chunk ID: \S+\n)?"
    r"Wall time: [\d.]+ seconds\n"
    r"(?:Process (?:exited with code -?\d+|running with session ID \d+)\n)?"
    r"(?:Original token count: \d+\n)?"
    r"Output:\n(?:Total output lines: \d+\n\n)?"
    r"|\AExit code: -?\d+\nWall time: [\d.]+ seconds\n(?:Total output lines: \d+\n)?Output:\n"
    r"|^Warning: truncated output \(original token count: \d+\)\n(?:Total output lines: \d+\n\n?)?",
    re.MULTILINE,
)
"""Around what a command printed."""
SCRIPT = re.compile(
    r"\AScript (?:completed|failed|terminated|running with cell ID \S+)\n"
    r"Wall time:? [\d.]+ seconds\nOutput:\n?"
    r"|^Warning: truncated output \(original token count: \d+\)\n(?:Total output lines: \d+\n\n?)?",
    re.MULTILINE,
)
"""Around what a script of the model printed, and around what a command printed inside of it."""
ESCAPED = re.compile(r'"output"\s*:\s*"(?P<text>(?:[^"\\]|\\.)*)')
"""What a command printed, where the whole result was printed as JSON."""
REPORTS = re.compile(r"wait_agent|multi_agent|collaboration|resume_agent")
"""In a script that may print what a sub-agent wrote."""

TOOLS: ToolTable = {
    ATTACHED: ToolOutput(path_argument="path"),
    **dict.fromkeys(
        ("exec_command", "write_stdin", "shell", "shell_command", "local_shell", "container.exec"),
        ToolOutput(added=COMMAND, escaped=ESCAPED),
    ),
    **dict.fromkeys(("exec", "wait"), ToolOutput(added=SCRIPT, escaped=ESCAPED, doubted=REPORTS)),
    **dict.fromkeys(
        # What these give back, a model wrote, or the CLI itself.
        (
            *("spawn_agent", "wait_agent", "send_input", "close_agent", "resume_agent"),
            *("followup_task", "send_message", "interrupt_agent", "list_agents"),
            *("update_plan", "request_user_input", "create_goal", "get_goal", "update_goal"),
            *("apply_patch", "view_image", "tool_search", "list_dir"),
        ),
        ToolOutput(credit="none"),
    ),
}
"""`exec` runs a script of the model, in which commands run: newer models have no other tool."""
