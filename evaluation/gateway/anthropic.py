"""Anthropic Messages: `POST …/v1/messages`, answered as JSON or as a stream of events."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import orjson
from pydantic import JsonValue

from evaluation.gateway import json_fields as json
from evaluation.gateway.calls import Call
from evaluation.gateway.messages import (
    UNKNOWN,
    Message,
    RequestBody,
    ResponseBody,
    Role,
    ToolResult,
    ToolUse,
    WireFormat,
)
from evaluation.gateway.sse import Event, read_events

_ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant", "system": "system"}

_READ, _WRITTEN = "cache_read_input_tokens", "cache_creation_input_tokens"
_REFUSAL = "refusal"
_COMPACTION = "compaction"

CALLS = (
    Call("POST", "/v1/messages"),
    Call("POST", "/v1/messages/count_tokens"),
    Call("GET", "/v1/models"),
    Call("HEAD", "/"),
)

_ERROR_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
}


def is_generation(method: str, path: str) -> bool:
    """Whether a call asks for an answer; counting tokens does not."""
    return method == "POST" and path.partition("?")[0].rstrip("/").endswith("/v1/messages")


def error_body(status: int, message: str) -> bytes:
    """An error in this protocol's shape."""
    kind = _ERROR_TYPES.get(status, "api_error")
    return orjson.dumps({"type": "error", "error": {"type": kind, "message": message}})


def read_messages(text: str) -> tuple[JsonValue, ...]:
    """The messages as they were sent."""
    return tuple(json.list_field(json.load(text), "messages"))


def read_request(text: str, skip: int = 0) -> RequestBody | None:
    """A request's body, `skip` leading messages left out; None where it is no JSON object."""
    body = json.load(text)
    if not isinstance(body, dict):
        return None
    return RequestBody(
        model=json.text_field(body, "model"),
        messages=tuple(map(_message, json.list_field(body, "messages")[skip:])),
        tools=tuple(json.text_field(tool, "name") for tool in json.list_field(body, "tools")),
        stream=json.field(body, "stream") is True,
        max_tokens=json.count_field(body, "max_tokens"),
        clears=_edits(body, "edits"),
    )


def _edits(body: JsonValue, key: str) -> bool:
    """Whether any context edit touches what the model is shown of tool results.

    Clearing its earlier thinking does not.
    """
    edits = json.list_field(json.field(body, "context_management"), key)
    return any(not json.text_field(edit, "type").startswith("clear_thinking") for edit in edits)


def _message(message: JsonValue) -> Message:
    role = _ROLES.get(json.text_field(message, "role"))
    if role is None:
        return UNKNOWN
    content = json.field(message, "content")
    blocks = content if isinstance(content, list) else []
    texts = json.texts_of(content)
    return Message(
        role=role,
        text="\n".join(texts),
        blocks=texts if len(texts) > 1 else (),
        uses=_uses(blocks),
        results=tuple(
            ToolResult(
                id=json.text_field(block, "tool_use_id"),
                text=json.joined_text(json.field(block, "content")),
                is_error=json.field(block, "is_error") is True,
            )
            for block in blocks
            if json.text_field(block, "type") == "tool_result"
        ),
    )


def _uses(blocks: list[JsonValue]) -> tuple[ToolUse, ...]:
    return tuple(
        ToolUse(
            id=json.text_field(block, "id"),
            name=json.text_field(block, "name"),
            arguments=json.object_field(block, "input"),
        )
        for block in blocks
        if json.text_field(block, "type") == "tool_use"
    )


def read_response(text: str) -> ResponseBody | None:
    """An answer's body, streamed or not; None where it is neither an answer nor an error."""
    if text.lstrip().startswith("{"):
        return _read_json(json.load(text))
    answer = _Answer()
    for event in read_events(text):
        answer.take(event)
    if not (answer.events or answer.error):
        return None
    return answer.body()


def _read_json(body: JsonValue) -> ResponseBody | None:
    error = _error(body)
    if json.text_field(body, "type") != "message" and not error:
        return None
    content = json.list_field(body, "content")
    usage = json.field(body, "usage")
    stop = json.text_field(body, "stop_reason")
    return ResponseBody(
        model=json.text_field(body, "model"),
        text=json.joined_text(content),
        uses=_uses(content),
        stop=stop,
        events=0 if error else 1,
        input_tokens=_input_tokens(usage),
        output_tokens=json.count_field(usage, "output_tokens"),
        error=error,
        whole=True,
        refused=stop == _REFUSAL,
        cached_tokens=json.count_field(usage, _READ) or 0,
        cache_written=json.count_field(usage, _WRITTEN) or 0,
        edited=_edits(body, "applied_edits") or _is_compacted(content),
    )


