"""One run at the gateway: what it is opened with, what it keeps while it lasts, what it gives."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from evaluation.gateway.bodies import decode_body
from evaluation.gateway.budget import Caps, Price, Purse
from evaluation.gateway.gate import Clock, Gate, Pauses
from evaluation.gateway.headers import Header, joined
from evaluation.gateway.history import History, Place
from evaluation.gateway.leaks import KeySearch
from evaluation.gateway.messages import WireFormat
from evaluation.gateway.naming import Name, name_call
from evaluation.gateway.protocols import PROTOCOLS
from evaluation.gateway.secrets import Secrets
from evaluation.gateway.threads import ThreadRules
from evaluation.gateway.wire import Ending, Protocol, WireRow, WireWriter


@dataclass(frozen=True)
class Upstream:
    """The model's server that the calls of a run go to."""

    base_url: str
    """Paths and queries are appended as they come: `http://127.0.0.1:4010`."""
    key: str = field(repr=False)
    """The real one; it never reaches the agent. Empty where the server wants none."""
    protocol: Protocol


@dataclass(frozen=True)
class RunPlan:
    """What a run is opened with."""

    upstream: Upstream
    rules: ThreadRules
    writer: WireWriter
    """Closed by whoever opened it, after the run."""
    socket: Path
    """Where to listen; its folder is made for the owner alone."""
    caps: Caps
    price: Price | None = None
    """None: unknown, or nothing is paid for."""
    purse: Purse | None = None
    """The sweep's, where its money is limited."""
    prompt: str = ""
    """The task: by it the main agent is told where headers name no thread."""


@dataclass(frozen=True)
class Ticket:
    """How an agent reaches the gateway."""

    token: str
    """The placeholder credential by which the gateway knows the run."""
    socket: Path
    url: str
    """The loopback address, for a harness that needs no sandbox."""


@dataclass(frozen=True)
class RunTraffic:
    """What went through the gateway in one run."""

    calls: int
    waited: float
    """Seconds in which a throttled upstream kept the run waiting: it had turned a call away and
    named a time, or a call was held. A wait that still lasts is included."""
    limit: str
    """The limit that was hit, with its value: `500 turns`. Empty: none was."""
    input_tokens: int
    """By the upstream's own count, as the next."""
    output_tokens: int
    fault: str
    """Why rows are missing from the wire; empty where none are."""
    quiet: float = 0.0
    """Seconds since a byte last went either way, a wait for a throttled upstream taken off."""
    cached_tokens: int = 0
    """Of the input, as the next."""
    cache_written: int = 0
    cost: float | None = None
    """US dollars; None where the price is unknown."""
    uncounted: int = 0
    """Calls whose usage the upstream did not tell: tokens and cost are at least what is said."""


@dataclass(frozen=True)
class Arrived:
    """A request that has come: what it says, whose it is, where it stands."""

    text: str
    generation: bool
    name: Name
    place: Place


@dataclass
class Draft:
    """What is known so far of an exchange."""

    method: str
    path: str
    request_headers: tuple[Header, ...]
    arrived: Arrived | None = None
    sent: float = 0.0
    first_byte: float = 0.0
    status: int = 0
    response_headers: tuple[Header, ...] = ()
    response: bytearray = field(default_factory=bytearray)
    end: Ending = "complete"


