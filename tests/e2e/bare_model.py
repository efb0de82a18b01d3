"""A model's server that keeps all it is sent, and answers with errors: what a CLI says is seen."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from aiohttp import web


class BareModel:
    """`async with BareModel() as model`: on loopback; every call is answered with an error."""

    async def __aenter__(self) -> Self:
        self._bodies: list[bytes] = []
        app = web.Application(client_max_size=1 << 28)
        app.router.add_route("*", "/{path:.*}", self._keep)
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

    @property
    def received(self) -> str:
        """Headers and bodies of all requests."""
        return b"\n".join(self._bodies).decode("utf-8", "replace")

    async def _keep(self, request: web.Request) -> web.Response:
        headers = "\n".join(request.headers.values()).encode()
        self._bodies.append(headers + b"\n" + await request.read())
        error = {"type": "invalid_request_error", "message": "no"}
        return web.json_response({"type": "error", "error": error}, status=400)
