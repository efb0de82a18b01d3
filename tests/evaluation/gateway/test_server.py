"""Opening and closing runs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web

from authoring.errors import InfrastructureError, UserError
from evaluation.gateway.budget import Caps
from evaluation.gateway.runs import RunPlan, RunTraffic, Upstream
from evaluation.gateway.server import Gateway
from evaluation.gateway.wire import WireWriter, read_wire
from tests.evaluation.gateway.conftest import MESSAGES, RULES, answer, asks, rigged, serving


def plan(socket: Path, writer: WireWriter, url: str = "http://127.0.0.1:9") -> RunPlan:
    return RunPlan(Upstream(url, "", "anthropic"), RULES, writer, socket, Caps(1))


def test_a_socket_path_too_long_for_the_system_is_the_users_to_mend(tmp_path: Path) -> None:
    async def run() -> None:
        with WireWriter(tmp_path / "wire") as writer:
            async with Gateway() as gateway:
                await gateway.open_run(plan(tmp_path / ("x" * 120) / "s", writer))

    with pytest.raises(UserError, match="shorter path"):
        asyncio.run(run())


def test_a_socket_that_cannot_be_made_is_infrastructure(tmp_path: Path) -> None:
    async def run() -> None:
        (tmp_path / "taken").mkdir()
        with WireWriter(tmp_path / "wire") as writer:
            async with Gateway() as gateway:
                await gateway.open_run(plan(tmp_path / "taken", writer))

    with pytest.raises(InfrastructureError):
        asyncio.run(run())


def test_runs_have_tokens_and_sockets_of_their_own(tmp_path: Path) -> None:
    async def run() -> None:
        async with rigged(tmp_path, answer) as rig, serving(answer, []) as url:
            with WireWriter(tmp_path / "other") as writer:
                other = await rig.gateway.open_run(plan(tmp_path / "o" / "s", writer, url))
                assert (other.url, other.token) != (rig.ticket.url, rig.ticket.token)
                await rig.post(asks("go"))
                traffic = await rig.gateway.close_run(other)
                assert traffic == RunTraffic(
                    calls=0,
                    waited=0.0,
                    limit="",
                    input_tokens=0,
                    output_tokens=0,
                    fault="",
                    quiet=traffic.quiet,
                )
                assert (await rig.post(asks("go"))).status == 200

    asyncio.run(run())


def test_the_gateways_end_breaks_off_what_is_open(tmp_path: Path) -> None:
    path = tmp_path / "wire"

    async def run() -> None:
        come = asyncio.Event()

        async def stuck(request: web.Request) -> web.StreamResponse:
            come.set()
            await asyncio.Event().wait()
            raise AssertionError

        async with serving(stuck, []) as url, aiohttp.ClientSession() as client:
            with WireWriter(path) as writer:
                async with Gateway() as gateway:
                    ticket = await gateway.open_run(plan(tmp_path / "g" / "s", writer, url))
                    headers = {"x-api-key": ticket.token}
                    post = client.post(f"{ticket.url}{MESSAGES}", json={}, headers=headers)
                    call = asyncio.create_task(aread(post))
                    await come.wait()
            with pytest.raises(aiohttp.ClientError):
                await call

    asyncio.run(run())
    assert [row.end for row in read_wire(path)] == ["client_gone"]


async def aread(sending: Awaitable[aiohttp.ClientResponse]) -> bytes:
    return await (await sending).read()
