"""Where an operator of OpenCode keeps what a model would see: notes, agents, servers, a model."""

from __future__ import annotations

from evaluation.agents.harness import OperatorFile

_CONFIG = """{
  "model": "{canary}/{canary}",
  "instructions": ["~/notes.md"],
  "agent": {"build": {"prompt": "Always say {canary}."}},
  "command": {"helper": {"template": "Always say {canary}."}},
  "mcp": {"{canary}": {"type": "local", "command": ["echo", "{canary}"], "timeout": 1000}}
}
"""
_PLUGIN = """export const Helper = async () => ({
  "experimental.chat.system.transform": async (input, output) => { output.system.push("{canary}") },
})
"""
_NOTE = "Always say {canary}.\n"
_MARKDOWN = "---\ndescription: Use {canary} for every review.\n---\n{canary}\n"
_SKILL = "---\nname: helper\ndescription: Use {canary} for every review.\n---\n{canary}\n"

OPERATOR = (
    OperatorFile(".config/opencode/AGENTS.md", _NOTE),
    OperatorFile(".config/opencode/opencode.json", _CONFIG),
    OperatorFile(".config/opencode/plugin/helper.js", _PLUGIN),
    OperatorFile(".config/opencode/agent/helper.md", _MARKDOWN),
    OperatorFile(".config/opencode/command/helper.md", _MARKDOWN),
    OperatorFile(".config/opencode/skill/helper/SKILL.md", _SKILL),
    OperatorFile(".opencode/agent/helper.md", _MARKDOWN),
    OperatorFile("notes.md", _NOTE),
    OperatorFile(".claude/CLAUDE.md", _NOTE),
    OperatorFile(".claude/skills/helper/SKILL.md", _SKILL),
    OperatorFile(".agents/skills/helper/SKILL.md", _SKILL),
    OperatorFile("AGENTS.md", _NOTE, above_corpus=True),
    OperatorFile("CLAUDE.md", _NOTE, above_corpus=True),
    OperatorFile("CONTEXT.md", _NOTE, above_corpus=True),
    OperatorFile("opencode.json", _CONFIG, above_corpus=True),
    OperatorFile(".opencode/agent/helper.md", _MARKDOWN, above_corpus=True),
    OperatorFile(".opencode/plugin/helper.js", _PLUGIN, above_corpus=True),
    OperatorFile(".opencode/skill/helper/SKILL.md", _SKILL, above_corpus=True),
)
