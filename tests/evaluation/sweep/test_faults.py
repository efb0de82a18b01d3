"""What fails around an agent: each fault ends with its outcome, and no sweep ends with a run."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest
from aiohttp import web

from evaluation.gateway.runs import RunPlan, Ticket
from evaluation.gateway.server import Gateway
from evaluation.gateway.wire import WireRow, WireWriter
from evaluation.run import Limits
from evaluation.sweep.plan import UpstreamSpec
from evaluation.sweep.stopping import IN_A_ROW
from generators.build import Build
from ocb.sweeps import Sweep
from tests.evaluation.sweep.made_sweeps import (
    made_now,
    made_sweep,
    quietly,
    with_agent,
    with_plan,
)
from tests.evaluation.sweep.model_server import MODEL, Answer, ModelServer, completion


def served(build: Build, parent: Path, server: ModelServer, repetitions: int = 1) -> Sweep:
    """A sweep of a model behind a server; nothing is made again."""
    sweep = made_sweep(build, parent, MODEL, repetitions=repetitions)
    upstream = UpstreamSpec(kind="compatible", url=server.url)
    return replace(with_agent(sweep, upstream=upstream), retries=0, ramp=0.0)


@pytest.mark.parametrize(
    ("answer", "kind", "reason"),
    [
        pytest.param(completion(), "completed", "", id="an-answer"),
        pytest.param(completion("another"), "wrong_model", "another gave 1", id="another-model"),
        pytest.param(Answer(401, b'{"error": "key"}'), "infrastructure", "401", id="401"),
        pytest.param(Answer(404, b"{}"), "infrastructure", "404", id="404"),
        pytest.param(Answer(500, b"oops"), "infrastructure", "500", id="500"),
        pytest.param(Answer(529, b"{}"), "infrastructure", "529", id="529"),
        pytest.param(Answer(200, b""), "infrastructure", "not valid JSON", id="an-empty-body"),
        pytest.param(
            Answer(200, b"<html>busy</html>", "text/html"),
            "infrastructure",
            "not valid JSON",
            id="a-wrong-content-type",
        ),
        pytest.param(
            Answer(200, completion().body[:40]),
            "infrastructure",
            "not valid JSON",
            id="half-an-answer",
        ),
        pytest.param(Answer(hang_up=True), "infrastructure", "502", id="hung-up"),
    ],
)
def test_what_an_upstream_says_becomes_the_outcome(
    build: Build, tmp_path: Path, answer: Answer, kind: str, reason: str
) -> None:
    with ModelServer(lambda: answer) as server:
        (record,) = quietly(served(build, tmp_path, server)).records()
    assert record.outcome.kind == kind
    assert reason in record.outcome.reason


def test_a_wrong_key_does_not_burn_four_hundred_runs(build: Build, tmp_path: Path) -> None:
    with ModelServer(lambda: Answer(401, b"{}")) as server:
        sweep = served(build, tmp_path, server, repetitions=400)
        result = quietly(sweep)
    assert IN_A_ROW <= server.calls < IN_A_ROW + sweep.concurrency
    assert f"{IN_A_ROW} runs" in result.stopped
    assert "401" in result.stopped
    assert result.left == 400 - server.calls


def test_a_sweep_that_was_broken_off_goes_on(build: Build, tmp_path: Path) -> None:
    answers = [Answer(401, b"{}")]
    with ModelServer(lambda: answers[0]) as server:
        sweep = replace(served(build, tmp_path, server, repetitions=8), retries=1)
        assert quietly(sweep).stopped
        answers[0] = completion()
        assert quietly(sweep).outcomes == {"completed": 8}


def test_a_storm_of_throttling_loses_no_run(build: Build, tmp_path: Path) -> None:
    room, turned_away = threading.Semaphore(2), threading.Event()

    def answer() -> Answer:
        if not room.acquire(blocking=False):
            turned_away.set()
            return Answer(429, b"{}", headers={"retry-after": "0.05", "retry-after-ms": "50"})
        try:
            turned_away.wait(0.02)  # until a third call has come
            return completion()
        finally:
            room.release()

    with ModelServer(answer) as server:
        sweep = served(build, tmp_path, server, repetitions=40)
        result = quietly(replace(sweep, concurrency=8, retries=2))
    assert turned_away.is_set()
    assert result.outcomes == {"completed": 40}
    assert result.summary.voids == {}


def test_turns_that_are_spent_are_a_limit(build: Build, tmp_path: Path) -> None:
    sweep = with_plan(made_sweep(build, tmp_path, "sim/oracle"), limits=Limits(turns=2))
    (record,) = quietly(sweep).records()
    assert (record.outcome.kind, record.outcome.reason) == ("limit", "2 turns")


class Dying(Gateway):
    """It listens no more as soon as a run has begun."""

    async def open_run(self, plan: RunPlan) -> Ticket:
        ticket = await super().open_run(plan)
        for site in tuple(self._runner.sites):
            if isinstance(site, web.TCPSite):
                await site.stop()
        return ticket


def test_a_gateway_that_dies_in_the_middle_voids_its_runs(
    build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sweep = replace(made_sweep(build, tmp_path, "sim/nop"), retries=0)
    with monkeypatch.context() as patch:
        patch.setattr("ocb.sweeps.Gateway", Dying)
        (record,) = quietly(sweep).records()
    assert record.outcome.kind == "infrastructure"
    assert made_now(replace(sweep, retries=1)) == ["sim/nop"]


class FullDisk(WireWriter):
    """The disk takes nothing more."""

    def write(self, row: WireRow) -> None:
        raise OSError(28, "No space left on device")


def test_a_wire_that_cannot_be_written_voids_the_run(
    build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaluation.sweep.making.WireWriter", FullDisk)
    sweep = replace(made_sweep(build, tmp_path, "sim/nop"), retries=0)
    (record,) = quietly(sweep).records()
    assert record.outcome.kind == "infrastructure"
    assert "No space left on device" in record.outcome.reason
