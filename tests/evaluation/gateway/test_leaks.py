"""An upstream that says the key back does not hand it to the agent."""

from __future__ import annotations

import asyncio
import gzip
import re
import zlib
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import aiohttp
import brotli
import orjson
import pytest
import zstandard
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from evaluation.gateway.bodies import open_decoder
from evaluation.gateway.key_walk import may_become
from evaluation.gateway.leaks import KeySearch, Starring, WithheldError, Withholding
from evaluation.gateway.secrets import any_writing
from tests.evaluation.gateway.conftest import (
    ANSWER,
    BOUND,
    KEY,
    MESSAGES,
    Handler,
    Settings,
    asks,
    rigged,
    sse,
)

STARS = "*" * len(KEY)
SECRET_PART = b"0123456789abcdef"

PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli.compress,
    "zstd": zstandard.compress,
}


def replies(body: bytes, **headers: str) -> Handler:
    given = {name.replace("_", "-"): value for name, value in headers.items()}

    async def reply(request: web.Request) -> web.StreamResponse:
        return web.Response(status=400, body=body, headers=given, reason=f"Bad {KEY}")

    return reply


def streams(*chunks: bytes, **headers: str) -> Handler:
    given = {name.replace("_", "-"): value for name, value in headers.items()}

    async def reply(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers=given)
        await response.prepare(request)
        for chunk in chunks:
            await response.write(chunk)
            await asyncio.sleep(0)
        return response

    return reply


def test_a_key_in_body_headers_and_reason_is_starred_out(tmp_path: Path) -> None:
    body = f'{{"error": "bad key {KEY}", "url": "?k={quote(KEY, safe="")}"}}'.encode()
    reply = replies(body, X_Echo=f"Bearer {KEY}", Location=f"/x?k={quote(KEY)}", Set_Cookie=KEY)

    async def run() -> None:
        async with rigged(tmp_path, reply) as rig:
            url = f"http://workstation{MESSAGES}"
            async with rig.client.post(url, json=asks("go"), headers=rig.headers) as got:
                text = await got.text()
                assert orjson.loads(text)["error"] == f"bad key {STARS}"
                assert len(text) == len(body) == int(got.headers["Content-Length"])
                assert got.headers["X-Echo"] == f"Bearer {STARS}"
                assert "Set-Cookie" not in got.headers
                seen = f"{got.reason}{got.headers}{text}".encode()
                assert SECRET_PART not in seen
            [row] = (await rig.close()).rows
            assert row.response.startswith('{"error": "bad key [key]"')

    asyncio.run(run())


@pytest.mark.parametrize("cut", range(1, len(KEY)))
def test_a_key_that_comes_in_two_chunks_is_starred_out(cut: int) -> None:
    search = KeySearch.of(KEY)
    assert search is not None
    outlet = Starring(search)
    data = f"data: {KEY} and more".encode()
    at = data.index(KEY.encode()) + cut
    out = outlet.take(data[:at]) + outlet.take(data[at:]) + outlet.rest()
    assert out == f"data: {STARS} and more".encode()


LIVE = "sk-live-abcdefgh0123456789"
WRITINGS = {
    "plain": LIVE,
    "json": LIVE.replace("-", r"\u002d"),
    "json in json": LIVE.replace("-", r"\\u002D"),
    "percent": LIVE.replace("-", "%2D"),
    "percent twice": LIVE.replace("-", "%252d"),
    "thrice": LIVE.replace("-", "%25252D"),
    "slashed": LIVE.replace("-", r"\\-"),
    "mixed": LIVE.replace("-", "%2d", 1).replace("-", r"\u002d", 1),
}


@pytest.mark.parametrize("written", WRITINGS.values(), ids=WRITINGS)
def test_a_key_split_anywhere_is_starred_out_however_it_is_written(written: str) -> None:
    search = KeySearch.of(LIVE)
    assert search is not None
    data = f"data: s {written} and s".encode()
    stars = data.replace(written.encode(), b"*" * len(written))
    for cut in range(len(data)):
        outlet = Starring(search)
        assert outlet.take(data[:cut]) + outlet.take(data[cut:]) + outlet.rest() == stars
    outlet = Starring(search)
    bits = [outlet.take(data[at : at + 1]) for at in range(len(data))]
    assert b"".join(bits) + outlet.rest() == stars


