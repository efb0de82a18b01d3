"""The wire file: whole, torn, and as it stands on disk."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest
import zstandard
from aiohttp import web

from authoring.errors import UserError
from evaluation.gateway.wire import WireRow, WireWriter, is_whole, read_wire
from tests.evaluation.gateway.conftest import ANSWER, Json, Rig, Settings, answer, asks, rigged

ROW = WireRow(
    call=1,
    attempt=1,
    protocol="anthropic",
    method="POST",
    path="/v1/messages",
    thread="main",
    parent=None,
    kind="main",
    by="header",
    sent=1.0,
    first_byte=2.0,
    done=3.0,
    status=200,
    end="complete",
    request_headers={},
    request="",
    response_headers={},
    response="",
    base=None,
    keep=0,
)


def rows(count: int) -> list[WireRow]:
    """Rows with text that does not compress to nothing."""
    return [
        ROW.model_copy(update={"call": n, "request": f"line {n * 7919 % 1000}\u2028" * (n % 5 + 1)})
        for n in range(1, count + 1)
    ]


def test_a_file_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "wire.jsonl.zst"
    with WireWriter(path) as writer:
        for row in rows(20):
            writer.write(row)
    assert list(read_wire(path)) == rows(20)


def test_a_killed_file_is_readable_to_its_last_whole_row(tmp_path: Path) -> None:
    """Cut at every seventh byte and at the end of each row, it gives the rows before the cut."""
    path, torn = tmp_path / "wire.jsonl.zst", tmp_path / "torn"
    ends = []
    with WireWriter(path) as writer:
        for row in rows(20):
            writer.write(row)
            ends.append(path.stat().st_size)
    whole = path.read_bytes()
    cuts = sorted({*range(0, len(whole), 7), *ends})
    for cut in cuts:
        torn.write_bytes(whole[:cut])
        written = sum(end <= cut for end in ends)
        assert list(read_wire(torn)) == rows(20)[:written]
        assert not is_whole(torn)
    assert is_whole(path)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b'{"schema":"ocb.wire/2"}', "is not ocb.wire/1"),
        (b'{"schema":"ocb.wire/1"}\n{"call":1}', "is not ocb.wire/1"),
    ],
    ids=["another schema", "a row of another shape"],
)
def test_another_file_is_refused(tmp_path: Path, line: bytes, says: str) -> None:
    path = tmp_path / "wire.jsonl.zst"
    path.write_bytes(zstandard.compress(line + b"\n"))
    with pytest.raises(UserError, match=says):
        list(read_wire(path))


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        list(read_wire(tmp_path / "none"))


class Standing:
    """It is always the same moment: how often a clock is looked at is nobody's business."""

    def now(self) -> float:
        return 1_700_000_000.0

    async def sleep(self, seconds: float) -> None:
        raise AssertionError


async def plain(request: web.Request) -> web.StreamResponse:
    """An answer without the headers that change from day to day."""
    if "count_tokens" in request.path:
        response: web.StreamResponse = web.json_response({"input_tokens": 12})
    else:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    response.headers["Date"] = "Mon, 01 Jan 2024 00:00:00 GMT"
    response.headers["Server"] = "model"
    await response.prepare(request)
    if isinstance(response, web.Response):
        return response
    for event in ANSWER:
        await response.write(event)
    return response


async def converse(rig: Rig) -> None:
    """A main thread, a sub-agent, a token count, and a call beyond the last turn."""
    use: Json = {
        "role": "assistant",
        "content": [{"type": "tool_use", "id": "t1", "name": "Read", "input": {"path": "a.md"}}],
    }
    result: Json = {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "1\tfirst line"}],
    }
    opening = asks("Review the folder.")
    further = opening | {"messages": [*opening["messages"], use, result]}
    skipped = {"User-Agent": "cli/1", "Accept": "*/*", "Accept-Encoding": "identity"}
    rig.headers |= skipped | {"Content-Type": "application/json"}
    await rig.post(opening)
    await rig.post(opening, "/v1/messages/count_tokens")
    await rig.post(asks("Review a part."), x_thread="a1")
    await rig.post(further)
    await rig.post(further)


def test_golden_wire(tmp_path: Path, golden: Callable[[str, bytes], None]) -> None:
    async def run() -> None:
        async with rigged(tmp_path, plain, Settings(clock=Standing(), turns=3)) as rig:
            await converse(rig)
            await rig.close()

    asyncio.run(run())
    packed = (tmp_path / "wire.jsonl.zst").read_bytes()
    text = zstandard.ZstdDecompressor().decompressobj().decompress(packed)
    golden("wire.jsonl", text)


def test_rows_of_parallel_calls_are_numbered_as_they_came(tmp_path: Path) -> None:
    """The second call ends first; its row stands first and keeps its number."""

    async def run() -> list[int]:
        come, go = asyncio.Event(), asyncio.Event()

        async def first_waits(request: web.Request) -> web.StreamResponse:
            if not come.is_set():
                come.set()
                await go.wait()
            return await answer(request)

        async with rigged(tmp_path, first_waits) as rig:
            first = asyncio.create_task(rig.post(asks("one")))
            await come.wait()
            await rig.post(asks("two"))
            go.set()
            await first
            closed = await rig.close()
            assert [orjson.loads(r.request)["messages"][0]["content"] for r in closed.rows] == [
                "two",
                "one",
            ]
            return [row.call for row in closed.rows]

    assert asyncio.run(run()) == [2, 1]
