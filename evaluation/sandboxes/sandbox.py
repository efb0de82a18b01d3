"""The contract of sandboxes: one command, sealed in, with a corpus and a gateway to reach."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True)
class Inside:
    """What the agent sees. The same neutral names for every harness (DESIGN, section 2)."""

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
    """Wall clock after which the whole process tree is killed."""


@dataclass(frozen=True)
class Exit:
    """How the command ended."""

    code: int
    timed_out: bool
    seconds: float


class Sandbox(Protocol):
    """Runs one command to its end and leaves no process behind."""

    @property
    def name(self) -> str: ...

    @property
    def inside(self) -> Inside: ...

    async def run(self, command: Command) -> Exit:
        """Run it with no standard input. Raises InfrastructureError where it cannot be started."""
        ...
