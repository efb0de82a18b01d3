"""What the gateway knows of how the model's server serves a run."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web

from evaluation.gateway.answers import MOST_FAILED, Answers
from evaluation.gateway.drafts import Arrived, Draft
from evaluation.gateway.messages import ResponseBody
from evaluation.gateway.naming import Name
from evaluation.gateway.recording import Answered
from evaluation.gateway.runs import RunTraffic
from tests.evaluation.gateway.conftest import ANSWER, BOUND, KEY, Handler, answer, asks, rigged

PAGE = b"<!doctype html><title>busy</title>"
ERROR = b'{"type":"error","error":{"type":"api_error","message":"no"}}'
JSON, STREAM, HTML = "application/json", "text/event-stream", "text/html; charset=utf-8"


def gives(status: int, body: bytes, kind: str) -> Handler:
    async def give(request: web.Request) -> web.StreamResponse:
        return web.Response(status=status, body=body, headers={"Content-Type": kind})

    return give


async def hangs_up(request: web.Request) -> web.StreamResponse:
    assert request.transport is not None
    request.transport.close()
    return web.Response()


def traffic_of(folder: Path, *handlers: Handler, path: str = "/v1/messages") -> RunTraffic:
    """Of one call to each handler, in their order."""
    left = list(handlers)

    async def next_one(request: web.Request) -> web.StreamResponse:
        return await left.pop(0)(request)

    async def run() -> RunTraffic:
        async with rigged(folder, next_one) as rig:
            for number in range(len(handlers)):
                try:
                    await rig.post(asks(f"call {number}"), path)
                except aiohttp.ClientError:
                    continue
            return (await rig.close()).traffic

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("handler", "answered", "failure"),
    [
        pytest.param(gives(500, b"oops", "text/plain"), 1, "HTTP 500, text/plain", id="500"),
        pytest.param(gives(404, b"{}", JSON), 1, "HTTP 404, application/json", id="404"),
        pytest.param(gives(200, PAGE, HTML), 1, "HTTP 200, text/html", id="a page"),
        pytest.param(gives(200, b"", JSON), 1, "HTTP 200, application/json", id="nothing"),
        pytest.param(gives(200, b"", f"x/{KEY}"), 1, "HTTP 200, no content type", id="an odd type"),
        pytest.param(
            gives(200, ERROR, JSON),
            1,
            "HTTP 200, application/json, an error in the place of an answer",
            id="an error with 200",
        ),
        pytest.param(
            gives(200, b"".join(ANSWER[:2]), STREAM),
            3,
            "HTTP 200, text/event-stream, cut off",
            id="half a stream, which was accepted",
        ),
        pytest.param(hangs_up, 1, "the connection broke", id="hung up"),
    ],
)
def test_a_call_without_a_whole_answer_has_failed(
    tmp_path: Path, handler: Handler, answered: int, failure: str
) -> None:
    traffic = traffic_of(tmp_path, answer, handler, handler)
    assert (traffic.answered, traffic.failed, traffic.last_failure) == (answered, 2, failure)


@pytest.mark.parametrize("status", [429, 529])
def test_a_throttled_call_is_no_failure(tmp_path: Path, status: int) -> None:
    async def throttled(request: web.Request) -> web.StreamResponse:
        return web.Response(status=status, body=b"{}", headers={"Retry-After": "0"})

    traffic = traffic_of(tmp_path, answer, throttled)
    assert (traffic.answered, traffic.failed) == (1, 0)


def test_what_asks_for_no_answer_of_the_model_counts_as_none(tmp_path: Path) -> None:
    traffic = traffic_of(tmp_path, gives(404, b"{}", JSON), path="/v1/messages/count_tokens")
    assert (traffic.answered, traffic.failed) == (0, 0)


def test_a_whole_answer_ends_the_row_of_failures(tmp_path: Path) -> None:
    broken = gives(500, b"oops", "text/plain")
    traffic = traffic_of(tmp_path, broken, broken, answer, broken)
    assert (traffic.answered, traffic.failed, traffic.fault) == (1, 1, "")


def test_a_server_that_fails_again_and_again_is_called_no_more(tmp_path: Path) -> None:
    async def run() -> None:
        async with rigged(tmp_path, gives(200, PAGE, HTML)) as rig:
            for _ in range(MOST_FAILED):
                assert (await rig.post(asks("go"))).status == 200
            refused = await rig.post(asks("go"))
            assert (refused.status, len(rig.seen)) == (403, 20)
            closed = await rig.close()
            assert len(closed.rows) == 21
            assert closed.traffic.fault == (
                "20 calls in a row were not answered; the last: HTTP 200, text/html"
            )

    asyncio.run(run())


def test_an_answer_in_between_and_the_server_is_called_on(tmp_path: Path) -> None:
    broken = [gives(500, b"oops", "text/plain")] * (MOST_FAILED - 1)
    traffic = traffic_of(tmp_path, *broken, answer, *broken)
    assert (traffic.failed, traffic.fault) == (19, "")


def test_a_call_on_which_the_client_hangs_up_is_pending_and_then_no_failure(tmp_path: Path) -> None:
    async def run() -> None:
        come = asyncio.Event()

        async def silent(request: web.Request) -> web.StreamResponse:
            come.set()
            await asyncio.Event().wait()
            raise AssertionError

        async with rigged(tmp_path, silent) as rig:
            assert rig.gateway.traffic(rig.ticket).unanswered == 0.0
            call = asyncio.create_task(rig.post(asks("go")))
            await asyncio.wait_for(come.wait(), BOUND)
            assert rig.gateway.traffic(rig.ticket).unanswered > 0.0
            call.cancel()
            traffic = (await rig.close()).traffic
            assert (traffic.answered, traffic.failed, traffic.unanswered) == (0, 0, 0.0)

    asyncio.run(run())


def draft() -> Draft:
    """A call for an answer that was sent."""
    name = Name("main", None, "main", "header")
    arrived = Arrived(call=1, name=name, size=1, generation=True, max_tokens=None)
    return Draft("POST", "/v1/messages", (), arrived=arrived, sent=1.0)


BODY = ResponseBody("m", "", (), "stop", 1, 10, 1, "", True)


def test_the_call_that_has_waited_longest_counts() -> None:
    answers, slow, quick = Answers(), draft(), draft()
    answers.waits(slow, 10.0)
    answers.waits(quick, 30.0)
    assert answers.unanswered(40.0) == 30.0
    answers.came(slow)
    assert answers.unanswered(40.0) == 10.0
    answers.waits(slow, 50.0)  # for the next piece of its answer
    answers.came(quick)
    assert answers.unanswered(55.0) == 5.0


def test_a_client_that_hangs_up_and_asks_again_has_waited_all_the_time() -> None:
    answers = Answers()
    for start in (0.0, 30.0):
        call = draft()
        answers.waits(call, start)
        call.end = "client_gone"
        answers.over(call, Answered("", None, "client_gone"), start + 20.0)
        assert answers.unanswered(start + 25.0) == 0.0
    last = draft()
    answers.waits(last, 60.0)
    assert answers.unanswered(65.0) == 20.0 + 20.0 + 5.0
    last.status = 200
    answers.over(last, Answered("", replace(BODY), "complete"), 66.0)
    answers.waits(last, 70.0)
    assert answers.unanswered(71.0) == 1.0