@pytest.mark.parametrize("written", WRITINGS.values(), ids=WRITINGS)
def test_a_key_split_anywhere_in_a_compressed_stream_is_withheld(written: str) -> None:
    search = KeySearch.of(LIVE)
    assert search is not None
    data = f"data: {written}\n\n".encode()
    for cut in range(len(b"data: ") + 1, len(data) - len(b"\n\n")):
        packer = zlib.compressobj(wbits=31)
        first = packer.compress(data[:cut]) + packer.flush(zlib.Z_SYNC_FLUSH)
        outlet = Withholding(search, open_decoder("gzip"), whole=False)
        assert outlet.take(first) == b""
        with pytest.raises(WithheldError):
            outlet.take(packer.compress(data[cut:]) + packer.flush())


@pytest.mark.parametrize(
    ("key", "written"),
    [
        (r"abc\def-0123456789", rb"abc\\def-0123456789"),
        (r"abc\\-ef0123456789", rb"abc\\\\-ef0123456789"),
        ("abc%def-0123456789", b"abc%25def%2D0123456789"),
        ("abc%def-0123456789", b"abc%2525def%2D0123456789"),
        ("-abc%25x0123456789", b"%2Dabc%2525x0123456789"),
    ],
)
def test_a_key_of_characters_that_escape_others_is_known_by_each_beginning(
    key: str, written: bytes
) -> None:
    assert re.fullmatch(any_writing(key).encode(), written)
    for end in range(1, len(written)):
        assert may_become(key, written[:end])
    assert not may_become(key, b"x" + written)
    assert not may_become(key, written + b"x")


@given(st.lists(st.sampled_from([KEY.encode(), KEY[:9].encode(), b"live", b"l", b"\n", b"x"])))
def test_what_goes_out_is_what_came_with_every_key_starred(parts: list[bytes]) -> None:
    search = KeySearch.of(KEY)
    assert search is not None
    outlet = Starring(search)
    out = b"".join([*map(outlet.take, parts), outlet.rest()])
    assert out == b"".join(parts).replace(KEY.encode(), STARS.encode())


@given(st.binary(max_size=60))
def test_no_more_is_held_back_than_may_become_the_key(data: bytes) -> None:
    search = KeySearch.of(KEY)
    assert search is not None
    outlet = Starring(search)
    held = len(data) - len(outlet.take(data))
    assert held < len(KEY) * 3
    assert held == 0 or data[-held:].startswith(b"l")


def test_a_key_that_comes_in_pieces_is_starred_out_on_the_way(tmp_path: Path) -> None:
    key = KEY.encode()
    parts = (b"data: ", key[:5], key[5:11], key[11:], b"\n\n", *ANSWER)

    async def run() -> None:
        async with rigged(tmp_path, streams(*parts, Content_Type="text/event-stream")) as rig:
            got = await rig.post(asks("go"))
            assert got.body == b"data: " + STARS.encode() + b"\n\n" + b"".join(ANSWER)

    asyncio.run(run())


@pytest.mark.parametrize("encoding", PACKERS)
def test_a_compressed_answer_with_the_key_is_withheld(encoding: str, tmp_path: Path) -> None:
    body = PACKERS[encoding](orjson.dumps({"error": f"bad key {KEY}"}))

    async def run() -> None:
        async with rigged(tmp_path, replies(body, Content_Encoding=encoding)) as rig:
            got = await rig.post(asks("go"))
            assert got.status == 502
            assert "Content-Encoding" not in got.headers
            assert orjson.loads(got.body)["type"] == "error"
            [row] = (await rig.close()).rows
            assert (row.status, row.response) == (502, got.body.decode())
            assert row.response_headers == {}

    asyncio.run(run())


