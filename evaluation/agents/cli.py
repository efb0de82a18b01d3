"""Runs a production CLI: its version read back, one command in a sandbox, its session copied out.

What differs between CLIs is a `Cli`, as data and small functions in the CLI's own folder.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from authoring.errors import UserError
from evaluation.agents.harness import Ended, Job, Profile
from evaluation.agents.npm import NpmProgram
from evaluation.agents.session_files import copy_files
from evaluation.sandboxes.sandbox import Command, Exit, Program, Sandbox
from evaluation.transcripts.output import STDERR, STDOUT
from evaluation.transcripts.trajectory import Trajectory

VERSION = re.compile(r"\D*?(\d+\.\d+\.\d+\S*)")
PATIENCE = 60
GRACE = 5.0
"""Seconds that a CLI has to exit once its work is done."""
NEUTRAL: Mapping[str, str] = {
    "LANG": "C.UTF-8",
    "TZ": "UTC",
    "TERM": "dumb",
    "SHELL": "/bin/bash",
    "USER": "dev",
    "LOGNAME": "dev",
}
"""What every agent's environment says of its machine."""
ARGUMENT_BYTES = 128 * 1024 - 1
"""Linux takes no longer argument."""


@dataclass(frozen=True)
class Start:
    """How a CLI is started for one job."""

    argv: tuple[str, ...]
    """With paths as the agent sees them."""
    environment: Mapping[str, str]
    """All of it."""
    files: Mapping[str, str] = field(default_factory=dict)
    """What lies in the fresh home when it starts, by relative path."""


@dataclass(frozen=True)
class Left:
    """What a CLI's process left when it was over."""

    code: int
    """Its exit code; 0 where it had done its work and was killed since it stayed."""
    stdout: Path
    stderr: Path


class Finished(Protocol):
    """Reads a CLI's output while it is written. One for each run."""

    def __call__(self, stdout: Path, /) -> bool:
        """Whether the CLI has done its work and waits for nothing more."""
        ...


@dataclass(frozen=True)
class Cli:
    """One production CLI."""

    profile: Profile
    program: NpmProgram
    folder: str
    """Where the program lies inside: `/opt/claude-code`."""
    sessions: tuple[Path, ...]
    """Files or folders under the home that hold the session; copied to `native`, each under its
    last name."""
    start: Callable[[Job, Sandbox], Start]
    finished: Callable[[], Finished | None]
    """Makes what watches a run's output; gives None where the end of the process alone tells."""
    fault: Callable[[Left], str]
    """What went wrong by exit code and output, in words; empty where nothing did."""
    read: Callable[[Path], Trajectory]
    """The session in `native`. Raises UserError where there is none."""
    interpreter: tuple[str, ...] = ()
    """What runs the program where it is a script, by its path in the program's own folder."""


class CliHarness:
    """The harness of one CLI, at the version that is pinned."""

    def __init__(self, cli: Cli, tools: Path, grace: float = GRACE) -> None:
        self._cli = cli
        self._tools = tools.absolute()
        self._grace = grace

    @property
    def profile(self) -> Profile:
        return self._cli.profile

    @property
    def _again(self) -> str:
        return self._cli.program.remedy(self._tools)

    def program(self) -> Path:
        """The file that tells the version. Raises UserError where it is missing."""
        return self._cli.program.installed(self._tools)

    def installed_version(self) -> str:
        """Read back from the program. Raises UserError where it is missing or another version."""
        program = self._cli.program.installed(self._tools)
        with tempfile.TemporaryDirectory(prefix="version-") as home:
            try:
                done = subprocess.run(
                    [*self._interpreter(), str(program), "--version"],
                    env={"PATH": "/usr/bin:/bin", "HOME": home, "LANG": "C.UTF-8"},
                    cwd=home,
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    timeout=PATIENCE,
                    check=False,
                )
            except (OSError, subprocess.SubprocessError) as error:
                what = f"{program} cannot be run: {error}"
                raise UserError(what, remedy=self._again) from error
        found = VERSION.match(done.stdout.decode(errors="replace"))
        if done.returncode or found is None:
            raise UserError(f"{program} does not tell its version", remedy=self._again)
        if found[1] != self._cli.program.version:
            what = f"{program} is version {found[1]}, not {self._cli.program.version}"
            raise UserError(what, remedy=self._again)
        return found[1]

    def _interpreter(self) -> list[str]:
        """Raises UserError where it is missing."""
        paths = [self._cli.program.folder(self._tools) / part for part in self._cli.interpreter]
        for path in paths:
            if not path.is_file():
                what = f"{path} is missing, which runs {self._cli.program.name}"
                raise UserError(what, remedy=f"remove its folder, then {self._again}")
        return [str(path) for path in paths]

    async def run(self, job: Job, sandbox: Sandbox | None) -> Ended:
        """Run it to its end; session, stdout and stderr lie in `job.native` afterwards."""
        if sandbox is None:
            what = f"{self.profile.name} needs a sandbox"
            raise UserError(what, remedy="say `--sandbox none` to do without")
        self._cli.program.installed(self._tools)
        check_argument(job.prompt)
        stdout, stderr = job.native / STDOUT, job.native / STDERR
        job.native.mkdir(parents=True, exist_ok=True)
        start = self._cli.start(job, sandbox)
        lay_out(job.home, start.files)
        exited = await sandbox.run(
            Command(
                argv=start.argv,
                environment=start.environment,
                home=job.home,
                corpus=job.corpus,
                socket=job.socket,
                programs=(Program(self._cli.program.folder(self._tools), self._cli.folder),),
                stdout=stdout,
                stderr=stderr,
                seconds=job.seconds,
                held=job.held,
                finished=self._cli.finished(),
                grace=self._grace,
                silence=job.silence,
                quiet=job.quiet,
            )
        )
        for path in self._cli.sessions:
            copy_files(job.home, path, job.native / path.name)
        return self._ended(job, exited, stdout, stderr)

    def _ended(self, job: Job, exited: Exit, stdout: Path, stderr: Path) -> Ended:
        seconds, marks = exited.seconds, exited.marks
        match exited.how:
            case "timed out":
                return Ended(ok=False, seconds=seconds, limit=f"{job.seconds:g} s", marks=marks)
            case "stalled":
                silent = f"{job.silence:g} s of silence"
                return Ended(ok=False, seconds=seconds, stalled=silent, marks=marks)
            case "filled":
                return Ended(ok=False, seconds=seconds, limit="the home is full", marks=marks)
            case "lingered":
                code = 0  # that it was killed says nothing of its work
            case "ended":
                code = exited.code
        fault = self._cli.fault(Left(code, stdout, stderr))
        return Ended(ok=not fault, seconds=seconds, fault=fault, marks=marks)

    def read_session(self, native: Path) -> Trajectory:
        return self._cli.read(native)


def lay_out(home: Path, files: Mapping[str, str]) -> None:
    """Write files into a fresh home."""
    for name, text in files.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def as_unconfined_root(sandbox: Sandbox) -> bool:
    """Whether the agent itself would run as root; inside a sandbox it never does."""
    return sandbox.name == "none" and os.geteuid() == 0


def check_argument(prompt: str) -> None:
    """Raises UserError where a prompt cannot be passed on."""
    if len(prompt.encode()) > ARGUMENT_BYTES:
        raise UserError("the task prompt is longer than 128 KiB", remedy="shorten it")
    if "\0" in prompt:
        raise UserError("the task prompt holds a NUL character", remedy="remove it")
