"""One run at the gateway, as others see it: what it is opened with, and what went through it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from evaluation.gateway.budget import Caps, Price, Purse
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
    """The run's own limit that was hit, with what had been used of it: `500 turns`,
    `498211 of 500000 tokens`, `1.96 of 2.00 dollars`. Empty: none was."""
    input_tokens: int
    """By the upstream's own count, as the next; of calls of which it told nothing, nothing."""
    output_tokens: int
    fault: str
    """Why rows are missing from the wire; empty where none are."""
    quiet: float = 0.0
    """Seconds since a byte of a call last went either way. It stands still while a throttled
    upstream keeps the run waiting."""
    cached_tokens: int = 0
    """Of the input, as the next."""
    cache_written: int = 0
    cost: float | None = None
    """US dollars by the run's price; None where that is unknown."""
    uncounted: int = 0
    """Calls whose usage the upstream did not tell, or not to its end: tokens and cost are at least
    what is said. Against caps and purse such a call counts with its estimated input."""
    purse_empty: bool = False
    """A call was refused since the sweep's money did not reach. That is no limit of this run: it
    was cut off by its sweep, is void, and the sweep has nothing left to make others with."""
