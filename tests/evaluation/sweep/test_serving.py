"""A run that its model's server brought to its end is void, whatever limit it came to."""

from __future__ import annotations

import asyncio
import itertools
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path

import aiohttp
import pytest

from evaluation.agents.fixed.harness import Fixed
from evaluation.agents.harness import Ended, Job, Profile
from evaluation.gateway.runs import RunTraffic
from evaluation.run import Limits, Outcome
from evaluation.sandboxes.deadline import Deadline, Silence, wait_for_end
from evaluation.sandboxes.sandbox import Sandbox
from evaluation.sweep.plan import UpstreamSpec
from evaluation.sweep.serving import most_held, server_fault
from evaluation.sweep.stopping import IN_A_ROW
from evaluation.transcripts.trajectory import Trajectory
from generators.build import Build
from ocb.sweeps import Sweep
from tests.evaluation.sweep.made_sweeps import made_sweep, quietly, with_agent, with_plan
from tests.evaluation.sweep.model_server import MODEL, Answer, ModelServer, completion

Call = Callable[[], Awaitable[int]]
"""Calls the model; the status of what came."""
Act = Callable[[Call], Awaitable[None]]

PAGE = Answer(200, b"<html>busy</html>", "text/html")
HALF = b'data: {"model": "some-model", "choices": [{"index": 0, "delta": {"content": "I "}}]}\n\n'
HALF_STREAM = Answer(200, HALF, "text/event-stream")
BROKEN = Answer(500, b"oops", "text/plain")
THROTTLED = Answer(429, b"{}", headers={"retry-after": "1"})
NO_QUOTA = Answer(429, b"{}", headers={"retry-after": "0"})
SILENT = Answer(hang_up=True)
"""Once the test is over."""


@dataclass(frozen=True)
class Caller:
    """A CLI that does what it is told to, watched as one in a sandbox is."""

    act: Act
    prints: bool = False
    """All the time, so that it is never silent."""

    @property
    def profile(self) -> Profile:
        return Fixed().profile

    def installed_version(self) -> str:
        return Fixed().installed_version()

    async def run(self, job: Job, sandbox: Sandbox | None) -> Ended:
        work = asyncio.create_task(self._work(job))
        printed = itertools.count().__next__ if self.prints else int
        silence = Silence(job.silence, printed, job.quiet, job.held)
        how = await wait_for_end(work, Deadline(job.seconds, job.held), silence=silence)
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
        limit = f"{job.seconds:g} s" if how == "timed out" else ""
        stalled = f"{job.silence:g} s of silence" if how == "stalled" else ""
        return Ended(ok=how == "ended", seconds=job.seconds, limit=limit, stalled=stalled)

    async def _work(self, job: Job) -> None:
        async with aiohttp.ClientSession() as client:

            async def call() -> int:
                body = {"model": job.model, "messages": [], "tools": [TOOL]}
                headers = {"authorization": f"Bearer {job.token}"}
                url = f"{job.url}/v1/chat/completions"
                try:
                    async with client.post(url, json=body, headers=headers) as response:
                        await response.read()
                        return response.status
                except aiohttp.ClientPayloadError:
                    return 0

            await self.act(call)

    def read_session(self, native: Path) -> Trajectory:
        return Fixed().read_session(native)


TOOL = {"type": "function", "function": {"name": "read_file"}}


async def works(call: Call) -> None:
    """One call, and then a tool of its own that never ends."""
    await call()
    await asyncio.Event().wait()


async def never_calls(call: Call) -> None:
    await asyncio.Event().wait()


async def calls_on(call: Call) -> None:
    """For ever, but for a refusal."""
    while await call() != 403:
        pass


async def calls_thrice(call: Call) -> None:
    """And waits, as clients do, longer each time."""
    for _ in range(3):
        await call()
    await asyncio.Event().wait()


async def calls_once_more(call: Call) -> None:
    await call()
    await calls_thrice(call)


