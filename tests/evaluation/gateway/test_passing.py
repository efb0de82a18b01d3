"""What is passed on is what came: bytes, order, status, headers; few things are changed."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import zlib
from pathlib import Path

import aiohttp
import brotli
import openai
import orjson
import pytest
import zstandard
from aiohttp import web

from evaluation.gateway.messages import ToolUse
from evaluation.gateway.openai_chat import read_response
from tests.evaluation.gateway.conftest import (
    ANSWER,
    BOUND,
    CHAT,
    KEY,
    MESSAGES,
    Json,
    Rig,
    Settings,
    answer,
    asks,
    rigged,
)

RESPONSES, GEMINI = "/v1/responses", "/v1beta/models/m-1"


def test_request_and_answer_pass_unchanged_but_for_the_credential(tmp_path: Path) -> None:
    body = b'{ "model":"m-1",\n "messages":[], "odd":"\\u2028\xc3\xa9" }'

    async def run() -> None:
        async with rigged(tmp_path, answer) as rig:
            got = await rig.post(body, "/v1/messages?beta=true&q=a%2Fb", X_Beta="one,two")
            seen = rig.seen[0]
            assert seen.body == body
            assert (seen.method, seen.path) == ("POST", "/v1/messages?beta=true&q=a%2Fb")
            assert seen.headers["x-api-key"] == KEY
            assert seen.headers["X-Beta"] == "one,two"
            assert seen.headers["Host"].startswith("127.0.0.1:")
            assert got.status == 200
            assert got.body == b"".join(ANSWER)
            [row] = (await rig.close()).rows
            assert row.request.encode() == body
            assert row.response.encode() == b"".join(ANSWER)
            assert (row.status, row.end, row.call) == (200, "complete", 1)

    asyncio.run(run())


def test_headers_pass_both_ways_and_none_is_added(tmp_path: Path) -> None:
    async def reply(request: web.Request) -> web.StreamResponse:
        response = web.Response(status=418, reason="Teapot", body=b"x")
        response.headers.extend([("X-Two", "a=1"), ("X-Two", "b=2"), ("X-Odd", "é")])
        response.headers["Set-Cookie"] = "a=1"
        response.headers["Connection"] = "keep-alive, X-Hop"
        response.headers["X-Hop"] = "1"
        return response

    async def run() -> None:
        async with rigged(tmp_path, reply) as rig:
            names = ("User-Agent", "Accept", "Accept-Encoding", "Content-Type")
            async with rig.client.get(
                "http://workstation/v1/models",
                headers={**rig.headers, "Connection": "keep-alive, X-Mine", "X-Mine": "1"},
                skip_auto_headers=names,
            ) as got:
                assert (got.status, got.reason) == (418, "Teapot")
                assert got.headers.getall("X-Two") == ["a=1", "b=2"]
                assert "Set-Cookie" not in got.headers
                assert got.headers["X-Odd"] == "é"
                assert "X-Hop" not in got.headers
                assert await got.read() == b"x"
            assert set(rig.seen[0].headers) == {"Host", "x-api-key"}

    asyncio.run(run())


def test_headers_that_the_upstream_did_not_send_are_not_made_up(tmp_path: Path) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        writer.close()

    async def run() -> None:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        async with server, rigged(tmp_path, url) as rig:
            got = await rig.send("GET", "/v1/models")
            assert got.body == b"ok"
            assert set(got.headers) == {"Content-Length"}

    asyncio.run(run())


def test_an_event_reaches_the_client_before_the_next_is_made(tmp_path: Path) -> None:
    async def run() -> None:
        taken = asyncio.Event()

        async def step_by_step(request: web.Request) -> web.StreamResponse:
            response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
            await response.prepare(request)
            for event in ANSWER:
                await response.write(event)
                await asyncio.wait_for(taken.wait(), BOUND)
                taken.clear()
            return response

        async with rigged(tmp_path, step_by_step) as rig:
            url = f"http://workstation{MESSAGES}"
            async with rig.client.post(url, json=asks("go"), headers=rig.headers) as got:
                for event in ANSWER:
                    assert await asyncio.wait_for(got.content.readany(), BOUND) == event
                    taken.set()
                assert await got.content.read() == b""
            [row] = (await rig.close()).rows
            assert row.response.encode() == b"".join(ANSWER)
            assert row.sent <= row.first_byte <= row.done

    asyncio.run(run())


def test_the_head_of_an_answer_does_not_wait_for_its_body(tmp_path: Path) -> None:
    async def run() -> None:
        go = asyncio.Event()

        async def thinking(request: web.Request) -> web.StreamResponse:
            response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
            await response.prepare(request)
            await asyncio.wait_for(go.wait(), BOUND)
            await response.write(b"".join(ANSWER))
            return response

        async with rigged(tmp_path, thinking) as rig:
            url = f"http://workstation{MESSAGES}"
            call = rig.client.post(url, json=asks("go"), headers=rig.headers)
            got = await asyncio.wait_for(call, BOUND)
            assert got.status == 200
            go.set()
            assert await asyncio.wait_for(got.read(), BOUND) == b"".join(ANSWER)

    asyncio.run(run())


PLAIN = b"".join(ANSWER)


@pytest.mark.parametrize(
    ("encoding", "packed"),
    [
        ("gzip", gzip.compress(PLAIN)),
        ("deflate", zlib.compress(PLAIN)),
        ("br", brotli.compress(PLAIN)),
        ("zstd", zstandard.compress(PLAIN)),
    ],
)
def test_a_compressed_body_passes_as_it_is_and_is_recorded_as_text(
    tmp_path: Path, encoding: str, packed: bytes
) -> None:
    async def reply(request: web.Request) -> web.StreamResponse:
        headers = {"Content-Encoding": encoding, "Content-Type": "text/event-stream"}
        return web.Response(body=packed, headers=headers)

    async def run() -> None:
        async with rigged(tmp_path, reply) as rig:
            body = gzip.compress(orjson.dumps(asks("go")))
            got = await rig.post(body, Content_Encoding="gzip")
            assert got.body == packed
            assert got.headers["Content-Encoding"] == encoding
            assert rig.seen[0].body == body
            [row] = (await rig.close()).rows
            assert row.response.encode() == PLAIN
            assert row.request.encode() == orjson.dumps(asks("go"))
            assert (row.kind, row.end) == ("main", "complete")

    asyncio.run(run())


def test_a_request_of_20_megabytes_passes_and_is_recorded(tmp_path: Path) -> None:
    async def run() -> None:
        async with rigged(tmp_path, answer) as rig:
            body = orjson.dumps(asks("x" * 20_000_000))
            assert (await rig.post(body)).status == 200
            assert rig.seen[0].body == body
            [row] = (await rig.close()).rows
            recorded = hashlib.sha256(row.request.encode()).digest()
            assert recorded == hashlib.sha256(body).digest()

    asyncio.run(run())


async def _raw_get(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, token: str) -> bytes:
    head = f"GET /v1/models HTTP/1.1\r\nHost: w\r\nAuthorization: Bearer {token}\r\n\r\n"
    writer.write(head.encode())
    answer_head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), BOUND)
    assert b"200 OK" in answer_head
    return await asyncio.wait_for(reader.readexactly(2), BOUND)


def test_connections_are_kept_on_both_sides(tmp_path: Path) -> None:
    async def run() -> None:
        ports: set[int] = set()

        async def reply(request: web.Request) -> web.StreamResponse:
            assert request.transport is not None
            ports.add(request.transport.get_extra_info("peername")[1])
            return web.Response(body=b"ok")

        async with rigged(tmp_path, reply) as rig:
            reader, writer = await asyncio.open_unix_connection(str(rig.ticket.socket))
            for _ in range(3):
                assert await _raw_get(reader, writer, rig.ticket.token) == b"ok"
            writer.close()
            await writer.wait_closed()
            assert len(ports) == 1
            assert rig.seen[0].headers["Authorization"] == f"Bearer {KEY}"
            assert len((await rig.close()).rows) == 3

    asyncio.run(run())


def test_a_server_without_a_key_is_sent_no_credential(tmp_path: Path) -> None:
    async def run() -> None:
        async with rigged(tmp_path, answer, Settings(key="")) as rig:
            assert (await rig.post(asks("go"))).status == 200
            assert "x-api-key" not in rig.seen[0].headers

    asyncio.run(run())


@pytest.mark.parametrize(
    ("path", "shape"),
    [
        (MESSAGES, {"type": "error", "error": {"type": "authentication_error"}}),
        (CHAT, {"error": {"type": "invalid_request_error", "code": None, "param": None}}),
        (RESPONSES, {"error": {"type": "invalid_request_error", "code": None, "param": None}}),
        (f"{GEMINI}:generateContent", {"error": {"code": 401, "status": "UNAUTHENTICATED"}}),
        (f"{GEMINI}:countTokens", {"error": {"code": 401, "status": "UNAUTHENTICATED"}}),
    ],
    ids=["anthropic", "openai-chat", "openai-responses", "gemini", "gemini, counting"],
)
def test_an_unknown_token_is_refused_and_nothing_is_forwarded(
    tmp_path: Path, path: str, shape: Json
) -> None:
    async def run() -> None:
        async with rigged(tmp_path, answer) as rig:
            got = await rig.post(asks("go"), path, X_Api_Key="sk-unknown")
            assert got.status == 401
            assert got.headers["Content-Type"].startswith("application/json")
            error = orjson.loads(got.body)
            assert error["error"].pop("message")
            assert error == shape
            assert rig.seen == []
            assert (await rig.close()).rows == []

    asyncio.run(run())


@pytest.mark.parametrize("header", ["x-api-key", "x-goog-api-key", "Authorization"])
def test_the_token_is_known_in_every_header_that_may_carry_it(tmp_path: Path, header: str) -> None:
    async def run() -> None:
        async with rigged(tmp_path, answer) as rig:
            scheme = "bearer " if header == "Authorization" else ""
            rig.headers = {header: scheme + rig.ticket.token}
            assert (await rig.post(asks("go"))).status == 200
            assert rig.seen[0].headers[header] == scheme + KEY

    asyncio.run(run())


def test_a_closed_run_lets_nobody_in(tmp_path: Path) -> None:
    async def run() -> None:
        async with rigged(tmp_path, answer) as rig:
            await rig.post(asks("go"))
            assert (await rig.close()).traffic.calls == 1
            assert not rig.ticket.socket.exists()
            async with aiohttp.ClientSession() as other:
                late = await other.post(f"{rig.ticket.url}{MESSAGES}", headers=rig.headers)
                assert late.status == 401
            assert len(rig.seen) == 1

    asyncio.run(run())


def test_the_socket_lies_in_a_folder_of_the_owner_alone(tmp_path: Path) -> None:
    async def run() -> None:
        async with rigged(tmp_path, answer) as rig:
            assert rig.ticket.socket.is_socket()
            assert rig.ticket.socket.parent.stat().st_mode & 0o777 == 0o700

    asyncio.run(run())


CHUNKS: list[dict[str, object]] = [
    {"role": "assistant", "content": None},
    {"tool_calls": [{"index": 0, "id": "c1", "function": {"name": "read", "arguments": ""}}]},
    {"tool_calls": [{"index": 0, "function": {"arguments": '{"path":'}}]},
    {"tool_calls": [{"index": 0, "function": {"arguments": ' "a.md"}'}}]},
]


def test_the_openai_client_streams_a_tool_call_through(tmp_path: Path) -> None:
    async def reply(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        for number, delta in enumerate(CHUNKS):
            finish = "tool_calls" if number == len(CHUNKS) - 1 else None
            choice = {"index": 0, "delta": delta, "finish_reason": finish}
            chunk = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m-1"}
            line = orjson.dumps({**chunk, "choices": [choice]})
            await response.write(b"data: " + line + b"\n\n")
        await response.write(b"data: [DONE]\n\n")
        return response

    async def ask(rig: Rig) -> str:
        client = openai.AsyncOpenAI(
            base_url=f"{rig.ticket.url}/v1", api_key=rig.ticket.token, max_retries=0
        )
        async with client:
            stream = await client.chat.completions.create(
                model="m-1",
                messages=[{"role": "user", "content": "go"}],
                tools=[{"type": "function", "function": {"name": "read"}}],
                stream=True,
            )
            pieces = [
                call.function.arguments or ""
                async for chunk in stream
                for call in chunk.choices[0].delta.tool_calls or []
                if call.function is not None
            ]
            return "".join(pieces)

    async def run() -> None:
        async with rigged(tmp_path, reply, Settings(protocol="openai-chat")) as rig:
            assert await ask(rig) == '{"path": "a.md"}'
            [row] = (await rig.close()).rows
            assert (row.kind, row.end, row.path) == ("main", "complete", CHAT)
            read = read_response(row.response)
            assert read is not None
            assert read.uses == (ToolUse("c1", "read", {"path": "a.md"}),)

    asyncio.run(run())
