"""What tools add to file text in ATIF documents: their names stay those of the agent's own CLI."""

from __future__ import annotations

import re

from evaluation.reading.context import ToolOutput, ToolTable
from evaluation.transcripts import claude_tools, codex_tools, fixed, gemini_tools, opencode_tools
from evaluation.transcripts.trajectory import Agent

_SCREEN = re.compile(
    r"\A(?:New Terminal Output|Current Terminal Screen|Current terminal state):?\n+"
)
TERMINUS: ToolTable = {
    "bash_command": ToolOutput(added=_SCREEN),
    "mark_task_complete": ToolOutput(credit="none"),
}
"""A terminal's screen: it shows what was typed, too, and breaks lines that are wider."""

_VIEW = re.compile(r"\AHere's the result of running `cat -n` on [^\n]*:\n")
_ENDED = re.compile(
    r"\n?\[(?:The command completed with exit code|Current working directory|Python interpreter|"
    r"Command finished with exit code)[^\n]*\]",
)
_FILES = ToolOutput(
    path_argument="path",
    number=re.compile(r" *(?P<n>\d{1,9})\t"),
    added=_VIEW,
    doubted=re.compile(r"\A(?:create|str_replace|insert|undo_edit)\Z"),
)
_COMMANDS = ToolOutput(added=_ENDED)
OPENHANDS: ToolTable = {
    **dict.fromkeys(("str_replace_editor", "file_editor"), _FILES),
    **dict.fromkeys(("execute_bash", "terminal", "execute_ipython_cell"), _COMMANDS),
    **dict.fromkeys(("think", "finish", "task_tracker", "delegate"), ToolOutput(credit="none")),
}

TABLES = {
    "claude-code": claude_tools.TOOLS,
    "codex": codex_tools.TOOLS,
    "gemini-cli": gemini_tools.TOOLS,
    "fixed": fixed.TOOLS,
    "terminus": TERMINUS,
    "terminus-1": TERMINUS,
    "terminus-2": TERMINUS,
    "openhands": OPENHANDS,
    "openhands-sdk": OPENHANDS,
}
UNKNOWN: ToolTable = {}
"""In it every tool is unknown, and counts at the upper end only."""


def tools_of(agent: Agent) -> ToolTable:
    """The table of an agent's own tools."""
    name = agent.name.lower().replace("_", "-")
    if name == "opencode":
        return opencode_tools.tools_of(agent.version)
    return TABLES.get(name, UNKNOWN)
