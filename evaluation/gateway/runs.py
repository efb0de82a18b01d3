"""One run at the gateway, as others see it: what it is opened with, and what went through it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from evaluation.gateway.budget import Caps, Price, Purse, Unpaid
from evaluation.gateway.threads import ThreadRules
from evaluation.gateway.wire import Protocol, WireWriter


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
    """Of a call that names no model, and of all where there is no table. None: unknown, or nothing
    is paid for."""
    purse: Purse | None = None
    """The sweep's, where its money is limited."""
    prompt: str = ""
    """The task: by it the main agent is told where headers name no thread."""
    prices: Mapping[str, Price] = field(default_factory=dict)
    """By model: a call costs by the one it asks for. One that is not in it is unknown, and not
    passed on where dollars are limited. A name without a date stands for the dated ones too."""


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
    """The run's own limit that was hit, with what had been used of it: `500 turns`,
    `498211 of 500000 tokens`, `1.96 of 2.00 dollars`. Empty: none was."""
    input_tokens: int
    """By the upstream's own count, as the next; of calls of which it told nothing, nothing."""
    output_tokens: int
    fault: str
    """Why rows are missing from the wire, or why the server was given up; empty where neither."""
    quiet: float = 0.0
    """Seconds since a byte of a call last went either way. It stands still while a throttled
    upstream keeps the run waiting."""
    cached_tokens: int = 0
    """Of the input, as the next."""
    cache_written: int = 0
    cost: float | None = None
    """US dollars by the prices of the models asked for; None where one of them is unknown."""
    uncounted: int = 0
    """Calls whose usage the upstream did not tell, not to its end, or as more than can be. Tokens
    and cost hold what was told, as far as it can be. Against caps and purse such a call counts with
    its estimated input, where none was told, and with as much of its answer as came."""
    unpaid: Unpaid | None = None
    """The first call that was refused since the sweep's money did not hold it. That is no limit of
    this run: it was cut off by its sweep, and is void."""
    charged: float | None = None
    """US dollars that count against caps and purse: the cost, and what calls that are uncounted
    are taken to have used beyond it. None where the price is unknown."""
    turns: int = 0
    """Calls for an answer that went out, less those that were turned away."""
    answered: int = 0
    """Calls for an answer of the model that the server accepted and began to answer."""
    failed: int = 0
    """The latest such calls in a row that failed: not answered, cut off, an error, or no answer in
    what came. Throttled calls, and those on which the client hung up, are neither."""
    last_failure: str = ""
    """What the last of them was: `HTTP 200, text/html`. Empty where there is none."""
    throttled: float = 0.0
    """Seconds since the server first throttled a call for an answer and answered none after it, on
    the run's own clock: what is said in `waited` is left out."""
    unanswered: float = 0.0
    """Seconds for which a call at the server has waited for a byte of it, the longest; 0 where none
    waits. It stands still while a throttled upstream keeps the run waiting."""
    unpriced: str = ""
    """The first model that was asked for without a known price, where prices are known at all."""
