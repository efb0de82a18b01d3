"""What goes wrong on either side passes as it is, is recorded whole, and loses nothing else."""

from __future__ import annotations

import asyncio
from pathlib import Path

import aiohttp
import orjson
import pytest
from aiohttp import web

from evaluation.gateway.context import context_log
from evaluation.gateway.wire import Ending, WireRow
from tests.evaluation.gateway.conftest import (
    ANSWER,
    BOUND,
    MESSAGES,
    Handler,
    Rig,
    answer,
    asks,
    rigged,
    sse,
)

PAGE = b"<!doctype html><title>502 Bad Gateway</title>"
OTHER_MODEL = sse(
    {"type": "message_start", "message": {"model": "m-2", "usage": {}}},
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}},
    {"type": "message_stop"},
)
MALFORMED = b"".join(
    (
        ANSWER[0],
        b"data: {torn\n\n",
        b"event: message_start\nno colon here\n\n",
        b'data: ["a list"]\n\n: a comment\n\nid\n\n',
        b"data: \xff\xfe\n\n",
        *ANSWER[1:],
    )
)


def replies(status: int, body: bytes, kind: str, **headers: str) -> Handler:
    async def reply(request: web.Request) -> web.StreamResponse:
        given = {"Content-Type": kind} | {k.replace("_", "-"): v for k, v in headers.items()}
        return web.Response(status=status, body=body, headers=given)

    return reply


JSON, STREAM, HTML = "application/json", "text/event-stream", "text/html"


@pytest.mark.parametrize(
    ("status", "body", "kind", "end"),
    [
        (401, b'{"type":"error"}', JSON, "complete"),
        (404, b'{"type":"error"}', JSON, "complete"),
        (500, b"Internal Server Error", "text/plain", "complete"),
        (529, b'{"type":"error"}', JSON, "complete"),
        (200, b"", JSON, "complete"),
        (200, b"", STREAM, "upstream_cut"),
        (200, PAGE, HTML, "complete"),
        (200, PAGE, STREAM, "upstream_cut"),
        (200, b'{"type":"message","content":[', JSON, "complete"),
        (200, b'{"type":"error","error":{"type":"api_error","message":"no"}}', JSON, "error_event"),
        (200, MALFORMED, STREAM, "complete"),
        (200, b"".join(ANSWER).replace(b"\n", b"\r\n"), STREAM, "complete"),
        (200, b"".join(ANSWER), "text/plain", "complete"),
        (200, b"".join(OTHER_MODEL), STREAM, "complete"),
    ],
    ids=[
        "401",
        "404",
        "500",
        "529",
        "nothing",
        "an empty stream",
        "a page",
        "a page as a stream",
        "half a body",
        "an error with 200",
        "malformed events",
        "CRLF",
        "a stream of the wrong type",
        "another model",
    ],
)
def test_an_answer_passes_as_it_is_and_the_next_call_is_served(
    tmp_path: Path, status: int, body: bytes, kind: str, end: Ending
) -> None:
    faulty = replies(status, body, kind, Retry_After="0")

    async def reply(request: web.Request) -> web.StreamResponse:
        return await (faulty if b"first" in await request.read() else answer)(request)

    async def run() -> list[WireRow]:
        async with rigged(tmp_path, reply) as rig:
            got = await rig.post(asks("first"))
            assert (got.status, got.body, got.headers["Content-Type"]) == (status, body, kind)
            assert (await rig.post(asks("second"))).body == b"".join(ANSWER)
            return (await rig.close()).rows

    first, second = asyncio.run(run())
    assert (first.status, first.end) == (status, end)
    assert first.response == body.decode(errors="replace")
    assert (second.status, second.end) == (200, "complete")


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [(200, b"", JSON), (200, PAGE, HTML), (200, PAGE, STREAM), (500, b"".join(ANSWER), STREAM)],
    ids=["nothing", "a page", "a page as a stream", "an error"],
)
def test_what_is_no_answer_gives_no_credit(
    tmp_path: Path, status: int, body: bytes, kind: str
) -> None:
    async def run() -> list[WireRow]:
        async with rigged(tmp_path, replies(status, body, kind)) as rig:
            await rig.post(asks("first"))
            return (await rig.close()).rows

    assert context_log(asyncio.run(run())).threads == ()


def test_malformed_events_do_not_hide_the_rest_of_an_answer(tmp_path: Path) -> None:
    async def run() -> tuple[list[WireRow], int]:
        async with rigged(tmp_path, replies(200, MALFORMED, STREAM)) as rig:
            await rig.post(asks("go"))
            closed = await rig.close()
            return closed.rows, closed.traffic.output_tokens

    rows, tokens = asyncio.run(run())
    final = context_log(rows).final
    assert final is not None
    assert (final.text, tokens) == ("Done.", 5)


def test_a_model_of_another_name_is_told(tmp_path: Path) -> None:
    async def run() -> list[WireRow]:
        async with rigged(tmp_path, replies(200, b"".join(OTHER_MODEL), STREAM)) as rig:
            await rig.post(asks("go"))
            return (await rig.close()).rows

    assert dict(context_log(asyncio.run(run())).models) == {"m-2": 1}


