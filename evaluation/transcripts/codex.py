"""Codex's sessions: rollout files, one for the main agent and one for each sub-agent.

Prevents two false results. The display's rows (`event_msg`) hold outputs that are cut where the
model saw all, and whole where the model saw a part: text comes from `response_item` rows alone.
And what a sub-agent copied from the history of the one that started it is no reading of its own.
Seen with 0.171; wrappers of older versions are in the table of tools.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue

from authoring.errors import Place, UserError
from evaluation.reading.collector import without_collector
from evaluation.reading.context import MAIN
from evaluation.transcripts.beginnings import Beginning, any_begins, beginning_of, files_below
from evaluation.transcripts.codex_rows import (
    ITEM,
    KINDS,
    META,
    Rollout,
    ids_in,
    object_of,
    read_rollout,
    shown_text,
    text_of,
)
from evaluation.transcripts.codex_steps import loaded, steps_of
from evaluation.transcripts.json_lines import Object
from evaluation.transcripts.trajectory import Agent, Evidence, Trajectory, TrajectoryExtra, located

ROLLOUTS = "rollout-*.jsonl"
"""In a run's native folder."""
FIRST = re.compile(rb'\{"timestamp":"[^"]{1,40}",(?:"ordinal":\d+,)?"type":"session_meta",')
FORKED = "that what stood in the session before its user forked it is its own reading"
PLAIN = re.compile(r"[\w-]{8,64}")
"""A thread's id, of which a file's name can be made."""


def is_codex(path: Path) -> bool:
    """Whether a file, or one of a folder's, is a rollout."""
    return any_begins(path, ".jsonl", _is_rollout)


def is_main_rollout(path: Path) -> bool:
    """Whether a file is a rollout of an agent that no other started."""
    beginning = beginning_of(path)
    metas = [object_of(row, "payload") for row in beginning.rows if text_of(row, "type") == META]
    is_subagent = bool(metas) and "subagent" in object_of(metas[0], "source")
    return _is_rollout(beginning) and not is_subagent


def _is_rollout(beginning: Beginning) -> bool:
    """Every row is an envelope of time, kind and payload; the first may be a long one."""
    return bool(FIRST.match(beginning.data)) or any(map(_is_row, beginning.rows))


def _is_row(row: Object) -> bool:
    is_enveloped = isinstance(row.get("payload"), dict) and "timestamp" in row
    return is_enveloped and text_of(row, "type") in KINDS


@without_collector()
def read_codex(path: Path) -> Trajectory:
    """The session of a rollout, with the sub-agents' that lie in the same store; or the one session
    of a folder. Raises UserError where there is none, or more than one."""
    if not path.is_dir():
        main = read_rollout(path)
        if not _has_turns(main):
            raise UserError("holds no Codex session", place=Place(str(path)))
        return _trajectory(main, _subagents(main, path))
    files = [file for file in files_below(path) if file.name.endswith(".jsonl")]
    begun = {file: beginning_of(file) for file in files}
    rollouts = [read_rollout(file) for file, one in begun.items() if _is_rollout(one)]
    return _only(rollouts, path)


@without_collector()
def read_codex_session(native: Path) -> Trajectory:
    """The session under a folder. Raises UserError where there is none, or more than one."""
    return _only([read_rollout(path) for path in sorted(native.rglob(ROLLOUTS))], native)


def _only(rollouts: Sequence[Rollout], path: Path) -> Trajectory:
    threads = [rollout for rollout in rollouts if _has_turns(rollout)]
    mains = [rollout for rollout in threads if not rollout.parent]
    if len(mains) != 1:
        what = f"holds {len(mains)} Codex sessions"
        raise UserError(what, place=Place(str(path)), remedy="name one file")
    return _trajectory(mains[0], [one for one in rollouts if one is not mains[0]])


def _subagents(main: Rollout, path: Path) -> list[Rollout]:
    """The rollouts of all sub-agents below a thread, as far as they lie in its store."""
    found = {main.thread: main}
    waiting = [main]
    store: _Store | None = None
    while waiting:
        for agent in sorted(_spawned(waiting.pop()) - found.keys()):
            store = store or _Store.around(path)
            for file in store.named(agent):
                one = read_rollout(file)
                if one.thread == agent:
                    found[agent] = one
                    waiting.append(one)
                    break
    return [one for one in found.values() if one is not main]


