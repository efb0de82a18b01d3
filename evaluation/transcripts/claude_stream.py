"""What `claude -p --output-format stream-json` prints: messages, without prompt and attachments.

Of a sub-agent's sub-agents no message is shown. Of a sub-agent that its parent waits for, the last
answer is not shown either; it is the result that the parent was given. Neither is it shown that a
sub-agent's history gave way to a summary: its calls have fewer tokens from then on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import JsonValue

from evaluation.reading.collector import without_collector
from evaluation.reading.context import MAIN
from evaluation.transcripts.beginnings import Beginning, any_begins
from evaluation.transcripts.claude_drafts import usage_of
from evaluation.transcripts.claude_kinds import TURNS, is_stream_row
from evaluation.transcripts.claude_results import joined
from evaluation.transcripts.claude_rows import (
    Row,
    RowCount,
    kind_of,
    list_of,
    object_of,
    rows_of,
    text_of,
)
from evaluation.transcripts.claude_thread import Thread
from evaluation.transcripts.streams import only_stream
from evaluation.transcripts.trajectory import Agent, Evidence, Trajectory, TrajectoryExtra, located

CONTROL = frozenset(
    (
        "auth_status",
        "control_request",
        "control_response",
        "keep_alive",
        "prompt_suggestion",
        "rate_limit_event",
        "result",
        "stream_event",
        "system",
        "tool_progress",
        "tool_use_summary",
    )
)
"""Rows that say nothing of what entered, but for boundaries."""
UNSHOWN = "the prompt and the files attached to it: a stream does not show them"
LEAST_SHARE = 0.8
"""Of the tokens of the call before: a conversation that only grows has more, and a summary is far
shorter than what it stands for."""
BOUNDARY: Row = {"type": "system", "subtype": "compact_boundary"}
COMPACTED = "compactions of sub-agents, told by the tokens of their calls"
REPORTS = "last answers of sub-agents, told by what their parents were given"
UNTOLD = "what was cleared from the context before the final response"


def is_claude_stream(path: Path) -> bool:
    """Whether a file is such a stream, or a folder holds one. Never raises."""
    return any_begins(path, "", _begins)


def _begins(beginning: Beginning) -> bool:
    return any(map(is_stream_row, beginning.rows))


def read_claude_stream(path: Path) -> Trajectory:
    """The session in a stream. Raises UserError where there is none."""
    file = only_stream(path, _begins, "streams of Claude Code")
    stream = _Stream()
    with without_collector():
        for place, row in enumerate(rows_of(file, stream.count), start=1):
            stream.take(row, place)
        return stream.trajectory()


@dataclass
class _Stream:
    """A stream while it is read."""

    count: RowCount = field(default_factory=RowCount)
    session: str = ""
    version: str = ""
    folder: str = ""
    threads: dict[str, Thread] = field(default_factory=dict)
    """By the call that started the agent; empty: the main agent's."""
    names: dict[str, str] = field(default_factory=dict)
    """Ids of agents by the call that started them."""
    reported: bool = False
    """Whether a last answer was taken from what a parent was given."""
    compacted: bool = False
    """Whether a sub-agent's history gave way to a summary."""
    tokens: dict[str, int] = field(default_factory=dict)
    """Of the latest call of a sub-agent, by the call that started it."""

    def __post_init__(self) -> None:
        self.threads[""] = Thread(self.count, ordered=True)

    def take(self, row: Row, place: int) -> None:
        """The next row."""
        kind = kind_of(row)
        self.session = self.session or text_of(row, "session_id")
        if kind == "system":
            self._take_system(row, place)
        elif kind in TURNS:
            self._take_turn(row, place)
        elif kind not in CONTROL:
            self.count.unknown[kind[:80]] += 1

    def _take_system(self, row: Row, place: int) -> None:
        match row.get("subtype"):
            case "init":
                self.version = self.version or text_of(row, "claude_code_version")
                self.folder = self.folder or text_of(row, "cwd")
            case "task_started" if row.get("task_type") != "local_bash":
                call, task = text_of(row, "tool_use_id"), text_of(row, "task_id")
                if call and task:
                    self.names[call] = task
            case "compact_boundary":
                self.threads[""].take(row, place)

    def _take_turn(self, row: Row, place: int) -> None:
        call = text_of(row, "parent_tool_use_id")
        thread = self.threads.get(call)
        if thread is None:
            thread = self.threads[call] = Thread(self.count, ordered=True)
            if kind_of(row) == "assistant":
                # What an agent in the background was told is not shown.
                thread.take({"type": "user", "message": {"content": self._order(call)}}, place)
        agent = text_of(row, "agent_id")
        if call and agent:
            self.names[call] = agent
        if call and kind_of(row) == "assistant":
            self._look_at_tokens(call, object_of(row, "message").get("usage"), place)
        thread.take(row, place)
        for block in list_of(object_of(row, "message"), "content"):
            if text_of(block, "type") == "tool_result":
                self._end(text_of(block, "tool_use_id"), row, block, place)

    def _look_at_tokens(self, call: str, usage: JsonValue, place: int) -> None:
        """Before an answer of a sub-agent."""
        told = usage_of(usage)
        tokens = told.prompt_tokens if told else None
        if not tokens:
            return
        if tokens < LEAST_SHARE * self.tokens.get(call, 0):
            self.threads[call].take(BOUNDARY, place)
            self.compacted = True
        self.tokens[call] = tokens

    def _order(self, call: str) -> str:
        """What a call told the sub-agent that it started."""
        made = (thread.calls[call] for thread in self.threads.values() if call in thread.calls)
        calls = (one for draft in made for one in draft.calls if one.tool_call_id == call)
        return next((text_of(dict(one.arguments), "prompt") for one in calls), "")

    def _end(self, call: str, row: Row, block: JsonValue, place: int) -> None:
        """The last answer of the sub-agent that a call started, where the stream left it out."""
        thread = self.threads.get(call) if call else None
        if thread is None or not thread.is_waiting():
            return
        given = object_of(row, "tool_use_result")
        content = given.get("content") if text_of(given, "agentId") else _content(block)
        self.reported = True
        self._look_at_tokens(call, given.get("usage"), place)
        message: Row = {
            "id": f"report of {call}",
            "role": "assistant",
            "model": thread.model or "unknown",
            "content": joined(content),
        }
        thread.take({"type": "assistant", "message": message}, place)

    def trajectory(self) -> Trajectory:
        """All of it, once every row was taken."""
        names = {call: self._name(call) for call in self.threads if call}
        missing = [
            f"session of the sub-agent that call {call} started"
            for name, thread in self.threads.items()
            for call in thread.started()
            if call not in self.threads and (name or thread.agents().get(call))
        ]
        main = self.threads[""]
        finished = {call: thread.finish() for call, thread in self.threads.items()}
        return Trajectory(
            session_id=self.session or None,
            trajectory_id=MAIN,
            agent=self._agent(main),
            steps=finished[""].steps,
            extra=TrajectoryExtra(
                evidence=Evidence(
                    rows=self.count.rows,
                    unreadable=self.count.unreadable,
                    missing=tuple(missing),
                    unknown=dict(self.count.unknown),
                    inferred=tuple(self._inferred()),
                    unshown=("*",),
                ),
                tells_visibility=not main.compacted,
                may_have_cleared=True,
            ),
            subagent_trajectories=tuple(
                Trajectory(
                    trajectory_id=names[call],
                    agent=self._agent(self.threads[call]),
                    steps=finished[call].steps,
                    extra=TrajectoryExtra(parent=self._parent(call, names)),
                )
                for call in sorted(names)
            )
            or None,
        )

    def _inferred(self) -> Iterator[str]:
        yield from (UNSHOWN, UNTOLD)
        if self.reported:
            yield REPORTS
        if self.compacted:
            yield COMPACTED

    def _name(self, call: str) -> str:
        told = (thread.agents().get(call) for thread in self.threads.values())
        return self.names.get(call) or next((name for name in told if name), call)

    def _parent(self, call: str, names: dict[str, str]) -> str:
        """The thread that made the call."""
        of = (one for one, thread in self.threads.items() if call in thread.calls)
        return names.get(next(of, ""), MAIN)

    def _agent(self, thread: Thread) -> Agent:
        version = self.version or "unknown"
        extra = located(self.folder)
        return Agent(name="claude-code", version=version, model_name=thread.model, extra=extra)


def _content(block: JsonValue) -> JsonValue:
    return block.get("content") if isinstance(block, dict) else None
