"""Makes one run: opens it at the gateway, runs the agent, keeps what it left, scores it."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from authoring.artefacts import read_artefact, write_artefact
from authoring.errors import InfrastructureError, UserError
from evaluation.agents.harness import Ended, Harness, Job
from evaluation.gateway.budget import Caps, Price, Purse
from evaluation.gateway.runs import RunPlan, RunTraffic, Ticket, Upstream
from evaluation.gateway.secrets import Secrets
from evaluation.gateway.server import Gateway
from evaluation.gateway.wire import WireWriter
from evaluation.run import Limits, Outcome, RunKey, RunPaths, RunRecord, Usage
from evaluation.sandboxes.catalogue import Choice
from evaluation.sandboxes.layout import INSIDE
from evaluation.sandboxes.sandbox import Sandbox
from evaluation.sandboxes.scratch import make_scratch
from evaluation.sandboxes.trees import remove_tree
from evaluation.scoring.score import Score
from evaluation.scoring.scorer import Asked, Scorer
from evaluation.simulated.assignment import Assignment
from evaluation.simulated.model import parse_model
from evaluation.simulated.reviewer import Reviewer
from evaluation.simulated.server import SimulatedServer
from evaluation.sweep.deliverables import keep_deliverables
from evaluation.sweep.plan import SIMULATED, public_url, task_prompt
from evaluation.sweep.serving import Watch, most_held, server_fault
from generators.build import Build
from validation.report import Level


@dataclass(frozen=True)
class Workshop:
    """What the runs of one agent on one build are made with."""

    build: Build
    harness: Harness
    sandbox: Choice | None
    """None: the harness needs none."""
    gateway: Gateway
    simulated: SimulatedServer
    upstream: Upstream | None
    """Where real models are; None: every model of the sweep is simulated."""
    scorer: Scorer
    seal: Level | None
    accepted: tuple[str, ...] = ()
    """Names under which the models may answer, beside those that the harness knows."""
    prices: Mapping[str, Price] = field(default_factory=dict)
    """By model; what is not in it is unknown."""
    feasible: Mapping[str, bool | None] = field(default_factory=dict)
    """By model: whether it can hold a full reading."""
    purse: Purse | None = None
    clock: Callable[[], float] = time.time


class UnpaidError(Exception):
    """A run of which not one call went out, since the sweep's money did not hold it."""


def score_again(
    scorer: Scorer,
    build: Build,
    record: RunRecord,
    paths: RunPaths,
    accepted: tuple[str, ...] | None = None,
) -> RunRecord:
    """Score a run that is over; no agent is run. Its record is written with the outcome.

    `accepted` takes the place of the names under which its model could answer.
    """
    if accepted is not None:
        record = record.model_copy(update={"accepted": accepted})
    asked = _asked(scorer, build, record.key, record.accepted)
    scored = scorer.score(paths, record.ended or record.outcome, asked)
    record = record.model_copy(
        update={"outcome": scored.score.outcome, "models": dict(scored.models)}
    )
    write_artefact(paths.record, record)
    return record


def is_scored(scorer: Scorer, record: RunRecord, paths: RunPaths) -> bool:
    """Whether its score is there, is of this record, and was made as it would be made now."""
    try:
        score = read_artefact(paths.score, Score)
    except UserError:
        return False
    return score.outcome == record.outcome and score.versions == scorer.versions


def _asked(scorer: Scorer, build: Build, key: RunKey, accepted: tuple[str, ...]) -> Asked:
    task = task_prompt(build, key.condition, INSIDE.corpus)
    return Asked(task, _sent_model(scorer.harness, key), accepted)


def _sent_model(harness: Harness, key: RunKey) -> str:
    """The model's name as it goes over the wire: nothing tells an agent that it is simulated."""
    return harness.profile.neutral_model if _is_simulated(key) else key.model


@dataclass(frozen=True)
class _Bench:
    """Where one run is made."""

    key: RunKey
    paths: RunPaths
    scratch: Path
    sandbox: Sandbox | None
    folder: str
    """The corpus as the agent sees it."""
    prompt: str

    @property
    def home(self) -> Path:
        return self.scratch / "home"


