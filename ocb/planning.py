"""From what a user asks for to a sweep that can be run, with all that was looked at on the way."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from evaluation.sandboxes.layout import INSIDE
from evaluation.sweep.agent_checks import (
    check_agent_key,
    check_conditions,
    check_models,
    check_once,
    check_settings,
    check_simulated,
    check_upstream,
)
from evaluation.sweep.attempts import money_spent
from evaluation.sweep.matrix import (
    Already,
    Estimate,
    Known,
    Matrix,
    Standing,
    estimate,
    make_matrix,
)
from evaluation.sweep.plan import SweepPlan, task_prompt
from evaluation.sweep.preflight import (
    PreflightCheck,
    check_builds,
    check_count,
    check_disk,
    check_feasible,
    check_limits,
    check_money,
    check_prices,
    check_servers,
    is_simulated,
)
from evaluation.sweep.request import SweepRequest
from generators.build import Build
from generators.tokens import count_tokens
from ocb.gathering import Allowed, Gathering
from ocb.sweeps import Sweep, planned_build
from validation.feasibility import CorpusTokens, corpus_tokens

THRESHOLD = 1.0
"""US dollars that a sweep may cost at most without the user's word for it."""

KEYED = frozenset(("condition", "models", "runs"))
"""Checks without which no run has a key."""

Place = tuple[str, str, str]
"""Build, harness, model."""


@dataclass(frozen=True)
class Means:
    """What the machine gives a sweep."""

    environment: Mapping[str, str]
    tools: Path
    """Where agent CLIs are installed."""
    parent: Path
    """Where the sweep's folder goes."""
    free: Callable[[Path], int]
    """Bytes that are free where a folder lies."""


@dataclass(frozen=True)
class Prepared:
    """All that was looked at, and the sweep where nothing was refused."""

    checks: tuple[PreflightCheck, ...]
    matrix: Matrix | None = None
    """None where it cannot be told what the runs are."""
    sweep: Sweep | None = None

    @property
    def refusals(self) -> tuple[PreflightCheck, ...]:
        """Why the sweep does not start."""
        return tuple(check for check in self.checks if not check.ok)

    @property
    def to_approve(self) -> str:
        """What the user must say yes to, in words; empty where that is nothing."""
        if self.sweep is None or self.matrix is None:
            return ""
        if self.matrix.most > THRESHOLD:
            return f"it may cost up to ${self.matrix.most:,.2f}"
        far = [
            model
            for agent in self.sweep.plan.agents
            if not is_simulated(agent) and not is_loopback(agent.upstream.url)
            for model in agent.models
            if model in self.matrix.unpriced
        ]
        return f"its cost is not known: no price of {', '.join(far)}" if far else ""


def is_loopback(url: str) -> bool:
    """Whether an address is on this very machine."""
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def prepare(request: SweepRequest, means: Means, allowed: Allowed) -> Prepared:
    """Look at everything before anything is spent. What is wrong is told, all at once, not raised.

    No call goes to a model's server; CLIs are asked for their version.
    """
    parts = Gathering(request, means.tools, allowed)
    parts.get_builds()
    parts.get_agents()
    judge, sandbox = parts.judge(), parts.sandbox()
    tables, table = parts.tables(), parts.prices()
    checks = parts.checks
    _look_at_agents(parts, means.environment)
    if not parts.builds or not parts.agents:
        return Prepared(tuple(checks))
    plan = _plan(request, parts)
    prices = {
        model: price
        for agent in plan.agents
        if not is_simulated(agent)
        for model in agent.models
        if (price := table.of(model)) is not None
    }
    checks += (check_count(plan), check_prices(plan, prices, request.dollars))
    checks += check_builds(plan, _builds(parts))
    if tables is None:
        return Prepared(tuple(checks))
    estimates = _estimates(plan, _builds(parts), Known(tables, prices, plan.limits))
    checks += check_feasible(estimates.values(), allow=allowed.infeasible)
    checks += check_limits(tuple(estimates.values()), plan.limits)
    if judge is None or any(check.name in KEYED and not check.ok for check in checks):
        return Prepared(tuple(checks))
    sweep = Sweep(
        plan=plan,
        builds=parts.builds,
        harnesses=parts.harnesses,
        sandbox=sandbox,
        judge=judge,
        concurrency=request.concurrency,
        parent=means.parent,
        prices={**table.models, **prices},
        feasible={place: one.feasible for place, one in estimates.items()},
        dollars=request.dollars,
        retries=request.retries,
        again=allowed.again,
        free=means.free,
    )
    already = Already(sweep.paths, None if sweep.again else 1 + sweep.retries)
    matrix = _matrix(sweep, estimates, already)
    checks += check_servers(already.foreign)
    checks += check_money(matrix, estimates.values())
    checks.append(check_disk(means.parent, matrix.left, _builds(parts), means.free))
    return Prepared(tuple(checks), matrix, None if parts.is_refused else sweep)


def _look_at_agents(parts: Gathering, environment: Mapping[str, str]) -> None:
    builds = _builds(parts).values()
    profiles = {name: harness.profile for name, harness in parts.harnesses.items()}
    for agent in parts.agents:
        profile = profiles[agent.harness]
        models = check_models(agent)
        parts.checks.append(models)
        if models.ok:
            parts.checks += check_simulated(agent, profile)
        parts.checks += (
            check_upstream(agent, profile),
            check_agent_key(agent, environment, builds),
            check_settings(agent, profile),
        )
    parts.checks += check_once(parts.agents)
    parts.checks += check_conditions(parts.request.conditions, builds, profiles)


def _plan(request: SweepRequest, parts: Gathering) -> SweepPlan:
    return SweepPlan(
        label=request.name,
        builds=tuple(planned_build(one.build) for one in parts.builds.values()),
        agents=tuple(parts.agents),
        conditions=tuple(dict.fromkeys(request.conditions)),
        repetitions=request.repetitions,
        limits=request.limits,
    )


def _builds(parts: Gathering) -> dict[str, Build]:
    return {name: sealed.build for name, sealed in parts.builds.items()}


def _estimates(plan: SweepPlan, builds: Mapping[str, Build], known: Known) -> dict[Place, Estimate]:
    """Of every build, harness and model."""
    found: dict[Place, Estimate] = {}
    for name, build in builds.items():
        size = _size(plan, build)
        for agent in plan.agents:
            for model in agent.models:
                found[name, agent.harness, model] = estimate(name, size, agent, model, known)
    return found


def _size(plan: SweepPlan, build: Build) -> CorpusTokens:
    """What is to be read, and the longest prompt that asks for it."""
    given = set(plan.conditions) & set(build.spec.task.conditions)
    prompts = (task_prompt(build, condition, INSIDE.corpus) for condition in given)
    return corpus_tokens(build.texts, max(map(count_tokens, prompts), default=0))


def _matrix(sweep: Sweep, estimates: Mapping[Place, Estimate], already: Already) -> Matrix:
    runs = (
        Standing(one.run, already.there(one.key, one.run.agent.upstream.url))
        for one in sweep.planned()
    )
    left = None
    if sweep.dollars is not None:
        spent = money_spent(sweep.paths) if sweep.paths.root.is_dir() else 0.0
        left = max(sweep.dollars - spent, 0.0)
    return make_matrix(sweep.plan, runs, estimates, left)
