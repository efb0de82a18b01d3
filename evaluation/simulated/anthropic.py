"""The Anthropic Messages protocol: a request as a conversation, a reply as JSON or as events."""

from __future__ import annotations

from collections.abc import Iterator

import orjson
from pydantic import JsonValue

from evaluation.simulated.conversation import Conversation, Reply, ToolResult
from evaluation.simulated.wire_format import (
    Exchange,
    estimate_tokens,
    event,
    objects,
    pieces,
    texts_of,
)

CALL_PREFIX = "toolu_01"


def parse_request(request: dict[str, JsonValue]) -> Conversation:
    """A Messages request. Turns of role `system`, which some clients send, hold nothing for us."""
    user_texts: list[str] = []
    calls: list[str] = []
    results: dict[str, ToolResult] = {}
    for message in objects(request.get("messages")):
        content = message.get("content")
        if message.get("role") == "user":
            user_texts += texts_of(content)
        for block in objects(content):
            if block.get("type") == "tool_use":
                calls.append(str(block.get("id")).removeprefix(CALL_PREFIX))
            elif block.get("type") == "tool_result":
                key = str(block.get("tool_use_id")).removeprefix(CALL_PREFIX)
                text = "\n".join(texts_of(block.get("content")))
                results[key] = ToolResult(text, is_error=block.get("is_error") is True)
    output = request.get("output_config")
    return Conversation(
        tools=frozenset(str(tool.get("name")) for tool in objects(request.get("tools"))),
        user_texts=tuple(user_texts),
        calls=tuple(calls),
        results=results,
        wants_json=isinstance(output, dict) and "format" in output,
    )


def write_json(reply: Reply, exchange: Exchange) -> bytes:
    """The reply as one JSON body."""
    message = _message(reply, exchange)
    return orjson.dumps(message)


def write_events(reply: Reply, exchange: Exchange) -> Iterator[bytes]:
    """The reply as the event stream of the protocol."""
    message = _message(reply, exchange)
    usage = {**_usage(reply, exchange), "output_tokens": 1}
    start = {**message, "content": [], "stop_reason": None, "usage": usage}
    yield event({"type": "message_start", "message": start}, "message_start")
    for index, block in enumerate(_blocks(reply)):
        yield from _block_events(index, block)
        if index == 0:
            yield event({"type": "ping"}, "ping")
    delta: JsonValue = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    done: JsonValue = {"output_tokens": _usage(reply, exchange)["output_tokens"]}
    yield event({"type": "message_delta", "delta": delta, "usage": done}, "message_delta")
    yield event({"type": "message_stop"}, "message_stop")


def write_error(kind: str, message: str) -> bytes:
    """An error body."""
    return orjson.dumps({"type": "error", "error": {"type": kind, "message": message}})


def _message(reply: Reply, exchange: Exchange) -> dict[str, JsonValue]:
    content: list[JsonValue] = [*_blocks(reply)]
    return {
        "id": f"msg_01{exchange.digest[:22]}",
        "type": "message",
        "role": "assistant",
        "model": exchange.model,
        "content": content,
        "stop_reason": "tool_use" if reply.calls else "end_turn",
        "stop_sequence": None,
        "usage": _usage(reply, exchange),
    }


def _blocks(reply: Reply) -> list[dict[str, JsonValue]]:
    blocks: list[dict[str, JsonValue]] = []
    if reply.text:
        blocks.append({"type": "text", "text": reply.text})
    for call in reply.calls:
        identity = f"{CALL_PREFIX}{call.key}"
        arguments = dict(call.arguments)
        blocks.append({"type": "tool_use", "id": identity, "name": call.tool, "input": arguments})
    return blocks


def _block_events(index: int, block: dict[str, JsonValue]) -> Iterator[bytes]:
    is_text = block["type"] == "text"
    opened: JsonValue = {**block, "text": ""} if is_text else {**block, "input": {}}
    whole = str(block["text"]) if is_text else orjson.dumps(block["input"]).decode()
    kind, key = ("text_delta", "text") if is_text else ("input_json_delta", "partial_json")
    start: JsonValue = {"type": "content_block_start", "index": index, "content_block": opened}
    yield event(start, "content_block_start")
    for piece in pieces(whole):
        delta: JsonValue = {"type": kind, key: piece}
        data: JsonValue = {"type": "content_block_delta", "index": index, "delta": delta}
        yield event(data, "content_block_delta")
    yield event({"type": "content_block_stop", "index": index}, "content_block_stop")


def _usage(reply: Reply, exchange: Exchange) -> dict[str, JsonValue]:
    written = len(reply.text) + sum(len(orjson.dumps(dict(c.arguments))) for c in reply.calls)
    return {
        "input_tokens": estimate_tokens(len(exchange.request)),
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
        "output_tokens": estimate_tokens(written),
    }
