"""OpenAI Chat Completions: `POST …/chat/completions`, answered as JSON or as a stream of chunks."""

from __future__ import annotations

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

_FILTERED = "content_filter"
"""The reason to stop by which a filter refused."""

CALLS = (
    Call("POST", "*/chat/completions"),
    Call("GET", "*/models"),
    # By these, servers of open-weight models tell how much their context holds.
    Call("GET", "*/props"),
    Call("POST", "*/api/show"),
    Call("GET", "*/api/ps"),
)

_ERROR_TYPES = {
    400: "invalid_request_error",
    401: "invalid_request_error",
    403: "insufficient_quota",
    404: "invalid_request_error",
    413: "invalid_request_error",
}


def is_generation(method: str, path: str) -> bool:
    """Whether a call asks for an answer."""
    return method == "POST" and path.partition("?")[0].rstrip("/").endswith("/chat/completions")


def error_body(status: int, message: str) -> bytes:
    """An error in this protocol's shape."""
    kind = _ERROR_TYPES.get(status, "server_error")
    error = {"message": message, "type": kind, "param": None, "code": None}
    return orjson.dumps({"error": error})


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
        tools=tuple(
            json.text_field(json.field(tool, "function"), "name")
            for tool in json.list_field(body, "tools")
        ),
        stream=json.field(body, "stream") is True,
        max_tokens=_most(body),
    )


def _most(body: JsonValue) -> int | None:
    """The bound of the answer: by its name of today, else by the one before."""
    most = json.count_field(body, "max_completion_tokens")
    return json.count_field(body, "max_tokens") if most is None else most


def _message(message: JsonValue) -> Message:
    content = json.field(message, "content")
    role = json.text_field(message, "role")
    if role == "tool":
        result = ToolResult(
            id=json.text_field(message, "tool_call_id"),
            text=json.joined_text(content),
            is_error=False,  # this protocol has no mark for it
        )
        return Message("user", "", results=(result,))
    if role not in _ROLES:
        return UNKNOWN
    texts = json.texts_of(content)
    blocks = texts if len(texts) > 1 else ()
    return Message(_ROLES[role], "\n".join(texts), uses=_uses(message), blocks=blocks)


def _uses(message: JsonValue) -> tuple[ToolUse, ...]:
    return tuple(
        ToolUse(
            id=json.text_field(call, "id"),
            name=json.text_field(json.field(call, "function"), "name"),
            arguments=_arguments(json.text_field(json.field(call, "function"), "arguments")),
        )
        for call in json.list_field(message, "tool_calls")
    )


def _arguments(text: str) -> dict[str, JsonValue]:
    value = json.load(text)
    return value if isinstance(value, dict) else {}


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
    choices = json.list_field(body, "choices")
    if not choices and not error:
        return None
    choice = choices[0] if choices else None
    message = json.field(choice, "message")
    usage = json.field(body, "usage")
    stop = json.text_field(choice, "finish_reason")
    return ResponseBody(
        model=json.text_field(body, "model"),
        text=json.joined_text(json.field(message, "content")),
        uses=_uses(message),
        stop=stop,
        events=1 if choices else 0,
        input_tokens=json.count_field(usage, "prompt_tokens"),
        output_tokens=json.count_field(usage, "completion_tokens"),
        error=error,
        whole=True,
        refused=stop == _FILTERED or bool(json.text_field(message, "refusal")),
        cached_tokens=_cached(usage) or 0,
    )


def _cached(usage: JsonValue) -> int | None:
    return json.count_field(json.field(usage, "prompt_tokens_details"), "cached_tokens")


def _error(body: JsonValue) -> str:
    """What an error body says; empty for any other. Servers write an object or a bare text."""
    error = json.field(body, "error")
    if isinstance(error, str):
        return error
    if not isinstance(error, dict):
        return ""
    kind = json.text_field(error, "type") or "error"
    return f"{kind}: {json.text_field(error, 'message')}"


@dataclass
class _Call:
    """A tool call while it is streamed."""

    id: str = ""
    name: str = ""
    pieces: list[str] = field(default_factory=list)


@dataclass
class _Answer:
    """A streamed answer, put together chunk by chunk."""

    model: str = ""
    text: list[str] = field(default_factory=list)
    calls: dict[int | str, _Call] = field(default_factory=dict)
    stop: str = ""
    events: int = 0
    usage: JsonValue = None
    """The largest of each count that was given: they are running totals."""
    error: str = ""
    whole: bool = False
    refused: bool = False

    def take(self, event: Event) -> None:
        if event.data == "[DONE]":
            self.whole = True
            return
        chunk = json.load(event.data)
        error = _error(chunk)
        if error or event.name == "error":
            self.error = error or event.data
            return
        if not isinstance(json.field(chunk, "choices"), list):
            return
        self.events += 1
        self.model = json.text_field(chunk, "model") or self.model
        self.usage = json.larger_counts(self.usage, json.field(chunk, "usage"))
        for choice in json.list_field(chunk, "choices"):
            if json.count_field(choice, "index"):
                continue  # a second answer to the same request
            delta = json.field(choice, "delta")
            self.text.append(json.text_field(delta, "content"))
            self.refused = self.refused or bool(json.text_field(delta, "refusal"))
            self.stop = json.text_field(choice, "finish_reason") or self.stop
            for call in json.list_field(delta, "tool_calls"):
                self._add(call)

    def _add(self, piece: JsonValue) -> None:
        """Pieces of a call share its index; servers that leave it out give the id only once."""
        index = json.count_field(piece, "index")
        id_ = json.text_field(piece, "id")
        last = next(reversed(self.calls), 0)
        key = index if index is not None else (id_ or last)
        call = self.calls.setdefault(key, _Call())
        call.id = call.id or id_
        function = json.field(piece, "function")
        call.name = call.name or json.text_field(function, "name")
        call.pieces.append(json.text_field(function, "arguments"))

    def body(self) -> ResponseBody:
        return ResponseBody(
            model=self.model,
            text="".join(self.text),
            uses=tuple(
                ToolUse(call.id, call.name, _arguments("".join(call.pieces)))
                for call in self.calls.values()
            ),
            stop=self.stop,
            events=self.events,
            input_tokens=json.count_field(self.usage, "prompt_tokens"),
            output_tokens=json.count_field(self.usage, "completion_tokens"),
            error=self.error,
            whole=self.whole or bool(self.stop),
            refused=self.refused or self.stop == _FILTERED,
            cached_tokens=_cached(self.usage) or 0,
        )


FORMAT = WireFormat(
    name="openai-chat",
    calls=CALLS,
    is_generation=is_generation,
    read_request=read_request,
    read_messages=read_messages,
    read_response=read_response,
    error_body=error_body,
)
