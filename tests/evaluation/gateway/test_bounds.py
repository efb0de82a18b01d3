"""What one agent, or one server, cannot do to all others."""

from __future__ import annotations

import asyncio
import gzip
import logging
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from aiohttp import web

from evaluation.gateway import arriving, doorway, exchange, open_run
from evaluation.gateway.arriving import read_arrived
from evaluation.gateway.bodies import read_body
from evaluation.gateway.messages import Message, ToolUse
from evaluation.gateway.orders import Orders, held_in
from evaluation.gateway.protocols import PROTOCOLS
from evaluation.gateway.recording import read_answer, row_of
from evaluation.gateway.threads import Delegation
from tests.evaluation.gateway.conftest import ANSWER, BOUND, Closed, Rig, answer, asks, rigged, sse

Patch = pytest.MonkeyPatch
MANY = b'{"model":"m-1","tools":[{"name":"R"}],"messages":[' + b"0," * 400_000 + b"0]}"


@pytest.mark.parametrize("encoded", [False, True], ids=["plain", "compressed"])
def test_a_request_of_very_many_messages_is_nobodys_and_recorded_whole(
    tmp_path: Path, encoded: bool
) -> None:
    async def run() -> Closed:
        async with rigged(tmp_path, answer) as rig:
            if encoded:
                got = await rig.post(gzip.compress(MANY), content_encoding="gzip")
            else:
                got = await rig.post(MANY)
            assert got.status == 200
            return await rig.close()

    [row] = asyncio.run(run()).rows
    assert (row.kind, row.request) == ("unknown", MANY.decode())


def test_blocks_in_a_message_count_as_messages_do(monkeypatch: Patch) -> None:
    monkeypatch.setattr(arriving, "MOST_PARTS", 20)
    form = PROTOCOLS["anthropic"]

    def is_read(blocks: int) -> bool:
        body = b'{"messages":[{"content":[{"content":[' + b",".join([b"0"] * blocks) + b"]}]}]}"
        return read_arrived(form, "/", body, "", latest=None).body is not None

    # The message, its field, the block, its field, and what stands in that.
    assert (is_read(16), is_read(17)) == (True, False)


def test_a_large_body_is_read_beside_all_else(tmp_path: Path, monkeypatch: Patch) -> None:
    places: list[bool] = []

    def seen(take: Callable[..., object]) -> Callable[..., object]:
        def taking(*given: object, **named: object) -> object:
            places.append(threading.current_thread() is threading.main_thread())
            return take(*given, **named)

        return taking

    for take in (read_arrived, read_answer, row_of):
        monkeypatch.setattr(open_run, take.__name__, seen(take))

    async def run() -> Closed:
        async with rigged(tmp_path, answer) as rig:
            await rig.post(asks("go"))
            await rig.post(asks("x" * (1 << 20)))
            return await rig.close()

    closed = asyncio.run(run())
    assert [row.end for row in closed.rows] == ["complete", "complete"]
    # Of the second call the answer is small.
    assert places == [True, True, True, False, True, False]


@pytest.mark.parametrize(
    ("body", "encoding"),
    [(b"x" * 30_001, ""), (gzip.compress(b" " * 30_001), "gzip")],
    ids=["sent", "decoded"],
)
def test_a_request_beyond_the_bound_is_not_passed_on(
    tmp_path: Path, monkeypatch: Patch, body: bytes, encoding: str
) -> None:
    monkeypatch.setattr(exchange, "LIMIT", 30_000)
    monkeypatch.setattr(read_body, "__defaults__", (30_000,))

    async def run() -> Closed:
        async with rigged(tmp_path, answer) as rig:
            assert (await rig.post(body, content_encoding=encoding)).status == 413
            assert not rig.seen
            return await rig.close()

    assert [row.status for row in asyncio.run(run()).rows] == [413]


PING = sse({"type": "ping"})[0]


