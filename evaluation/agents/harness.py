"""The contract of harnesses: how one agent CLI is started, isolated and read back."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from evaluation.gateway.threads import ThreadRules
from evaluation.gateway.wire import Protocol as WireProtocol
from evaluation.reading.context import ToolTable
from evaluation.sandboxes.deadline import Held, never_held
from evaluation.sandboxes.sandbox import Sandbox
from evaluation.simulated.hands import Hands
from evaluation.transcripts.trajectory import Trajectory


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
    offered: tuple[str, ...]
    """Tools we choose to offer; empty where the CLI decides. Part of the run key."""
    threads: ThreadRules
    hands: Hands
    neutral_model: str
    """The model's name that a simulated model goes by."""


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
    held: Held = never_held
    """Seconds so far in which a throttled upstream kept the run waiting: its time stands still."""


@dataclass(frozen=True)
class Ended:
    """How the agent's process ended. What it did is on the wire and in the session."""

    ok: bool
    seconds: float
    limit: str = ""
    """The limit that ended it, with its value: `900 s`. Empty: none did."""
    fault: str = ""
    """What went wrong, in words, where the agent failed: an exit code, an API error."""


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
