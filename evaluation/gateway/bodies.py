"""Bodies as decoded text, whatever their content encoding; what cannot be decoded is said.

Prevents a false result: a compressed answer recorded as noise would read as a call that the server
never began to answer, and everything in its request as never read.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, Protocol

import brotli
import zstandard

LIMIT = 1 << 26
"""Bytes of a body, sent or decoded, so that a small hostile one cannot fill the memory."""
PIECE = 1 << 16
"""Bytes that a decoder gives at a time."""
ZSTD_SLICE = 512
"""Bytes that the zstd decoder is given at a time: it cannot be told how much to give back."""
MOST_ENCODINGS = 4
"""Of one body, one over the other."""


class UndecodableError(Exception):
    """A body that is no body of its encoding, or of an encoding that is not known here."""


class Decoder(Protocol):
    """Decodes one body as it comes."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """What these bytes add, piece by piece. Raises UndecodableError."""
        ...


class Decoded(NamedTuple):
    """A body as text."""

    text: str
    """In its place, where it was not decoded, what is known of it."""
    is_decoded: bool = True
    is_too_large: bool = False
    """It was not decoded since it has more bytes than may be."""


def decode_body(data: bytes, encoding: str, limit: int = LIMIT) -> str:
    """The text of a body that was sent with this `Content-Encoding`.

    A body that breaks off gives what had come. Bytes that are no UTF-8 become U+FFFD.
    """
    return read_body(data, encoding, limit).text


def read_body(data: bytes, encoding: str, limit: int = LIMIT) -> Decoded:
    """The same, and whether it could be decoded."""
    if len(data) <= limit and not encodings_of(encoding):
        return Decoded(data.decode("utf-8", "replace"))
    plain = bytearray()
    try:
        for piece in open_decoder(encoding).feed(data):
            plain += piece
            if len(plain) > limit:
                why = f"more than {limit} bytes when decoded"
                text = _placeholder(data, encoding, why)
                return Decoded(text, is_decoded=False, is_too_large=True)
    except UndecodableError as error:
        return Decoded(_placeholder(data, encoding, str(error)), is_decoded=False)
    return Decoded(plain.decode("utf-8", "replace"))


def _placeholder(data: bytes, encoding: str, why: str) -> str:
    digest = hashlib.sha256(data).hexdigest()
    safe = encoding.encode("ascii", "replace").decode()
    return f"[body not decoded: {why}; content-encoding {safe}, {len(data)} bytes, sha256 {digest}]"


def encodings_of(encoding: str) -> tuple[str, ...]:
    """The names in a `Content-Encoding` that change anything, in the order they were applied."""
    names = (part.strip().lower() for part in encoding.split(","))
    return tuple(name for name in names if name not in ("", "identity"))


def open_decoder(encoding: str) -> Decoder:
    """For a body of this `Content-Encoding`. Raises UndecodableError where it is not known."""
    names = encodings_of(encoding)
    if len(names) > MOST_ENCODINGS or not all(name in _DECODERS for name in names):
        raise UndecodableError("unknown encoding")
    return _Chain([_DECODERS[name]() for name in reversed(names)])


class _Chain:
    """One decoder after the other; none: the bytes themselves."""

    def __init__(self, decoders: Sequence[Decoder]) -> None:
        self._decoders = decoders

    def feed(self, data: bytes) -> Iterator[bytes]:
        try:
            yield from _through(self._decoders, data)
        except (zlib.error, brotli.error, zstandard.ZstdError) as error:
            raise UndecodableError("corrupt") from error


def _through(decoders: Sequence[Decoder], data: bytes) -> Iterator[bytes]:
    if not decoders:
        yield data
        return
    for piece in decoders[0].feed(data):
        yield from _through(decoders[1:], piece)


class _Gzip:
    """One member after the other."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(wbits=31)

    def feed(self, data: bytes) -> Iterator[bytes]:
        while data:
            if self._member.eof:
                self._member = zlib.decompressobj(wbits=31)
            yield from _inflate(self._member, data)
            data = self._member.unused_data


class _Deflate:
    """With the zlib header, as the standard has it, or without, as some servers send it."""

    def __init__(self) -> None:
        self._begun = b""
        self._stream: zlib._Decompress | None = None

    def feed(self, data: bytes) -> Iterator[bytes]:
        if self._stream is None:
            self._begun += data
            if len(self._begun) < 2:  # bytes of the header
                return
            data = self._begun
            has_header = data[0] & 0x0F == zlib.DEFLATED and int.from_bytes(data[:2]) % 31 == 0
            self._stream = zlib.decompressobj(wbits=15 if has_header else -15)
        yield from _inflate(self._stream, data)


def _inflate(stream: zlib._Decompress, data: bytes) -> Iterator[bytes]:
    while True:
        piece = stream.decompress(data, PIECE)
        yield piece
        data = stream.unconsumed_tail
        if stream.eof or not (data or len(piece) == PIECE):
            return


class _Brotli:
    def __init__(self) -> None:
        self._stream = brotli.Decompressor()

    def feed(self, data: bytes) -> Iterator[bytes]:
        piece: bytes = self._stream.process(data, output_buffer_limit=PIECE)
        yield piece
        while piece and not self._stream.is_finished():
            piece = self._stream.process(b"", output_buffer_limit=PIECE)
            yield piece


class _Zstd:
    """One frame after the other."""

    def __init__(self) -> None:
        self._stream = zstandard.ZstdDecompressor().decompressobj(read_across_frames=True)

    def feed(self, data: bytes) -> Iterator[bytes]:
        for start in range(0, len(data), ZSTD_SLICE):
            yield self._stream.decompress(data[start : start + ZSTD_SLICE])


_DECODERS: Mapping[str, Callable[[], Decoder]] = MappingProxyType(
    {
        "gzip": _Gzip,
        "x-gzip": _Gzip,
        "deflate": _Deflate,
        "br": _Brotli,
        "zstd": _Zstd,
    }
)
