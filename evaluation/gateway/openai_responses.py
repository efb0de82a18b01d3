"""OpenAI Responses: `POST …/responses`, answered as JSON or as a stream of events.

Prevents two false results. One answer is several items here, so what looks like one message after
the other is one turn. And newer clients offer their tools as an item of the input: a call would
otherwise seem to offer none, and to be none of an agent's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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

_ROLES: dict[str, Role] = {
    "user": "user",
    "assistant": "assistant",
    "system": "system",
    "developer": "system",
}

CALLS = (Call("POST", "*/responses"), Call("GET", "*/models"))

_ERROR_TYPES = {
    400: "invalid_request_error",
    401: "invalid_request_error",
    403: "insufficient_quota",
    404: "invalid_request_error",
    413: "invalid_request_error",
}
_RESULTS = frozenset(("function_call_output", "custom_tool_call_output", "local_shell_call_output"))
_COMPACTIONS = frozenset(("compaction", "compaction_summary", "context_compaction"))
"""Items by which a server says that it put something else in the place of earlier ones."""
_TEXTS = frozenset(("input_text", "output_text", "text"))


def is_generation(method: str, path: str) -> bool:
    """Whether a call asks for an answer; counting tokens does not."""
    return method == "POST" and path.partition("?")[0].rstrip("/").endswith("/responses")


def error_body(status: int, message: str) -> bytes:
    """An error in this protocol's shape."""
    kind = _ERROR_TYPES.get(status, "server_error")
    error = {"message": message, "type": kind, "param": None, "code": None}
    return orjson.dumps({"error": error})


def read_messages(text: str) -> tuple[JsonValue, ...]:
    """The items of the input as they were sent."""
    return tuple(_input(json.load(text)))


def _input(body: JsonValue) -> list[JsonValue]:
    """The items; a bare text is the user's only message."""
    given = json.field(body, "input")
    if isinstance(given, str):
        return [{"type": "message", "role": "user", "content": given}]
    return given if isinstance(given, list) else []


def read_request(text: str, skip: int = 0) -> RequestBody | None:
    """A request's body, `skip` leading items left out; None where it is no JSON object."""
    body = json.load(text)
    if not isinstance(body, dict):
        return None
    items = _input(body)
    offered = [*json.list_field(body, "tools"), *_tools_in(items)]
    return RequestBody(
        model=json.text_field(body, "model"),
        messages=tuple(map(_message, items[skip:])),
        tools=tuple(_names(offered)),
        stream=json.field(body, "stream") is True,
        max_tokens=json.count_field(body, "max_output_tokens"),
        shortens=json.text_field(body, "truncation") == "auto"
        or bool(json.list_field(body, "context_management")),
    )


def _tools_in(items: Iterable[JsonValue]) -> Iterator[JsonValue]:
    """Tools that are offered as items: all at the beginning, or those that a search found."""
    for item in items:
        if json.text_field(item, "type") in ("additional_tools", "tool_search_output"):
            yield from json.list_field(item, "tools")


def _names(tools: Iterable[JsonValue]) -> Iterator[str]:
    """Names of tools, those inside of namespaces too; a tool of the server has only a type."""
    for tool in tools:
        kind = json.text_field(tool, "type")
        if kind == "namespace":
            inner = json.list_field(tool, "tools")
            yield from (
                json.text_field(one, "name") or json.text_field(one, "type") for one in inner
            )
        else:
            yield json.text_field(tool, "name") or kind


def _message(item: JsonValue) -> Message:
    """One item. Calls, and thoughts between them, are parts of an assistant's turn."""
    kind = json.text_field(item, "type")
    if kind in _RESULTS:
        result = ToolResult(
            id=json.text_field(item, "call_id"),
            text=output_text(json.field(item, "output")),
            is_error=False,  # this protocol has no mark for it
        )
        return Message("user", "", results=(result,))
    if kind == "reasoning":
        return Message("assistant", "")
    if kind == "agent_message":
        return _said("user", item)
    if kind in ("", "message"):  # the type of a message may be left out
        role = _ROLES.get(json.text_field(item, "role"))
        return UNKNOWN if role is None else _said(role, item)
    uses = tuple(_uses((item,)))
    return Message("assistant", "", uses=uses) if uses else UNKNOWN


def output_text(output: JsonValue) -> str:
    """What a tool gave back. Blocks stand one below the other, without a blank line between."""
    if isinstance(output, str):
        return output
    texts = list(_texts(output if isinstance(output, list) else []))
    ends = [text if not text or text.endswith("\n") else f"{text}\n" for text in texts[:-1]]
    return "".join([*ends, *texts[-1:]])


def _said(role: Role, item: JsonValue) -> Message:
    content = json.field(item, "content")
    texts = (content,) if isinstance(content, str) else tuple(_texts(_listed(content)))
    return Message(role, "\n".join(texts), blocks=texts if len(texts) > 1 else ())