async def make_run(shop: Workshop, key: RunKey, paths: RunPaths, attempt: int = 1) -> RunRecord:
    """Run the agent, in an empty folder. What fails around it becomes its outcome.

    The record is the last thing written, and what it came to is for `score_again` to say. Raises
    OSError where the disk is full, and UnpaidError where not one call went out for want of money.
    """
    paths.native.mkdir(parents=True)
    scratch = make_scratch()
    started = shop.clock()
    try:
        ended, traffic = await _run_agent(shop, _bench(shop, key, paths, scratch))
        await asyncio.to_thread(keep_deliverables, scratch / "home", paths.deliverables)
    finally:
        await asyncio.to_thread(remove_tree, scratch)
    if traffic.unpaid and not traffic.turns and not traffic.fault:
        raise UnpaidError(traffic.unpaid.reason)
    outcome = _by_process(ended, traffic, key.limits)
    record = RunRecord(
        key=key,
        simulated=_is_simulated(key),
        sandbox=shop.sandbox.name if shop.sandbox else "not needed",
        validation=shop.seal or "not validated",
        outcome=outcome,
        ended=outcome,
        started=started,
        seconds=round(ended.seconds, 3),
        usage=Usage(
            calls=traffic.calls,
            input_tokens=traffic.input_tokens,
            output_tokens=traffic.output_tokens,
            cached_tokens=traffic.cached_tokens,
            cache_written=traffic.cache_written,
            uncounted=traffic.uncounted,
        ),
        cost=_cost(key, traffic),
        charged=_charged(key, traffic),
        unpaid=_unpaid(traffic),
        upstream=_where(shop, key),
        attempt=attempt,
        accepted=shop.accepted,
        feasible=shop.feasible.get(key.model),
        marks=ended.marks,
        models={},
    )
    write_artefact(paths.record, record)
    return record


def _cost(key: RunKey, traffic: RunTraffic) -> float | None:
    """Nobody is paid for a simulated model."""
    return 0.0 if _is_simulated(key) else traffic.cost


def _unpaid(traffic: RunTraffic) -> float | None:
    return traffic.unpaid.dollars if traffic.unpaid and not traffic.fault else None


def _where(shop: Workshop, key: RunKey) -> str:
    """The model's server; empty for a simulated model."""
    return "" if _is_simulated(key) or not shop.upstream else public_url(shop.upstream.base_url)


def _charged(key: RunKey, traffic: RunTraffic) -> float | None:
    """At least the cost: what was set aside meanwhile leaves a trace of rounding."""
    if _is_simulated(key) or traffic.charged is None:
        return _cost(key, traffic)
    return max(round(traffic.charged, 9), traffic.cost or 0.0)


class _AgentRun(NamedTuple):
    ended: Ended
    traffic: RunTraffic


def _bench(shop: Workshop, key: RunKey, paths: RunPaths, scratch: Path) -> _Bench:
    home = scratch / "home"
    home.mkdir(mode=0o700)
    corpus = shop.build.paths.corpus
    sandbox = shop.sandbox.kind.for_run(home, corpus) if shop.sandbox else None
    folder = sandbox.inside.corpus if sandbox else INSIDE.corpus
    prompt = task_prompt(shop.build, key.condition, folder)
    return _Bench(key, paths, scratch, sandbox, folder, prompt)


async def _run_agent(shop: Workshop, bench: _Bench) -> _AgentRun:
    upstream = _upstream(shop, bench)
    try:
        with WireWriter(bench.paths.wire) as writer:
            ticket = await shop.gateway.open_run(_run_plan(shop, bench, upstream, writer))
            mask = Secrets(upstream.key, ticket.token).mask
            look = partial(shop.gateway.traffic, ticket)
            watch = Watch(look, most_held(bench.key.limits))
            try:
                ended = await _agent(shop, _job(shop, bench, ticket, watch), bench.sandbox)
            finally:
                traffic = await shop.gateway.close_run(ticket)
    finally:
        if _is_simulated(bench.key):
            write_artefact(bench.paths.truth, shop.simulated.finish(upstream.key))
    # An upstream may say the key back, and a CLI repeat it in its error.
    return _AgentRun(
        replace(ended, fault=mask(ended.fault)),
        replace(traffic, fault=mask(traffic.fault), unanswered=watch.unanswered),
    )