async def never_ends(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    await response.write(ANSWER[0])
    while True:
        await response.write(PING * 100)


@pytest.mark.parametrize("bound", ["LIMIT", "MOST_HELD"])
def test_an_answer_without_end_is_cut(tmp_path: Path, monkeypatch: Patch, bound: str) -> None:
    monkeypatch.setattr(exchange if bound == "LIMIT" else open_run, bound, 200_000)

    async def run() -> Closed:
        async with rigged(tmp_path, never_ends) as rig:
            with pytest.raises(Exception, match="payload"):
                await asyncio.wait_for(rig.post(asks("go")), BOUND)
            return await rig.close()

    closed = asyncio.run(run())
    assert closed.rows[0].end == "upstream_cut"
    assert 100_000 < len(closed.rows[0].response) <= 200_000
    assert "did not end" in closed.traffic.last_failure


def test_what_a_run_holds_is_let_go_when_its_call_is_over(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    monkeypatch.setattr(open_run, "MOST_HELD", 20_000)

    async def run() -> list[int]:
        async with rigged(tmp_path, answer) as rig:
            return [(await rig.post(asks("x" * 15_000))).status for _ in range(3)]

    assert asyncio.run(run()) == [200, 200, 200]


def test_a_prompt_that_repeats_itself_is_looked_for_at_few_places(monkeypatch: Patch) -> None:
    """Else the search would take the product of both lengths: minutes."""
    orders = Orders([Delegation("task", "prompt")], "go")
    orders.answered(1, "main", [ToolUse("i", "task", {"prompt": "a" * 2000})], is_whole=True)
    assert orders.find(held_in([Message("user", "a" * 800_000)])) is None
    twice = held_in([Message("user", "a" * 2500 + " " + "a" * 2000)])
    assert orders.find(twice) is not None
    monkeypatch.setattr("evaluation.gateway.spaced.MOST_PLACES", 500)
    assert orders.find(twice) is None


BAD = (
    b"POST /v1/messages HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
    b"POST /v1/messages HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n",
    b"POST \\x HTTP/1.1\r\nHost: a\r\n\r\n",
)


@pytest.mark.parametrize("raw", BAD, ids=["two lengths", "length and chunks", "chunk", "path"])
def test_what_is_no_http_is_refused_in_silence(
    tmp_path: Path,
    raw: bytes,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    async def run() -> bytes:
        async with rigged(tmp_path, answer) as rig:
            reader, writer = await asyncio.open_unix_connection(rig.ticket.socket)
            writer.write(raw)
            line = await asyncio.wait_for(reader.readline(), BOUND)
            writer.close()
            return line

    with caplog.at_level(logging.DEBUG):
        assert b" 400 " in asyncio.run(run())
    assert [record for record in caplog.records if record.levelno > logging.DEBUG] == []
    assert capfd.readouterr().err == ""


async def knock(rig: Rig) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Open a connection and see it served."""
    reader, writer = await asyncio.open_unix_connection(rig.ticket.socket)
    writer.write(b"GET /none HTTP/1.1\r\nHost: a\r\n\r\n")
    return reader, writer


def test_a_run_has_so_many_connections_and_no_more(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(doorway, "MOST_OPEN", 3)

    async def run() -> None:
        async with rigged(tmp_path, answer) as rig:
            kept = []
            for _ in range(3):
                reader, writer = await knock(rig)
                assert b" 401 " in await asyncio.wait_for(reader.readline(), BOUND)
                kept.append((reader, writer))
            reader, writer = await knock(rig)
            with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
                await asyncio.wait_for(reader.readexactly(1), BOUND)
            writer.close()
            kept[0][1].close()
            await kept[0][1].wait_closed()
            for _ in range(1000):  # until the gateway has seen it
                reader, writer = await knock(rig)
                try:
                    line = await asyncio.wait_for(reader.readline(), BOUND)
                except ConnectionError:
                    line = b""
                writer.close()
                if line:
                    break
            assert b" 401 " in line
            for _, writer in kept:
                writer.close()
                await writer.wait_closed()

    asyncio.run(run())


def test_a_fault_of_the_gateways_own_is_told_by_its_run(tmp_path: Path, monkeypatch: Patch) -> None:
    async def breaks(*given: object) -> None:
        raise RuntimeError

    async def run() -> str:
        async with rigged(tmp_path, answer) as rig:
            monkeypatch.setattr(exchange, "_pass_on", breaks)
            assert (await rig.post(asks("go"))).status == 500
            return (await rig.close()).traffic.fault

    assert asyncio.run(run()) == "the gateway failed: RuntimeError"
