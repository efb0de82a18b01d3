"""A server of tests, on loopback and a port of its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self

from aiohttp import web


class LoopbackServer(ABC):
    """`async with LoopbackServer() as server`: answers at `server.url` by the routes it adds."""

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=1 << 28)
        self.add_routes(app.router)
        self._runner = web.AppRunner(app)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._runner.cleanup()

    @abstractmethod
    def add_routes(self, router: web.UrlDispatcher) -> None:
        """What it answers."""
