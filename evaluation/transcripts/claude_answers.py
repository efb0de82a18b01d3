"""What the model said in a thread of Claude Code: an answer's blocks have rows of their own."""

from __future__ import annotations

from evaluation.transcripts.claude_drafts import Draft, usage_of
from evaluation.transcripts.claude_kinds import note_block
from evaluation.transcripts.claude_rows import Row, RowCount
from evaluation.transcripts.trajectory import tool_call

MOST_SAME = 64
"""Texts of an answer among which one is looked for that was written again."""


class Answers:
    """The answers of one thread, by their ids, and the calls that they made."""

    def __init__(self, count: RowCount) -> None:
        self.calls: dict[str, Draft] = {}
        """Which answer made a call, by its id."""
        self.last: Draft | None = None
        self.number = 0
        self._count = count
        self._by_id: dict[str, Draft] = {}

    def find(self, identity: str) -> Draft | None:
        """An answer that has begun; an empty id is nobody's."""
        return self._by_id.get(identity) if identity else None

    def enter(self, identity: str, draft: Draft) -> None:
        """One more answer."""
        self.number += 1
        if identity:
            self._by_id[identity] = draft

    def take(self, draft: Draft, message: Row) -> None:
        """What a row holds of an answer."""
        self.last = draft
        content = message.get("content")
        if isinstance(content, str):
            content = [{"type": "text", "text": content}]
        for block in content if isinstance(content, list) else ():
            if isinstance(block, dict):
                self._take_block(block, draft)
        draft.usage = usage_of(message.get("usage")) or draft.usage

    def _take_block(self, block: Row, draft: Draft) -> None:
        kind = block.get("type")
        if kind == "tool_use":
            name, call = block.get("name"), block.get("id")
            if not isinstance(name, str) or not isinstance(call, str):
                return
            if self.calls.get(call) is not draft:
                draft.calls.append(tool_call(call, name, block.get("input")))
                self.calls[call] = draft
        elif kind == "text":
            text = block.get("text")
            if isinstance(text, str) and text not in draft.texts[-MOST_SAME:]:
                draft.texts.append(text)
        else:
            note_block(block, self._count)

    def tool_of(self, call: str) -> str:
        """The tool that a call is of; empty where the call is not there."""
        draft = self.calls.get(call)
        for one in draft.calls if draft else ():
            if one.tool_call_id == call:
                return one.function_name
        return ""

    def ids(self) -> set[str]:
        """Of all answers that have one."""
        return set(self._by_id)
