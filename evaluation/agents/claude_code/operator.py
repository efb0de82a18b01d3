"""Where an operator of Claude Code keeps what a model would see: notes, hooks, tools, a model."""

from __future__ import annotations

from evaluation.agents.harness import OperatorFile

_HOOKS = """{
  "model": "{canary}",
  "env": {"ANTHROPIC_CUSTOM_HEADERS": "x-note: {canary}"},
  "outputStyle": "{canary}",
  "hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "echo {canary}"}]}]}
}
"""
_SERVERS = """{
  "mcpServers": {"{canary}": {"command": "sh", "args": ["-c", "echo {canary}; sleep 60"]}}
}
"""
_SKILL = "---\nname: {canary}\ndescription: Use {canary} for every review.\n---\n{canary}\n"

OPERATOR = (
    OperatorFile(".claude/CLAUDE.md", "Always say {canary}.\n"),
    OperatorFile(".claude/settings.json", _HOOKS),
    OperatorFile(".claude.json", _SERVERS),
    OperatorFile(".claude/agents/helper.md", _SKILL),
    OperatorFile(".claude/skills/helper/SKILL.md", _SKILL),
    OperatorFile(".claude/commands/helper.md", _SKILL),
    OperatorFile(".claude/output-styles/helper.md", _SKILL),
    OperatorFile(".claude/rules/helper.md", "Always say {canary}.\n"),
    OperatorFile("CLAUDE.md", "Always say {canary}.\n", above_corpus=True),
    OperatorFile("CLAUDE.local.md", "Always say {canary}.\n", above_corpus=True),
    OperatorFile("AGENTS.md", "Always say {canary}.\n", above_corpus=True),
    OperatorFile(".mcp.json", _SERVERS, above_corpus=True),
    OperatorFile(".claude/settings.json", _HOOKS, above_corpus=True),
    OperatorFile(".claude/settings.local.json", _HOOKS, above_corpus=True),
    OperatorFile(".claude/skills/helper/SKILL.md", _SKILL, above_corpus=True),
    OperatorFile(".claude/agents/helper.md", _SKILL, above_corpus=True),
)
