"""What the gateway costs: each call's time beside going direct, and its rate beside mitmdump's.

    .venv/bin/python benchmarks/gateway.py [--calls N] [--mitmdump PROGRAM | --without-mitmdump]

Requests with a streamed answer, on loopback alone; of 100 KB where nothing else is said. Server,
gateway and mitmdump each run in a process of their own; the last two write what passes to a file.
All take turns, so that whatever else the machine does falls on each of them.

Bars: added p50 at most 1x the direct p50, added p99 at most 3x it; at least 2.5x the requests a
second of `mitmdump --mode reverse -q -w FILE` at 20 connections, with requests of 10 KB (the same
with 100 KB is shown beside it); 200 at once and none lost. Exits with 1 where one does not hold.
mitmdump is installed into `.tools` where it is missing.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import aiohttp
import orjson

from evaluation.gateway.budget import Caps
from evaluation.gateway.runs import RunPlan, Upstream
from evaluation.gateway.server import Gateway
from evaluation.gateway.threads import ThreadRules
from evaluation.gateway.wire import WireWriter, is_whole, read_wire

MITMPROXY = "mitmproxy==11.0.2"
TOOLS = Path(__file__).parent.parent / ".tools"
KEY = "benchmark-" + "0123456789abcdef" * 6
"""As long as keys are."""
PATH = "/v1/messages"
LARGE, SMALL = 100_000, 10_000
"""Bytes of a request: in the middle of a review, and early in it."""
LENGTH = re.compile(rb"(?i)\r\ncontent-length: *([0-9]+)")
EVENTS = 40
CONNECTIONS = 20
AT_ONCE = 200
WARM = 30
ROUNDS = 5
WIRE = "wire.jsonl.zst"
P50, P99, RATE = 1.0, 3.0, 2.5
"""The bars."""


def event(kind: str, **fields: object) -> bytes:
    data = orjson.dumps({"type": kind, **fields}).decode()
    return f"event: {kind}\ndata: {data}\n\n".encode()


def answer() -> list[bytes]:
    """A streamed answer, event by event."""
    usage = {"input_tokens": 25_000, "output_tokens": 1}
    delta = {"type": "text_delta", "text": "some words of the answer, and a few more "}
    return [
        event("message_start", message={"model": "m-1", "usage": usage}),
        event("content_block_start", index=0, content_block={"type": "text", "text": ""}),
        *[event("content_block_delta", index=0, delta=delta) for _ in range(EVENTS)],
        event("content_block_stop", index=0),
        event("message_delta", delta={"stop_reason": "end_turn"}, usage={"output_tokens": 400}),
        event("message_stop"),
    ]


WHOLE = b"".join(answer())
LAST_EVENT, LAST_CHUNK = answer()[-1], b"\r\n0\r\n\r\n"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
CHUNKS = (HEAD, *(b"%x\r\n%b\r\n" % (len(one), one) for one in answer()), b"0\r\n\r\n")


def request(size: int) -> bytes:
    """A conversation of so many bytes: a task, and tool results of 5 KB."""
    messages: list[object] = [{"role": "user", "content": "Review the folder."}]
    line = "{:>6}\tThe tenant shall keep the premises in repair (clause {}).\n"
    number = 0
    while len(orjson.dumps(messages)) < size:
        text = "".join(line.format(n, n * 7) for n in range(number, number + 75))
        use = {"type": "tool_use", "id": f"toolu_{number}", "name": "Read", "input": {"path": "a"}}
        result = {"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": text}
        messages += [
            {"role": "assistant", "content": [use]},
            {"role": "user", "content": [result]},
        ]
        number += 75
    tools = [{"name": "Read", "input_schema": {"type": "object"}}]
    body = {"model": "m-1", "stream": True, "max_tokens": 4096, "tools": tools}
    return orjson.dumps({**body, "messages": messages})


# --- the processes ------------------------------------------------------------------------------


class Model(asyncio.Protocol):
    """A server that reads each request and answers it event by event; or all at once, unread."""

    def __init__(self, *, streams: bool) -> None:
        self._streams = streams
        self._got = bytearray()
        self._end = -1
        """Of the request that is coming, in bytes; below 0 while its head is not whole."""
        self._body = 0
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if isinstance(transport, asyncio.Transport):
            self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._got += data
        if self._end < 0:
            head = self._got.find(b"\r\n\r\n")
            if head < 0:
                return
            self._body = head + 4
            length = LENGTH.search(self._got, 0, head + 2)
            self._end = self._body + (int(length[1]) if length else 0)
        if len(self._got) >= self._end:
            if self._streams:
                orjson.loads(self._got[self._body : self._end])
            self._write(iter(CHUNKS) if self._streams else iter((b"".join(CHUNKS),)))
            self._got.clear()
            self._end = -1

    def _write(self, chunks: Iterator[bytes]) -> None:
        """One, and the next in the next turn of the loop."""
        chunk = next(chunks, None)
        if chunk is not None and self._transport is not None:
            self._transport.write(chunk)
            asyncio.get_running_loop().call_soon(self._write, chunks)


async def serve_model(*, streams: bool) -> None:
    """On a port of its own, until stdin ends."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Model(streams=streams), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await _until_stdin_ends()