def _listed(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def _texts(blocks: Iterable[JsonValue]) -> Iterator[str]:
    return (
        json.text_field(block, "text")
        for block in blocks
        if json.text_field(block, "type") in _TEXTS
    )


def _uses(items: Iterable[JsonValue]) -> Iterator[ToolUse]:
    """Tool calls that the client carries out; what the server itself runs is none."""
    for item in items:
        call_id = json.text_field(item, "call_id")
        name = json.text_field(item, "name")
        match json.text_field(item, "type"):
            case "function_call":
                yield ToolUse(call_id, name, _arguments(json.text_field(item, "arguments")))
            case "custom_tool_call":
                yield ToolUse(call_id, name, {"input": json.text_field(item, "input")})
            case "local_shell_call":
                yield ToolUse(call_id, "local_shell", json.object_field(item, "action"))
            case "tool_search_call" if call_id:
                yield ToolUse(call_id, "tool_search", json.object_field(item, "arguments"))


def _arguments(text: str) -> dict[str, JsonValue]:
    value = json.load(text)
    return value if isinstance(value, dict) else {}


def read_response(text: str) -> ResponseBody | None:
    """An answer's body, streamed or not; None where it is neither an answer nor an error."""
    answer = _Answer()
    if text.lstrip().startswith("{"):
        body = json.load(text)
        if json.field(body, "object") == "response":
            answer.end(body)
            answer.events = 0 if answer.error else 1
        else:
            answer.error = _error(json.field(body, "error"))
    else:
        for event in read_events(text):
            answer.take(event)
    return answer.body() if answer.events or answer.error else None


def _error(error: JsonValue) -> str:
    """What an error says; empty where there is none. Servers write an object or a bare text."""
    if isinstance(error, str):
        return error
    if not isinstance(error, dict):
        return ""
    kind = json.text_field(error, "type") or json.text_field(error, "code") or "error"
    return f"{kind}: {json.text_field(error, 'message')}"


@dataclass
class _Answer:
    """An answer, put together event by event."""

    response: JsonValue = None
    """The last one that an event held: head, status."""
    usage: JsonValue = None
    """The largest of each count that was given: they are running totals."""
    items: dict[int, JsonValue] = field(default_factory=dict)
    """Items that are done, by their place in the answer."""
    begun: dict[int, list[str]] = field(default_factory=dict)
    """Text of those that may not be."""
    events: int = 0
    error: str = ""
    whole: bool = False

    def take(self, event: Event) -> None:
        data = json.load(event.data)
        kind = json.text_field(data, "type")
        index = json.count_field(data, "output_index") or 0
        match kind:
            case "error":
                self.error = _error(json.field(data, "error")) or _error(data)
                return
            case "response.failed":
                self.end(json.field(data, "response"))
                self.error = self.error or "error: the answer failed"
                return
            case "response.completed" | "response.incomplete":
                self.end(json.field(data, "response"))
            case "response.created" | "response.in_progress":
                self._head(json.field(data, "response"))
            case "response.output_item.done":
                self.items[index] = json.field(data, "item")
            case "response.output_text.delta":
                self.begun.setdefault(index, []).append(json.text_field(data, "delta"))
            case _ if not kind.startswith("response."):
                return
        self.events += 1

    def end(self, response: JsonValue) -> None:
        """Take the last event, or the whole of an answer that is not streamed."""
        self._head(response)
        self.whole = True
        self.error = _error(json.field(response, "error"))
        self.items |= dict(enumerate(json.list_field(response, "output")))

    def _head(self, response: JsonValue) -> None:
        self.response = response
        self.usage = json.larger_counts(self.usage, json.field(response, "usage"))

    def body(self) -> ResponseBody:
        items = [self.items[index] for index in sorted(self.items)]
        usage = self.usage
        details = json.field(usage, "input_tokens_details")
        reason = json.text_field(json.field(self.response, "incomplete_details"), "reason")
        return ResponseBody(
            model=json.text_field(self.response, "model"),
            text=self._said(items),
            uses=tuple(_uses(items)),
            stop=reason or (json.text_field(self.response, "status") if self.whole else ""),
            events=self.events,
            input_tokens=json.count_field(usage, "input_tokens"),
            output_tokens=json.count_field(usage, "output_tokens"),
            error=self.error,
            whole=self.whole,
            refused=reason == "content_filter" or any(map(_is_refusal, items)),
            cached_tokens=json.count_field(details, "cached_tokens") or 0,
            cache_written=json.count_field(details, "cache_write_tokens") or 0,
            edited=any(json.text_field(item, "type") in _COMPACTIONS for item in items),
        )

    def _said(self, items: list[JsonValue]) -> str:
        """What it said: its final answer, where that is marked, else all of its texts."""
        said = [item for item in items if json.text_field(item, "type") == "message"]
        final = [item for item in said if json.text_field(item, "phase") == "final_answer"]
        begun = ("".join(self.begun[at]) for at in sorted(self.begun) if at not in self.items)
        texts = [*(_said("assistant", item).text for item in final or said), *begun]
        return "\n".join(text for text in texts if text)


def _is_refusal(item: JsonValue) -> bool:
    content = _listed(json.field(item, "content"))
    return any(json.text_field(block, "type") == "refusal" for block in content)


FORMAT = WireFormat(
    name="openai-responses",
    calls=CALLS,
    is_generation=is_generation,
    read_request=read_request,
    read_messages=read_messages,
    read_response=read_response,
    error_body=error_body,
)