def _is_compacted(blocks: list[JsonValue]) -> bool:
    """Whether the server put a summary in the place of what went before."""
    return any(json.text_field(block, "type") == _COMPACTION for block in blocks)


def _error(body: JsonValue) -> str:
    """`type: message` of an error body; empty for any other."""
    if json.text_field(body, "type") != "error":
        return ""
    error = json.field(body, "error")
    kind = json.text_field(error, "type") or "error"
    return f"{kind}: {json.text_field(error, 'message')}"


def _input_tokens(usage: JsonValue) -> int | None:
    """What the model was given, read from a cache or not."""
    fresh = json.count_field(usage, "input_tokens")
    if fresh is None:
        return None
    return fresh + sum(json.count_field(usage, key) or 0 for key in (_READ, _WRITTEN))


_TEXT_PIECE = re.compile(
    r"event: content_block_delta\n"
    r'data: *\{"type": *"content_block_delta", *"index": *\d+, *"delta": *\{"type": *"text_delta",'
    r"[^\r\n]*\n\n"
)


def without_text(text: str) -> str:
    """A streamed answer less the pieces of its text."""
    return _TEXT_PIECE.sub("", text)


@dataclass
class _Block:
    """A content block while it is streamed."""

    kind: str
    id: str
    name: str
    text: str
    arguments: dict[str, JsonValue]
    """As the block began; the pieces below replace them."""
    pieces: list[str] = field(default_factory=list)


@dataclass
class _Answer:
    """A streamed answer, put together event by event."""

    model: str = ""
    blocks: dict[int, _Block] = field(default_factory=dict)
    stop: str = ""
    events: int = 0
    usage: JsonValue = None
    """The largest of each count that was given: they are running totals."""
    error: str = ""
    whole: bool = False
    edited: bool = False

    def take(self, event: Event) -> None:
        data = json.load(event.data)
        index = json.count_field(data, "index") or 0
        match json.text_field(data, "type"):
            case "message_start":
                message = json.field(data, "message")
                self.model = json.text_field(message, "model")
                self.usage = json.larger_counts(self.usage, json.field(message, "usage"))
            case "content_block_start":
                self.blocks[index] = _begin(json.field(data, "content_block"))
            case "content_block_delta":
                self._add(index, json.field(data, "delta"))
            case "message_delta":
                self.stop = json.text_field(json.field(data, "delta"), "stop_reason") or self.stop
                self.usage = json.larger_counts(self.usage, json.field(data, "usage"))
                self.edited = self.edited or _edits(data, "applied_edits")
            case "message_stop":
                self.whole = True
            case "content_block_stop":
                pass
            case "error":
                self.error = _error(data)
                return
            case _:
                return
        self.events += 1

    def _add(self, index: int, delta: JsonValue) -> None:
        block = self.blocks.get(index)
        if block is None:
            return
        match json.text_field(delta, "type"):
            case "text_delta":
                block.pieces.append(json.text_field(delta, "text"))
            case "input_json_delta":
                block.pieces.append(json.text_field(delta, "partial_json"))

    def body(self) -> ResponseBody:
        return ResponseBody(
            model=self.model,
            text="\n".join(
                block.text + "".join(block.pieces)
                for block in self.blocks.values()
                if block.kind == "text"
            ),
            uses=tuple(
                ToolUse(block.id, block.name, _arguments(block))
                for block in self.blocks.values()
                if block.kind == "tool_use"
            ),
            stop=self.stop,
            events=self.events,
            input_tokens=_input_tokens(self.usage),
            output_tokens=json.count_field(self.usage, "output_tokens"),
            error=self.error,
            whole=self.whole or bool(self.stop),
            refused=self.stop == _REFUSAL,
            cached_tokens=json.count_field(self.usage, _READ) or 0,
            cache_written=json.count_field(self.usage, _WRITTEN) or 0,
            edited=self.edited or any(block.kind == _COMPACTION for block in self.blocks.values()),
        )


def _begin(block: JsonValue) -> _Block:
    return _Block(
        kind=json.text_field(block, "type"),
        id=json.text_field(block, "id"),
        name=json.text_field(block, "name"),
        text=json.text_field(block, "text"),
        arguments=json.object_field(block, "input"),
    )


def _arguments(block: _Block) -> dict[str, JsonValue]:
    pieces = "".join(block.pieces)
    if not pieces:
        return block.arguments
    value = json.load(pieces)
    return value if isinstance(value, dict) else {}


FORMAT = WireFormat(
    name="anthropic",
    calls=CALLS,
    is_generation=is_generation,
    read_request=read_request,
    read_messages=read_messages,
    read_response=read_response,
    error_body=error_body,
    without_text=without_text,
)
