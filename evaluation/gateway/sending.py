"""The way to the upstreams: how a request is sent on."""

from __future__ import annotations

import socket
from collections.abc import Callable

import aiohttp
from aiohttp import AddrInfoType, ClientHandlerType, ClientRequest, ClientResponse
from aiohttp.abc import AbstractStreamWriter
from yarl import URL

from evaluation.gateway.headers import Header, pairs

SENT_AT_ONCE = 1 << 20
"""Bytes of a body that is sent as one piece."""

_ADDED_BY_CLIENT = ("accept", "accept-encoding", "user-agent", "content-type")
"""Headers that the HTTP client would add of its own."""


class Body(aiohttp.Payload):
    """A request's body; once it is sent, something is done while the upstream is at work."""

    def __init__(self, body: bytes, then: Callable[[], None]) -> None:
        super().__init__(body)
        self._body = memoryview(body)
        self._size = len(body)
        self._then = then

    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> str:
        return bytes(self._body).decode(encoding, errors)

    async def write(self, writer: AbstractStreamWriter) -> None:
        for start in range(0, len(self._body), SENT_AT_ONCE):
            await writer.write(self._body[start : start + SENT_AT_ONCE])
        self._then()

    async def write_with_length(
        self, writer: AbstractStreamWriter, content_length: int | None
    ) -> None:
        await self.write(writer)


async def never_again(request: ClientRequest, handler: ClientHandlerType) -> ClientResponse:
    """Keep the HTTP client from sending a request once more when its connection breaks. It never
    does so with POST."""
    try:
        return await handler(request)
    except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as error:
        raise aiohttp.ClientConnectionError("the connection broke") from error


def _open_socket(address: AddrInfoType) -> socket.socket:
    """One that takes a whole request at once, so that it need not be sent in parts."""
    family, kind, protocol, _, _ = address
    opened = socket.socket(family, kind, protocol)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SENT_AT_ONCE)
    return opened


def open_session() -> aiohttp.ClientSession:
    """The way to the upstreams: nothing decoded, kept, followed, or given up on."""
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0, socket_factory=_open_socket),
        cookie_jar=aiohttp.DummyCookieJar(),
        auto_decompress=False,
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=30.0),
        max_line_size=1 << 16,
        max_field_size=1 << 16,
    )


async def send(
    session: aiohttp.ClientSession,
    method: str,
    url: str,
    headers: tuple[Header, ...],
    body: Body | None,
) -> ClientResponse:
    """Send a request as it is and wait for the head of its answer."""
    given = {header.key for header in headers}
    return await session.request(
        method,
        URL(url, encoded=True),
        headers=pairs(headers),
        data=body,
        allow_redirects=False,
        middlewares=() if method == "POST" else (never_again,),
        skip_auto_headers=[key for key in _ADDED_BY_CLIENT if key not in given],
    )
