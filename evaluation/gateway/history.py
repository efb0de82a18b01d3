"""What a run's earlier calls held, so that a row says which messages are new in it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

import orjson
from pydantic import JsonValue

from evaluation.gateway.naming import Name

Key = TypeVar("Key")
Kept = TypeVar("Kept")

MOST_REQUESTS = 1 << 14
"""Requests that are known again when they come again."""
MOST_THREADS = 1 << 10
"""Threads whose latest call is kept. One that is forgotten begins anew: nothing is lost by it."""


Digest = tuple[int, int]
"""Length and hash. The hash is of 64 bits and keyed anew in each process; it is never stored."""


class Request(NamedTuple):
    """What makes two requests of a thread the same one."""

    thread: str
    method: str
    path: str
    size: int
    """Bytes of the body."""
    said: int
    """Hash of its messages; of the body where it holds none."""


class Asked(NamedTuple):
    """A request as it came."""

    method: str
    path: str
    body: bytes
    messages: Sequence[JsonValue]


@dataclass(frozen=True)
class Place:
    """Where a call stands among the calls of its run."""

    call: int
    """Its number, in the order in which requests came."""
    attempt: int
    """How often this request had come in its thread, this time included."""
    base: int | None
    """The call before it in its thread."""
    keep: int
    """Leading messages that are equal to those of `base`."""


@dataclass(frozen=True)
class _Earlier:
    call: int
    messages: tuple[Digest | None, ...]


@dataclass
class History:
    """Counts the calls of one run and compares each with the one before it in its thread."""

    calls: int = 0
    _seen: OrderedDict[Request, int] = field(default_factory=OrderedDict)
    _latest: OrderedDict[tuple[str, bool], _Earlier] = field(default_factory=OrderedDict)
    """By thread, background calls apart: a title call is no step of the conversation."""

    def next_call(self) -> int:
        """The number of a call that has just come."""
        self.calls += 1
        return self.calls

    def place(self, call: int, name: Name, asked: Asked) -> Place:
        """Enter a call."""
        held = tuple(map(_digest, asked.messages))
        said = hash(held) if held else hash(asked.body)
        same = Request(name.thread, asked.method, asked.path, len(asked.body), said)
        attempt = self._seen.pop(same, 0) + 1
        _put(self._seen, same, attempt, MOST_REQUESTS)
        if not held:
            return Place(call, attempt, None, 0)
        chain = (name.thread, name.kind == "background")
        before = self._latest.get(chain)
        _put(self._latest, chain, _Earlier(call, held), MOST_THREADS)
        if before is None:
            return Place(call, attempt, None, 0)
        return Place(call, attempt, before.call, _equal_ahead(before.messages, held))


def _put(kept: OrderedDict[Key, Kept], key: Key, value: Kept, most: int) -> None:
    """As the latest; the oldest is forgotten where there are too many."""
    kept[key] = value
    kept.move_to_end(key)
    if len(kept) > most:
        kept.popitem(last=False)


def _equal_ahead(before: Sequence[Digest | None], now: Sequence[Digest | None]) -> int:
    count = 0
    for one, other in zip(before, now, strict=False):
        if one is None or one != other:
            break
        count += 1
    return count


def _digest(message: JsonValue) -> Digest | None:
    """Equal for messages that say the same; None, equal to nothing, for one nested too deep."""
    try:
        said = message if _is_canonical(message) else _canonical(message)
        data = orjson.dumps(said, option=orjson.OPT_SORT_KEYS)
    except (TypeError, RecursionError):
        return None
    return len(data), hash(data)


def _is_canonical(part: JsonValue) -> bool:
    """Most messages are; to look costs less than to write them anew."""
    if not isinstance(part, dict):
        return True
    if "cache_control" in part:
        return False
    content = part.get("content")
    if not isinstance(content, list):
        return True
    return _sole_text(content) is content and all(map(_is_canonical, content))


def _canonical(part: JsonValue) -> JsonValue:
    """Without cache marks; a content of one text block is written as that text.

    Applied to messages, their blocks, and what stands in tool results; never to tool arguments.
    """
    if not isinstance(part, dict):
        return part
    rest = {key: value for key, value in part.items() if key != "cache_control"}
    if isinstance(content := rest.get("content"), list):
        blocks = [_canonical(block) for block in content]
        rest["content"] = _sole_text(blocks)
    return rest


def _sole_text(blocks: list[JsonValue]) -> JsonValue:
    """The text of a content that is one text block; any other as it is."""
    only = blocks[0] if len(blocks) == 1 else None
    if isinstance(only, dict) and only.keys() == {"type", "text"} and only["type"] == "text":
        return only["text"]
    return blocks