def outcomes(
    build: Build,
    parent: Path,
    answers: list[Answer],
    harness: Caller | Fixed,
    limits: Limits,
    repetitions: int = 1,
) -> tuple[list[Outcome], ModelServer]:
    """Of runs behind a server that gives these answers, and from then on the last."""
    over, left = threading.Event(), list(answers)

    def give() -> Answer:
        given = left.pop(0) if len(left) > 1 else left[0]
        if given is SILENT:
            over.wait(20)
        return given

    with ModelServer(give) as server:
        sweep = made_sweep(build, parent, MODEL, harness=harness, repetitions=repetitions)
        upstream = UpstreamSpec(kind="compatible", url=server.url)
        sweep = replace(with_agent(sweep, upstream=upstream), retries=0, ramp=0.0, concurrency=1)
        try:
            return [r.outcome for r in quietly(limited(sweep, limits)).records()], server
        finally:
            over.set()


def limited(sweep: Sweep, limits: Limits) -> Sweep:
    return with_plan(sweep, limits=limits)


TIME = Limits(seconds=0.3)
SILENCE = Limits(seconds=20, silence=0.3)


@pytest.mark.parametrize(
    ("answers", "harness", "limits", "reason"),
    [
        pytest.param(
            [SILENT],
            Fixed(),
            TIME,
            "no call of the model was answered; ended by 0.3 s",
            id="not a byte",
        ),
        pytest.param(
            [SILENT],
            Fixed(),
            SILENCE,
            "no call of the model was answered; ended by 0.3 s of silence",
            id="not a byte, told by the silence",
        ),
        pytest.param(
            [completion(), SILENT],
            Caller(calls_once_more),
            SILENCE,
            "the server did not answer for 0.3 s",
            id="silent from the second call on",
        ),
        pytest.param(
            [completion(), SILENT],
            Caller(calls_once_more, prints=True),
            Limits(seconds=0.8, silence=0.2),
            "the server did not answer for 0.2 s or more; ended by 0.8 s",
            id="silent from the second call on, told by the clock",
        ),
        pytest.param(
            [PAGE],
            Caller(calls_on),
            Limits(seconds=20),
            "20 calls in a row were not answered; the last: HTTP 200, text/html",
            id="a page for ever",
        ),
        pytest.param(
            [completion(), HALF_STREAM],
            Caller(calls_on),
            Limits(seconds=20),
            "20 calls in a row were not answered; the last: HTTP 200, text/event-stream, cut off",
            id="half an answer for ever",
        ),
        pytest.param(
            [BROKEN],
            Caller(calls_thrice),
            TIME,
            "no call of the model was answered; the last: HTTP 500, text/plain; ended by 0.3 s",
            id="an error for ever",
        ),
        pytest.param(
            [completion(), BROKEN],
            Caller(calls_once_more),
            TIME,
            "the last calls were not answered, 3 or more; the last: HTTP 500, text/plain; ended by"
            " 0.3 s",
            id="an error from the second call on",
        ),
        pytest.param(
            [BROKEN],
            Caller(calls_on),
            Limits(seconds=20, turns=2),
            "no call of the model was answered; the last: HTTP 500, text/plain; ended by 2 turns",
            id="an error until the turns are spent",
        ),
        pytest.param(
            [completion(), THROTTLED],
            Caller(calls_on),
            TIME,
            "throttled for 0.3 s",
            id="throttled for ever",
        ),
        pytest.param(
            [completion(), THROTTLED],
            Caller(calls_on, prints=True),
            Limits(seconds=0.3, silence=0.2),
            "throttled for 0.3 s",
            id="throttled for ever, with signs of life",
        ),
        pytest.param(
            [completion(), NO_QUOTA],
            Caller(calls_once_more),
            TIME,
            "throttled for 0.15 s or more, and to the end; ended by 0.3 s",
            id="throttled to its end, and never told to wait",
        ),
        pytest.param(
            [completion()],
            Caller(never_calls),
            TIME,
            "no call of the model was answered; ended by 0.3 s",
            id="an agent that never calls",
        ),
    ],
)
def test_what_the_server_did_is_void(
    build: Build,
    tmp_path: Path,
    answers: list[Answer],
    harness: Caller | Fixed,
    limits: Limits,
    reason: str,
) -> None:
    (outcome,), _ = outcomes(build, tmp_path, answers, harness, limits)
    assert (outcome.kind, outcome.reason) == ("infrastructure", reason)


