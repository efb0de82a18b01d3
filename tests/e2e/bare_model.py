"""A model's server that keeps all it is sent, and answers with errors: what a CLI says is seen."""

from __future__ import annotations

from aiohttp import web

from tests.loopback import LoopbackServer


class BareModel(LoopbackServer):
    """`async with BareModel() as model`: on loopback; every call is answered with an error."""

    def __init__(self) -> None:
        self._bodies: list[bytes] = []

    def add_routes(self, router: web.UrlDispatcher) -> None:
        router.add_route("*", "/{path:.*}", self._keep)

    @property
    def received(self) -> str:
        """Headers and bodies of all requests."""
        return b"\n".join(self._bodies).decode("utf-8", "replace")

    async def _keep(self, request: web.Request) -> web.Response:
        headers = "\n".join(request.headers.values()).encode()
        self._bodies.append(headers + b"\n" + await request.read())
        error = {"type": "invalid_request_error", "message": "no"}
        return web.json_response({"type": "error", "error": error}, status=400)
