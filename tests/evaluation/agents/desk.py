"""A fake CLI in its place, and one job for it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from evaluation.agents.cli import CliHarness
from evaluation.agents.harness import Ended, Job
from evaluation.agents.npm import NpmProgram
from evaluation.sandboxes.sandbox import Sandbox
from evaluation.sandboxes.unconfined import Unconfined

MakeHarness = Callable[[Path, float], CliHarness]
"""From the folder of installed CLIs, and the seconds that one has to leave after its answer."""


def prints(*events: object, then: str = "") -> str:
    """A CLI that prints these events."""
    lines = "\n".join(json.dumps(event) for event in events)
    return f"#!/bin/sh\ncat <<'END'\n{lines}\nEND\n{then}\n"


def job_in(root: Path, **changes: Any) -> Job:
    """A job whose folders and socket lie in one folder; they are not made."""
    job = Job(
        prompt="Review the folder.",
        model="some/model",
        corpus=root / "corpus",
        home=root / "home",
        native=root / "native",
        token="run-token",
        socket=root / "socket",
        url="",
        seconds=60,
        turns=100,
    )
    return replace(job, **changes)


class Desk:
    """Where one harness finds its CLI and its job."""

    def __init__(self, root: Path, make: MakeHarness, program: NpmProgram) -> None:
        self._make = make
        self.tools = root / "tools"
        self.program = program.folder(self.tools) / program.executable
        self.job = job_in(root)
        for folder in (self.job.corpus, self.job.home):
            folder.mkdir()

    def install(self, script: str, mode: int = 0o755) -> Path:
        """Put a script in the CLI's place."""
        self.program.parent.mkdir(parents=True, exist_ok=True)
        self.program.write_text(script)
        self.program.chmod(mode)
        return self.program

    def run(self, script: str, *, grace: float = 0.0, **changes: Any) -> Ended:
        """Run a script as the CLI, without a sandbox."""
        with contextlib.closing(Unconfined.for_run(self.job.home, self.job.corpus)) as sandbox:
            return self.run_in(sandbox, script, grace=grace, **changes)

    def run_in(
        self,
        sandbox: Sandbox,
        script: str,
        *,
        mode: int = 0o755,
        grace: float = 5.0,
        **changes: Any,
    ) -> Ended:
        """Run a script as the CLI, in a sandbox."""
        self.install(script, mode)
        job = replace(self.job, **changes)
        return asyncio.run(self._make(self.tools, grace).run(job, sandbox))


@contextlib.contextmanager
def desk_of(make: MakeHarness, program: NpmProgram) -> Iterator[Desk]:
    """A desk with a gateway's socket, which nobody answers."""
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as gateway:
        gateway.bind(str(Path(folder, "socket")))
        yield Desk(Path(folder), make, program)
