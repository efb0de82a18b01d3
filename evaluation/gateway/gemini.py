"""Gemini: `POST …/models/M:generateContent`, or `:streamGenerateContent` with a stream of chunks.

The model's name stands in the path, not in the body. Models before Gemini 3 give their calls no
ids; the client makes some up and sends them with the results, so a call has the id of its result.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote

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
from evaluation.gateway.sse import read_events

_ROLES: dict[str, Role] = {"user": "user", "model": "assistant", "function": "user"}

CALLS = (
    Call("POST", "*:generateContent"),
    Call("POST", "*:streamGenerateContent"),
    Call("POST", "*:countTokens"),
    Call("GET", "*/models"),
)

_STATUSES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    413: "INVALID_ARGUMENT",
    502: "UNAVAILABLE",
}
_REFUSALS = frozenset(("SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"))
"""Reasons to stop by which a model, or a filter, refused."""


def is_generation(method: str, path: str) -> bool:
    """Whether a call asks for an answer; counting tokens does not."""
    asked = path.partition("?")[0].rstrip("/")
    return method == "POST" and asked.endswith((":generateContent", ":streamGenerateContent"))


def model_in_path(path: str) -> str:
    """The model that a call asks for: `gemini-x` of `/v1beta/models/gemini-x:generateContent`."""
    asked = path.partition("?")[0].rpartition("/")[2]
    return unquote(asked.rpartition(":")[0])


def error_body(status: int, message: str) -> bytes:
    """An error in this protocol's shape."""
    kind = _STATUSES.get(status, "INTERNAL")
    return orjson.dumps({"error": {"code": status, "message": message, "status": kind}})


def read_messages(text: str) -> tuple[JsonValue, ...]:
    """The messages as they were sent, less the signatures that a client puts in and takes out."""
    return tuple(_unsigned(content) for content in json.list_field(json.load(text), "contents"))


def _unsigned(content: JsonValue) -> JsonValue:
    if not isinstance(content, dict):
        return content
    parts: list[JsonValue] = [
        {key: value for key, value in part.items() if key != "thoughtSignature"}
        if isinstance(part, dict)
        else part
        for part in json.list_field(content, "parts")
    ]
    return {**content, "parts": parts}


def read_request(text: str, skip: int = 0) -> RequestBody | None:
    """A request's body, `skip` leading messages left out; None where it is no JSON object."""
    body = json.load(text)
    if not isinstance(body, dict):
        return None
    return RequestBody(
        model="",
        messages=tuple(_messages(json.list_field(body, "contents"), skip)),
        tools=tuple(
            json.text_field(function, "name")
            for tool in json.list_field(body, "tools")
            for function in json.list_field(tool, "functionDeclarations")
        ),
        stream=False,  # the path says it
        max_tokens=json.count_field(json.field(body, "generationConfig"), "maxOutputTokens"),
    )


def _messages(contents: Sequence[JsonValue], skip: int) -> Iterator[Message]:
    """Calls and results belong together by the messages beside them, which may be left out."""
    for place in range(skip, len(contents)):
        before = _calls(contents[place - 1]) if place else []
        after = contents[place + 1] if place + 1 < len(contents) else None
        yield _message(contents[place], before, _results(after))


def _calls(content: JsonValue) -> list[JsonValue]:
    return _of_kind(content, "functionCall")


def _results(content: JsonValue) -> list[JsonValue]:
    return _of_kind(content, "functionResponse")


def _of_kind(content: JsonValue, kind: str) -> list[JsonValue]:
    parts = (json.field(part, kind) for part in json.list_field(content, "parts"))
    return [part for part in parts if isinstance(part, dict)]


def _paired(parts: Sequence[JsonValue], others: Sequence[JsonValue]) -> list[JsonValue]:
    """For each call its result, or for each result its call: the one of the same id, or the next
    one of that name where one of the two bears none. None where there is no other."""
    by_id: dict[str, deque[int]] = defaultdict(deque)
    by_name: dict[tuple[str, bool], deque[int]] = defaultdict(deque)
    for place, other in enumerate(others):
        id_ = json.text_field(other, "id")
        by_id[id_].append(place)
        by_name[json.text_field(other, "name"), bool(id_)].append(place)
    taken: set[int] = set()
    pairs: list[JsonValue] = []
    for part in parts:
        id_, name = json.text_field(part, "id"), json.text_field(part, "name")
        lists = [by_id[id_]] if id_ else [by_name[name, True]]
        found = _next([*lists, by_name[name, False]], taken)
        pairs.append(None if found is None else others[found])
    return pairs


def _next(lists: Iterable[deque[int]], taken: set[int]) -> int | None:
    """The first place that is free, which is then taken."""
    for places in lists:
        while places:
            place = places.popleft()
            if place not in taken:
                taken.add(place)
                return place
    return None


