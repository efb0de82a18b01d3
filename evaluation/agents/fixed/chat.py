"""One call of OpenAI Chat Completions, through the official SDK, and what came back as a value.

The SDK takes an operator's organisation, headers and proxies from the environment; none of them
goes out from here.
"""

from __future__ import annotations

import contextlib
import json
import ssl
from collections.abc import AsyncIterator, Mapping, MutableMapping, Sequence
from typing import Protocol, cast

import openai
import orjson
from openai import RequestOptions
from openai.types.chat import ChatCompletionMessageParam, ChatCompletionToolUnionParam
from pydantic import BaseModel, JsonValue, ValidationError

from evaluation.gateway import json_fields
from evaluation.transcripts.fixed_rows import FixedCall, FixedUsage

THREAD_HEADER = "x-thread-id"
PARENT_HEADER = "x-parent-thread-id"
RETRIES = 2
SECONDS = 1800.0
"""For one answer; a run's own limit is below that."""

ASKING: RequestOptions = {"timeout": 30.0, "max_retries": 0}
"""Of questions that a run can do without."""

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

    def __init__(
        self, client: openai.AsyncOpenAI, model: str, settings: Mapping[str, JsonValue]
    ) -> None:
        self._client = client
        self._model = model
        self._settings = settings
        """Sampling and reasoning, by the protocol's own names."""

    async def complete(
        self,
        place: Place,
        messages: Sequence[ChatCompletionMessageParam],
        tools: Sequence[ChatCompletionToolUnionParam],
    ) -> Reply:
        headers = {THREAD_HEADER: place.thread}
        if place.parent is not None:
            headers[PARENT_HEADER] = place.parent
        asked = {**self._settings, "model": self._model, "messages": messages, "tools": tools}
        try:
            # Written here: the SDK would walk through all messages of every call.
            body = await self._client.post(
                "/chat/completions",
                cast_to=bytes,
                content=orjson.dumps(asked),
                options={"headers": headers},
            )
        except openai.OpenAIError as error:
            raise ServerError(f"{type(error).__name__}: {error}") from error
        return read_reply(body)


class ServerRoot:
    """What a server tells beside its chat: paths that begin at its base URL."""

    def __init__(self, client: openai.AsyncOpenAI, url: str) -> None:
        self._client = client
        self._url = url

    async def get(self, path: str) -> JsonValue:
        """The JSON at a path; None where there is none."""
        with contextlib.suppress(openai.OpenAIError):
            found = await self._client.get(f"{self._url}{path}", cast_to=bytes, options=ASKING)
            return json_fields.load(found.decode("utf-8", "replace"))
        return None

    async def post(self, path: str, body: JsonValue) -> JsonValue:
        """The JSON that answers a body; None where there is none."""
        with contextlib.suppress(openai.OpenAIError):
            found = await self._client.post(
                f"{self._url}{path}", cast_to=bytes, content=orjson.dumps(body), options=ASKING
            )
            return json_fields.load(found.decode("utf-8", "replace"))
        return None


@contextlib.asynccontextmanager
async def open_client(url: str, token: str) -> AsyncIterator[openai.AsyncOpenAI]:
    """A client of the server at a base URL, with its token and nothing of the operator's."""

    async def only_own_headers(request: _Request) -> None:
        for name in list(request.headers):
            if name.lower() not in OWN_HEADERS:
                del request.headers[name]
        request.headers["authorization"] = f"Bearer {token}"

    http = openai.DefaultAsyncHttpxClient(
        trust_env=False,
        follow_redirects=False,
        event_hooks={"request": [only_own_headers]},
        # It knows no certificate, since the gateway is called without TLS: to load those of the
        # system takes longer than a short run.
        verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
    )
    async with openai.AsyncOpenAI(
        api_key=token,
        base_url=f"{url}/v1",
        max_retries=RETRIES,
        timeout=SECONDS,
        http_client=http,
    ) as client:
        yield client


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