@dataclass(frozen=True)
class _Store:
    """Rollouts beside one, and in the folders of other days, by how their names end."""

    files: Mapping[str, list[Path]]

    @classmethod
    def around(cls, path: Path) -> _Store:
        """Looked through once, however many sub-agents there are."""
        day = path.absolute().parent
        found = set(day.glob("*.jsonl"))
        if all(part.isdecimal() for part in (day.name, day.parent.name, day.parent.parent.name)):
            found |= set(day.parent.parent.parent.glob("[0-9]*/[0-9]*/[0-9]*/*.jsonl"))
        files: dict[str, list[Path]] = {}
        for file in sorted(found, key=lambda one: (one.parent != day, one)):
            parts = file.stem.split("-")
            for place in range(len(parts)):
                files.setdefault("-".join(parts[place:]), []).append(file)
        return cls(files)

    def named(self, agent: str) -> Sequence[Path]:
        """Files that may be a thread's."""
        return self.files.get(agent, ()) if PLAIN.fullmatch(agent) else ()


def _trajectory(main: Rollout, others: Sequence[Rollout]) -> Trajectory:
    subagents = sorted((one for one in others if _has_turns(one)), key=lambda one: one.thread)
    return Trajectory(
        session_id=main.thread or None,
        trajectory_id=MAIN,
        agent=_agent(main),
        steps=steps_of(main),
        extra=TrajectoryExtra(evidence=_evidence(main, subagents, others), tells_visibility=True),
        subagent_trajectories=tuple(
            Trajectory(
                trajectory_id=_thread(one),
                agent=_agent(one),
                steps=steps_of(one),
                extra=TrajectoryExtra(parent=MAIN if one.parent in main.names else one.parent),
            )
            for one in subagents
        )
        or None,
    )


def _thread(rollout: Rollout) -> str:
    """What a sub-agent's thread is called: a file may say that it is the main one."""
    return f"thread {rollout.thread}" if rollout.thread in ("", MAIN) else rollout.thread


def _evidence(main: Rollout, subagents: list[Rollout], others: Sequence[Rollout]) -> Evidence:
    threads = [main, *subagents]
    known = {one.thread for one in threads}
    spawned = sorted({agent for one in threads for agent in _spawned(one)} - known)
    missing = [f"session of sub-agent {one}" for one in spawned]
    missing += [
        f"what session {one.thread or 'without a name'} held before a compaction: it was destroyed"
        for one in threads
        if _is_destroyed(one)
    ]
    return Evidence(
        rows=sum(one.count for one in (main, *others)),
        unreadable=sum(one.unreadable for one in (main, *others)),
        missing=tuple(missing),
        unknown=dict(sum((Counter(one.unknown) for one in threads), Counter[str]())),
        inferred=tuple(_inferred(main, threads)),
    )


def _inferred(main: Rollout, threads: Sequence[Rollout]) -> Iterator[str]:
    if main.is_fork and not main.parent:
        yield FORKED
    if any(one.is_copied_by_time for one in threads):
        yield "which rows a fork copied, by their time"


def _is_destroyed(rollout: Rollout) -> bool:
    """Whether a summary stands where the session had been: nothing comes before it."""
    telling = (row for row in rollout.rows if row.kind == "compacted" or row.is_turn)
    first = next((row for row in telling if not rollout.is_copied(row)), None)
    return first is not None and first.kind == "compacted" and not rollout.is_inheriting


def _has_turns(rollout: Rollout) -> bool:
    return any(row.kind in (ITEM, "compacted") for row in rollout.rows)


def _spawned(rollout: Rollout) -> frozenset[str]:
    """Sub-agents that a thread started, by its events and by what the calls gave back."""
    found: list[JsonValue] = []
    spawns: set[str] = set()
    for row in rollout.rows:
        if rollout.is_copied(row):
            continue
        if row.kind == "event_msg":
            found += _started(object_of(row.payload, "item"))
            found.append(row.payload.get("new_thread_id"))  # older versions: collab_agent_spawn_end
        elif row.type == "function_call" and row.payload.get("name") == "spawn_agent":
            spawns.add(text_of(row.payload, "call_id"))
        elif row.type == "function_call_output" and text_of(row.payload, "call_id") in spawns:
            found.append(loaded(shown_text(row.payload.get("output"))).get("agent_id"))
    return ids_in(found)


def _started(item: Object) -> list[JsonValue]:
    """Sub-agents that an event says were started: in a script too, where no item says so."""
    if text_of(item, "type") == "SubAgentActivity":
        return [item.get("agent_thread_id")]
    receivers = item.get("receiver_thread_ids")
    if text_of(item, "tool") == "spawn_agent" and isinstance(receivers, list):
        return receivers
    return []


def _agent(rollout: Rollout) -> Agent:
    versions = (text_of(meta, "cli_version") for meta in rollout.metas)
    models = [text_of(row.payload, "model") for row in rollout.rows if row.kind == "turn_context"]
    return Agent(
        name="codex",
        version=next((version for version in versions if version), "unknown"),
        model_name=next((model for model in reversed(models) if model), None),
        extra=located(next((cwd for meta in rollout.metas if (cwd := text_of(meta, "cwd"))), "")),
    )