async def serve_gateway(folder: Path, upstreams: Sequence[str]) -> None:
    """An open run before each server, until stdin ends; then their rows are whole."""
    async with Gateway() as gateway:
        with contextlib.ExitStack() as writers:
            tickets = []
            for number, url in enumerate(upstreams):
                place = folder / str(number)
                place.mkdir()
                plan = RunPlan(
                    upstream=Upstream(url, KEY, "anthropic"),
                    rules=ThreadRules(thread_header="x-thread"),
                    writer=writers.enter_context(WireWriter(place / WIRE)),
                    socket=place / "s",
                    caps=Caps(1_000_000),
                )
                tickets.append(await gateway.open_run(plan))
            print(tickets[0].url, *(ticket.token for ticket in tickets), flush=True)
            await _until_stdin_ends()
            for ticket in tickets:
                await gateway.close_run(ticket)


async def _until_stdin_ends() -> None:
    await asyncio.to_thread(sys.stdin.read)


@contextmanager
def started(command: Sequence[str]) -> Iterator[subprocess.Popen[str]]:
    """A process that ends when its stdin does."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.communicate()


@contextmanager
def role(*arguments: str) -> Iterator[list[str]]:
    """This file in another process, and what it says when it is ready."""
    with started([sys.executable, str(Path(__file__).resolve()), "--role", *arguments]) as process:
        if process.stdout is None:
            raise SystemExit("a process without stdout")
        yield process.stdout.readline().split()


@contextmanager
def mitmdump(program: Path, upstream: str, flows: Path) -> Iterator[str]:
    """A reverse proxy before the server that writes its flows; its URL."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    command = (program, "--mode", f"reverse:{upstream}", "-q", "-w", flows)
    own = ("--set", f"confdir={flows.parent / 'mitmproxy'}")
    listen = (*own, "--listen-host", "127.0.0.1", "--listen-port", port)
    process = subprocess.Popen([*map(str, command), *listen], stdin=subprocess.DEVNULL)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


def installed_mitmdump() -> Path:
    """The program, in a venv of its own."""
    folder = TOOLS / MITMPROXY.replace("==", "-")
    program = folder / "bin" / "mitmdump"
    if not program.is_file():
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run([folder / "bin" / "pip", "install", "-q", MITMPROXY], check=True)
    return program


# --- what is measured ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Way:
    """How a call gets to the server."""

    url: str
    token: str = KEY


class Times(NamedTuple):
    """Of calls one after the other, in milliseconds."""

    p50: float
    p99: float


def times_of(seconds: Sequence[float]) -> Times:
    cuts = statistics.quantiles(seconds, n=100)
    return Times(cuts[49] * 1000, cuts[98] * 1000)


async def call(client: aiohttp.ClientSession, way: Way, body: bytes) -> float:
    """Seconds from the first byte sent to the last one got. One that is not whole ends it all."""
    began = time.perf_counter()
    headers = {"x-api-key": way.token, "Content-Type": "application/json"}
    async with client.post(f"{way.url}{PATH}", data=body, headers=headers) as response:
        got = await response.read()
    if response.status != 200 or got != WHOLE:
        raise SystemExit(f"a call was answered with {response.status} and {len(got)} bytes")
    return time.perf_counter() - began


@asynccontextmanager
async def client(connections: int) -> AsyncIterator[aiohttp.ClientSession]:
    connector = aiohttp.TCPConnector(limit=connections)
    async with aiohttp.ClientSession(connector=connector) as session:
        yield session


async def latencies(direct: Way, through: Way, calls: int) -> tuple[Times, Times]:
    """Of both ways, taking turns."""
    body = request(LARGE)
    seconds: dict[Way, list[float]] = {direct: [], through: []}
    async with client(1) as one, client(1) as other:
        ways = ((direct, one), (through, other))
        for number in range(WARM + calls):
            for way, session in ways:
                took = await call(session, way, body)
                if number >= WARM:
                    seconds[way].append(took)
    return times_of(seconds[direct]), times_of(seconds[through])


async def rate(way: Way, calls: int, size: int, connections: int = CONNECTIONS) -> float:
    """Requests a second, all connections busy. The client does as little as can be done."""
    body = request(size)
    host, _, port = way.url.removeprefix("http://").partition(":")
    head = f"POST {PATH} HTTP/1.1\r\nHost: {host}\r\nx-api-key: {way.token}\r\n"
    sent = f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body
    left = iter(range(calls))

    async def work() -> None:
        reader, writer = await asyncio.open_connection(host, int(port))
        for _ in left:
            writer.write(sent)
            got = await reader.readuntil(LAST_CHUNK)
            if not got.startswith(b"HTTP/1.1 200") or LAST_EVENT not in got:
                raise SystemExit(f"a call was answered with {got[:100]!r}")
        writer.close()
        await writer.wait_closed()

    began = time.perf_counter()
    await asyncio.gather(*(work() for _ in range(connections)))
    return calls / (time.perf_counter() - began)


