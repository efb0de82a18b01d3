"""What a run's earlier calls held, so that a row says which messages are new in it."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field

import orjson
from pydantic import JsonValue

from evaluation.gateway.naming import Name


@dataclass(frozen=True)
class Place:
    """Where a call stands among the calls of its run."""

    call: int
    attempt: int
    base: int | None
    keep: int


@dataclass(frozen=True)
class _Earlier:
    call: int
    messages: tuple[bytes | None, ...]


@dataclass
class History:
    """Counts the calls of one run and compares each with the one before it in its thread."""

    calls: int = 0
    _seen: Counter[bytes] = field(default_factory=Counter)
    _latest: dict[tuple[str, bool], _Earlier] = field(default_factory=dict)
    """By thread, background calls apart: a title call is no step of the conversation."""

    def place(self, name: Name, request: bytes, messages: tuple[JsonValue, ...]) -> Place:
        """Enter a call. `request` is all that makes two requests the same one."""
        self.calls += 1
        same = hashlib.sha256(name.thread.encode() + b"\0" + request).digest()
        self._seen[same] += 1
        held = tuple(_digest(message) for message in messages)
        chain = (name.thread, name.kind == "background")
        before = self._latest.get(chain) if held else None
        if held:
            self._latest[chain] = _Earlier(self.calls, held)
        return Place(
            call=self.calls,
            attempt=self._seen[same],
            base=before.call if before else None,
            keep=_equal_ahead(before.messages, held) if before else 0,
        )


def _equal_ahead(before: tuple[bytes | None, ...], now: tuple[bytes | None, ...]) -> int:
    count = 0
    for one, other in zip(before, now, strict=False):
        if one is None or one != other:
            break
        count += 1
    return count


def _digest(message: JsonValue) -> bytes | None:
    """Equal for messages that say the same; None, equal to nothing, for one nested too deep."""
    try:
        data = orjson.dumps(_canonical(message), option=orjson.OPT_SORT_KEYS)
    except (TypeError, RecursionError):
        return None
    return hashlib.sha256(data).digest()


def _canonical(part: JsonValue) -> JsonValue:
    """Without cache marks; a content of one text block is written as that text.

    Applied to messages, their blocks, and what stands in tool results; never to tool arguments.
    """
    if not isinstance(part, dict):
        return part
    rest = {key: value for key, value in part.items() if key != "cache_control"}
    if isinstance(content := rest.get("content"), list):
        blocks = [_canonical(block) for block in content]
        rest["content"] = _sole_text(blocks) if len(blocks) == 1 else blocks
    return rest


def _sole_text(blocks: list[JsonValue]) -> JsonValue:
    only = blocks[0]
    if isinstance(only, dict) and only.keys() == {"type", "text"} and only["type"] == "text":
        return only["text"]
    return blocks