def _run_plan(shop: Workshop, bench: _Bench, upstream: Upstream, writer: WireWriter) -> RunPlan:
    limits = bench.key.limits
    return RunPlan(
        upstream=upstream,
        rules=shop.harness.profile.threads,
        writer=writer,
        socket=bench.scratch / "gateway" / "model.sock",
        caps=Caps(limits.turns, limits.tokens, limits.dollars),
        price=shop.prices.get(bench.key.model),
        purse=shop.purse,
        prompt=bench.prompt,
        prices=_prices(shop, bench.key),
    )


def _prices(shop: Workshop, key: RunKey) -> Mapping[str, Price]:
    """By the names that go over the wire: a CLI may send a model's name as another."""
    if _is_simulated(key):
        return {}
    sent = shop.harness.profile.models.aliases.get(key.model, key.model)
    own = shop.prices.get(key.model)
    return dict(shop.prices) if own is None else {sent: own, **shop.prices, key.model: own}


def _is_simulated(key: RunKey) -> bool:
    return key.model.startswith(SIMULATED)


def _upstream(shop: Workshop, bench: _Bench) -> Upstream:
    """A real server, or a reviewer of this run's own on the simulated one."""
    key = bench.key
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
        folder=bench.folder,
        seed=key.repetition,
    )
    shop.simulated.register(token, Reviewer(assignment))
    return Upstream(base_url=shop.simulated.url, key=token, protocol=shop.harness.profile.protocol)


async def _agent(shop: Workshop, job: Job, sandbox: Sandbox | None) -> Ended:
    try:
        return await shop.harness.run(job, sandbox)
    except InfrastructureError as error:
        return Ended(ok=False, seconds=0.0, fault=str(error))


def _job(shop: Workshop, bench: _Bench, ticket: Ticket, watch: Watch) -> Job:
    key = bench.key
    return Job(
        prompt=bench.prompt,
        model=_sent_model(shop.harness, key),
        corpus=shop.build.paths.corpus,
        home=bench.home,
        native=bench.paths.native,
        token=ticket.token,
        socket=ticket.socket,
        url=ticket.url,
        seconds=key.limits.seconds,
        turns=key.limits.turns,
        condition=key.condition,
        settings=key.settings,
        held=watch.held,
        silence=key.limits.silence,
        quiet=watch.quiet,
    )


def _by_process(ended: Ended, traffic: RunTraffic, limits: Limits) -> Outcome:
    """What the process itself says of the run; the scorer decides the rest."""
    if traffic.fault:
        return Outcome(kind="infrastructure", reason=traffic.fault)
    if traffic.unpaid:  # another day it would have gone on: that is no limit of the run's own
        return Outcome(kind="infrastructure", reason=traffic.unpaid.reason)
    if by_server := server_fault(ended, traffic, limits):
        return Outcome(kind="infrastructure", reason=by_server)
    # A limit may show as a fault of the agent, which was refused its next call.
    if ended.limit or traffic.limit:
        return Outcome(kind="limit", reason=_limit_hit(ended, traffic, limits))
    if ended.stalled:
        return Outcome(kind="stalled", reason=ended.stalled)
    if not ended.ok:
        return Outcome(kind="infrastructure", reason=ended.fault)
    return Outcome(kind="completed")


def _limit_hit(ended: Ended, traffic: RunTraffic, limits: Limits) -> str:
    """Which limit it was, with what was measured."""
    if ended.limit != f"{limits.seconds:g} s":
        return ended.limit or traffic.limit
    return f"{ended.limit}: ended after {ended.seconds - traffic.waited:.1f} s of its own"
