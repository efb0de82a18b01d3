"""What is particular to Gemini CLI, as data: tools, threads, arguments, settings, models."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pydantic import JsonValue

from evaluation.agents.cli import NEUTRAL
from evaluation.agents.gemini_cli.install import PROGRAM
from evaluation.agents.gemini_cli.operator import OPERATOR
from evaluation.agents.harness import Profile
from evaluation.agents.model_names import ModelNames
from evaluation.gateway.threads import Delegation, Summary, ThreadRules
from evaluation.simulated.hands import Call, Hands, Hits
from evaluation.transcripts.gemini_attached import ATTACHMENTS
from evaluation.transcripts.gemini_tools import DELEGATE, REPORTS, TOOLS

HANDS = Hands(
    list_files=Call("glob", {"pattern": "**/*", "dir_path": "{path}"}),
    read_file=Call("read_file", {"file_path": "{path}"}),
    read_range=Call(
        "read_file", {"file_path": "{path}", "start_line": "{first}", "end_line": "{last}"}
    ),
    search=Call("grep_search", {"pattern": "{pattern}", "dir_path": "{path}"}),
    hits=Hits(("L{n}: {text}",), heading="File: {path}"),
    shell=Call("run_shell_command", {"command": "{command}"}),
    printed="Output: ",
    delegate=Call(DELEGATE, {"agent_name": "generalist", "prompt": "{prompt}"}),
    finish=Call("complete_task", {"result": {"response": "{report}"}}),
    line="{text}",
)

SUMMARY = Summary(
    # A first one, one that goes on from an earlier one, and one that is looked through once more.
    asked=re.compile(
        r"First, reason in your scratchpad\. Then, generate the <state_snapshot>"
        r"|Generate a new <state_snapshot> based on the provided history"
        r"|A previous <state_snapshot> exists in the history"
        r"|Critically evaluate the <state_snapshot> you just generated"
    )
)

PROFILE = Profile(
    name="gemini-cli",
    version=PROGRAM.version,
    protocol="gemini",
    needs_sandbox=True,
    tools=TOOLS,
    offered=(),
    threads=ThreadRules(delegations=(Delegation(DELEGATE, "prompt"),), summary=SUMMARY),
    hands=HANDS,
    neutral_model="gemini-3.1-pro-preview",
    readers=frozenset(("read_file", "run_shell_command", "grep_search")),
    models=ModelNames(
        aliases={
            "pro": "gemini-3.1-pro-preview",
            "gemini-3-pro-preview": "gemini-3.1-pro-preview",
            "flash": "gemini-3.8-flash",
            "gemini-3.5-flash": "gemini-3.8-flash",
            "flash-lite": "gemini-3.5-flash-lite",
            "gemini-3.1-flash-lite": "gemini-3.5-flash-lite",
        },
        # The same model with other descriptions of tools; a frozen version of it.
        tail=re.compile(r"-customtools|-\d{3}|-20\d{6}"),
    ),
    attachments=ATTACHMENTS,
    reports=REPORTS,
    operator=OPERATOR,
)

ARGUMENTS: tuple[str, ...] = (
    *("--output-format", "stream-json"),
    *("--approval-mode", "yolo"),  # nobody is there to be asked
    *("--extensions", "none"),
)

SETTINGS: Mapping[str, JsonValue] = {
    "security": {
        "auth": {"selectedType": "gemini-api-key"},
        "folderTrust": {"enabled": False},
    },
    # No update, no telemetry, no call but the agent's own.
    "general": {
        "enableAutoUpdate": False,
        "enableAutoUpdateNotification": False,
        "checkpointing": {"enabled": False},
        "sessionRetention": {"enabled": False},
        "plan": {"modelRouting": False},  # one model, also while it plans
    },
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "ide": {"enabled": False},
    # Nothing but what the CLI itself brings, and none of its notes from folders above.
    "hooksConfig": {"enabled": False},
    "skills": {"enabled": False},
    "context": {"memoryBoundaryMarkers": []},
    "advanced": {"ignoreLocalEnv": True},
    "model": {"skipNextSpeakerCheck": True},
}
"""Names as in the CLI's own schema. Context files cannot be switched off by their name: the CLI
adds what is set there to its own `GEMINI.md`."""

SEARCH: Mapping[str, JsonValue] = {"useRipgrep": False}
"""The search that the CLI brings, and not one more where the machine happens to have a program."""

WITHOUT_SKILLS = ("activate_skill",)
WITHOUT_SUBAGENTS = (*WITHOUT_SKILLS, DELEGATE)
"""Tools left out. Switching agents or skills off takes them from the prompt alone."""

ENVIRONMENT: Mapping[str, str] = {
    **NEUTRAL,
    # Without it the CLI does not start in a folder that nobody has called trusted.
    "GEMINI_CLI_TRUST_WORKSPACE": "true",
    # One process, not a second one with more memory.
    "GEMINI_CLI_NO_RELAUNCH": "1",
}
