"""However an exchange ends, it leaves one row that says how."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Sequence
from pathlib import Path

import aiohttp
import orjson
import pytest
from aiohttp import web

from evaluation.gateway.wire import Ending, WireRow, WireWriter
from tests.evaluation.gateway.conftest import (
    ANSWER,
    BOUND,
    CHAT,
    MESSAGES,
    Rig,
    Settings,
    answer,
    asks,
    rigged,
    sse,
)

STREAM = {"Content-Type": "text/event-stream"}


async def _stream(request: web.Request, events: Sequence[bytes]) -> web.StreamResponse:
    response = web.StreamResponse(headers=STREAM)
    await response.prepare(request)
    for event in events:
        await response.write(event)
    return response


def test_a_client_that_goes_in_mid_stream_ends_the_upstream_call_too(tmp_path: Path) -> None:
    async def run() -> None:
        cancelled = asyncio.Event()

        async def endless(request: web.Request) -> web.StreamResponse:
            await _stream(request, ANSWER[:3])
            try:
                await asyncio.Event().wait()
            finally:
                cancelled.set()
            raise AssertionError

        async with rigged(tmp_path, endless) as rig:
            url = f"http://workstation{MESSAGES}"
            got = await rig.client.post(url, json=asks("go"), headers=rig.headers)
            assert await got.content.readany()
            got.close()
            await asyncio.wait_for(cancelled.wait(), BOUND)
            [row] = (await rig.close()).rows
            assert (row.status, row.end) == (200, "client_gone")
            assert row.response.encode().startswith(ANSWER[0])

    asyncio.run(run())


def test_a_client_that_goes_while_it_sends_leaves_a_row(tmp_path: Path) -> None:
    async def run() -> None:
        async with rigged(tmp_path, answer) as rig:
            reader, writer = await asyncio.open_unix_connection(str(rig.ticket.socket))
            head = f"POST /v1/messages HTTP/1.1\r\nHost: w\r\nx-api-key: {rig.ticket.token}\r\n"
            writer.write(f"{head}Content-Length: 100\r\nExpect: 100-continue\r\n\r\n".encode())
            await writer.drain()
            assert await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), BOUND)
            writer.write(b'{"model"')
            writer.close()
            await writer.wait_closed()
            [row] = (await rig.close()).rows
            assert (row.call, row.status, row.end, row.sent) == (1, 0, "client_gone", 0.0)
            assert rig.seen == []

    asyncio.run(run())


def test_a_client_that_hangs_up_on_the_last_event_has_not_gone(tmp_path: Path) -> None:
    async def run() -> None:
        async def lingering(request: web.Request) -> web.StreamResponse:
            await _stream(request, ANSWER)
            await asyncio.Event().wait()
            raise AssertionError

        async with rigged(tmp_path, lingering) as rig:
            url = f"http://workstation{MESSAGES}"
            got = await rig.client.post(url, json=asks("go"), headers=rig.headers)
            await asyncio.wait_for(got.content.readuntil(b'message_stop"}\n\n'), BOUND)
            got.close()
            [row] = (await rig.close()).rows
            assert row.end == "complete"

    asyncio.run(run())


def test_an_upstream_that_breaks_off_breaks_the_client_off(tmp_path: Path) -> None:
    async def breaking(request: web.Request) -> web.StreamResponse:
        response = await _stream(request, ANSWER[:3])
        assert request.transport is not None
        request.transport.close()
        return response

    async def run() -> None:
        async with rigged(tmp_path, breaking) as rig:
            url = f"http://workstation{MESSAGES}"
            async with rig.client.post(url, json=asks("go"), headers=rig.headers) as got:
                with pytest.raises(aiohttp.ClientPayloadError):
                    await asyncio.wait_for(got.content.read(), BOUND)
            [row] = (await rig.close()).rows
            assert (row.status, row.end) == (200, "upstream_cut")
            assert row.response.encode() == b"".join(ANSWER[:3])

    asyncio.run(run())


OVERLOADED = sse({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}})


@pytest.mark.parametrize(
    ("events", "end"),
    [
        (ANSWER, "complete"),
        (ANSWER[:3], "upstream_cut"),
        ([*ANSWER[:3], *OVERLOADED], "error_event"),
        ([], "upstream_cut"),
    ],
    ids=["whole", "without its end", "with an error", "empty"],
)
def test_a_stream_that_closes_in_order_is_told_by_what_it_says(
    tmp_path: Path, events: list[bytes], end: Ending
) -> None:
    async def run() -> None:
        async with rigged(tmp_path, lambda request: _stream(request, events)) as rig:
            assert (await rig.post(asks("go"))).body == b"".join(events)
            [row] = (await rig.close()).rows
            assert row.end == end

    asyncio.run(run())


@pytest.mark.parametrize(
    ("path", "protocol"), [(MESSAGES, "anthropic"), (CHAT, "openai-chat")], ids=str
)
def test_an_upstream_that_is_missing_is_an_error_the_client_understands(
    tmp_path: Path, path: str, protocol: str
) -> None:
    async def run() -> None:
        with socket.socket() as closed:
            closed.bind(("127.0.0.1", 0))  # bound and not listening: connections are refused
            url = f"http://127.0.0.1:{closed.getsockname()[1]}"
            settings = Settings(protocol="anthropic" if protocol == "anthropic" else "openai-chat")
            async with rigged(tmp_path, url, settings) as rig:
                got = await rig.post(asks("go"), path)
                assert got.status == 502
                assert orjson.loads(got.body)["error"]["message"]
                [row] = (await rig.close()).rows
                assert (row.status, row.end, row.response) == (0, "upstream_cut", "")

    asyncio.run(run())


@pytest.mark.parametrize(("method", "path"), [("POST", MESSAGES), ("GET", "/v1/models")])
def test_a_request_is_never_sent_twice(tmp_path: Path, method: str, path: str) -> None:
    """A GET on a connection that breaks is what an HTTP client likes to send again."""

    async def dropping(request: web.Request) -> web.StreamResponse:
        assert request.transport is not None
        request.transport.abort()
        return web.Response()

    async def run() -> None:
        async with rigged(tmp_path, dropping) as rig:
            got = await rig.send(method, path, asks("go"))
            assert got.status == 502
            assert len(rig.seen) == 1
            assert [row.end for row in (await rig.close()).rows] == ["upstream_cut"]

    asyncio.run(run())


def test_an_error_of_the_upstream_passes_as_it_is(tmp_path: Path) -> None:
    body = b'{"type":"error","error":{"type":"invalid_request_error","message":"no"}}'

    async def failing(request: web.Request) -> web.StreamResponse:
        return web.Response(status=400, body=body, content_type="application/json")

    async def run() -> None:
        async with rigged(tmp_path, failing) as rig:
            got = await rig.post(asks("go"))
            assert (got.status, got.body) == (400, body)
            [row] = (await rig.close()).rows
            assert (row.status, row.end) == (400, "complete")

    asyncio.run(run())


def test_the_call_after_the_last_turn_is_refused_and_recorded(tmp_path: Path) -> None:
    async def run() -> None:
        async with rigged(tmp_path, answer, Settings(turns=2)) as rig:
            statuses = [(await rig.post(asks("go", str(n)))).status for n in range(3)]
            counting = await rig.post(asks("go"), "/v1/messages/count_tokens")
            assert (statuses, counting.status) == ([200, 200, 403], 200)
            assert len(rig.seen) == 3
            closed = await rig.close()
            assert closed.traffic.limit == "2 turns"
            assert closed.traffic.calls == 4
            assert [(r.status, r.end) for r in closed.rows][2] == (403, "complete")
            assert orjson.loads(closed.rows[2].response)["error"]["type"] == "permission_error"

    asyncio.run(run())


def test_tokens_are_summed_by_the_upstreams_own_count(tmp_path: Path) -> None:
    async def run() -> None:
        async with rigged(tmp_path, answer) as rig:
            await rig.post(asks("a"))
            await rig.post(asks("b"))
            traffic = rig.gateway.traffic(rig.ticket)
            assert (traffic.input_tokens, traffic.output_tokens) == (14, 10)
            assert (traffic.limit, traffic.waited, traffic.fault) == ("", 0.0, "")

    asyncio.run(run())


def test_closing_waits_for_the_calls_in_flight(tmp_path: Path) -> None:
    async def run() -> None:
        come, go = asyncio.Event(), asyncio.Event()

        async def slow(request: web.Request) -> web.StreamResponse:
            come.set()
            await go.wait()
            return await answer(request)

        async with rigged(tmp_path, slow) as rig:
            call = asyncio.create_task(rig.post(asks("go")))
            await come.wait()
            closing = asyncio.create_task(rig.close())
            asyncio.get_running_loop().call_soon(go.set)
            [row] = (await closing).rows
            assert (row.end, (await call).status) == ("complete", 200)

    asyncio.run(run())


def test_closing_breaks_off_what_does_not_end(tmp_path: Path) -> None:
    async def run() -> None:
        come = asyncio.Event()

        async def stuck(request: web.Request) -> web.StreamResponse:
            come.set()
            await asyncio.Event().wait()
            raise AssertionError

        async with rigged(tmp_path, stuck) as rig:
            call = asyncio.create_task(rig.post(asks("go")))
            await come.wait()
            [row] = (await rig.close(grace=0.0)).rows
            assert (row.status, row.end) == (0, "client_gone")
            with pytest.raises(aiohttp.ClientError):
                await call

    asyncio.run(run())


def test_a_target_that_is_no_path_is_refused(tmp_path: Path) -> None:
    async def ask(rig: Rig) -> bytes:
        reader, writer = await asyncio.open_unix_connection(str(rig.ticket.socket))
        head = "GET http://127.0.0.1:1/v1/messages HTTP/1.1\r\nHost: w\r\n"
        writer.write(f"{head}x-api-key: {rig.ticket.token}\r\n\r\n".encode())
        status = await asyncio.wait_for(reader.readline(), BOUND)
        writer.close()
        await writer.wait_closed()
        return status

    async def run() -> None:
        async with rigged(tmp_path, answer) as rig:
            assert b" 400 " in await ask(rig)
            assert rig.seen == []
            assert [row.status for row in (await rig.close()).rows] == [400]

    asyncio.run(run())


class FullDisk(WireWriter):
    """Cannot write a row."""

    def write(self, row: WireRow) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_row_that_cannot_be_written_is_a_fault_of_the_run(tmp_path: Path) -> None:
    async def run() -> None:
        async with rigged(tmp_path, answer, Settings(writer=FullDisk)) as rig:
            assert (await rig.post(asks("go"))).status == 200
            traffic = rig.gateway.traffic(rig.ticket)
            assert traffic.fault == "call 1 could not be recorded: No space left on device"

    asyncio.run(run())