async def ready(way: Way) -> None:
    """Until somebody listens there."""
    async with client(1) as session:
        for _ in range(300):
            try:
                await call(session, way, request(SMALL))
            except aiohttp.ClientConnectorError:
                await asyncio.sleep(0.1)
            else:
                return
    raise SystemExit("mitmdump did not start")


def verdict(name: str, measured: float, bar: float, *, most: bool) -> bool:
    holds = measured <= bar if most else measured >= bar
    sign = "<=" if most else ">="
    print(f"{name:<44}{measured:8.2f}   {sign} {bar:g}   {'holds' if holds else 'FAILS'}")
    return holds


def measure(calls: int, program: Path | None, folder: Path) -> bool:
    """All bars, printed; whether they hold."""
    with role("model", "streams") as (streams,), role("model") as (quick,):
        servers = [Way(f"http://127.0.0.1:{port}") for port in (streams, quick)]
        with role("gateway", str(folder), *(one.url for one in servers)) as (url, *tokens):
            streamed, at_once = (Way(url, token) for token in tokens)
            held = against_direct(servers[0], streamed, calls)
            asyncio.run(rate(streamed, AT_ONCE, LARGE, AT_ONCE))
            rounds = 0
            if program is not None:
                held &= against_mitmdump(program, servers[1], at_once, calls, folder)
                rounds = ROUNDS
    counted = [rows_of(folder / str(number) / WIRE) for number in range(2)]
    expected = ROUNDS * (WARM + calls) + AT_ONCE + 2 * rounds * calls
    lost = expected - sum(counted)
    return verdict(f"lost, with {AT_ONCE} at once", lost, 0, most=True) and held


def rows_of(wire: Path) -> int:
    if not is_whole(wire):
        raise SystemExit("the record is not whole")
    return sum(1 for _ in read_wire(wire))


def against_direct(direct: Way, through: Way, calls: int) -> bool:
    """What a call takes more than one that goes to the server itself: medians over the rounds."""
    rounds = [asyncio.run(latencies(direct, through, calls)) for _ in range(ROUNDS)]
    bare, passed = zip(*rounds, strict=True)
    for name, times in (("direct", bare), ("gateway", passed)):
        p50 = statistics.median(one.p50 for one in times)
        p99 = statistics.median(one.p99 for one in times)
        print(f"{name:<8} p50 {p50:6.2f} ms   p99 {p99:6.2f} ms")
    added50 = statistics.median((two.p50 - one.p50) / one.p50 for one, two in rounds)
    added99 = statistics.median((two.p99 - one.p99) / one.p50 for one, two in rounds)
    held = verdict("added p50 in direct p50", added50, P50, most=True)
    return verdict("added p99 in direct p50", added99, P99, most=True) and held


def against_mitmdump(program: Path, direct: Way, through: Way, calls: int, folder: Path) -> bool:
    """Requests a second, taking turns; the server answers at once, so that it is no bound."""
    with mitmdump(program, direct.url, folder / "flows") as url:
        asyncio.run(ready(Way(url)))
        ratios = {size: rates(through, Way(url), calls, size) for size in (LARGE, SMALL)}
    name = "requests/s of 100 KB in mitmdump's"
    print(f"{name:<44}{ratios[LARGE]:8.2f}   for information")
    return verdict("requests/s of 10 KB in mitmdump's", ratios[SMALL], RATE, most=False)


def rates(through: Way, other: Way, calls: int, size: int) -> float:
    """The gateway's in those of another, as the median over the rounds."""
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(ROUNDS):
        ours.append(asyncio.run(rate(through, calls, size)))
        theirs.append(asyncio.run(rate(other, calls, size)))
    told = f"{statistics.median(ours):.0f}/s, mitmdump {statistics.median(theirs):.0f}/s"
    print(f"{size // 1000} KB at {CONNECTIONS} connections: gateway {told}")
    return statistics.median(one / two for one, two in zip(ours, theirs, strict=True))


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description="Measures what the gateway costs.")
    parser.add_argument(
        "--calls", type=int, default=300, help="calls of each kind in each of five rounds"
    )
    parser.add_argument("--mitmdump", type=Path, metavar="PROGRAM", help="use this one")
    parser.add_argument("--without-mitmdump", action="store_true", help="leave that bar out")
    parser.add_argument("--role", nargs="+", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    match asked.role:
        case ["model", *how]:
            asyncio.run(serve_model(streams=bool(how)))
            return
        case ["gateway", folder, *upstreams]:
            asyncio.run(serve_gateway(Path(folder), upstreams))
            return
    program = None if asked.without_mitmdump else asked.mitmdump or installed_mitmdump()
    with tempfile.TemporaryDirectory() as place:
        held = measure(asked.calls, program, Path(place))
    sys.exit(0 if held else 1)


if __name__ == "__main__":
    main()
