"""A limit on what a server may send: its answer is held in memory whole.

The SDKs read a body to its end, also that of an error, and unpack what is packed. So they ask for
plain bytes, take no others for packed ones, and of a longer body hear the first bytes alone, which
are no answer.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, MutableMapping
from typing import Protocol

from generators.models.asking import ModelError

MOST_BYTES = 4_000_000
"""Of one answer. The longest that is asked for has some 40,000."""

_ENCODING = "content-encoding"


class _Request(Protocol):
    @property
    def headers(self) -> MutableMapping[str, str]: ...


class _Response(Protocol):
    """What of a response of the SDKs' HTTP library is used."""

    aiter_raw: Callable[[], AsyncGenerator[bytes, None]]

    @property
    def headers(self) -> MutableMapping[str, str]: ...


Hook = Callable[..., object]


def hooks() -> Mapping[str, list[Hook]]:
    """For the HTTP client of an SDK: its `event_hooks`."""
    return {"request": [_ask_for_plain], "response": [_limit]}


def whole(model: str, body: bytes) -> bytes:
    """The body. Raises ModelError where the limit was reached."""
    if len(body) >= MOST_BYTES:
        raise ModelError(f"{model}: what came is longer than {MOST_BYTES:,} bytes")
    return body


async def _ask_for_plain(request: _Request) -> None:
    request.headers["accept-encoding"] = "identity"


async def _limit(response: _Response) -> None:
    if _ENCODING in response.headers:
        del response.headers[_ENCODING]
    sent = response.aiter_raw

    async def limited() -> AsyncGenerator[bytes, None]:
        chunks = sent()
        try:
            async for chunk in _first(chunks, MOST_BYTES):
                yield chunk
        finally:
            await chunks.aclose()

    response.aiter_raw = limited


async def _first(chunks: AsyncIterator[bytes], most: int) -> AsyncIterator[bytes]:
    async for chunk in chunks:
        yield chunk[:most]
        most -= len(chunk)
        if most <= 0:
            return
