"""One run at the gateway while it lasts."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from evaluation.gateway.bodies import decode_body
from evaluation.gateway.budget import Budget, Tokens
from evaluation.gateway.drafts import Arrived, Booked, Came, Draft
from evaluation.gateway.gate import THROTTLED, Clock, Gate, Pass, Pauses
from evaluation.gateway.headers import joined
from evaluation.gateway.history import Asked, History
from evaluation.gateway.json_fields import Document
from evaluation.gateway.leaks import KeySearch
from evaluation.gateway.messages import ResponseBody, WireFormat
from evaluation.gateway.naming import Naming
from evaluation.gateway.protocols import PROTOCOLS
from evaluation.gateway.recording import read_answer, row_of
from evaluation.gateway.runs import RunPlan, RunTraffic
from evaluation.gateway.secrets import Secrets


class OpenRun:
    """A run while it lasts."""

    def __init__(self, plan: RunPlan, token: str, gate: Gate, clock: Clock) -> None:
        self.upstream = plan.upstream
        self.token = token
        self.format: WireFormat = PROTOCOLS[plan.upstream.protocol]
        self.gate = gate
        self.clock = clock
        self.pauses = Pauses(clock)
        self.budget = Budget(plan.caps, plan.price, plan.purse)
        self.key_search = KeySearch.of(plan.upstream.key)
        self._writer = plan.writer
        self._secrets = Secrets(plan.upstream.key, token)
        self._history = History()
        self._naming = Naming(plan.rules, plan.prompt)
        self._flights: dict[Draft, asyncio.Transport] = {}
        self._idle = asyncio.Event()
        self._idle.set()
        self._moved = self._running()
        self._fault = ""

    def _running(self) -> float:
        """A clock that stands still while a throttled upstream keeps the run waiting."""
        return self.clock.now() - self.pauses.seconds()

    def moved(self) -> None:
        """A byte went one way or the other."""
        self._moved = self._running()

    @contextmanager
    def in_flight(self, draft: Draft, transport: asyncio.Transport) -> Iterator[None]:
        """Keep account of an exchange, so that closing the run can wait for it or break it off."""
        self._flights[draft] = transport
        self._idle.clear()
        try:
            yield
        finally:
            del self._flights[draft]
            if not self._flights:
                self._idle.set()

    async def end(self, grace: float) -> None:
        """Wait for the calls in flight; after `grace` seconds break their connections off."""
        try:
            await asyncio.wait_for(self._idle.wait(), grace)
        except TimeoutError:
            for transport in self._flights.values():
                transport.abort()
            await self._idle.wait()

    def arrive(self, draft: Draft, body: bytes) -> Arrived:
        """Number and name a call once its request has come."""
        headers = joined(draft.request_headers)
        text = Document.of(decode_body(body, headers.get("content-encoding", "")))
        generation = self.format.is_generation(draft.method, draft.path)
        messages = self.format.read_messages(text)
        skipped = 0 if self._naming.needs_messages else len(messages)
        read = self.format.read_request(text, skipped)
        call = self._history.next_call()
        if self._naming.needs_messages:
            self._catch_up()
        name = self._naming.name(call, headers, read, generation=generation)
        draft.came = Came(text.plain, Asked(draft.method, draft.path, body, messages))
        draft.arrived = Arrived(
            call=call,
            name=name,
            size=len(text.plain),
            generation=generation,
            max_tokens=read.max_tokens if read else None,
        )
        return draft.arrived

    def book(self, draft: Draft) -> None:
        """Compare a request with those before it and take the secrets out of it: what its row
        needs, and can be done while the upstream is at work."""
        if draft.arrived is None or draft.came is None:
            return
        place = self._history.place(draft.arrived.call, draft.arrived.name, draft.came.asked)
        draft.booked = Booked(place, self._secrets.mask(draft.came.text))
        draft.came = None

    def _catch_up(self) -> None:
        """Learn from answers that are still coming: an agent may act on a call of a tool, and a
        sub-agent ask its first question, before the answer that holds it is over."""
        for draft in self._flights:
            if draft.response:
                self._learn(draft, read_answer(self.format, draft).body, is_whole=False)

    def _learn(self, draft: Draft, body: ResponseBody | None, *, is_whole: bool) -> None:
        if draft.arrived is not None and body is not None:
            arrived = draft.arrived
            self._naming.answered(arrived.call, arrived.name, body, is_whole=is_whole)

    def turned_away(self, call: Pass, seconds: float) -> None:
        """The upstream wants no call for so long: not of this run, nor of another."""
        self.gate.turned_away(call, seconds)
        self.pauses.add(self.gate.until)

    def record(self, draft: Draft) -> None:
        """Settle an exchange that is over, learn from it, and write its row."""
        # Without an arrival the client went while it was still sending.
        arrived = draft.arrived or self.arrive(draft, b"")
        self.book(draft)
        answered = read_answer(self.format, draft)
        self._settle(draft, answered.body)
        is_whole = answered.end == "complete" and answered.body is not None
        self._learn(draft, answered.body, is_whole=is_whole)
        if not is_whole:
            self._naming.broke_off(arrived.call)
        row = row_of(self.format.name, draft, answered, self._secrets, self.clock.now())
        try:
            self._writer.write(row)
        except OSError as error:
            self._fault = f"call {row.call} could not be recorded: {error.strerror}"

    def _settle(self, draft: Draft, body: ResponseBody | None) -> None:
        reserved = draft.reservation
        if reserved is None:
            return
        is_sent = draft.sent > 0 and draft.was_reached
        if draft.status in THROTTLED or draft.sent == 0:
            self.budget.give_back(reserved, turn=True)
        elif not is_sent or (draft.status and not 200 <= draft.status < 300):
            self.budget.give_back(reserved, turn=False)
        elif body is None or body.input_tokens is None:
            self.budget.settle(reserved, None)
        else:
            used = Tokens(
                body.input_tokens, body.output_tokens or 0, body.cached_tokens, body.cache_written
            )
            told = body.whole and body.output_tokens is not None
            self.budget.settle(reserved, used, is_whole=told)

    def traffic(self) -> RunTraffic:
        """What went through up to now."""
        used = self.budget.used
        return RunTraffic(
            calls=self._history.calls,
            waited=self.pauses.seconds(),
            limit=self.budget.limit,
            input_tokens=used.input,
            output_tokens=used.output,
            fault=self._fault,
            quiet=max(self._running() - self._moved, 0.0),
            cached_tokens=used.cached,
            cache_written=used.cache_written,
            cost=self.budget.cost,
            uncounted=self.budget.uncounted,
            purse_empty=self.budget.purse_empty,
        )
