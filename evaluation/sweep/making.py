"""Makes one run: opens it at the gateway, runs the agent, keeps what it left, scores it."""

from __future__ import annotations

import secrets
import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from authoring.artefacts import write_artefact
from authoring.errors import InfrastructureError
from evaluation.agents.harness import Ended, Harness, Job
from evaluation.gateway.context import context_log
from evaluation.gateway.runs import RunPlan, RunTraffic, Ticket, Upstream
from evaluation.gateway.server import Gateway
from evaluation.gateway.wire import WireWriter, read_wire
from evaluation.run import Outcome, RunKey, RunPaths, RunRecord, Usage
from evaluation.sandboxes.sandbox import Sandbox
from evaluation.scoring.score import Score
from evaluation.scoring.scorer import Scorer
from evaluation.simulated.assignment import Assignment
from evaluation.simulated.model import parse_model
from evaluation.simulated.reviewer import Reviewer
from evaluation.simulated.server import SimulatedServer
from evaluation.sweep.deliverables import keep_deliverables
from evaluation.sweep.plan import SIMULATED, PlannedRun
from generators.build import Build
from validation.report import Level


@dataclass(frozen=True)
class Workshop:
    """What every run of a sweep is made with."""

    build: Build
    harness: Harness
    sandbox: Sandbox | None
    gateway: Gateway
    simulated: SimulatedServer
    upstream: Upstream | None
    """Where real models are; None: every model of the sweep is simulated."""
    scorer: Scorer
    seal: Level | None
    folder: str
    """The corpus as the agent sees it."""
    clock: Callable[[], float] = time.time


@dataclass(frozen=True)
class MadeRun:
    """A run that is over."""

    record: RunRecord
    score: Score


async def make_run(shop: Workshop, planned: PlannedRun, paths: RunPaths) -> MadeRun:
    """Make one run in an empty folder. What fails around the agent becomes its outcome."""
    paths.native.mkdir(parents=True)
    scratch = Path(tempfile.mkdtemp(prefix="run-"))
    started = shop.clock()
    try:
        ended, traffic = await _run_agent(shop, planned, paths, scratch)
        keep_deliverables(scratch / "home", paths.deliverables)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    score = shop.scorer.score(paths, _by_process(ended, traffic), planned.prompt)
    record = RunRecord(
        key=planned.key,
        simulated=_is_simulated(planned.key),
        sandbox=shop.sandbox.name if shop.sandbox else "not needed",
        validation=shop.seal or "not validated",
        outcome=score.outcome,
        started=started,
        seconds=round(ended.seconds, 3),
        usage=Usage(
            calls=traffic.calls,
            input_tokens=traffic.input_tokens,
            output_tokens=traffic.output_tokens,
        ),
        models=dict(context_log(read_wire(paths.wire)).models),
    )
    write_artefact(paths.record, record)
    return MadeRun(record, score)


async def _run_agent(
    shop: Workshop, planned: PlannedRun, paths: RunPaths, scratch: Path
) -> tuple[Ended, RunTraffic]:
    home = scratch / "home"
    home.mkdir(mode=0o700)
    upstream = _upstream(shop, planned.key)
    with WireWriter(paths.wire) as writer:
        ticket = await shop.gateway.open_run(
            RunPlan(
                upstream=upstream,
                rules=shop.harness.profile.threads,
                writer=writer,
                socket=scratch / "gateway" / "model.sock",
                turns=planned.key.limits.turns,
            )
        )
        try:
            ended = await _agent(shop, _job(shop, planned, paths, home, ticket))
        finally:
            traffic = await shop.gateway.close_run(ticket)
            if _is_simulated(planned.key):
                write_artefact(paths.truth, shop.simulated.finish(upstream.key))
    return ended, traffic


def _is_simulated(key: RunKey) -> bool:
    return key.model.startswith(SIMULATED)


def _upstream(shop: Workshop, key: RunKey) -> Upstream:
    """A real server, or a reviewer of this run's own on the simulated one."""
    if not _is_simulated(key):
        if shop.upstream is None:
            raise InfrastructureError(f"no upstream was given for {key.model}")
        return shop.upstream
    token = secrets.token_hex(24)
    assignment = Assignment(
        model=parse_model(key.model),
        registry=shop.build.registry,
        manifest=shop.build.manifest,
        texts=shop.build.texts,
        hands=shop.harness.profile.hands,
        folder=shop.folder,
        seed=key.repetition,
    )
    shop.simulated.register(token, Reviewer(assignment))
    return Upstream(base_url=shop.simulated.url, key=token, protocol=shop.harness.profile.protocol)


async def _agent(shop: Workshop, job: Job) -> Ended:
    try:
        return await shop.harness.run(job, shop.sandbox)
    except InfrastructureError as error:
        return Ended(ok=False, seconds=0.0, fault=str(error))


def _job(shop: Workshop, planned: PlannedRun, paths: RunPaths, home: Path, ticket: Ticket) -> Job:
    key = planned.key
    neutral = shop.harness.profile.neutral_model
    return Job(
        prompt=planned.prompt,
        model=neutral if _is_simulated(key) else key.model,
        corpus=shop.build.paths.corpus,
        home=home,
        native=paths.native,
        token=ticket.token,
        socket=ticket.socket,
        url=ticket.url,
        seconds=key.limits.seconds,
        turns=key.limits.turns,
    )


def _by_process(ended: Ended, traffic: RunTraffic) -> Outcome:
    """What the process itself says of the run; the scorer decides the rest."""
    if traffic.fault:
        return Outcome(kind="infrastructure", reason=traffic.fault)
    # A limit may show as a fault of the agent, which was refused its next call.
    if ended.limit or traffic.limit:
        return Outcome(kind="limit", reason=ended.limit or traffic.limit)
    if not ended.ok:
        return Outcome(kind="infrastructure", reason=ended.fault)
    return Outcome(kind="completed")
