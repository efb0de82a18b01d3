"""What is particular to Claude Code, as data: tools, headers, arguments, environment, models."""

from __future__ import annotations

import re
from collections.abc import Mapping

from evaluation.agents.claude_code.install import PROGRAM
from evaluation.agents.claude_code.operator import OPERATOR
from evaluation.agents.cli import NEUTRAL
from evaluation.agents.harness import Profile
from evaluation.agents.model_names import ModelNames
from evaluation.gateway.threads import Summary, ThreadRules
from evaluation.simulated.hands import Call, Hands
from evaluation.transcripts.claude_attached import ATTACHMENTS
from evaluation.transcripts.claude_code import TOOLS

HANDS = Hands(
    list_files=Call(
        "Bash",
        {
            "command": "find '{path}' -type f | sort",
            "description": "List the files in the folder",
        },
    ),
    read_file=Call("Read", {"file_path": "{path}"}),
    read_range=Call("Read", {"file_path": "{path}", "offset": "{first}", "limit": "{count}"}),
    search=Call(
        "Bash",
        {
            "command": "grep -rniF -e {pattern} -- '{path}'",
            "description": "Search the files for a word",
        },
    ),
    search_around=Call(
        "Bash",
        {
            "command": "grep -rniF -C 1 -e {pattern} -- '{path}'",
            "description": "Search the files for a word, with the lines around it",
        },
    ),
    shell=Call("Bash", {"command": "{command}", "description": "Run a command"}),
    delegate=Call(
        "Agent",
        {
            "description": "{title}",
            "prompt": "{prompt}",
            "subagent_type": "general-purpose",
            "run_in_background": False,
        },
    ),
    line="{n}\t{text}",
    nested=True,
)

SUMMARY = Summary(
    # In all versions, whole conversation or a part; the first sentence is of later ones.
    asked=re.compile(
        r"(?:CRITICAL: Respond with TEXT ONLY\b[\s\S]{0,1000}?\n\n)?"
        r"Your task is to create a detailed summary of "
        r"(?:the conversation so far|this conversation|the RECENT portion of the conversation)\b"
    ),
    offers_tools=True,
    frame=re.compile(r"This session is being continued from a previous conversation\b"),
    kept=re.compile(r"<summary>([\s\S]*?)</summary>"),
)

PROFILE = Profile(
    name="claude-code",
    version=PROGRAM.version,
    protocol="anthropic",
    needs_sandbox=True,
    tools=TOOLS,
    offered=(),
    threads=ThreadRules(
        thread_header="x-claude-code-agent-id",
        parent_header="x-claude-code-parent-agent-id",
        summary=SUMMARY,
    ),
    hands=HANDS,
    neutral_model="claude-sonnet-5-5",
    readers=frozenset(("Read", "Bash", "Grep", "NotebookRead")),
    models=ModelNames(
        aliases={
            "opus": "claude-opus-5-5",
            "sonnet": "claude-sonnet-5-5",
            "haiku": "claude-haiku-5-5",
        }
    ),
    settings=frozenset(("effort",)),
    attachments=ATTACHMENTS,
    operator=OPERATOR,
)

ARGUMENTS: tuple[str, ...] = (
    "--print",
    *("--output-format", "stream-json", "--verbose"),
    *("--permission-mode", "bypassPermissions"),
    *("--setting-sources", "user"),  # a corpus may hold settings with hooks
    "--strict-mcp-config",  # and servers of its own
)

ENVIRONMENT: Mapping[str, str] = {
    **NEUTRAL,
    "PATH": "/usr/bin:/bin",
    # No update, no telemetry, no call but the agent's own.
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_UPDATES": "1",
    "DISABLE_TELEMETRY": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "DISABLE_INSTALLATION_CHECKS": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL": "1",
    "CLAUDE_CODE_DISABLE_FEEDBACK_SURVEY": "1",
    # No memory: not of the project, not of earlier sessions.
    "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",
    "CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1",
    # Nor anything of a repository around the corpus.
    "CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS": "1",
    # The model that was asked for, and no other in its place.
    "CLAUDE_CODE_NO_MODEL_FALLBACK": "1",
    "CLAUDE_CODE_DISABLE_LEGACY_MODEL_REMAP": "1",
    "CLAUDE_CODE_DISABLE_REFUSAL_FALLBACK": "1",
}

AS_ROOT: Mapping[str, str] = {"IS_SANDBOX": "1"}
"""Without it the CLI refuses to run as root; inside a sandbox it never does."""