class OpenRun:
    """A run while it lasts."""

    def __init__(self, plan: RunPlan, token: str, gate: Gate, clock: Clock) -> None:
        self.upstream = plan.upstream
        self.token = token
        self.format: WireFormat = PROTOCOLS[plan.upstream.protocol]
        self.gate = gate
        self.clock = clock
        self._plan = plan
        self._secrets = Secrets(plan.upstream.key, token)
        self._history = History()
        self._turns_left = plan.caps.turns
        self._transports: list[asyncio.Transport] = []
        self._idle = asyncio.Event()
        self._idle.set()
        self.pauses = Pauses(clock)
        self.key_search = KeySearch.of(plan.upstream.key)
        self._limit = ""
        self._input_tokens = 0
        self._output_tokens = 0
        self._fault = ""

    @contextmanager
    def in_flight(self, transport: asyncio.Transport) -> Iterator[None]:
        """Keep account of an exchange, so that closing the run can wait for it or break it off."""
        self._transports.append(transport)
        self._idle.clear()
        try:
            yield
        finally:
            self._transports.remove(transport)
            if not self._transports:
                self._idle.set()

    async def end(self, grace: float) -> None:
        """Wait for the calls in flight; after `grace` seconds break their connections off."""
        try:
            await asyncio.wait_for(self._idle.wait(), grace)
        except TimeoutError:
            for transport in self._transports:
                transport.abort()
            await self._idle.wait()

    def arrive(self, draft: Draft, body: bytes) -> Arrived:
        """Number and name a call once its request has come."""
        headers = joined(draft.request_headers)
        text = decode_body(body, headers.get("content-encoding", ""))
        generation = self.format.is_generation(draft.method, draft.path)
        read = self.format.read_request(text, 0)
        name = name_call(
            self._plan.rules,
            headers,
            generation=generation,
            tools=None if read is None else len(read.tools),
        )
        same = f"{draft.method} {draft.path}\n".encode() + body
        place = self._history.place(name, same, self.format.read_messages(text))
        draft.arrived = Arrived(text, generation, name, place)
        return draft.arrived

    def take_turn(self) -> bool:
        """Whether the run may ask for one more answer."""
        if self._turns_left <= 0:
            self._limit = f"{self._plan.caps.turns} turns"
            return False
        self._turns_left -= 1
        return True

    def give_turn_back(self) -> None:
        """A throttled call is none of the agent's turns."""
        self._turns_left += 1

    async def hold(self) -> None:
        """Wait while the upstream's gate is closed."""
        await self.gate.wait(self.pauses)

    def turned_away(self, seconds: float) -> None:
        """The upstream wants no call for so long: not of this run, nor of another."""
        self.gate.close(seconds)
        self.pauses.add(self.gate.until)

    def record(self, draft: Draft) -> None:
        """Write the row of an exchange that is over."""
        # Without an arrival the client went while it was still sending.
        row = self._row(draft, draft.arrived or self.arrive(draft, b""))
        try:
            self._plan.writer.write(row)
        except OSError as error:
            self._fault = f"call {row.call} could not be recorded: {error.strerror}"

    def _row(self, draft: Draft, arrived: Arrived) -> WireRow:
        name, place = arrived.name, arrived.place
        headers = joined(draft.response_headers)
        response = decode_body(bytes(draft.response), headers.get("content-encoding", ""))
        end = draft.end
        if arrived.generation and 200 <= draft.status < 300:
            streamed = headers.get("content-type", "").startswith("text/event-stream")
            end = self._answered(draft.end, response, streamed=streamed)
        mask = self._secrets.mask
        return WireRow(
            call=place.call,
            attempt=place.attempt,
            protocol=self.format.name,
            method=draft.method,
            path=mask(draft.path),
            thread=mask(name.thread),
            parent=None if name.parent is None else mask(name.parent),
            kind=name.kind,
            by=name.by,
            sent=draft.sent,
            first_byte=draft.first_byte,
            done=self.clock.now(),
            status=draft.status,
            end=end,
            request_headers=self._masked(draft.request_headers),
            request=mask(arrived.text),
            response_headers=self._masked(draft.response_headers),
            response=mask(response),
            base=place.base,
            keep=place.keep,
        )

    def _masked(self, headers: tuple[Header, ...]) -> dict[str, str]:
        masked = (Header(h.key, self._secrets.mask_header(h.key, h.value)) for h in headers)
        return joined(masked)

    def _answered(self, end: Ending, response: str, *, streamed: bool) -> Ending:
        """Count an answer's tokens, and tell how it ended by what it says.

        The connection alone does not tell: clients hang up on the last event, which is no break,
        and a stream that the server ends early without breaking the connection is one.
        """
        read = self.format.read_response(response)
        if read is None:
            return "upstream_cut" if streamed and end == "complete" else end
        self._input_tokens += read.input_tokens or 0
        self._output_tokens += read.output_tokens or 0
        if read.error:
            return "error_event"
        if end == "client_gone" and read.whole:
            return "complete"
        if end == "complete" and streamed and not read.whole:
            return "upstream_cut"
        return end

    def traffic(self) -> RunTraffic:
        """What went through up to now."""
        return RunTraffic(
            calls=self._history.calls,
            waited=self.pauses.seconds(),
            limit=self._limit,
            input_tokens=self._input_tokens,
            output_tokens=self._output_tokens,
            fault=self._fault,
        )
