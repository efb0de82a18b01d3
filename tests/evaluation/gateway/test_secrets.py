"""No key and no token stands in anything that is written."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from urllib.parse import quote

import orjson
import pytest
import zstandard
from aiohttp import web

from authoring.errors import UserError
from evaluation.gateway.runs import Upstream
from evaluation.gateway.secrets import CREDENTIAL, Secrets, check_key, key_is_safe
from tests.evaluation.gateway.conftest import KEY, MESSAGES, Settings, asks, rigged

TOKEN = "sk-0123456789abcdef"


def test_neither_wire_nor_logs_hold_a_secret(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Client and server say both secrets wherever they can, in every way of writing them."""
    caplog.set_level(logging.DEBUG)

    async def telling(request: web.Request) -> web.StreamResponse:
        body = orjson.dumps({"key": KEY, "url": f"/?k={quote(KEY, safe='')}"})
        headers = {"X-Echo": f"key={KEY}", "Set-Cookie": f"k={quote(KEY)}"}
        return web.Response(body=body + await request.read(), headers=headers)

    async def run() -> str:
        async with rigged(tmp_path, telling) as rig:
            token = rig.ticket.token
            path = f"{MESSAGES}&key={token}&other={quote(KEY, safe='').lower()}"
            body = asks(f"env: {token} {KEY}", KEY.replace("/", "\\/"))
            await rig.post(body, path, X_Note=f"{token}", X_Thread=f"agent-{token}")
            await rig.post(asks("go"), Authorization="Bearer other-secret", Cookie="other-secret")
            assert len((await rig.close()).rows) == 2
            return token

    token = asyncio.run(run())
    wire = (tmp_path / "wire.jsonl.zst").read_bytes()
    text = zstandard.ZstdDecompressor().decompressobj().decompress(wire).decode()
    assert text.count("[key]") >= 6
    assert text.count("[token]") >= 5
    for written in (text, caplog.text):
        for secret in (token, KEY, "0123456789abcdef", token[3:], "other-secret"):
            assert secret not in written


@pytest.mark.parametrize(
    "form",
    [
        "live/canary+0123456789abcdef=",
        "live%2Fcanary%2B0123456789abcdef%3D",
        "live%2fcanary%2b0123456789abcdef%3d",
        "live/canary%2B0123456789abcdef%3D",
        "live%252Fcanary%252B0123456789abcdef%253D",
        r"live\/canary+0123456789abcdef=",
        r"live\\/canary+0123456789abcdef=",
        r"live/canary\u002b0123456789abcdef\u003D",
        r"live\\u002Fcanary\\u002b0123456789abcdef\\u003d",
    ],
)
def test_every_way_of_writing_a_key_is_masked(form: str) -> None:
    assert Secrets(KEY, TOKEN).mask(f"a{form}b") == "a[key]b"


def test_a_key_with_quotes_is_masked_in_json() -> None:
    key = 'quo"ted\\key-0123456789'
    once = orjson.dumps({"k": key}).decode()
    twice = orjson.dumps({"k": once}).decode()
    assert Secrets(key, TOKEN).mask(once) == '{"k":"[key]"}'
    assert "0123456789" not in Secrets(key, TOKEN).mask(twice)


def test_a_word_that_serves_as_key_is_left_in_bodies() -> None:
    secrets = Secrets("EMPTY", TOKEN)
    assert secrets.mask("The field is EMPTY.") == "The field is EMPTY."
    assert secrets.mask_header("Authorization", "Bearer EMPTY") == CREDENTIAL


@pytest.mark.parametrize(
    ("name", "value", "recorded"),
    [
        ("x-api-key", TOKEN, "[token]"),
        ("Authorization", f"Bearer {TOKEN}", "Bearer [token]"),
        ("Authorization", f"Basic {TOKEN}", CREDENTIAL),
        ("Authorization", f"Bearer {TOKEN}x", CREDENTIAL),
        ("Proxy-Authorization", "Basic abc", CREDENTIAL),
        ("api-key", "abc", CREDENTIAL),
        ("Cookie", "a=1", CREDENTIAL),
        ("x-auth-token", "abc", CREDENTIAL),
        ("anthropic-ratelimit-tokens-remaining", "100", "100"),
        ("x-note", f"see {TOKEN}", "see [token]"),
    ],
)
def test_a_credential_header_is_never_recorded_in_clear(
    name: str, value: str, recorded: str
) -> None:
    assert Secrets(KEY, TOKEN).mask_header(name, value) == recorded


def test_a_printed_value_shows_no_key() -> None:
    assert KEY not in repr(Upstream("http://127.0.0.1:1", KEY, "anthropic"))
    assert KEY not in repr(Secrets(KEY, TOKEN))
    assert KEY not in repr(Settings().clock)


@pytest.mark.parametrize(
    ("key", "safe"),
    [
        (KEY, True),
        ("liability shall", False),
        ("a\\b=c/d+e-f_g", False),
        ("liability", True),  # too short to be searched for
        ("", True),
    ],
)
def test_a_key_that_stands_in_a_text_is_not_safe(key: str, safe: bool) -> None:
    texts = ("# Title\n", "The liability shall end.\na%5Cb%3Dc/d+e-f_g\n")
    assert key_is_safe(key, texts) is safe


@pytest.mark.parametrize(
    "key", [f"{KEY}\n", f" {KEY}", "kéy-0123456789", "key\udcff0123456789", "\0"]
)
def test_a_key_that_no_header_can_carry_is_refused_and_not_repeated(key: str) -> None:
    with pytest.raises(UserError, match="holds a character that no key has") as caught:
        check_key(key)
    assert "0123456789" not in str(caught.value)
    check_key(KEY)
    check_key("")
