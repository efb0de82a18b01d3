"""What the two protocols share: naming an answer, counting its tokens, writing its events."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

import orjson
from pydantic import JsonValue

PIECE = 400
"""Characters of one streamed piece."""


@dataclass(frozen=True)
class Exchange:
    """What an answer says about the request it answers."""

    model: str
    """The name asked for, given back."""
    request: bytes

    @property
    def digest(self) -> str:
        """24 hex digits by which the answer is named: the same request, the same name."""
        return hashlib.sha256(self.request).hexdigest()[:24]


def estimate_tokens(characters: int) -> int:
    """Tokens as a vendor's count might have it: a quarter of the characters."""
    return max(1, characters // 4)


def event(data: JsonValue, name: str = "") -> bytes:
    """One server-sent event."""
    head = f"event: {name}\n".encode() if name else b""
    return head + b"data: " + orjson.dumps(data) + b"\n\n"


def pieces(text: str) -> Iterator[str]:
    """A text as it is streamed; an empty one is one empty piece."""
    for start in range(0, max(1, len(text)), PIECE):
        yield text[start : start + PIECE]


def texts_of(content: JsonValue) -> list[str]:
    """The texts of a message's content: a string, or a list of blocks of type `text`."""
    if isinstance(content, str):
        return [content]
    if not isinstance(content, list):
        return []
    blocks = (block for block in content if isinstance(block, dict) and block.get("type") == "text")
    return [str(block.get("text", "")) for block in blocks]


def objects(value: JsonValue) -> list[dict[str, JsonValue]]:
    """The objects of a list, whatever else it holds; of anything else, none."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
