"""Bodies as decoded text, whatever their content encoding; what cannot be decoded is said.

Prevents a false result: a compressed answer recorded as noise would read as a call that the server
never began to answer, and everything in its request as never read.
"""

from __future__ import annotations

import hashlib
import io
import zlib
from collections.abc import Callable, Mapping
from types import MappingProxyType

import brotli
import zstandard

LIMIT = 1 << 28
"""Bytes of a decoded body, so that a small hostile one cannot fill the memory."""


class _TooLargeError(Exception):
    """The decoded body would be larger than the limit."""


def decode_body(data: bytes, encoding: str, limit: int = LIMIT) -> str:
    """The text of a body that was sent with this `Content-Encoding`.

    A body that breaks off gives what had come. Bytes that are no UTF-8 become U+FFFD.
    """
    plain = data
    for name in reversed([part.strip().lower() for part in encoding.split(",")]):
        if name in ("", "identity"):
            continue
        decoder = _DECODERS.get(name)
        if decoder is None:
            return _placeholder(data, encoding, "unknown encoding")
        try:
            plain = decoder(plain, limit)
        except _TooLargeError:
            return _placeholder(data, encoding, f"more than {limit} bytes when decoded")
        except (zlib.error, brotli.error, zstandard.ZstdError):
            return _placeholder(data, encoding, "corrupt")
    return plain.decode("utf-8", "replace")


def _placeholder(data: bytes, encoding: str, why: str) -> str:
    digest = hashlib.sha256(data).hexdigest()
    safe = encoding.encode("ascii", "replace").decode()
    return f"[body not decoded: {why}; content-encoding {safe}, {len(data)} bytes, sha256 {digest}]"


def _gzip(data: bytes, limit: int) -> bytes:
    """One member after the other."""
    parts = b""
    while data:
        member = zlib.decompressobj(wbits=31)
        parts += member.decompress(data, limit + 1 - len(parts))
        _check(parts, limit)
        data = member.unused_data
    return parts


def _deflate(data: bytes, limit: int) -> bytes:
    """With the zlib header, as the standard has it, or without, as some servers send it."""
    try:
        plain = zlib.decompressobj().decompress(data, limit + 1)
    except zlib.error:
        plain = zlib.decompressobj(wbits=-15).decompress(data, limit + 1)
    return _check(plain, limit)


def _brotli(data: bytes, limit: int) -> bytes:
    plain: bytes = brotli.Decompressor().process(data, output_buffer_limit=limit + 1)
    return _check(plain, limit)


def _zstd(data: bytes, limit: int) -> bytes:
    reader = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(data), read_across_frames=True)
    return _check(reader.read(limit + 1), limit)


def _check(plain: bytes, limit: int) -> bytes:
    if len(plain) > limit:
        raise _TooLargeError
    return plain


_DECODERS: Mapping[str, Callable[[bytes, int], bytes]] = MappingProxyType(
    {
        "gzip": _gzip,
        "x-gzip": _gzip,
        "deflate": _deflate,
        "br": _brotli,
        "zstd": _zstd,
    }
)
