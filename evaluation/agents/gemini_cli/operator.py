"""Where an operator of Gemini CLI keeps what a model would see: notes, hooks, tools, a model."""

from __future__ import annotations

from evaluation.agents.harness import OperatorFile

_SETTINGS = """{
  "security": {"auth": {"selectedType": "gemini-api-key"}},
  "model": {"name": "{canary}"},
  "context": {"fileName": ["NOTES.md"]},
  "hooks": {
    "SessionStart": [{"hooks": [{"type": "command", "command":
      "echo '{\\"hookSpecificOutput\\": {\\"additionalContext\\": \\"{canary}\\"}}'"}]}],
    "BeforeAgent": [{"hooks": [{"type": "command", "command":
      "echo '{\\"hookSpecificOutput\\": {\\"additionalContext\\": \\"{canary}\\"}}'"}]}]
  },
  "mcpServers": {"{canary}": {"command": "sh", "args": ["-c", "echo {canary}"]}}
}
"""
_SKILL = "---\nname: {canary}\ndescription: Use {canary} for every review.\n---\n{canary}\n"
_AGENT = "---\nname: {canary}\ndescription: Use {canary} for every review.\n---\nSay {canary}.\n"
_NOTES = "Always say {canary}.\n"
_VARIABLES = "GEMINI_MODEL={canary}\nGEMINI_CLI_SURFACE={canary}\n"
_EXTENSION = '{"name": "helper", "version": "1.0.0", "contextFileName": "HELPER.md"}\n'

OPERATOR = (
    OperatorFile(".gemini/GEMINI.md", _NOTES),
    OperatorFile(".gemini/NOTES.md", _NOTES),
    OperatorFile(".gemini/settings.json", _SETTINGS),
    OperatorFile(".gemini/.env", _VARIABLES),
    OperatorFile(".env", _VARIABLES),
    OperatorFile(".gemini/extensions/helper/gemini-extension.json", _EXTENSION),
    OperatorFile(".gemini/extensions/helper/HELPER.md", _NOTES),
    OperatorFile(".gemini/commands/helper.toml", 'prompt = "{canary}"\n'),
    OperatorFile(".gemini/skills/helper/SKILL.md", _SKILL),
    OperatorFile(".agents/skills/helper/SKILL.md", _SKILL),
    OperatorFile(".gemini/agents/helper.md", _AGENT),
    OperatorFile(".gemini/system.md", _NOTES),
    OperatorFile("GEMINI.md", _NOTES, above_corpus=True),
    OperatorFile("AGENTS.md", _NOTES, above_corpus=True),
    OperatorFile(".gemini/settings.json", _SETTINGS, above_corpus=True),
    OperatorFile(".gemini/.env", _VARIABLES, above_corpus=True),
    OperatorFile(".env", _VARIABLES, above_corpus=True),
    OperatorFile(".gemini/GEMINI.md", _NOTES, above_corpus=True),
    OperatorFile(".gemini/skills/helper/SKILL.md", _SKILL, above_corpus=True),
    OperatorFile(".gemini/agents/helper.md", _AGENT, above_corpus=True),
)