def flushed(*parts: bytes) -> list[bytes]:
    """Each part compressed so that it can be read before the next one comes."""
    packer = zlib.compressobj(wbits=31)
    return [packer.compress(part) + packer.flush(zlib.Z_SYNC_FLUSH) for part in parts]


async def take_all(got: aiohttp.ClientResponse, came: bytearray) -> None:
    while chunk := await got.content.readany():
        came += chunk


def test_a_compressed_stream_is_cut_before_the_key(tmp_path: Path) -> None:
    """Also where the key comes in two events."""
    key = KEY.encode()
    chunks = flushed(*ANSWER[:3], b"data: " + key[:9], key[9:] + b"\n\n", ANSWER[3])
    headers = {"Content_Type": "text/event-stream", "Content_Encoding": "gzip"}

    async def run() -> None:
        async with rigged(tmp_path, streams(*chunks, **headers)) as rig:
            url = f"http://workstation{MESSAGES}"
            came = bytearray()
            async with rig.client.post(url, json=asks("go"), headers=rig.headers) as got:
                with pytest.raises(aiohttp.ClientPayloadError):
                    await asyncio.wait_for(take_all(got, came), BOUND)
            plain = zlib.decompressobj(wbits=31).decompress(came)
            assert b"".join(ANSWER[:3]).startswith(plain)
            [row] = (await rig.close()).rows
            assert (row.status, row.end) == (200, "upstream_cut")
            assert KEY not in row.response

    asyncio.run(run())


def test_a_compressed_stream_without_the_key_goes_out_event_by_event(tmp_path: Path) -> None:
    async def run() -> None:
        taken = asyncio.Event()
        chunks = flushed(*ANSWER)

        async def step_by_step(request: web.Request) -> web.StreamResponse:
            headers = {"Content-Type": "text/event-stream", "Content-Encoding": "gzip"}
            response = web.StreamResponse(headers=headers)
            await response.prepare(request)
            for chunk in chunks:
                await response.write(chunk)
                await asyncio.wait_for(taken.wait(), BOUND)
                taken.clear()
            return response

        async with rigged(tmp_path, step_by_step) as rig:
            url = f"http://workstation{MESSAGES}"
            async with rig.client.post(url, json=asks("go"), headers=rig.headers) as got:
                for chunk in chunks:
                    assert await asyncio.wait_for(got.content.readexactly(len(chunk)), BOUND)
                    taken.set()

    asyncio.run(run())


@pytest.mark.parametrize(
    ("encoding", "body"),
    [("snappy", b"anything"), ("gzip", b"no gzip"), ("gzip, gzip, gzip, gzip, gzip", b"x")],
)
def test_an_answer_that_cannot_be_looked_into_is_withheld(
    encoding: str, body: bytes, tmp_path: Path
) -> None:
    async def run() -> None:
        async with rigged(tmp_path, replies(body, Content_Encoding=encoding)) as rig:
            assert (await rig.post(asks("go"))).status == 502

    asyncio.run(run())


def test_a_word_that_serves_as_key_is_no_secret(tmp_path: Path) -> None:
    body = b'{"error": "EMPTY is no key"}'

    async def run() -> None:
        async with rigged(tmp_path, replies(body), Settings(key="EMPTY")) as rig:
            assert (await rig.post(asks("go"))).body == body
        packed = gzip.compress(body)
        other = tmp_path / "other"
        other.mkdir()
        reply = replies(packed, Content_Encoding="gzip")
        async with rigged(other, reply, Settings(key="EMPTY")) as rig:
            assert (await rig.post(asks("go"))).body == packed

    asyncio.run(run())


def test_an_event_that_ends_like_a_key_begins_is_held_back_until_the_next(tmp_path: Path) -> None:
    events = [b"data: live", b" and well\n\n", *sse({"type": "ping"})]

    async def run() -> None:
        async with rigged(tmp_path, streams(*events, Content_Type="text/event-stream")) as rig:
            assert (await rig.post(asks("go"))).body == b"".join(events)

    asyncio.run(run())
