"""One run at the gateway while it lasts."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from evaluation.gateway.answers import Answers
from evaluation.gateway.arriving import AT_ONCE, Request, is_slow, read_arrived
from evaluation.gateway.budget import Budget, Tokens
from evaluation.gateway.drafts import Arrived, Booked, Came, Draft
from evaluation.gateway.gate import THROTTLED, Clock, Gate, Pass, Pauses
from evaluation.gateway.headers import joined
from evaluation.gateway.history import Asked, History
from evaluation.gateway.leaks import KeySearch
from evaluation.gateway.messages import ResponseBody, WireFormat
from evaluation.gateway.naming import Naming
from evaluation.gateway.protocols import PROTOCOLS
from evaluation.gateway.recording import Answered, read_answer, row_of
from evaluation.gateway.runs import RunPlan, RunTraffic
from evaluation.gateway.secrets import Secrets
from evaluation.gateway.wire import WireRow

MOST_HELD = 1 << 28
"""Bytes of bodies that are kept at once for one run."""

LONGEST_NAME = 200
"""Characters of a model's name that are told."""

MOST_AHEAD = 1 << 20
"""Bytes of answers that are looked into while they are still coming, each time a request comes."""


class OpenRun:
    """A run while it lasts."""

    def __init__(self, plan: RunPlan, token: str, gate: Gate, clock: Clock) -> None:
        self.upstream = plan.upstream
        self.token = token
        self.format: WireFormat = PROTOCOLS[plan.upstream.protocol]
        self.gate = gate
        self.clock = clock
        self.pauses = Pauses(clock)
        self.budget = Budget(plan.caps, plan.price, plan.purse, plan.prices)
        self.key_search = KeySearch.of(plan.upstream.key)
        self._writer = plan.writer
        self._secrets = Secrets(plan.upstream.key, token)
        self._history = History()
        self._naming = Naming(plan.rules, plan.prompt)
        self._flights: dict[Draft, asyncio.Transport] = {}
        self._idle = asyncio.Event()
        self._idle.set()
        self._moved = self._running()
        self._answers = Answers()
        self._fault = ""
        self._held = 0
        self._recording: set[asyncio.Task[None]] = set()
        self._writing = asyncio.Lock()

    def _running(self) -> float:
        """A clock that stands still while a throttled upstream keeps the run waiting."""
        return self.clock.now() - self.pauses.seconds()

    def moved(self) -> None:
        """A byte went one way or the other."""
        self._moved = self._running()

    def waits(self, draft: Draft) -> None:
        """From now on a call waits for the server."""
        self._answers.waits(draft, self._running())

    def came(self, draft: Draft) -> None:
        """The server gave a byte for a call, or the end of its answer."""
        self._answers.came(draft)
        self.moved()

    @property
    def is_given_up(self) -> bool:
        """Whether the server failed so often that no more calls are passed on."""
        return bool(self._answers.fault)

    @contextmanager
    def in_flight(self, draft: Draft, transport: asyncio.Transport) -> Iterator[None]:
        """Keep account of an exchange, so that closing the run can wait for it or break it off."""
        self._flights[draft] = transport
        self._idle.clear()
        try:
            yield
        finally:
            del self._flights[draft]
            self._held -= draft.held
            if not self._flights:
                self._idle.set()

    def hold(self, draft: Draft, size: int) -> bool:
        """Make room for so many bytes of a body, until its exchange is over. False: there is none,
        and another body must end first."""
        if self._held + size > MOST_HELD:
            return False
        self._held += size
        draft.held += size
        return True

    def failed(self, error: Exception) -> None:
        """A fault of the gateway's own broke a call of the run."""
        self._fault = self._fault or f"the gateway failed: {type(error).__name__}"

    async def end(self, grace: float) -> None:
        """Wait for the calls in flight; after `grace` seconds break their connections off."""
        try:
            await asyncio.wait_for(self._idle.wait(), grace)
        except TimeoutError:
            for transport in self._flights.values():
                transport.abort()
            await self._idle.wait()

    async def arrive(self, draft: Draft, body: bytes) -> Arrived:
        """Number and name a call once its request has come."""
        encoding = joined(draft.request_headers).get("content-encoding", "")
        if is_slow(body, encoding):
            request = await asyncio.to_thread(self._read, draft, body)
        else:
            request = self._read(draft, body)
        while self._naming.needs_messages and self._recording:
            await asyncio.wait(self._recording)  # it may be by an order of theirs
        return self._enter(draft, body, request)

    def _read(self, draft: Draft, body: bytes) -> Request:
        encoding = joined(draft.request_headers).get("content-encoding", "")
        latest = self._naming.latest
        return read_arrived(self.format, draft.path, body, encoding, latest=latest)

    def _enter(self, draft: Draft, body: bytes, request: Request) -> Arrived:
        generation = self.format.is_generation(draft.method, draft.path)
        call = self._history.next_call()
        if self._naming.needs_messages:
            self._catch_up()
        headers = joined(draft.request_headers)
        name = self._naming.name(call, headers, request.body, generation=generation)
        draft.came = Came(request.text, Asked(draft.method, draft.path, body, request.messages))
        draft.arrived = Arrived(
            call=call,
            name=name,
            size=request.size,
            generation=generation,
            max_tokens=request.max_tokens,
            model=request.model,
            is_too_large=request.is_too_large,
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
        left = MOST_AHEAD
        for draft in self._flights:
            if 0 < len(draft.response) <= left:
                left -= len(draft.response)
                self._learn(draft, read_answer(self.format, draft).body, is_whole=False)

    def _learn(self, draft: Draft, body: ResponseBody | None, *, is_whole: bool) -> None:
        if draft.arrived is not None and body is not None:
            arrived = draft.arrived
            self._naming.answered(arrived.call, arrived.name, body, is_whole=is_whole)

    def turned_away(self, call: Pass, seconds: float) -> None:
        """The upstream wants no call for so long: not of this run, nor of another."""
        self.gate.turned_away(call, seconds)
        self.pauses.add(self.gate.until)

    async def record(self, draft: Draft) -> None:
        """Settle an exchange that is over, learn from it, and write its row. Once begun this comes
        to its end, also where it is cancelled meanwhile."""
        if draft.arrived is None:  # the client went while it was still sending
            self._enter(draft, b"", self._read(draft, b""))
        self.book(draft)
        at = self.clock.now()
        encoding = joined(draft.response_headers).get("content-encoding", "")
        answered = None
        if not is_slow(draft.response, encoding):
            self._settle_up(draft, answered := read_answer(self.format, draft))
        size = 0 if draft.booked is None else len(draft.booked.text)
        if answered is not None and size <= AT_ONCE and not self._recording:
            self._write(self._row(draft, answered, at))
            return
        task = asyncio.create_task(self._record_beside(draft, at, answered))
        self._recording.add(task)
        task.add_done_callback(self._recording.discard)
        await _to_its_end(task)

    async def _record_beside(self, draft: Draft, at: float, answered: Answered | None) -> None:
        """The same, while other calls go on."""
        if answered is None:
            answered = await asyncio.to_thread(read_answer, self.format, draft)
            self._settle_up(draft, answered)
        row = await asyncio.to_thread(self._row, draft, answered, at)
        async with self._writing:
            await asyncio.to_thread(self._write, row)

    def _settle_up(self, draft: Draft, answered: Answered) -> None:
        self._answers.over(draft, answered, self._running())
        self._settle(draft, answered)
        is_whole = answered.end == "complete" and answered.body is not None
        self._learn(draft, answered.body, is_whole=is_whole)
        if not is_whole and draft.arrived is not None:
            self._naming.broke_off(draft.arrived.call)

    def _row(self, draft: Draft, answered: Answered, at: float) -> WireRow:
        return row_of(self.format.name, draft, answered, self._secrets, at)

    def _write(self, row: WireRow) -> None:
        try:
            self._writer.write(row)
        except OSError as error:
            self._fault = f"call {row.call} could not be recorded: {error.strerror}"

    def _settle(self, draft: Draft, answered: Answered) -> None:
        reserved, body = draft.reservation, answered.body
        if reserved is None:
            return
        is_sent = draft.sent > 0 and draft.was_reached
        if draft.status in THROTTLED or draft.sent == 0:
            self.budget.give_back(reserved, turn=True)
        elif not is_sent or (draft.status and not 200 <= draft.status < 300):
            self.budget.give_back(reserved, turn=False)
        elif body is None or body.input_tokens is None:
            model = body.model if body else ""
            self.budget.settle(reserved, None, said=answered.said, answered=model)
        else:
            used = Tokens(
                body.input_tokens, body.output_tokens or 0, body.cached_tokens, body.cache_written
            )
            told = body.whole and body.output_tokens is not None
            self.budget.settle(
                reserved, used, is_whole=told, said=answered.said, answered=body.model
            )

    def traffic(self) -> RunTraffic:
        """What went through up to now."""
        used, answers = self.budget.used, self._answers
        return RunTraffic(
            calls=self._history.calls,
            waited=self.pauses.seconds(),
            limit=self.budget.limit,
            input_tokens=used.input,
            output_tokens=used.output,
            fault=self._fault or self._secrets.mask(answers.fault),
            quiet=max(self._running() - self._moved, 0.0),
            cached_tokens=used.cached,
            cache_written=used.cache_written,
            cost=self.budget.cost,
            uncounted=self.budget.uncounted,
            unpaid=self.budget.unpaid,
            charged=self.budget.charged,
            turns=self.budget.turns,
            answered=answers.answered,
            failed=answers.failed,
            last_failure=self._secrets.mask(answers.last_failure),
            throttled=answers.throttled(self._running()),
            unanswered=answers.unanswered(self._running()),
            unpriced=self._secrets.mask(self.budget.unpriced)[:LONGEST_NAME],
        )


async def _to_its_end(task: asyncio.Task[None]) -> None:
    """Wait for a task that must not be left half done; only then be cancelled."""
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            cancelled = error
    task.result()
    if cancelled is not None:
        raise cancelled