def _message(
    content: JsonValue, before: Sequence[JsonValue], after: Sequence[JsonValue]
) -> Message:
    # A request with one user message may leave the role out.
    role = _ROLES.get(json.text_field(content, "role") or "user")
    if role is None:
        return UNKNOWN
    calls, results = _calls(content), _results(content)
    texts = tuple(_texts(json.list_field(content, "parts")))
    return Message(
        role=role,
        text="\n".join(texts),
        blocks=texts if len(texts) > 1 else (),
        uses=tuple(
            _use(call, json.text_field(result, "id"))
            for call, result in zip(calls, _paired(calls, after), strict=True)
        ),
        results=tuple(
            _result(result, json.text_field(call, "id"))
            for result, call in zip(results, _paired(results, before), strict=True)
        ),
    )


def _use(call: JsonValue, given: str = "") -> ToolUse:
    """`given`: the id that its result bears."""
    return ToolUse(
        id=json.text_field(call, "id") or given,
        name=json.text_field(call, "name"),
        arguments=json.object_field(call, "args"),
    )


def _result(result: JsonValue, given: str) -> ToolResult:
    """`given`: the id that its call bears."""
    response = json.field(result, "response")
    return ToolResult(
        id=json.text_field(result, "id") or given,
        text=_result_text(response),
        is_error=isinstance(response, dict) and "error" in response,
    )


def _texts(parts: Sequence[JsonValue]) -> Iterator[str]:
    for part in parts:
        text = json.field(part, "text")
        if isinstance(text, str) and json.field(part, "thought") is not True:
            yield text


def _result_text(response: JsonValue) -> str:
    """By convention a tool's output or its error; whatever else there is, as it stands."""
    for key in ("output", "error"):
        text = json.field(response, key)
        if isinstance(text, str):
            return text
    try:
        return "" if response is None else orjson.dumps(response).decode()
    except TypeError:  # too deep to be written
        return ""


def read_response(text: str) -> ResponseBody | None:
    """An answer's body, streamed or not; None where it is neither an answer nor an error."""
    if text.lstrip()[:1] in ("{", "["):  # plain JSON; a stream without `alt=sse` is a list
        body = json.load(text)
        chunks = body if isinstance(body, list) else [body]
    else:
        chunks = [json.load(event.data) for event in read_events(text)]
    answer = _Answer()
    for chunk in chunks:
        answer.take(chunk)
    return answer.body() if answer.events or answer.error else None


def _error(chunk: JsonValue) -> str:
    """`STATUS: message` of an error; empty for any other chunk."""
    error = json.field(chunk, "error")
    if not isinstance(error, dict):
        return ""
    kind = json.text_field(error, "status") or "error"
    return f"{kind}: {json.text_field(error, 'message')}"


@dataclass
class _Answer:
    """An answer, put together chunk by chunk."""

    model: str = ""
    texts: list[str] = field(default_factory=list)
    calls: list[JsonValue] = field(default_factory=list)
    stop: str = ""
    blocked: str = ""
    """Why the prompt itself was refused."""
    events: int = 0
    usage: JsonValue = None
    """The largest of each count that was given: they are running totals."""
    error: str = ""

    def take(self, chunk: JsonValue) -> None:
        error = _error(chunk)
        if error:
            self.error = error
            return
        blocked = json.text_field(json.field(chunk, "promptFeedback"), "blockReason")
        candidates = json.list_field(chunk, "candidates")
        usage = json.field(chunk, "usageMetadata")
        if not (blocked or candidates or usage):
            return
        self.events += 1
        self.model = json.text_field(chunk, "modelVersion") or self.model
        self.blocked = blocked or self.blocked
        self.usage = json.larger_counts(self.usage, usage)
        if candidates:  # a second one is another answer to the same request
            self._add(candidates[0])

    def _add(self, candidate: JsonValue) -> None:
        self.stop = json.text_field(candidate, "finishReason") or self.stop
        parts = json.list_field(json.field(candidate, "content"), "parts")
        self.texts += _texts(parts)
        self.calls += _calls(json.field(candidate, "content"))

    def body(self) -> ResponseBody:
        return ResponseBody(
            model=self.model,
            text="".join(self.texts),
            uses=tuple(map(_use, self.calls)),
            stop=self.stop or self.blocked,
            events=self.events,
            input_tokens=self._sum("promptTokenCount", "toolUsePromptTokenCount"),
            output_tokens=self._sum("candidatesTokenCount", "thoughtsTokenCount"),
            error=self.error,
            whole=bool(self.stop or self.blocked),
            refused=bool(self.blocked) or self.stop in _REFUSALS,
            cached_tokens=self._sum("cachedContentTokenCount") or 0,
        )

    def _sum(self, *keys: str) -> int | None:
        counts = [json.count_field(self.usage, key) for key in keys]
        given = [count for count in counts if count is not None]
        return sum(given) if given else None


FORMAT = WireFormat(
    name="gemini",
    calls=CALLS,
    is_generation=is_generation,
    read_request=read_request,
    read_messages=read_messages,
    read_response=read_response,
    error_body=error_body,
    model_in_path=model_in_path,
)
