"""The OpenAI Responses protocol: a request as a conversation, a reply as JSON or events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import orjson
from pydantic import JsonValue

from evaluation.simulated.conversation import Conversation, Reply, ToolResult, ToolUse
from evaluation.simulated.wire_format import Exchange, estimate_tokens, event, objects, pieces

CALL_PREFIX = "call_"
CREATED = 1767225600
"""Seconds since the Unix epoch that answers carry: fixed, so that the same request gets the same
bytes."""

Item = dict[str, JsonValue]


def parse_request(request: Item) -> Conversation:
    """A Responses request. The protocol does not say whether a tool failed."""
    user_texts: list[str] = []
    calls: list[str] = []
    results: dict[str, ToolResult] = {}
    given = request.get("input")
    if isinstance(given, str):
        user_texts.append(given)
    for item in objects(given):
        kind, key = item.get("type", "message"), _key(item)
        if (kind == "message" and item.get("role") == "user") or kind == "agent_message":
            user_texts += _texts(item.get("content"))
        elif kind in ("function_call", "custom_tool_call"):
            calls.append(key)
        elif kind in ("function_call_output", "custom_tool_call_output") and key not in results:
            results[key] = ToolResult(_shown(item.get("output")))
    form = request.get("text")
    return Conversation(
        tools=frozenset(_offered(request)),
        user_texts=tuple(user_texts),
        calls=tuple(calls),
        results=results,
        wants_json=isinstance(form, dict) and "format" in form,
    )


def _key(item: Item) -> str:
    return str(item.get("call_id")).removeprefix(CALL_PREFIX)


def _texts(content: JsonValue) -> list[str]:
    """The texts of blocks, or a bare text. What clients hand on as encrypted was never so here."""
    if isinstance(content, str):
        return [content]
    blocks = objects(content)
    texts = (block.get("text", block.get("encrypted_content")) for block in blocks)
    return [text for text in texts if isinstance(text, str)]


def _shown(output: JsonValue) -> str:
    """What a tool gave back: its blocks one below the other, without a blank line between."""
    blocks = _texts(output)
    return "".join(block if block.endswith("\n") else f"{block}\n" for block in blocks[:-1]) + (
        blocks[-1] if blocks else ""
    )


@dataclass(frozen=True)
class _Offer:
    """A tool as a request offers it."""

    custom: bool
    """It takes a text, not an object."""
    namespace: str
    """Empty where it stands in none that a call must name."""


def _offered(request: Item) -> dict[str, _Offer]:
    """The tools that a client runs itself, by name: listed, or given as an item of the input."""
    items = objects(request.get("input"))
    added = (
        item for item in items if item.get("type") in ("additional_tools", "tool_search_output")
    )
    lists = [request.get("tools"), *(item.get("tools") for item in added)]
    offers: dict[str, _Offer] = {}
    for tool in (tool for listed in lists for tool in objects(listed)):
        if tool.get("type") == "namespace":
            name = str(tool.get("name"))
            namespace = "" if name == "functions" else name
            offers |= {
                str(inner.get("name")): _Offer(inner.get("type") == "custom", namespace)
                for inner in objects(tool.get("tools"))
            }
        elif tool.get("type") in ("function", "custom"):
            offers[str(tool.get("name"))] = _Offer(tool.get("type") == "custom", "")
    return offers


def write_json(reply: Reply, exchange: Exchange) -> bytes:
    """The reply as one JSON body."""
    request = orjson.loads(exchange.request)
    return orjson.dumps(_response(reply, exchange, list(_items(reply, _offered(request)))))


def write_events(reply: Reply, exchange: Exchange, request: Item) -> Iterator[bytes]:
    """The reply as a stream of events, numbered."""
    items = list(_items(reply, _offered(request)))
    whole = _response(reply, exchange, items)
    begun: Item = {**whole, "status": "in_progress", "output": [], "usage": None}
    events: list[Item] = [
        {"type": "response.created", "response": begun},
        {"type": "response.in_progress", "response": begun},
        *_item_events(items),
        {"type": "response.completed", "response": whole},
    ]
    for number, data in enumerate(events):
        yield event({**data, "sequence_number": number}, str(data["type"]))


def write_error(kind: str, message: str) -> bytes:
    """An error body."""
    return orjson.dumps({"error": {"message": message, "type": kind, "param": None, "code": kind}})


def _items(reply: Reply, offers: Mapping[str, _Offer]) -> Iterator[Item]:
    if reply.text or not reply.calls:
        part: JsonValue = {"type": "output_text", "text": reply.text, "annotations": []}
        yield {
            "type": "message",
            "id": f"msg_{reply.calls[0].key if reply.calls else 'final'}",
            "status": "completed",
            "role": "assistant",
            "phase": "commentary" if reply.calls else "final_answer",
            "content": [part],
        }
    for call in reply.calls:
        yield _call(call, offers.get(call.tool, _Offer(custom=False, namespace="")))


def _call(call: ToolUse, offer: _Offer) -> Item:
    named: Item = {
        "status": "completed",
        "call_id": f"{CALL_PREFIX}{call.key}",
        "name": call.tool,
    }
    if offer.namespace:
        named["namespace"] = offer.namespace
    if offer.custom:
        text = call.arguments.get("input", "")
        return {"type": "custom_tool_call", "id": f"ctc_{call.key}", **named, "input": text}
    arguments = orjson.dumps(dict(call.arguments)).decode()
    return {"type": "function_call", "id": f"fc_{call.key}", **named, "arguments": arguments}


_STREAMED: Mapping[str, tuple[str, str]] = {
    "function_call": ("arguments", "response.function_call_arguments"),
    "custom_tool_call": ("input", "response.custom_tool_call_input"),
}
"""What of a call is streamed, and how its events are called, by the item's type."""


