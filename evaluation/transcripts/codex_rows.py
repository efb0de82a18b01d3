"""Codex's rollout files: one JSON object a line, one file for each thread.

    sessions/2026/11/30/rollout-2026-11-30T11-41-27-<thread id>.jsonl
    ├── session_meta       the thread; again when it is resumed; in a fork its parent's follows
    ├── turn_context       the model that is asked from here on
    ├── response_item …    what the model was given and what it answered
    ├── compacted          the history gave way to a summary
    └── event_msg …        for the display

Prevents a false result: a killed writer tears lines, so that two objects stand on one; read line by
line, both would be lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import JsonValue

from evaluation.transcripts.json_lines import Object, read_lines

BEGINNING = '{"timestamp":'
"""Of every row, so that what follows a torn one is found."""
META, DISPLAY, ITEM = "session_meta", "event_msg", "response_item"
KINDS = frozenset(
    (META, DISPLAY, ITEM, "turn_context", "compacted", "world_state", "token_usage_record")
)
ITEMS = frozenset(
    (
        *("message", "agent_message", "reasoning", "additional_tools", "ghost_snapshot"),
        *("function_call", "custom_tool_call", "local_shell_call", "tool_search_call"),
        *("function_call_output", "custom_tool_call_output", "local_shell_call_output"),
        *("tool_search_output", "web_search_call", "image_generation_call"),
        *("compaction", "compaction_summary", "context_compaction", "compaction_trigger"),
    )
)
"""What rows hold that the model was given or answered."""
STARTED = frozenset(("receiver_thread_ids", "agent_thread_id"))
TOLD = STARTED | {"type", "tool"}
OWN = "subagent_history_start_ordinal"
SECOND = len("2026-11-30T11:41:27")
"""Characters of a time that name the second."""


def text_of(value: Object, key: str) -> str:
    """A text field; empty where there is none."""
    found = value.get(key)
    return found if isinstance(found, str) else ""


def object_of(value: Object, key: str) -> Object:
    """An object field; empty where there is none."""
    found = value.get(key)
    return found if isinstance(found, dict) else {}


def objects_of(value: Object, key: str) -> list[Object]:
    """The objects of a list field, whatever else it holds."""
    found = value.get(key)
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


@dataclass(slots=True)
class Row:
    """One row of a rollout. Not to be changed; a frozen one takes twice as long to make, and a
    session has hundreds of thousands."""

    kind: str
    time: str
    payload: Object
    ordinal: int | None
    """Its number in the file, where the version counts them."""
    type: str
    """What sort of item or event it holds."""

    @property
    def is_turn(self) -> bool:
        """Whether it is something that was done: an answer, a call, a result."""
        return self.kind == ITEM and (
            self.type.endswith(("_call", "_output")) or text_of(self.payload, "role") == "assistant"
        )


@dataclass(frozen=True)
class Rollout:
    """The rows of one thread."""

    rows: tuple[Row, ...]
    unreadable: int
    """Lines of which something could not be read."""
    count: int
    """Of all rows, those for the display too, of which `rows` holds next to nothing."""
    unknown: Mapping[str, int]
    """Rows of kinds that are not known, by kind."""
    metas: tuple[Object, ...] = field(init=False)
    """What the file says of its thread, and of those that it was copied from."""
    is_fork: bool = field(init=False)
    """Whether it begins with another thread's history."""
    parent: str = field(init=False)
    """The thread that started it; empty of a main thread."""
    own: int | None = field(init=False)
    """The number of its first row that was not copied, where the version counts them."""
    is_inheriting: bool = field(init=False)
    """Whether it begins with the history of the agent that started it. A session that its user
    forked goes on with one conversation under another id: what it begins with is its own."""

    def __post_init__(self) -> None:
        metas = tuple(row.payload for row in self.rows if row.kind == META)
        object.__setattr__(self, "metas", metas)
        is_fork = len({text_of(meta, "id") for meta in metas}) > 1
        object.__setattr__(self, "is_fork", is_fork)
        object.__setattr__(self, "parent", _parent(metas[0]) if metas else "")
        own = metas[0].get(OWN) if metas else None
        object.__setattr__(self, "own", own if isinstance(own, int) else None)
        is_inheriting = bool(self.parent) and (is_fork or self.own is not None)
        object.__setattr__(self, "is_inheriting", is_inheriting)

    @property
    def thread(self) -> str:
        """The thread's id; empty where the file does not say whose it is."""
        return text_of(self.metas[0], "id") if self.metas else ""

    @property
    def names(self) -> frozenset[str]:
        """Ids by which sub-agents call a main thread: before it was forked it had another."""
        return ids_in(meta.get("id") for meta in self.metas)

    @property
    def is_copied_by_time(self) -> bool:
        """Whether nothing but their time tells which rows were copied."""
        return self.is_inheriting and self.own is None

    def is_copied(self, row: Row) -> bool:
        """Whether a sub-agent's row was copied from the history of the agent that started it.

        Newer versions count the rows and say where its own begin. In older ones the second
        `session_meta` is the parent's, and the copy is all of the second in which it was made.
        """
        if not self.is_inheriting:
            return False
        if self.own is not None and row.ordinal is not None:
            return row.ordinal < self.own
        return self.is_fork and row.time[:SECOND] == self.rows[0].time[:SECOND]


