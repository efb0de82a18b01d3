"""The OpenAI Chat Completions protocol: a request as a conversation, a reply as JSON or chunks."""

from __future__ import annotations

from collections.abc import Iterator

import orjson
from pydantic import JsonValue

from evaluation.simulated.conversation import Conversation, Reply, ToolResult, ToolUse
from evaluation.simulated.wire_format import (
    Exchange,
    estimate_tokens,
    event,
    objects,
    pieces,
    texts_of,
)

CALL_PREFIX = "call_"
CREATED = 1767225600
"""Seconds since the Unix epoch that answers carry: fixed, so that the same request gets the same
bytes."""


def parse_request(request: dict[str, JsonValue]) -> Conversation:
    """A Chat Completions request. The protocol does not say whether a tool failed."""
    user_texts: list[str] = []
    calls: list[str] = []
    results: dict[str, ToolResult] = {}
    for message in objects(request.get("messages")):
        role = message.get("role")
        if role == "user":
            user_texts += texts_of(message.get("content"))
        elif role == "assistant":
            made = objects(message.get("tool_calls"))
            calls += [str(call.get("id")).removeprefix(CALL_PREFIX) for call in made]
        elif role == "tool":
            key = str(message.get("tool_call_id")).removeprefix(CALL_PREFIX)
            results[key] = ToolResult("\n".join(texts_of(message.get("content"))))
    functions = (tool.get("function") for tool in objects(request.get("tools")))
    return Conversation(
        tools=frozenset(str(f.get("name")) for f in functions if isinstance(f, dict)),
        user_texts=tuple(user_texts),
        calls=tuple(calls),
        results=results,
        wants_json="response_format" in request,
    )


def write_json(reply: Reply, exchange: Exchange) -> bytes:
    """The reply as one JSON body."""
    message: dict[str, JsonValue] = {"role": "assistant", "content": reply.text or None}
    if reply.calls:
        message["tool_calls"] = [_call(call) for call in reply.calls]
    choice: JsonValue = {
        "index": 0,
        "message": message,
        "logprobs": None,
        "finish_reason": _finish(reply),
    }
    head = _head(exchange, "chat.completion")
    return orjson.dumps({**head, "choices": [choice], "usage": _usage(reply, exchange)})


def write_events(reply: Reply, exchange: Exchange, *, with_usage: bool) -> Iterator[bytes]:
    """The reply as chunks; usage comes in a last one where the request asks for it."""
    head = _head(exchange, "chat.completion.chunk")
    for delta in _deltas(reply):
        choice: JsonValue = {"index": 0, "delta": delta, "finish_reason": None}
        yield event({**head, "choices": [choice]})
    last: JsonValue = {"index": 0, "delta": {}, "finish_reason": _finish(reply)}
    yield event({**head, "choices": [last]})
    if with_usage:
        yield event({**head, "choices": [], "usage": _usage(reply, exchange)})
    yield b"data: [DONE]\n\n"


def write_error(kind: str, message: str) -> bytes:
    """An error body."""
    return orjson.dumps({"error": {"message": message, "type": kind, "param": None, "code": kind}})


def _deltas(reply: Reply) -> Iterator[JsonValue]:
    yield {"role": "assistant", "content": ""}
    if reply.text:
        for piece in pieces(reply.text):
            yield {"content": piece}
    for index, call in enumerate(reply.calls):
        whole = _call(call)
        function: JsonValue = {"name": call.tool, "arguments": ""}
        yield {"tool_calls": [{**whole, "index": index, "function": function}]}
        for piece in pieces(_arguments(call)):
            yield {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}


def _call(call: ToolUse) -> dict[str, JsonValue]:
    function: JsonValue = {"name": call.tool, "arguments": _arguments(call)}
    return {"id": f"{CALL_PREFIX}{call.key}", "type": "function", "function": function}


def _arguments(call: ToolUse) -> str:
    return orjson.dumps(dict(call.arguments)).decode()


def _finish(reply: Reply) -> str:
    return "tool_calls" if reply.calls else "stop"


def _head(exchange: Exchange, kind: str) -> dict[str, JsonValue]:
    return {
        "id": f"chatcmpl-{exchange.digest}",
        "object": kind,
        "created": CREATED,
        "model": exchange.model,
    }


def _usage(reply: Reply, exchange: Exchange) -> JsonValue:
    written = len(reply.text) + sum(len(_arguments(call)) for call in reply.calls)
    prompt, completion = estimate_tokens(len(exchange.request)), estimate_tokens(written)
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
    }