def _item_events(items: Iterable[Item]) -> Iterator[Item]:
    for index, item in enumerate(items):
        place: Item = {"output_index": index}
        inner: Item = {"item_id": item["id"], **place}
        status: Item = {"status": "in_progress"}
        if item["type"] == "message":
            begun: Item = {**item, **status, "content": []}
            yield {"type": "response.output_item.added", **place, "item": begun}
            yield from _text_events(item, inner)
        else:
            key, name = _STREAMED[str(item["type"])]
            begun = {**item, **status, key: ""}
            yield {"type": "response.output_item.added", **place, "item": begun}
            for piece in pieces(str(item[key])):
                yield {"type": f"{name}.delta", **inner, "delta": piece}
            yield {"type": f"{name}.done", **inner, key: item[key]}
        yield {"type": "response.output_item.done", **place, "item": item}


def _text_events(item: Item, inner: Item) -> Iterator[Item]:
    (part,) = objects(item["content"])
    text = str(part["text"])
    place: Item = {**inner, "content_index": 0}
    yield {"type": "response.content_part.added", **place, "part": {**part, "text": ""}}
    for piece in pieces(text):
        yield {"type": "response.output_text.delta", **place, "delta": piece, "logprobs": []}
    yield {"type": "response.output_text.done", **place, "text": text, "logprobs": []}
    yield {"type": "response.content_part.done", **place, "part": part}


def _response(reply: Reply, exchange: Exchange, items: list[Item]) -> Item:
    return {
        "id": f"resp_{exchange.digest}",
        "object": "response",
        "created_at": CREATED,
        "status": "completed",
        "error": None,
        "incomplete_details": None,
        "model": exchange.model,
        "output": list[JsonValue](items),
        "usage": _usage(reply, exchange),
    }


def _usage(reply: Reply, exchange: Exchange) -> JsonValue:
    written = len(reply.text) + sum(len(orjson.dumps(dict(c.arguments))) for c in reply.calls)
    given, output = estimate_tokens(len(exchange.request)), estimate_tokens(written)
    return {
        "input_tokens": given,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": output,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": given + output,
    }
