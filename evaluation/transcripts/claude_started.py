"""Which sub-agents the calls of a Claude Code thread started, as their results say."""

from __future__ import annotations

import re

from evaluation.transcripts.claude_answers import Answers
from evaluation.transcripts.claude_rows import Row, text_of

AGENT_TOOLS = frozenset(("Agent", "Task"))
AGENT_ID = re.compile(r"agentId: (a[0-9a-f]{6,32}) \(")
"""How the CLI says in a result which sub-agent it is of."""


class Started:
    """Sub-agents by the call, and runs of workflows."""

    def __init__(self, answers: Answers) -> None:
        self.workflows: set[str] = set()
        self._answers = answers
        self._spawned: dict[str, str] = {}
        self._named: dict[str, str] = {}

    def take(self, row: Row, call: str, text: str) -> str:
        """The sub-agent that a result is of, as its row says; empty where it says nothing."""
        display = row.get("toolUseResult", row.get("tool_use_result"))
        if display is None:
            # A result may stand before its call, whose tool is not known then.
            if call not in self._answers.calls or self._answers.tool_of(call) in AGENT_TOOLS:
                self._note_agent(call, text)
            return ""
        if not isinstance(display, dict):
            return ""
        agent = text_of(display, "agentId")
        if agent:
            self._spawned[call] = agent
        if "transcriptDir" in display:
            self.workflows.add(text_of(display, "runId"))
        return agent

    def _note_agent(self, call: str, text: str) -> None:
        """The sub-agent that a call started: a sub-agent's rows have no field that says so."""
        at = text.rfind("agentId: ")
        found = AGENT_ID.match(text, at) if at >= 0 else None
        if found:
            self._named[call] = found[1]

    def agents(self) -> dict[str, str]:
        """By the call that started them."""
        tool_of = self._answers.tool_of
        named = {call: one for call, one in self._named.items() if tool_of(call) in AGENT_TOOLS}
        return {**named, **self._spawned}
