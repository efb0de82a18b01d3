"""One exchange: a request passed on, its answer streamed back, both recorded.

Changed on the way: the placeholder credential becomes the real one and never comes back, cookies of
the upstream stay behind, `Host` and hop-by-hop headers are the gateway's own; and no more. What an
agent does not need is not passed on at all. Nothing is ever sent twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial
from types import MappingProxyType

import aiohttp
from aiohttp import ClientResponse, web

from evaluation.gateway.bodies import LIMIT
from evaluation.gateway.budget import Spent, SpentError
from evaluation.gateway.calls import is_needed
from evaluation.gateway.drafts import Draft
from evaluation.gateway.gate import THROTTLED, Pass, pause
from evaluation.gateway.headers import Header, end_to_end, joined, pairs, with_key
from evaluation.gateway.leaks import (
    KeySearch,
    Outlet,
    WithheldError,
    Withholding,
    for_agents,
    open_outlet,
)
from evaluation.gateway.open_run import OpenRun
from evaluation.gateway.sending import Body, send

_SPENT: Mapping[Spent, str] = MappingProxyType(
    {
        "turns": "This key has used up its number of requests.",
        "tokens": "This key has used up its number of tokens.",
        "dollars": "This key has used up its credit.",
        "purse": "This key has used up its credit.",
        "price": "This key has no access to the model: its price is not known.",
    }
)
_GIVEN_UP = "The server does not answer."
_NOT_PASSED_ON = "Not found."
_WITHHELD = "The answer of the server cannot be passed on."
_BAD_PATH = "The path of the request is not valid."
_BROKEN = "The body of the request is broken."
_TOO_LARGE = "The request is too large."
_UNREACHABLE = "The connection to the server failed."


class PassedOn(web.StreamResponse):
    """An upstream's answer, with the headers that it came with and none of the server's own."""

    def __init__(
        self, upstream: ClientResponse, headers: tuple[Header, ...], search: KeySearch | None
    ) -> None:
        reason = upstream.reason or ""
        reason = search.starred_text(reason) if search else reason
        super().__init__(status=upstream.status, reason=reason, headers=pairs(headers))
        self.given = frozenset(header.key for header in headers)

    async def begin(self, request: web.Request, *, has_body: bool) -> None:
        """Send the head: at once, or with the piece of the body that is there to be sent."""
        self._send_headers_immediately = not has_body
        await self.prepare(request)


async def drop_own_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Take out what the HTTP server adds to an answer of its own accord."""
    del request
    given = response.given if isinstance(response, PassedOn) else ("content-type", "date")
    for name in ("server", "date", "content-type"):
        if name not in given:
            response.headers.popall(name, None)


async def exchange(
    run: OpenRun,
    request: web.Request,
    session: aiohttp.ClientSession,
    headers: tuple[Header, ...],
) -> web.StreamResponse:
    """Serve one request of a run and record it, however it ends. `headers` are end to end."""
    path = request.raw_path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    draft = Draft(request.method, path, headers)
    transport = request.transport
    if transport is None:  # gone before it began
        return error_response(b"", 400)
    with run.in_flight(draft, transport):
        try:
            response = await _serve(run, request, session, draft)
        except asyncio.CancelledError:
            draft.end = "client_gone"
            raise
        finally:
            await run.record(draft)
        if draft.end == "upstream_cut" and isinstance(response, PassedOn):
            transport.close()  # so that the client sees a cut, not an end
        return response


async def _serve(
    run: OpenRun, request: web.Request, session: aiohttp.ClientSession, draft: Draft
) -> web.StreamResponse:
    try:
        body = await _read_body(run, request, draft)
    except web.RequestPayloadError:
        return _own_answer(run, draft, 400, _BROKEN)
    arrived = await run.arrive(draft, body or b"")
    if body is None or arrived.is_too_large:
        return _own_answer(run, draft, 413, _TOO_LARGE)
    if not draft.path.startswith("/"):  # an address of its own, as a proxy would be asked
        return _own_answer(run, draft, 400, _BAD_PATH)
    if not is_needed(run.format.calls, draft.method, draft.path):
        return _own_answer(run, draft, 404, _NOT_PASSED_ON)
    if arrived.generation and run.is_given_up:
        return _own_answer(run, draft, 403, _GIVEN_UP)
    if arrived.generation:
        try:
            draft.reservation = run.budget.reserve(arrived.size, arrived.max_tokens, arrived.model)
        except SpentError as error:
            return _own_answer(run, draft, 403, _SPENT[error.what])
    async with run.gate.admitted(run.pauses) as admitted:
        return await _pass_on(run, request, session, draft, body, admitted)


