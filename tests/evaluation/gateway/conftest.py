"""A gateway between a real client and a real server, all on loopback."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import orjson
from aiohttp import web
from yarl import URL

from evaluation.gateway.budget import Caps, Price, Purse
from evaluation.gateway.gate import Clock, SteadyClock
from evaluation.gateway.runs import RunPlan, RunTraffic, Ticket, Upstream
from evaluation.gateway.server import Gateway
from evaluation.gateway.threads import ThreadRules
from evaluation.gateway.wire import Protocol, WireRow, WireWriter, read_wire

Json = dict[str, Any]
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

KEY = "live/canary+0123456789abcdef="
"""Slash, plus and equals sign are written otherwise in queries and in some JSON."""
MESSAGES, CHAT = "/v1/messages?beta=true", "/v1/chat/completions"
RULES = ThreadRules(thread_header="x-thread", parent_header="x-parent")
BOUND = 10.0
"""Seconds after which a test that hangs fails."""


def sse(*events: Json) -> list[bytes]:
    """Events as an Anthropic server streams them."""
    return [
        f"event: {event['type']}\ndata: ".encode() + orjson.dumps(event) + b"\n\n"
        for event in events
    ]


ANSWER = sse(
    {
        "type": "message_start",
        "message": {"model": "m-1", "usage": {"input_tokens": 7, "output_tokens": 1}},
    },
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {
        "type": "content_block_delta",
        "index": 0,
        "delta": {"type": "text_delta", "text": "Done."},
    },
    {"type": "content_block_stop", "index": 0},
    {
        "type": "message_delta",
        "delta": {"stop_reason": "end_turn"},
        "usage": {"output_tokens": 5},
    },
    {"type": "message_stop"},
)


def asks(*texts: str, **more: Any) -> Json:
    """A request of an agent: user messages, one tool offered."""
    messages = [{"role": "user", "content": text} for text in texts]
    return {"model": "m-1", "messages": messages, "tools": [{"name": "Read"}], **more}


@dataclass
class Seen:
    """A request as the upstream got it."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


@dataclass
class Answer:
    """A response as the client got it."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass
class Closed:
    """What a run left."""

    traffic: RunTraffic
    rows: list[WireRow]


@dataclass
class Rig:
    """One open run with its client and its upstream."""

    gateway: Gateway
    ticket: Ticket
    client: aiohttp.ClientSession
    seen: list[Seen]
    writer: WireWriter
    wire: Path
    headers: dict[str, str] = field(default_factory=dict)

    async def send(self, method: str, path: str, body: Json | bytes = b"", **more: str) -> Answer:
        """Send a request over the run's socket; keywords are headers, `_` for `-`."""
        headers = self.headers | {name.replace("_", "-"): value for name, value in more.items()}
        data = io.BytesIO(body if isinstance(body, bytes) else orjson.dumps(body))
        url = URL(f"http://workstation{path}", encoded=True)
        async with self.client.request(method, url, data=data, headers=headers) as response:
            return Answer(response.status, response.headers, await response.read())

    async def post(self, body: Json | bytes, path: str = MESSAGES, **more: str) -> Answer:
        return await self.send("POST", path, body, **more)

    async def close(self, grace: float = BOUND) -> Closed:
        traffic = await self.gateway.close_run(self.ticket, grace)
        self.writer.close()
        return Closed(traffic, list(read_wire(self.wire)))


@asynccontextmanager
async def serving(handler: Handler, seen: list[Seen]) -> AsyncIterator[str]:
    """A model's server on loopback, as its base URL."""

    async def note(request: web.Request) -> web.StreamResponse:
        body = await request.read()
        seen.append(Seen(request.method, request.raw_path, request.headers.copy(), body))
        return await handler(request)

    app = web.Application(client_max_size=1 << 30)
    app.router.add_route("*", "/{path:.*}", note)
    runner = web.AppRunner(
        app, access_log=None, auto_decompress=False, handler_cancellation=True, shutdown_timeout=0.1
    )
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


@dataclass(frozen=True)
class Settings:
    """What a test may change about a run."""

    protocol: Protocol = "anthropic"
    rules: ThreadRules = RULES
    turns: int = 100
    tokens: int | None = None
    dollars: float | None = None
    price: Price | None = None
    prices: Mapping[str, Price] = field(default_factory=dict)
    purse: Purse | None = None
    prompt: str = ""
    key: str = KEY
    clock: Clock = field(default_factory=SteadyClock)
    writer: type[WireWriter] = WireWriter


@asynccontextmanager
async def rigged(
    folder: Path, handler: Handler | str, settings: Settings | None = None
) -> AsyncIterator[Rig]:
    """An open run before an upstream that answers with `handler`, or before a given URL."""
    settings = settings or Settings()
    seen: list[Seen] = []
    if isinstance(handler, str):
        async with _rig(folder, handler, seen, settings) as rig:
            yield rig
        return
    async with serving(handler, seen) as url, _rig(folder, url, seen, settings) as rig:
        yield rig


@asynccontextmanager
async def _rig(folder: Path, url: str, seen: list[Seen], settings: Settings) -> AsyncIterator[Rig]:
    wire = folder / "wire.jsonl.zst"
    with settings.writer(wire) as writer:
        async with Gateway(settings.clock) as gateway:
            upstream = Upstream(base_url=url, key=settings.key, protocol=settings.protocol)
            ticket = await gateway.open_run(_plan(folder, upstream, writer, settings))
            connector = aiohttp.UnixConnector(str(ticket.socket))
            async with aiohttp.ClientSession(connector=connector, auto_decompress=False) as client:
                yield Rig(gateway, ticket, client, seen, writer, wire, {"x-api-key": ticket.token})


def _plan(folder: Path, upstream: Upstream, writer: WireWriter, settings: Settings) -> RunPlan:
    return RunPlan(
        upstream=upstream,
        rules=settings.rules,
        writer=writer,
        socket=folder / "g" / "s",
        caps=Caps(settings.turns, settings.tokens, settings.dollars),
        price=settings.price,
        purse=settings.purse,
        prompt=settings.prompt,
        prices=settings.prices,
    )


async def answer(request: web.Request) -> web.StreamResponse:
    """A whole answer in the Anthropic protocol, event by event."""
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream; charset=utf-8"})
    await response.prepare(request)
    for event in ANSWER:
        await response.write(event)
    return response
