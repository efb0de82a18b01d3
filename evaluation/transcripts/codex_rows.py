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

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import orjson
from pydantic import JsonValue

Object = dict[str, JsonValue]

BEGINNING = '{"timestamp":'
"""Of every row, so that what follows a torn one is found."""
MOST_FAILURES = 100
"""On one line: a line of beginnings alone would else be read again from each of them."""
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


@dataclass(frozen=True)
class Row:
    """One row of a rollout."""

    kind: str
    time: str
    payload: Object
    ordinal: int | None
    """Its number in the file, where the version counts them."""

    @property
    def type(self) -> str:
        """What sort of item or event it holds."""
        return text_of(self.payload, "type")


@dataclass(frozen=True)
class Rollout:
    """The rows of one thread."""

    rows: tuple[Row, ...]
    unreadable: int
    """Lines of which something could not be read."""
    metas: tuple[Object, ...] = field(init=False)
    """What the file says of its thread, and of those that it was copied from."""
    is_fork: bool = field(init=False)
    """Whether it begins with another thread's history."""

    def __post_init__(self) -> None:
        metas = tuple(row.payload for row in self.rows if row.kind == "session_meta")
        object.__setattr__(self, "metas", metas)
        is_fork = len({text_of(meta, "id") for meta in metas}) > 1
        object.__setattr__(self, "is_fork", is_fork)

    @property
    def thread(self) -> str:
        """The thread's id; empty where the file does not say whose it is."""
        return text_of(self.metas[0], "id") if self.metas else ""

    @property
    def parent(self) -> str:
        """The thread that started it; empty of a main thread."""
        if not self.metas:
            return ""
        subagent = object_of(self.metas[0], "source").get("subagent")
        if subagent is None:
            return ""
        spawn = object_of(subagent, "thread_spawn") if isinstance(subagent, dict) else {}
        named = text_of(spawn, "parent_thread_id") or text_of(self.metas[0], "parent_thread_id")
        return named or text_of(self.metas[0], "forked_from_id") or "unknown"

    def is_copied(self, row: Row) -> bool:
        """Whether a sub-agent's row was copied from its parent's history.

        Newer versions count the rows and say where its own begin. In older ones the second
        `session_meta` is the parent's, and the copy is all of the second in which it was made.
        """
        if not self.parent:
            return False
        own = self.metas[0].get("subagent_history_start_ordinal")
        if isinstance(own, int) and row.ordinal is not None:
            return row.ordinal < own
        return self.is_fork and row.time[:SECOND] == self.rows[0].time[:SECOND]


def read_rollout(path: Path) -> Rollout:
    """One file. Split on LF alone: rows hold U+2028 and form feeds."""
    rows: list[Row] = []
    unreadable = 0
    for line in path.read_bytes().split(b"\n"):
        if not line.strip():
            continue
        found = _objects(line)
        rows += map(_row, found.objects)
        unreadable += not found.whole
    return Rollout(tuple(rows), unreadable)


def _row(value: Object) -> Row:
    ordinal = value.get("ordinal")
    return Row(
        kind=text_of(value, "type"),
        time=text_of(value, "timestamp"),
        payload=object_of(value, "payload"),
        ordinal=ordinal if isinstance(ordinal, int) else None,
    )


class _Found(NamedTuple):
    """What a line holds."""

    objects: list[Object]
    whole: bool
    """Whether all of it could be read."""


def _objects(line: bytes) -> _Found:
    """The objects of a line: one, or several where a line feed was lost."""
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        return _torn(line.decode("utf-8", "replace"))
    return _Found([value], whole=True) if isinstance(value, dict) else _Found([], whole=False)


def _torn(line: str) -> _Found:
    decoder = json.JSONDecoder()
    objects: list[Object] = []
    failures = at = 0
    while 0 <= at < len(line) and failures < MOST_FAILURES:
        try:
            value, end = decoder.raw_decode(line, at)
            # Half a surrogate pair can be read, and not be written again.
            kept = orjson.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
        except (ValueError, RecursionError):
            kept, end = None, line.find(BEGINNING, at + 1)
        if isinstance(kept, dict):
            objects.append(kept)
        else:
            failures += 1
        at = end
        while 0 <= at < len(line) and line[at].isspace():
            at += 1
    return _Found(objects, whole=not failures)


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
