"""What is particular to OpenCode, as data: tools, headers, environment, settings."""

from __future__ import annotations

from collections.abc import Mapping

from evaluation.agents.cli import NEUTRAL
from evaluation.agents.harness import Profile
from evaluation.agents.opencode.install import PROGRAM
from evaluation.agents.opencode.operator import OPERATOR
from evaluation.gateway.threads import ThreadRules
from evaluation.simulated.hands import Call, Hands, Hits
from evaluation.transcripts.opencode import TOOLS
from evaluation.transcripts.opencode_attached import ATTACHMENTS

HANDS = Hands(
    list_files=Call("glob", {"pattern": "**/*", "path": "{path}"}),
    read_file=Call("read", {"filePath": "{path}"}),
    read_range=Call("read", {"filePath": "{path}", "offset": "{first}", "limit": "{count}"}),
    search=Call("grep", {"pattern": "(?i){pattern}", "path": "{path}"}),
    hits=Hits(("  Line {n}: {text}",), heading="{path}:"),
    shell=Call("bash", {"command": "{command}", "description": "Run a command"}),
    delegate=Call(
        "task",
        {"description": "{title}", "prompt": "{prompt}", "subagent_type": "general"},
    ),
    line="{n}: {text}",
)

PROFILE = Profile(
    name="opencode",
    version=PROGRAM.version,
    protocol="openai-chat",
    needs_sandbox=True,
    tools=TOOLS,
    offered=(),
    threads=ThreadRules(
        thread_header="x-session-id",
        parent_header="x-parent-session-id",
        main_without="parent",
    ),
    hands=HANDS,
    neutral_model="assistant-1",
    readers=frozenset(("read", "bash", "grep")),
    settings=frozenset(("temperature", "top_p", "seed", "reasoning_effort", "max_tokens")),
    attachments=ATTACHMENTS,
    operator=OPERATOR,
)

ARGUMENTS: tuple[str, ...] = (
    "run",
    *("--format", "json"),
    "--auto",  # nobody is there to be asked for a permission
    *("--title", "Review"),  # else the model is asked for one
)

ENVIRONMENT: Mapping[str, str] = {
    **NEUTRAL,
    # No update, no download, no call but the agent's own.
    "OPENCODE_DISABLE_AUTOUPDATE": "1",
    "OPENCODE_DISABLE_MODELS_FETCH": "1",
    "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
    # No plugin, not of its makers either: those log in to services.
    "OPENCODE_PURE": "1",
    "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
    # A corpus may hold settings, notes and skills, of this CLI and of others.
    "OPENCODE_DISABLE_PROJECT_CONFIG": "1",
    "OPENCODE_DISABLE_CLAUDE_CODE": "1",
    "OPENCODE_DISABLE_EXTERNAL_SKILLS": "1",
}