async def _pass_on(
    run: OpenRun,
    request: web.Request,
    session: aiohttp.ClientSession,
    draft: Draft,
    body: bytes,
    admitted: Pass,
) -> web.StreamResponse:
    draft.sent = run.clock.now()
    run.waits(draft)
    try:
        upstream = await send(
            session,
            draft.method,
            run.upstream.base_url.rstrip("/") + draft.path,
            with_key(draft.request_headers, run.token, run.upstream.key),
            Body(body, partial(run.book, draft)) if body else None,
        )
    except (aiohttp.ClientError, OSError, ValueError) as error:
        draft.end = "upstream_cut"
        draft.was_reached = not isinstance(error, aiohttp.ClientConnectorError | ValueError)
        return error_response(run.format.error_body(502, _UNREACHABLE), 502)
    run.came(draft)
    if upstream.status in THROTTLED:
        retry_after = joined(end_to_end(upstream.raw_headers)).get("retry-after")
        run.turned_away(admitted, pause(retry_after, run.clock.now()))
    else:
        run.gate.answered()
    try:
        return await _pass_back(run, request, upstream, draft)
    finally:
        upstream.close()  # gives a connection back where the answer was read to its end


async def _read_body(run: OpenRun, request: web.Request, draft: Draft) -> bytes | None:
    """The whole body as it was sent; None where it is too large, or too many are kept."""
    pieces: list[bytes] = []
    size = 0
    while chunk := await request.content.readany():
        run.moved()
        pieces.append(chunk)
        size += len(chunk)
        if size > LIMIT or not run.hold(draft, len(chunk)):
            return None
    return b"".join(pieces)


def _own_answer(run: OpenRun, draft: Draft, status: int, message: str) -> web.Response:
    """An error of the gateway's own, recorded as the answer."""
    body = run.format.error_body(status, message)
    draft.status = status
    draft.response += body
    return error_response(body, status)


def error_response(body: bytes, status: int) -> web.Response:
    """An error as JSON."""
    return web.Response(body=body, status=status, content_type="application/json")


async def _pass_back(
    run: OpenRun, request: web.Request, upstream: ClientResponse, draft: Draft
) -> web.StreamResponse:
    """Stream the answer to the client, chunk by chunk as it comes."""
    draft.first_byte = run.clock.now()
    draft.status = upstream.status
    draft.response_headers = end_to_end(upstream.raw_headers)
    search = run.key_search
    response = PassedOn(upstream, for_agents(search, draft.response_headers), search)
    try:
        outlet = open_outlet(search, draft.response_headers)
        await _let_out(run, request, response, outlet, upstream, draft)
    except WithheldError:
        if response.prepared:
            draft.end = "upstream_cut"
            return response
        return _withheld(run, draft)
    except ConnectionError:
        draft.end = "client_gone"
    return response


async def _let_out(
    run: OpenRun,
    request: web.Request,
    response: PassedOn,
    outlet: Outlet,
    upstream: ClientResponse,
    draft: Draft,
) -> None:
    """Chunk by chunk, as far as each may go out. Raises WithheldError or ConnectionError."""
    first = _at_hand(run, upstream, draft)
    if not isinstance(outlet, Withholding):
        await response.begin(request, has_body=bool(first))
    while chunk := first or await _next_chunk(run, upstream, draft):
        first = b""
        data = outlet.take(chunk)
        if _is_over(upstream):
            data += outlet.rest()
            await response.prepare(request)
            await response.write_eof(data)  # the last bytes and the end go as one
            return
        if data:
            await response.prepare(request)
            await response.write(data)
    await response.prepare(request)
    if data := outlet.rest():
        await response.write(data)
    if draft.end == "complete":
        await response.write_eof()  # the agent goes on while its call is recorded


def _is_over(upstream: ClientResponse) -> bool:
    """Whether the whole answer has come."""
    return upstream.content.at_eof() and upstream.content.exception() is None


def _withheld(run: OpenRun, draft: Draft) -> web.StreamResponse:
    """In the place of an answer that nothing has gone out of. What stands in the record is what
    the agent got."""
    draft.response.clear()
    draft.response_headers = ()
    return _own_answer(run, draft, 502, _WITHHELD)


def _at_hand(run: OpenRun, upstream: ClientResponse, draft: Draft) -> bytes:
    """What of the body has come with the head."""
    try:
        chunk = upstream.content.read_nowait()
    except (aiohttp.ClientError, OSError):
        return b""  # told again by who asks for the next
    return _took(run, draft, chunk)


async def _next_chunk(run: OpenRun, upstream: ClientResponse, draft: Draft) -> bytes:
    """What came next; empty at the end, wherever that is."""
    if draft.is_too_long:
        return b""
    run.waits(draft)
    try:
        chunk = await upstream.content.readany()
    except (aiohttp.ClientError, OSError):
        draft.end = "upstream_cut"
        return b""
    return _took(run, draft, chunk)


def _took(run: OpenRun, draft: Draft, chunk: bytes) -> bytes:
    run.came(draft)
    if len(draft.response) + len(chunk) > LIMIT or not run.hold(draft, len(chunk)):
        draft.end = "upstream_cut"
        draft.is_too_long = True
        return b""
    draft.response += chunk
    return chunk
