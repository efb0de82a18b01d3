"""The Gemini protocol: a request as a conversation, a reply as JSON or as chunks."""

from __future__ import annotations

from collections.abc import Iterator

import orjson
from pydantic import JsonValue

from evaluation.simulated.conversation import Conversation, Reply, ToolResult, ToolUse
from evaluation.simulated.wire_format import Exchange, estimate_tokens, event, objects, pieces

CALL_PREFIX = "fc_"


def parse_request(request: dict[str, JsonValue]) -> Conversation:
    """A generateContent request. A tool's output and its error stand under names of their own."""
    user_texts: list[str] = []
    calls: list[str] = []
    results: dict[str, ToolResult] = {}
    for content in objects(request.get("contents")):
        for part in objects(content.get("parts")):
            text, call, result = (
                part.get(key) for key in ("text", "functionCall", "functionResponse")
            )
            if isinstance(text, str) and content.get("role") != "model":
                user_texts.append(text)
            if isinstance(call, dict):
                calls.append(_key(call))
            if isinstance(result, dict):
                results[_key(result)] = _result(result.get("response"))
    config = request.get("generationConfig")
    wanted = config.get("responseMimeType") if isinstance(config, dict) else None
    return Conversation(
        tools=frozenset(
            str(function.get("name"))
            for tool in objects(request.get("tools"))
            for function in objects(tool.get("functionDeclarations"))
        ),
        user_texts=tuple(user_texts),
        calls=tuple(calls),
        results=results,
        wants_json=wanted == "application/json",
    )


def _key(part: dict[str, JsonValue]) -> str:
    return str(part.get("id")).removeprefix(CALL_PREFIX)


def _result(response: JsonValue) -> ToolResult:
    if not isinstance(response, dict):
        return ToolResult("")
    failed = "error" in response
    return ToolResult(str(response.get("error" if failed else "output", "")), is_error=failed)


def write_json(reply: Reply, exchange: Exchange) -> bytes:
    """The reply as one JSON body."""
    parts: list[JsonValue] = [{"text": reply.text}] if reply.text else []
    parts += map(_call, reply.calls)
    return orjson.dumps(_chunk(exchange, parts, _usage(reply, exchange), stop="STOP"))


def write_events(reply: Reply, exchange: Exchange) -> Iterator[bytes]:
    """The reply as chunks: pieces of text, then the calls; the last one says why it stopped."""
    usage = _usage(reply, exchange)
    parts: list[JsonValue] = []
    if reply.text:
        parts += ({"text": piece} for piece in pieces(reply.text))
    parts += map(_call, reply.calls)
    for part in parts[:-1]:
        yield event(_chunk(exchange, [part], usage))
    yield event(_chunk(exchange, parts[-1:] or [{"text": ""}], usage, stop="STOP"))


def write_tokens(characters: int) -> bytes:
    """What a countTokens request is answered with."""
    return orjson.dumps({"totalTokens": estimate_tokens(characters)})


def write_error(kind: str, message: str) -> bytes:
    """An error body."""
    known = kind == "authentication_error"
    error = {
        "code": 401 if known else 400,
        "message": message,
        "status": "UNAUTHENTICATED" if known else "INVALID_ARGUMENT",
    }
    return orjson.dumps({"error": error})


def _call(call: ToolUse) -> JsonValue:
    identity = f"{CALL_PREFIX}{call.key}"
    return {"functionCall": {"id": identity, "name": call.tool, "args": dict(call.arguments)}}


def _chunk(
    exchange: Exchange, parts: list[JsonValue], usage: JsonValue, *, stop: str = ""
) -> dict[str, JsonValue]:
    candidate: dict[str, JsonValue] = {"content": {"role": "model", "parts": parts}, "index": 0}
    if stop:
        candidate["finishReason"] = stop
    return {
        "candidates": [candidate],
        "usageMetadata": usage,
        "modelVersion": exchange.model,
        "responseId": exchange.digest,
    }


def _usage(reply: Reply, exchange: Exchange) -> JsonValue:
    written = len(reply.text) + sum(len(orjson.dumps(dict(c.arguments))) for c in reply.calls)
    prompt, completion = estimate_tokens(len(exchange.request)), estimate_tokens(written)
    return {
        "promptTokenCount": prompt,
        "candidatesTokenCount": completion,
        "totalTokenCount": prompt + completion,
    }
