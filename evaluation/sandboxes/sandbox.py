"""The contract of sandboxes: one command, sealed in, with a corpus and a gateway to reach."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from evaluation.sandboxes.deadline import Held, How, never_held, never_quiet

HOME_BYTES = 2 << 30
"""What a home may hold, where nothing else is said."""


@dataclass(frozen=True)
class Inside:
    """What the agent sees. The same neutral names for every harness."""

    home: str
    corpus: str
    gateway: str
    """Base URL of the model's server: `http://127.0.0.1:8080`."""


@dataclass(frozen=True)
class Program:
    """A folder of the host with the agent's program, readable inside."""

    host: Path
    inside: str


@dataclass(frozen=True)
class Command:
    """What to run, and what it may touch."""

    argv: tuple[str, ...]
    """With paths as the agent sees them."""
    environment: Mapping[str, str]
    """The whole environment: nothing of the host's is passed on."""
    home: Path
    """Host folder that becomes the fresh home, writable."""
    corpus: Path
    """Host folder of the corpus, read-only."""
    socket: Path
    """Host Unix socket of the gateway."""
    programs: tuple[Program, ...]
    stdout: Path
    stderr: Path
    seconds: float
    """Wall clock after which the whole process tree is killed, what it was held taken off."""
    held: Held = never_held
    """Seconds so far in which a throttled server kept it waiting."""
    finished: Callable[[Path], bool] | None = None
    """Whether its stdout so far says that its work is done; None where that is told by its end
    alone. Asked again and again while it runs."""
    grace: float = 5.0
    """Seconds that it then has to exit, before the whole process tree is killed."""
    silence: float = math.inf
    """Seconds without a sign of life (a byte of output, a byte to or from the model's server) after
    which it is taken for stalled and killed; what it was held is no silence."""
    quiet: Callable[[], float] = never_quiet
    """Seconds since a byte last went to or from the model's server."""
    home_bytes: int = HOME_BYTES
    """What its home may hold, before it is killed."""


@dataclass(frozen=True)
class Exit:
    """How the command ended."""

    code: int
    how: How
    seconds: float
    marks: tuple[str, ...] = ()
    """What it did that the sandbox had to stop or clean up after, in words for a reader: `left 2
    processes behind`, `reached the limit of 1024 processes`."""


@dataclass(frozen=True)
class Promise:
    """One thing that a sandbox promises of a run, and whether this machine lets it keep it."""

    name: str
    """`memory`, `processes`: the same word in every sandbox."""
    holds: bool
    detail: str
    """How it is held; or why it is not."""


class Sandbox(Protocol):
    """Runs one command to its end and leaves no process behind."""

    @property
    def name(self) -> str: ...

    @property
    def inside(self) -> Inside: ...

    async def run(self, command: Command) -> Exit:
        """Run it with no standard input. Raises InfrastructureError where it cannot be started."""
        ...