def test_a_client_that_tries_thirty_times_is_recorded_thirty_times(tmp_path: Path) -> None:
    async def cutting(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": STREAM})
        await response.prepare(request)
        await response.write(ANSWER[0])
        assert request.transport is not None
        request.transport.close()
        return response

    async def run() -> None:
        async with rigged(tmp_path, cutting) as rig:
            for _ in range(20):
                with pytest.raises(aiohttp.ClientPayloadError):
                    await rig.post(asks("go"))
            for _ in range(10):  # it has been given up
                assert (await rig.post(asks("go"))).status == 403
            assert len(rig.seen) == 20
            closed = await rig.close()
            assert [row.attempt for row in closed.rows] == list(range(1, 31))
            assert [row.end for row in closed.rows] == ["upstream_cut"] * 20 + ["complete"] * 10
            assert closed.traffic.uncounted == 20

    asyncio.run(run())


def test_an_upstream_that_never_answers_leaves_a_row_when_the_client_gives_up(
    tmp_path: Path,
) -> None:
    async def run() -> None:
        come, gone = asyncio.Event(), asyncio.Event()

        async def silent(request: web.Request) -> web.StreamResponse:
            come.set()
            try:
                await asyncio.Event().wait()
            finally:
                gone.set()
            raise AssertionError

        async with rigged(tmp_path, silent) as rig:
            call = asyncio.create_task(rig.post(asks("go")))
            await asyncio.wait_for(come.wait(), BOUND)
            call.cancel()
            await asyncio.wait_for(gone.wait(), BOUND)
            closed = await rig.close()
            assert [(row.status, row.end) for row in closed.rows] == [(0, "client_gone")]
            assert closed.traffic.uncounted == 1

    asyncio.run(run())


async def _raw(rig: Rig, data: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_unix_connection(str(rig.ticket.socket))
    writer.write(data)
    return reader, writer


def _written(rig: Rig, body: bytes, more: str = "") -> bytes:
    head = f"POST {MESSAGES} HTTP/1.1\r\nHost: w\r\nx-api-key: {rig.ticket.token}\r\n{more}"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


def test_a_client_that_closes_its_side_has_gone(tmp_path: Path) -> None:
    """Nothing tells it from one that was killed, whose call must not run on at the upstream."""

    async def run() -> None:
        come, gone = asyncio.Event(), asyncio.Event()

        async def slow(request: web.Request) -> web.StreamResponse:
            come.set()
            try:
                await asyncio.Event().wait()
            finally:
                gone.set()
            raise AssertionError

        async with rigged(tmp_path, slow) as rig:
            reader, writer = await _raw(rig, _written(rig, orjson.dumps(asks("go"))))
            await asyncio.wait_for(come.wait(), BOUND)
            writer.write_eof()
            assert await asyncio.wait_for(reader.read(), BOUND) == b""
            await asyncio.wait_for(gone.wait(), BOUND)
            writer.close()
            await writer.wait_closed()
            assert [row.end for row in (await rig.close()).rows] == ["client_gone"]

    asyncio.run(run())


@pytest.mark.parametrize(
    ("events", "end"), [(ANSWER, "complete"), (ANSWER[:3], "upstream_cut")], ids=["whole", "half"]
)
def test_an_upstream_that_closes_its_side_has_said_all_it_will_say(
    tmp_path: Path, events: list[bytes], end: Ending
) -> None:
    """Without a length, the end of the connection is the end of the answer."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
        writer.write(b"".join(events))
        writer.write_eof()
        await reader.read()
        writer.close()

    async def run() -> None:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        async with server, rigged(tmp_path, url) as rig:
            assert (await asyncio.wait_for(rig.post(asks("go")), BOUND)).body == b"".join(events)
            [row] = (await rig.close()).rows
            assert (row.response.encode(), row.end) == (b"".join(events), end)

    asyncio.run(run())


def test_requests_that_come_at_once_on_one_connection_are_answered_in_their_order(
    tmp_path: Path,
) -> None:
    async def echo(request: web.Request) -> web.StreamResponse:
        return web.Response(body=await request.read())

    async def run() -> None:
        async with rigged(tmp_path, echo) as rig:
            bodies = [orjson.dumps(asks(str(number))) for number in range(5)]
            last = _written(rig, bodies[-1], "Connection: close\r\n")
            sent = b"".join(_written(rig, body) for body in bodies[:-1]) + last
            reader, writer = await _raw(rig, sent)
            got = await asyncio.wait_for(reader.read(), BOUND)
            places = [got.index(body) for body in bodies]
            assert places == sorted(places)
            writer.close()
            await writer.wait_closed()
            rows = (await rig.close()).rows
            assert [row.request.encode() for row in rows] == bodies
            assert {row.end for row in rows} == {"complete"}

    asyncio.run(run())
