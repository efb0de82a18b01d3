"""One call of OpenAI Chat Completions, through the official SDK, and what came back as a value.

The SDK takes an operator's organisation, headers and proxies from the environment; none of them
goes out from here.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncIterator, MutableMapping, Sequence
from typing import Protocol, cast

import openai
from openai.types.chat import ChatCompletionMessageParam, ChatCompletionToolUnionParam
from pydantic import BaseModel, JsonValue, ValidationError

from evaluation.gateway import json_fields
from evaluation.transcripts.fixed_rows import FixedCall, FixedUsage

THREAD_HEADER = "x-thread-id"
PARENT_HEADER = "x-parent-thread-id"
RETRIES = 2
SECONDS = 1800.0
"""For one answer; a run's own limit is below that."""

OWN_HEADERS = frozenset(
    (
        "accept",
        "accept-encoding",
        "authorization",
        "connection",
        "content-length",
        "content-type",
        "host",
        "user-agent",
        "x-stainless-raw-response",  # by it the SDK knows to leave the body alone
        THREAD_HEADER,
        PARENT_HEADER,
    )
)


class ServerError(Exception):
    """The server gave no answer that could be used."""


class Place(Protocol):
    """Which conversation a call belongs to."""

    @property
    def thread(self) -> str: ...

    @property
    def parent(self) -> str | None: ...


class _Function(BaseModel):
    name: str = ""
    arguments: str | dict[str, object] | None = None


class _Call(BaseModel):
    id: str | None = None
    function: _Function = _Function()


class _Message(BaseModel):
    content: str | list[object] | None = None
    tool_calls: list[_Call] | None = None


class _Choice(BaseModel):
    message: _Message


class _Completion(BaseModel):
    """What is needed of an answer. Servers differ in all the rest."""

    model: str | None = None
    choices: list[_Choice]
    usage: object = None


class Reply(BaseModel, frozen=True):
    """One answer."""

    text: str
    calls: tuple[FixedCall, ...]
    model: str | None
    usage: FixedUsage | None


class Chat(Protocol):
    """A model that answers a conversation."""

    async def complete(
        self,
        place: Place,
        messages: Sequence[ChatCompletionMessageParam],
        tools: Sequence[ChatCompletionToolUnionParam],
    ) -> Reply:
        """The next message. Raises ServerError where none can be had."""
        ...


class _Request(Protocol):
    @property
    def headers(self) -> MutableMapping[str, str]: ...


class OpenAIChat:
    """A model behind an OpenAI-compatible server."""

    def __init__(self, client: openai.AsyncOpenAI, model: str) -> None:
        self._client = client
        self._model = model

    async def complete(
        self,
        place: Place,
        messages: Sequence[ChatCompletionMessageParam],
        tools: Sequence[ChatCompletionToolUnionParam],
    ) -> Reply:
        headers = {THREAD_HEADER: place.thread}
        if place.parent is not None:
            headers[PARENT_HEADER] = place.parent
        try:
            response = await self._client.chat.completions.with_raw_response.create(
                model=self._model, messages=messages, tools=tools, extra_headers=headers
            )
        except openai.OpenAIError as error:
            raise ServerError(f"{type(error).__name__}: {error}") from error
        return read_reply(response.content)


@contextlib.asynccontextmanager
async def open_chat(url: str, token: str, model: str) -> AsyncIterator[OpenAIChat]:
    """A chat with the server at a base URL, by its token and nothing of the operator's."""

    async def only_own_headers(request: _Request) -> None:
        for name in list(request.headers):
            if name.lower() not in OWN_HEADERS:
                del request.headers[name]
        request.headers["authorization"] = f"Bearer {token}"

    http = openai.DefaultAsyncHttpxClient(
        trust_env=False, follow_redirects=False, event_hooks={"request": [only_own_headers]}
    )
    async with openai.AsyncOpenAI(
        api_key=token,
        base_url=f"{url}/v1",
        max_retries=RETRIES,
        timeout=SECONDS,
        http_client=http,
    ) as client:
        yield OpenAIChat(client, model)


def read_reply(body: bytes) -> Reply:
    """An answer's body as a value. Raises ServerError where it is no chat completion.

    A call without an id keeps an empty one.
    """
    found = json_fields.load(body.decode("utf-8", "replace"))
    if found is None:
        raise ServerError("the server's answer is not valid JSON")
    try:
        completion = _Completion.model_validate(found)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ServerError(
            f"the server's answer is no chat completion: {where}: {first['msg']}"
        ) from error
    if not completion.choices:
        raise ServerError("the server's answer holds no choice")
    message = completion.choices[0].message
    return Reply(
        text=json_fields.joined_text(cast("JsonValue", message.content)),
        calls=tuple(
            FixedCall(
                id=call.id or "",
                name=call.function.name,
                arguments=_raw(call.function.arguments),
            )
            for call in message.tool_calls or []
        ),
        model=completion.model,
        usage=_usage(completion.usage),
    )


def _usage(usage: object) -> FixedUsage | None:
    """As far as it can be read: what a server counts is no part of its answer."""
    if not isinstance(usage, dict):
        return None
    return FixedUsage(
        prompt_tokens=json_fields.count_field(usage, "prompt_tokens"),
        completion_tokens=json_fields.count_field(usage, "completion_tokens"),
    )


def _raw(arguments: str | dict[str, object] | None) -> str:
    """Arguments as text: some servers send the object itself. Empty where it is nested too deep."""
    if not isinstance(arguments, dict):
        return arguments or ""
    try:
        return json.dumps(arguments, ensure_ascii=False, separators=(",", ":"))
    except RecursionError:
        return ""
