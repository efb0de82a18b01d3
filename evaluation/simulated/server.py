"""Serves simulated reviewers on loopback as if they were models, told apart by their run token."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import orjson
from aiohttp import web
from pydantic import JsonValue

from authoring.errors import InfrastructureError
from evaluation.simulated import anthropic, chat, gemini, responses
from evaluation.simulated.conversation import Conversation, Reply
from evaluation.simulated.reviewer import Reviewer
from evaluation.simulated.truth import Truth
from evaluation.simulated.wire_format import Exchange, estimate_tokens

HOST = "127.0.0.1"
LARGEST_REQUEST = 1 << 28
"""Bytes: the whole history of a long session comes with each call."""

Request = dict[str, JsonValue]


@dataclass(frozen=True)
class Dialect:
    """One protocol, as this server uses it."""

    parse: Callable[[Request], Conversation]
    write_json: Callable[[Reply, Exchange], bytes]
    write_events: Callable[[Reply, Exchange, Request], Iterator[bytes]]
    write_error: Callable[[str, str], bytes]


def _chat_events(reply: Reply, exchange: Exchange, request: Request) -> Iterator[bytes]:
    options = request.get("stream_options")
    with_usage = isinstance(options, dict) and options.get("include_usage") is True
    return chat.write_events(reply, exchange, with_usage=with_usage)


def _anthropic_events(reply: Reply, exchange: Exchange, _: Request) -> Iterator[bytes]:
    return anthropic.write_events(reply, exchange)


def _gemini_events(reply: Reply, exchange: Exchange, _: Request) -> Iterator[bytes]:
    return gemini.write_events(reply, exchange)


ANTHROPIC = Dialect(
    anthropic.parse_request, anthropic.write_json, _anthropic_events, anthropic.write_error
)
CHAT = Dialect(chat.parse_request, chat.write_json, _chat_events, chat.write_error)
RESPONSES = Dialect(
    responses.parse_request,
    responses.write_json,
    responses.write_events,
    responses.write_error,
)
GEMINI = Dialect(gemini.parse_request, gemini.write_json, _gemini_events, gemini.write_error)


class SimulatedServer:
    """`async with SimulatedServer() as server`: a loopback server on a port of its own."""

    def __init__(self) -> None:
        self._reviewers: dict[str, Reviewer] = {}
        self._runner: web.AppRunner | None = None
        self._port = 0

    @property
    def url(self) -> str:
        """Without a path: `http://127.0.0.1:40123`."""
        return f"http://{HOST}:{self._port}"

    def register(self, token: str, reviewer: Reviewer) -> None:
        """From now on calls with this token are answered by this reviewer."""
        self._reviewers[token] = reviewer

    def finish(self, token: str) -> Truth:
        """What the reviewer of a token knows; its calls are refused from now on."""
        return self._reviewers.pop(token).truth()

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=LARGEST_REQUEST)
        app.router.add_post("/v1/messages", self._answer_anthropic)
        app.router.add_post("/v1/messages/count_tokens", self._count_tokens)
        for path in ("/v1/chat/completions", "/chat/completions"):
            app.router.add_post(path, self._answer_chat)
        for path in ("/v1/responses", "/responses"):
            app.router.add_post(path, self._answer_responses)
        app.router.add_post("/v1beta/models/{model}:{method}", self._answer_gemini)
        app.router.add_get("/{path:.*}", _nothing_to_list)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, HOST, 0)
        try:
            await site.start()
        except OSError as error:
            await runner.cleanup()
            raise InfrastructureError(f"no loopback port is to be had: {error}") from error
        self._runner = runner
        self._port = runner.addresses[0][1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    async def _answer_anthropic(self, request: web.Request) -> web.StreamResponse:
        return await self._answer(request, ANTHROPIC)

    async def _answer_chat(self, request: web.Request) -> web.StreamResponse:
        return await self._answer(request, CHAT)

    async def _answer_responses(self, request: web.Request) -> web.StreamResponse:
        return await self._answer(request, RESPONSES)

    async def _answer_gemini(self, request: web.Request) -> web.StreamResponse:
        """The path says which model, and what is wanted of it."""
        model, method = request.match_info["model"], request.match_info["method"]
        if method == "countTokens":
            return await self._count_gemini_tokens(request)
        if method not in ("generateContent", "streamGenerateContent"):
            return _error(404, gemini.write_error("not_found_error", "no such method"))
        streamed = method == "streamGenerateContent"
        return await self._answer(request, GEMINI, {"model": model, "stream": streamed})

    async def _answer(
        self, request: web.Request, dialect: Dialect, by_path: Request | None = None
    ) -> web.StreamResponse:
        reviewer = self._reviewers.get(_token(request))
        if reviewer is None:
            return _error(401, dialect.write_error("authentication_error", "invalid API key"))
        body = await request.read()
        asked = _parse(body)
        if asked is None:
            message = "the request body is not a JSON object"
            return _error(400, dialect.write_error("invalid_request_error", message))
        asked |= by_path or {}
        exchange = Exchange(model=str(asked.get("model", "")), request=body)
        reply = reviewer.answer(dialect.parse(asked))
        if asked.get("stream") is not True:
            answer = dialect.write_json(reply, exchange)
            return web.Response(body=answer, content_type="application/json")
        events = dialect.write_events(reply, exchange, asked)
        return web.Response(
            body=_each(events),
            headers={"Content-Type": "text/event-stream", "Cache-Control": "no-cache"},
        )

    async def _count_tokens(self, request: web.Request) -> web.Response:
        if _token(request) not in self._reviewers:
            body = anthropic.write_error("authentication_error", "invalid API key")
            return _error(401, body)
        count = estimate_tokens(len(await request.read()))
        return web.json_response({"input_tokens": count})

    async def _count_gemini_tokens(self, request: web.Request) -> web.Response:
        if _token(request) not in self._reviewers:
            body = gemini.write_error("authentication_error", "invalid API key")
            return _error(401, body)
        body = gemini.write_tokens(len(await request.read()))
        return web.Response(body=body, content_type="application/json")


async def _nothing_to_list(request: web.Request) -> web.Response:
    return web.json_response({"models" if request.path == "/v1beta/models" else "data": []})


async def _each(events: Iterator[bytes]) -> AsyncIterator[bytes]:
    for item in events:
        yield item


def _token(request: web.Request) -> str:
    key = request.headers.get("x-api-key") or request.headers.get("x-goog-api-key")
    key = key or request.query.get("key", "")
    return key or request.headers.get("Authorization", "").removeprefix("Bearer ").strip()


def _parse(body: bytes) -> Request | None:
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, dict) else None


def _error(status: int, body: bytes) -> web.Response:
    return web.Response(status=status, body=body, content_type="application/json")
