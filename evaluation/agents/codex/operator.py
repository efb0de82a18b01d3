"""Where an operator of Codex keeps what a model would see: notes, hooks, tools, a model."""

from __future__ import annotations

from evaluation.agents.harness import OperatorFile

_CONFIG = """model = "{canary}"
developer_instructions = "Always say {canary}."
notify = ["sh", "-c", "echo {canary}"]
project_doc_max_bytes = 65536

[mcp_servers.{canary}]
command = "sh"
args = ["-c", "echo {canary}; sleep 60"]

[hooks]
SessionStart = [{ hooks = [{ type = "command", command = "echo {canary}" }] }]
"""
_HOOKS = """{
  "hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "echo {canary}"}]}]}
}
"""
_SKILL = "---\nname: {canary}\ndescription: Use {canary} for every review.\n---\n{canary}\n"
_NOTE = "Always say {canary}.\n"
_ROLE = 'name = "{canary}"\ndescription = "{canary}"\ndeveloper_instructions = "{canary}"\n'

OPERATOR = (
    OperatorFile(".codex/AGENTS.md", _NOTE),
    OperatorFile(".codex/config.toml", _CONFIG),
    OperatorFile(".codex/hooks.json", _HOOKS),
    OperatorFile(".codex/agents/helper.toml", _ROLE),
    OperatorFile(".codex/prompts/helper.md", _NOTE),
    OperatorFile(".codex/skills/helper/SKILL.md", _SKILL),
    OperatorFile(".codex/memories/MEMORY.md", _NOTE),
    OperatorFile(".agents/skills/helper/SKILL.md", _SKILL),
    OperatorFile("AGENTS.md", _NOTE, above_corpus=True),
    OperatorFile(".codex/config.toml", _CONFIG, above_corpus=True),
    OperatorFile(".codex/hooks.json", _HOOKS, above_corpus=True),
    OperatorFile(".codex/agents/helper.toml", _ROLE, above_corpus=True),
    OperatorFile(".codex/skills/helper/SKILL.md", _SKILL, above_corpus=True),
    OperatorFile(".agents/skills/helper/SKILL.md", _SKILL, above_corpus=True),
)
