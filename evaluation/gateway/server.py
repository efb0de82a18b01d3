"""The gateway: one recording pass-through for the model traffic of all runs."""

from __future__ import annotations

import logging
import secrets
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import aiohttp
from aiohttp import web

from authoring.errors import InfrastructureError, Place, UserError
from evaluation.gateway.calls import is_needed
from evaluation.gateway.doorway import Doorway
from evaluation.gateway.exchange import (
    drop_own_headers,
    error_response,
    exchange,
)
from evaluation.gateway.gate import Clock, Gate, SteadyClock
from evaluation.gateway.headers import credentials, end_to_end
from evaluation.gateway.messages import WireFormat
from evaluation.gateway.open_run import OpenRun
from evaluation.gateway.protocols import PROTOCOLS
from evaluation.gateway.runs import RunPlan, RunTraffic, Ticket
from evaluation.gateway.sending import open_session

GRACE = 5.0
"""Seconds that calls in flight get to end when their run is closed."""

READ_AT_ONCE = 1 << 20
"""Bytes of a body that are read before the client is made to wait."""

LONGEST_SOCKET = 107
"""Bytes of a Unix socket's path."""

_UNKNOWN_KEY = "The API key is not valid."


@dataclass(frozen=True)
class _Door:
    """A run and the socket that it is reached by."""

    run: OpenRun
    ticket: Ticket
    way: Doorway


class Gateway:
    """Knows each run by its token. Use as an async context manager.

    It listens on a Unix socket for each run and on one loopback port for all.
    """

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or SteadyClock()
        self._doors: dict[str, _Door] = {}
        self._gates: dict[str, Gate] = {}
        self._url = ""

    async def __aenter__(self) -> Self:
        self._session: aiohttp.ClientSession = open_session()
        app = web.Application()
        app.on_response_prepare.append(drop_own_headers)
        app.router.add_route("*", "/{path:.*}", self._serve)
        self._runner = web.AppRunner(
            app,
            access_log=None,
            logger=_silent(),
            auto_decompress=False,
            handler_cancellation=True,
            max_line_size=1 << 16,
            max_field_size=1 << 16,
            shutdown_timeout=GRACE,
            read_bufsize=READ_AT_ONCE,
        )
        await self._runner.setup()
        if self._runner.server is None:
            raise InfrastructureError("the gateway did not start")
        self._server = self._runner.server
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self._url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for door in tuple(self._doors.values()):
            await self.close_run(door.ticket, grace=0.0)
        await self._runner.cleanup()
        await self._session.close()

    async def open_run(self, plan: RunPlan) -> Ticket:
        """Let a run in. Raises UserError where its socket's path is too long for the system."""
        if len(str(plan.socket).encode()) > LONGEST_SOCKET:
            raise UserError(
                f"is too long for a Unix socket: at most {LONGEST_SOCKET} bytes",
                place=Place(str(plan.socket)),
                remedy="use a folder with a shorter path",
            )
        plan.socket.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        token = f"sk-{secrets.token_hex(24)}"
        ticket = Ticket(token=token, socket=plan.socket, url=self._url)
        gate = self._gates.setdefault(plan.upstream.base_url, Gate(self._clock))
        run = OpenRun(plan, token, gate, self._clock)
        way = Doorway(self._server, plan.socket)
        try:
            way.start()
        except OSError as error:
            raise InfrastructureError(f"{plan.socket}: {error.strerror}") from error
        self._doors[token] = _Door(run, ticket, way)
        return ticket

    def traffic(self, ticket: Ticket) -> RunTraffic:
        """What went through up to now in a run that is open."""
        return self._doors[ticket.token].run.traffic()

    async def close_run(self, ticket: Ticket, grace: float = GRACE) -> RunTraffic:
        """Let no more calls in, wait for those in flight (at most `grace` seconds, then they are
        broken off), and say what went through. Every row is written when this returns."""
        door = self._doors.pop(ticket.token)
        await door.way.stop()
        await door.run.end(grace)
        ticket.socket.unlink(missing_ok=True)
        return door.run.traffic()

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        headers = end_to_end(request.raw_headers)
        shown = credentials(headers)
        door = next((self._doors[token] for token in shown if token in self._doors), None)
        if door is None:
            return _refuse(request)
        try:
            return await exchange(door.run, request, self._session, headers)
        except (ConnectionError, web.HTTPException):
            raise
        except Exception as error:  # the server answers 500, and only the run's record tells why
            door.run.failed(error)
            raise


def _silent() -> logging.Logger:
    """For what the HTTP server says of requests that are none: agents write them."""
    logger = logging.Logger("gateway")
    logger.addHandler(logging.NullHandler())
    return logger


def _refuse(request: web.Request) -> web.StreamResponse:
    """An unknown token: the protocol is told by the call, since no run says it."""
    return error_response(_format_of(request).error_body(401, _UNKNOWN_KEY), 401)


def _format_of(request: web.Request) -> WireFormat:
    """The protocol of a call. Lists of models, which several have, are Chat Completions'."""
    called = [
        protocol
        for protocol in PROTOCOLS.values()
        if is_needed(protocol.calls, request.method, request.path)
    ]
    return called[0] if len(called) == 1 else PROTOCOLS["openai-chat"]
