"""Bodies as text, whatever their encoding."""

from __future__ import annotations

import gzip
import zlib

import brotli
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.gateway.bodies import decode_body

TEXT = "line one\nline twö\u2028same line\n" * 50
PLAIN = TEXT.encode()

PACKED = {
    "": PLAIN,
    "identity": PLAIN,
    "gzip": gzip.compress(PLAIN),
    "x-gzip": gzip.compress(PLAIN),
    "deflate": zlib.compress(PLAIN),
    "br": brotli.compress(PLAIN),
    "zstd": zstandard.compress(PLAIN),
    "GZIP, br": brotli.compress(gzip.compress(PLAIN)),
}


@pytest.mark.parametrize("encoding", PACKED)
def test_a_body_is_decoded(encoding: str) -> None:
    assert decode_body(PACKED[encoding], encoding) == TEXT


def test_deflate_without_its_header_is_decoded() -> None:
    packer = zlib.compressobj(wbits=-15)
    assert decode_body(packer.compress(PLAIN) + packer.flush(), "deflate") == TEXT


def test_members_and_frames_follow_one_another() -> None:
    half = len(PLAIN) // 2
    first, second = PLAIN[:half], PLAIN[half:]
    assert decode_body(gzip.compress(first) + gzip.compress(second), "gzip") == TEXT
    assert decode_body(zstandard.compress(first) + zstandard.compress(second), "zstd") == TEXT


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
def test_a_body_that_breaks_off_gives_what_had_come(encoding: str) -> None:
    whole = b"".join(b"%d " % n for n in range(40_000))
    packed = {
        "gzip": gzip.compress,
        "deflate": zlib.compress,
        "br": brotli.compress,
        "zstd": lambda data: zstandard.compress(data, level=1),
    }[encoding](whole)
    text = decode_body(packed[: len(packed) * 3 // 4], encoding)
    assert text
    assert whole.decode().startswith(text)


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd", "snappy", "gzip, snappy"])
def test_a_body_that_cannot_be_decoded_is_said(encoding: str) -> None:
    text = decode_body(b"\xff\xfe no such thing", encoding)
    assert text.startswith("[body not decoded: ")
    assert f"content-encoding {encoding}, 16 bytes, sha256 " in text


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
def test_a_small_body_that_would_fill_the_memory_is_not_unpacked(encoding: str) -> None:
    bomb = {
        "gzip": gzip.compress,
        "deflate": zlib.compress,
        "br": brotli.compress,
        "zstd": zstandard.compress,
    }[encoding](b"0" * 1_000_000)
    assert "more than 1000 bytes when decoded" in decode_body(bomb, encoding, limit=1000)
    assert decode_body(bomb, encoding, limit=1_000_000) == "0" * 1_000_000


def test_bytes_that_are_no_text_are_replaced() -> None:
    assert decode_body(b"a\xffb", "") == "a\ufffdb"


@settings(deadline=None)
@given(st.binary(), st.sampled_from(["gzip", "deflate", "br", "zstd", "gzip, br"]))
def test_no_body_raises(data: bytes, encoding: str) -> None:
    assert isinstance(decode_body(data, encoding), str)
