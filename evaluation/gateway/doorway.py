"""The socket that the calls of one run come by: so many connections at once, and no more.

Prevents a lost sweep: an agent that opens connections without end would take every file that the
process may open, those of all other runs too.
"""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

from aiohttp import web

MOST_OPEN = 256
"""Connections of one run at once; what comes beyond is closed as it comes."""

BACKLOG = 128
"""Connections that the system keeps until they are looked at."""

AGAIN = 0.5
"""Seconds until the next try, where the process may open no more files."""


class Doorway:
    """Listens on a Unix socket, and hands each connection to the HTTP server."""

    def __init__(self, server: web.Server, path: Path) -> None:
        self._server = server
        self._path = path
        self._open: set[asyncio.Transport] = set()

    def start(self) -> None:
        """Raises OSError where the socket cannot be made."""
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._listener.settimeout(0.0)  # the loop waits for it
            self._listener.bind(str(self._path))
            self._listener.listen(BACKLOG)
        except OSError:
            self._listener.close()
            raise
        self._task = asyncio.get_running_loop().create_task(self._accept())

    async def stop(self) -> None:
        """Let nobody in any more; connections that are open stay so."""
        self._task.cancel()
        await asyncio.wait({self._task})
        self._listener.close()

    async def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, _ = await loop.sock_accept(self._listener)
            except OSError:
                await asyncio.sleep(AGAIN)
                continue
            if self._is_full():
                connection.close()
                continue
            try:
                transport, _ = await loop.connect_accepted_socket(self._server, connection)
            except OSError:
                connection.close()
            else:
                self._open.add(transport)

    def _is_full(self) -> bool:
        if len(self._open) < MOST_OPEN:
            return False
        self._open = {one for one in self._open if _is_open(one)}
        return len(self._open) >= MOST_OPEN


def _is_open(transport: asyncio.Transport) -> bool:
    """One that is closing keeps its file until all is sent."""
    kept = transport.get_extra_info("socket")
    return kept is not None and kept.fileno() >= 0
