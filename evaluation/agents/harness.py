"""The contract of harnesses: how one agent CLI is started, isolated and read back."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from pydantic import JsonValue

from authoring.spec import Condition
from evaluation.agents.model_names import ModelNames
from evaluation.gateway.threads import ThreadRules
from evaluation.gateway.wire import Protocol as WireProtocol
from evaluation.reading.attachments import Attachments
from evaluation.reading.context import ToolTable
from evaluation.sandboxes.deadline import Held, never_held, never_quiet
from evaluation.sandboxes.sandbox import Sandbox
from evaluation.simulated.hands import Hands
from evaluation.transcripts.trajectory import Trajectory


@dataclass(frozen=True)
class OperatorFile:
    """A file by which operators set up their own CLI, and which must not reach the model."""

    path: str
    """Below the operator's home; or below a folder above the corpus."""
    text: str
    """`{canary}` stands where a sentence goes that the model would see."""
    above_corpus: bool = False


@dataclass(frozen=True)
class Profile:
    """What differs between harnesses, as data."""

    name: str
    version: str
    """Pinned, and read back from the program before each run."""
    protocol: WireProtocol
    needs_sandbox: bool
    tools: ToolTable
    """What each tool adds to file text."""
    readers: frozenset[str]
    """Tools by which a model can read files: one that was offered none never had the means."""
    offered: tuple[str, ...]
    """Tools we choose to offer; empty where the CLI decides. Part of the run key."""
    threads: ThreadRules
    hands: Hands
    neutral_model: str
    """The model's name that a simulated model goes by."""
    models: ModelNames = field(default_factory=ModelNames)
    """Names under which the model asked for may answer."""
    conditions: frozenset[Condition] = frozenset(("direct", "delegated", "no_delegation"))
    """What it can be run under. `no_delegation` takes the sub-agent tool away."""
    settings: frozenset[str] = frozenset()
    """Names of the sampling and reasoning settings that it can be given."""
    attachments: Attachments = field(default_factory=Attachments)
    """How it writes files into what it sends that no tool returned."""
    reports: frozenset[str] = frozenset()
    """Tools in whose arguments a sub-agent gives its last word."""
    operator: tuple[OperatorFile, ...] = ()
    """Every place by which an operator's own set-up could reach the model."""


@dataclass(frozen=True)
class Job:
    """One run to make."""

    prompt: str
    model: str
    """As sent on the wire."""
    corpus: Path
    home: Path
    """A fresh, empty folder."""
    native: Path
    """Where the session and the output must be when it is over."""
    token: str
    """The run token: the placeholder credential by which the gateway knows the run."""
    socket: Path
    """The gateway's Unix socket."""
    url: str
    """The gateway's loopback address, for a harness that needs no sandbox."""
    seconds: float
    turns: int
    condition: Condition = "direct"
    settings: Mapping[str, JsonValue] = field(default_factory=dict)
    """Sampling and reasoning settings, by the names in the profile."""
    held: Held = never_held
    """Seconds so far in which a throttled upstream kept the run waiting: its time stands still."""
    silence: float = math.inf
    """Seconds without a sign of life after which the run is stalled."""
    quiet: Callable[[], float] = never_quiet
    """Seconds since a byte last went to or from the model's server."""


TOO_LONG = "context: "
"""How the limit of a request begins that a harness did not send, since it is longer than what the
model's server says it holds. No call need have been answered before it."""


@dataclass(frozen=True)
class Ended:
    """How the agent's process ended. What it did is on the wire and in the session."""

    ok: bool
    seconds: float
    limit: str = ""
    """The limit that ended it, with its value: `900 s`. Empty: none did."""
    stalled: str = ""
    """How long it had been silent when it was ended: `600 s of silence`. Empty: it was not."""
    fault: str = ""
    """What went wrong, in words, where the agent failed: an exit code, an API error."""
    marks: tuple[str, ...] = ()
    """What it did that the sandbox had to stop or clean up after."""


class Harness(Protocol):
    """One agent CLI."""

    @property
    def profile(self) -> Profile: ...

    def installed_version(self) -> str:
        """Read back from the program. Raises UserError with what to run where it is missing."""
        ...

    async def run(self, job: Job, sandbox: Sandbox | None) -> Ended:
        """Run the agent to its end; the session lies in `job.native` afterwards."""
        ...

    def read_session(self, native: Path) -> Trajectory:
        """The CLI's own session as a trajectory. Raises UserError where there is none to read."""
        ...
