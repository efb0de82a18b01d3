"""Sub-agents of a Claude Code session: where their rows lie, who started them, which are lost.

    projects/-home-dev-review/
    ├── <session>.jsonl
    ├── agent-<id>.jsonl                          up to 2.0, beside the session
    └── <session>/subagents/
        ├── agent-<id>.jsonl                      however deep it was started
        ├── agent-<id>.meta.json                  since 2.1: its call, and later its parent
        └── workflows/wf_<run>/agent-<id>.jsonl, journal.jsonl

Up to 2.1.42 their rows also stand in the session itself, as `progress`. Prevents a false result:
parsers that read one file lose most of what was read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import orjson

from evaluation.reading.context import MAIN
from evaluation.transcripts.beginnings import files_below
from evaluation.transcripts.claude_kinds import head_of
from evaluation.transcripts.claude_rows import Row, RowCount, rows_of, text_of
from evaluation.transcripts.claude_thread import Thread

FOLDER = "subagents"
JOURNAL = "journal.jsonl"
META_BYTES = 1 << 20
PLAIN = re.compile(r"[\w-]{1,64}")
"""An agent's id, of which a file's name can be made."""
WARMUP = "Warmup"
"""What 2.0 asks sub-agents at its start, to fill the server's cache."""


def files_of(main: Path) -> list[Path]:
    """The files of sub-agents of a session, in the layout since 2.1."""
    folder = main.with_suffix("") / FOLDER
    if not folder.is_dir():
        return []
    return [file for file in files_below(folder) if file.name.endswith(".jsonl")]


def file_beside(main: Path, agent: str) -> Path | None:
    """The file of one sub-agent in the layout before."""
    if not PLAIN.fullmatch(agent):
        return None
    path = main.with_name(f"agent-{agent}.jsonl")
    return path if path.is_file() and head_of(path).agent == agent else None


def files_elsewhere(main: Path) -> dict[str, Path]:
    """Files of sub-agents of other sessions, by agent: this one may be a fork of one of them."""
    files = sorted(main.parent.glob(f"*/{FOLDER}/agent-*.jsonl"))
    return {file.stem.removeprefix("agent-"): file for file in files if file.is_file()}


def journal_agents(journal: Path) -> set[str]:
    """Sub-agents that a workflow says it started."""
    return {agent for row in rows_of(journal, RowCount()) if (agent := text_of(row, "agentId"))}


def meta_of(file: Path) -> Row | None:
    """What is kept beside a sub-agent's file; None where it is not there."""
    path = file.with_suffix(".meta.json")
    try:
        if not path.is_file() or path.stat().st_size > META_BYTES:
            return None
        meta = orjson.loads(path.read_bytes())
    except (OSError, orjson.JSONDecodeError):
        return None
    return meta if isinstance(meta, dict) else None


@dataclass
class Family:
    """The threads of a session, with what is known of who started whom."""

    threads: dict[str, Thread]
    """By agent; the main thread too."""
    metas: dict[str, Row | None] = field(default_factory=dict)
    """By agent, for those with a file in the layout that has them."""
    callers: dict[str, str] = field(default_factory=dict)
    """The calls that started agents, as `progress` rows name them."""
    workflow_agents: set[str] = field(default_factory=set)
    """Started by workflows, by their journals and folders."""
    workflows: set[str] = field(default_factory=set)
    """Runs that have a folder."""
    forks: dict[str, str] = field(default_factory=dict)
    """Agents that began with a history, and the row of their parent's that it went to."""
    inferred: list[str] = field(default_factory=list)
    parents: dict[str, str] = field(default_factory=dict)

    def settle(self) -> None:
        """Leave out what is nobody's, and find the parents."""
        started = {
            agent: name
            for name, thread in self.threads.items()
            for agent in thread.agents().values()
        }
        idle = [
            agent
            for agent, thread in self.threads.items()
            if agent not in started and agent != MAIN and thread.prompt == WARMUP
        ]
        for agent in idle:
            del self.threads[agent]
        if idle:
            self.inferred.append(f"{len(idle)} warm-up calls are no sub-agents")
        known = _Known(
            started=started,
            calls={
                call: name
                for name, thread in self.threads.items()
                for call in thread.calls
                # A fork has the call that started it in its own rows, too.
                if name == MAIN or text_of(self.metas.get(name), "toolUseId") != call
            },
            prompts={
                prompt: name
                for name, thread in self.threads.items()
                for prompt in thread.started().values()
            },
        )
        for agent, thread in self.threads.items():
            if agent != MAIN:
                self.parents[agent] = self._parent(agent, thread, known)

    def _parent(self, agent: str, thread: Thread, known: _Known) -> str:
        meta = self.metas.get(agent)
        if agent in self.metas and meta is None:
            self.inferred.append(f"sub-agent {agent} has no meta file: others tell its parent")
        named = text_of(meta, "parentAgentId")
        if named in self.threads:
            return named
        for call in (text_of(meta, "toolUseId"), self.callers.get(agent, "")):
            if call in known.calls:
                return known.calls[call]
        if agent in known.started:
            return known.started[agent]
        if agent in self.workflow_agents:
            return MAIN
        by = "its prompt" if thread.prompt in known.prompts else "nothing; taken for the main agent"
        self.inferred.append(f"parent of sub-agent {agent}, told by {by}")
        return known.prompts.get(thread.prompt, MAIN)

    def missing(self) -> Iterator[str]:
        """Sub-agents that some thread started and nobody has, in words."""
        named = {agent for thread in self.threads.values() for agent in thread.agents().values()}
        for agent in sorted((named | self.workflow_agents) - set(self.threads)):
            yield f"session of sub-agent {agent}"
        runs = {run for thread in self.threads.values() for run in thread.workflows}
        for run in sorted(runs - self.workflows):
            yield f"sub-agents of workflow {run}"
        called = {
            *self.callers.values(),
            *(text_of(one, "toolUseId") for one in self.metas.values()),
        }
        told = {
            (self.parents[agent], thread.prompt)
            for agent, thread in self.threads.items()
            if agent in self.parents
        }
        for name, thread in self.threads.items():
            known = thread.agents().keys()
            for call, prompt in thread.started().items():
                if call not in known and call not in called and (name, prompt) not in told:
                    yield f"session of the sub-agent that call {call} started"


@dataclass(frozen=True)
class _Known:
    """What threads say of others."""

    started: Mapping[str, str]
    """Who started an agent."""
    calls: Mapping[str, str]
    """Who made a call."""
    prompts: Mapping[str, str]
    """Who gave an order."""