def _parent(meta: Object) -> str:
    subagent = object_of(meta, "source").get("subagent")
    if subagent is None:
        return ""
    spawn = object_of(subagent, "thread_spawn") if isinstance(subagent, dict) else {}
    named = text_of(spawn, "parent_thread_id") or text_of(meta, "parent_thread_id")
    return named or text_of(meta, "forked_from_id") or "unknown"


def read_rollout(path: Path) -> Rollout:
    """One file. Raises UserError where it cannot be read."""
    rows: list[Row] = []
    unreadable = count = 0
    unknown: Counter[str] = Counter()
    for line in read_lines(path, BEGINNING):
        unreadable += not line.whole
        count += len(line.rows) or 1
        for value in line.rows:
            kind, payload = text_of(value, "type"), object_of(value, "payload")
            if kind == DISPLAY:
                payload = _telling(payload)
                if not payload:
                    continue
            row = _row(kind, payload, value)
            rows.append(row)
            if kind not in KINDS:
                unknown[kind or "(none)"] += 1
            elif kind == ITEM and row.type not in ITEMS:
                unknown[f"{ITEM} {row.type}".strip()] += 1
    return Rollout(tuple(rows), unreadable, count, unknown)


def _row(kind: str, payload: Object, value: Object) -> Row:
    ordinal = value.get("ordinal")
    return Row(
        kind=kind,
        time=text_of(value, "timestamp"),
        payload=payload,
        ordinal=ordinal if isinstance(ordinal, int) else None,
        type=text_of(payload, "type"),
    )


def _telling(payload: Object) -> Object:
    """What a row for the display tells that no other row does: which sub-agents were started. The
    rest of it, whole outputs among it, is left behind."""
    told: Object = {}
    item = payload.get("item")
    if isinstance(item, dict) and not STARTED.isdisjoint(item):
        told["item"] = {key: value for key, value in item.items() if key in TOLD}
    if "new_thread_id" in payload:
        told["new_thread_id"] = payload["new_thread_id"]
    return told


def texts_in(content: JsonValue) -> Iterator[str]:
    """The texts of a list of blocks, or a bare one."""
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        for block in content:
            if isinstance(block, dict) and text_of(block, "type") in _TEXTS:
                yield text_of(block, "text")


_TEXTS = frozenset(("input_text", "output_text", "text"))


def shown_text(output: JsonValue) -> str:
    """What a tool gave back. Blocks stand one below the other, without a blank line between."""
    if isinstance(output, dict):  # as some old versions wrote it
        output = output.get("content")
    blocks = list(texts_in(output))
    ends = [text if not text or text.endswith("\n") else f"{text}\n" for text in blocks[:-1]]
    return "".join([*ends, *blocks[-1:]])


def ids_in(values: Iterable[JsonValue]) -> frozenset[str]:
    """The texts among values of any kind."""
    return frozenset(value for value in values if isinstance(value, str) and value)
