"""Rows of Claude Code, written by hand, and what a reader makes of them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from evaluation.reading.context import MAIN, ContextLog
from evaluation.transcripts.claude_code import read_claude_session
from evaluation.transcripts.context import context_log
from evaluation.transcripts.trajectory import Evidence, ObservationResult, Trajectory

Row = dict[str, Any]


def user(content: Any, **more: Any) -> Row:
    """A prompt, a note, or results."""
    return {"type": "user", "message": {"role": "user", "content": content}, **more}


def answer(identity: str, *blocks: Row, **more: Any) -> Row:
    """A row of an answer."""
    message = {"id": identity, "role": "assistant", "model": "m-1", "content": list(blocks)}
    return {"type": "assistant", "message": message, **more}


def text(words: str) -> Row:
    """A block of text."""
    return {"type": "text", "text": words}


def use(identity: str, path: str = "a.md", tool: str = "Read") -> Row:
    """A call."""
    return {"type": "tool_use", "id": identity, "name": tool, "input": {"file_path": path}}


def task(identity: str, prompt: str) -> Row:
    """A call that starts a sub-agent."""
    return {"type": "tool_use", "id": identity, "name": "Agent", "input": {"prompt": prompt}}


def result(identity: str, content: Any, *, is_error: bool = False, **more: Any) -> Row:
    """A row with one result."""
    block = {"type": "tool_result", "tool_use_id": identity, "content": content}
    return user([{**block, "is_error": True} if is_error else block], **more)


def boundary(**metadata: Any) -> Row:
    """A compaction."""
    return {"type": "system", "subtype": "compact_boundary", "compactMetadata": metadata}


def attachment(kind: str, **fields: Any) -> Row:
    """Something that the user or the CLI attached."""
    return {"type": "attachment", "attachment": {"type": kind, **fields}}


def of_agent(agent: str, *rows: Row) -> list[Row]:
    """Rows as they stand in a sub-agent's file."""
    return [{**row, "isSidechain": True, "agentId": agent, "sessionId": "s1"} for row in rows]


def session(folder: Path, rows: Iterable[Row | str], name: str = "main.jsonl") -> Path:
    """Write a file of a session; the folder it is in."""
    path = folder / "projects" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    written = [
        row if isinstance(row, str) else json.dumps({"sessionId": "s1", **row}, ensure_ascii=False)
        for row in rows
    ]
    path.write_text("".join(f"{line}\n" for line in written), newline="")
    return folder


def shown(log: ContextLog, thread: str = MAIN) -> list[tuple[str, str]]:
    """What entered a thread: results by their call."""
    return [(one.result_id, one.text) for one in log.texts if one.thread == thread]


def visible(log: ContextLog) -> list[str]:
    """Texts that the call of the final response still held."""
    return [one.text for one in log.texts if one.visible]


def read(folder: Path) -> ContextLog:
    """What a session says entered."""
    return context_log(read_claude_session(folder))


def evidence(trajectory: Trajectory) -> Evidence:
    """What the reader found."""
    assert trajectory.extra is not None
    assert trajectory.extra.evidence is not None
    return trajectory.extra.evidence


def results_of(trajectory: Trajectory) -> list[ObservationResult]:
    """All results, in the order of the steps."""
    held = (step.observation.results for step in trajectory.steps if step.observation)
    return [one for results in held for one in results]
