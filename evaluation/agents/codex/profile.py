"""What is particular to Codex, as data: tools, headers, arguments, environment, models."""

from __future__ import annotations

import re
from collections.abc import Mapping

from evaluation.agents.cli import NEUTRAL
from evaluation.agents.codex.hands import SCRIPTS
from evaluation.agents.codex.install import PROGRAM
from evaluation.agents.codex.operator import OPERATOR
from evaluation.agents.harness import Profile
from evaluation.agents.model_names import ModelNames
from evaluation.gateway.threads import BackgroundMark, ThreadRules
from evaluation.transcripts.codex_attached import ATTACHMENTS
from evaluation.transcripts.codex_tools import TOOLS

PROFILE = Profile(
    name="codex",
    version=PROGRAM.version,
    protocol="openai-responses",
    needs_sandbox=True,
    tools=TOOLS,
    offered=(),
    threads=ThreadRules(
        thread_header="thread-id",
        parent_header="x-codex-parent-thread-id",
        main_without="parent",
        # A summary of the history is asked for with the tools still on offer; in versions that do
        # not say so, without any.
        background=BackgroundMark(
            "x-codex-turn-metadata", re.compile(r'"request_kind":"(?!turn")')
        ),
    ),
    hands=SCRIPTS,
    neutral_model="gpt-6.2-sol",
    readers=frozenset(("exec", "exec_command", "shell_command", "shell", "local_shell")),
    models=ModelNames(tail=re.compile(r"-20\d{2}-\d{2}-\d{2}")),
    settings=frozenset(("effort",)),
    attachments=ATTACHMENTS,
    operator=OPERATOR,
)

ARGUMENTS: tuple[str, ...] = (
    "exec",
    "--json",
    "--skip-git-repo-check",
    "--dangerously-bypass-approvals-and-sandbox",  # it runs in ours
)

CONFIG = """\
model_provider = "gateway"
check_for_update_on_startup = false
web_search = "disabled"
# No notes of the project's or of the folders above it.
project_doc_max_bytes = 0
project_root_markers = []
include_apps_instructions = false
suppress_unstable_features_warning = true

[model_providers.gateway]
name = "gateway"
base_url = "{base_url}"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
supports_websockets = false
# Both count, one times the other: by default a server that breaks off is asked 30 times.
request_max_retries = 0
stream_max_retries = 5

[history]
persistence = "none"

[analytics]
enabled = false

[feedback]
enabled = false

[features]
apps = false
hooks = false
memories = false
plugins = false
remote_plugin = false
unbounded_connection_retries = false

[skills]
include_instructions = false

[skills.bundled]
enabled = false
"""
"""`{base_url}` is filled in."""

NO_SUBAGENTS = """
[agents]
enabled = false
"""

ENVIRONMENT: Mapping[str, str] = {
    **NEUTRAL,
    "PATH": "/usr/bin:/bin",
}