def test_a_server_that_was_given_up_is_called_no_more(build: Build, tmp_path: Path) -> None:
    _, server = outcomes(build, tmp_path, [PAGE], Caller(calls_on), Limits(seconds=20))
    assert server.calls == 20


def test_runs_of_a_server_that_fails_stop_their_sweep(build: Build, tmp_path: Path) -> None:
    limits = Limits(seconds=0.1)
    made, _ = outcomes(build, tmp_path, [BROKEN], Caller(calls_thrice), limits, repetitions=9)
    assert len(made) == IN_A_ROW


@pytest.mark.parametrize(
    ("answers", "act", "limits", "kind"),
    [
        pytest.param([completion()], works, TIME, "limit", id="its own tool runs"),
        pytest.param([completion()], works, SILENCE, "stalled", id="its own silence"),
        pytest.param(
            [completion(), BROKEN, completion()], calls_thrice, TIME, "limit", id="mended"
        ),
        pytest.param(
            [completion()], calls_on, Limits(seconds=20, turns=3), "limit", id="its own turns"
        ),
    ],
)
def test_what_the_agent_did_is_its_own(
    build: Build, tmp_path: Path, answers: list[Answer], act: Act, limits: Limits, kind: str
) -> None:
    (outcome,), _ = outcomes(build, tmp_path, answers, Caller(act), limits)
    assert outcome.kind == kind


SERVED = RunTraffic(
    calls=9, waited=0.0, limit="", input_tokens=0, output_tokens=0, fault="", answered=1
)
BY_CLOCK, STALLED = Ended(ok=False, seconds=9, limit="1800 s"), Ended(False, 9, stalled="a while")


@pytest.mark.parametrize(
    ("ended", "traffic", "faulty"),
    [
        pytest.param(BY_CLOCK, SERVED, False, id="its time is up"),
        pytest.param(BY_CLOCK, replace(SERVED, failed=2), False, id="two failed"),
        pytest.param(BY_CLOCK, replace(SERVED, failed=3), True, id="three failed"),
        pytest.param(BY_CLOCK, replace(SERVED, unanswered=59.9), False, id="a slow answer"),
        pytest.param(BY_CLOCK, replace(SERVED, unanswered=60.0), True, id="no answer for a minute"),
        pytest.param(STALLED, replace(SERVED, unanswered=1.0), True, id="both were silent"),
        pytest.param(STALLED, SERVED, False, id="the agent was silent"),
        pytest.param(BY_CLOCK, replace(SERVED, waited=1799.0), False, id="kept waiting"),
        pytest.param(BY_CLOCK, replace(SERVED, waited=1800.0), True, id="kept waiting too long"),
        pytest.param(
            Ended(True, 9), replace(SERVED, waited=1800.0), False, id="and came to an end"
        ),
        pytest.param(BY_CLOCK, replace(SERVED, throttled=59.9), False, id="throttled at its end"),
        pytest.param(BY_CLOCK, replace(SERVED, throttled=60.0), True, id="throttled to its end"),
        pytest.param(STALLED, replace(SERVED, throttled=60.0), True, id="throttled into silence"),
        pytest.param(
            Ended(False, 9, limit="500 turns"), replace(SERVED, throttled=60.0), False, id="turns"
        ),
        pytest.param(
            Ended(False, 9, limit="context: 5000 of 4096 tokens"),
            replace(SERVED, answered=0),
            False,
            id="too long to be sent",
        ),
        pytest.param(
            Ended(False, 9, fault="the agent's own"),
            replace(SERVED, limit="500 turns", answered=0),
            True,
            id="turns without an answer",
        ),
        pytest.param(Ended(True, 9), replace(SERVED, answered=0), False, id="not ended by a limit"),
    ],
)
def test_whose_end_it_was(ended: Ended, traffic: RunTraffic, faulty: bool) -> None:
    assert bool(server_fault(ended, traffic, Limits())) is faulty


def test_a_run_is_kept_waiting_as_long_as_it_may_last_and_an_hour_at_most() -> None:
    assert most_held(Limits(seconds=1800)) == 1800
    assert most_held(Limits(seconds=90_000)) == 3600
