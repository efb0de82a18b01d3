"""What each of Claude Code's tools adds to the text of a file, in all versions since 2.0."""

from __future__ import annotations

import re

from evaluation.reading.context import ATTACHED, ToolOutput, ToolTable

NUMBER = re.compile(r" *(?P<n>\d{1,9})[\t→]")
"""Before each line of a read: an arrow up to 2.1.42, a tab since 2.1.91."""

# Each begins with plain text, so that a long output is searched fast.
REMINDER = re.compile(
    r"\n\n<system-reminder>\n(?:(?!<system-reminder>)[\s\S])*?</system-reminder>\n?"
    r"(?=\n\n<system-reminder>|\Z)"
)
"""What the CLI itself says after the lines of a read."""
_PAGES = re.compile(r"\n\n\[Showing results with pagination = [^\n]*\]\Z")

_AGENT_ID = re.compile(r"\Aa[0-9a-f]{6,}\Z")
"""Ids of sub-agents; those of commands begin with another letter."""

TOOLS: ToolTable = {
    "Read": ToolOutput(
        path_argument="file_path", number=NUMBER, added=REMINDER, added_holds="<system-reminder>"
    ),
    ATTACHED: ToolOutput(
        path_argument="path", number=NUMBER, added=REMINDER, added_holds="<system-reminder>"
    ),
    "NotebookRead": ToolOutput(path_argument="notebook_path"),
    "Grep": ToolOutput(added=_PAGES),
    "Bash": ToolOutput(),
    "PowerShell": ToolOutput(),
    "BashOutput": ToolOutput(),
    # The output of a command; or of a sub-agent, which a model wrote.
    "TaskOutput": ToolOutput(doubted=_AGENT_ID),
    # These print names, and no text of a file.
    **dict.fromkeys(("Glob", "LS"), ToolOutput(credit="none")),
    **dict.fromkeys(
        # What these give back, a model wrote.
        ("Agent", "AgentOutputTool", "ListAgents", "SendMessage", "Skill", "Task", "Workflow"),
        ToolOutput(credit="none"),
    ),
}
"""What each tool adds. Bash adds no text to lines; what its commands add, the engine knows. Edit
and Write echo what the agent wrote, so they are left out, and count at the upper end only."""
