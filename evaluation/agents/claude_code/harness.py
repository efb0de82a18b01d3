"""Runs Claude Code: one command, its session copied out, and the truth about how it ended.

Prevents a false result: in headless mode the CLI can end with exit code 0 and an API's error
sentence as its answer. The last event of its stream says so, and then the run is no run.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from authoring.errors import UserError
from evaluation.agents.claude_code.events import FinishedWatch, Result, last_result
from evaluation.agents.claude_code.install import PROGRAM
from evaluation.agents.claude_code.profile import ARGUMENTS, AS_ROOT, ENVIRONMENT, PROFILE
from evaluation.agents.ending import exit_fault, one_line
from evaluation.agents.harness import Ended, Job, Profile
from evaluation.agents.session_files import copy_files
from evaluation.sandboxes.process import tail
from evaluation.sandboxes.sandbox import Command, Inside, Program, Sandbox
from evaluation.transcripts.claude_code import STDOUT, read_claude_session
from evaluation.transcripts.trajectory import Trajectory

FOLDER = "/opt/claude-code"
"""Where the program lies inside."""
STDERR = "stderr.txt"
SESSIONS = Path(".claude", "projects")
"""Under the home: the main session and its sub-agents."""
VERSION = re.compile(r"\s*(\d+\.\d+\.\d+\S*)")
PATIENCE = 60
GRACE = 5.0
"""Seconds that the CLI has to exit once it has given its last result."""
ARGUMENT_BYTES = 128 * 1024 - 1
"""Linux takes no longer argument."""


class ClaudeCode:
    """The harness of Claude Code, at the version that is pinned."""

    def __init__(self, tools: Path, grace: float = GRACE) -> None:
        self._tools = tools.absolute()
        self._grace = grace

    @property
    def profile(self) -> Profile:
        return PROFILE

    def installed_version(self) -> str:
        """Read back from the program. Raises UserError where it is missing or another version."""
        program = PROGRAM.installed(self._tools)
        with tempfile.TemporaryDirectory(prefix="version-") as home:
            try:
                done = subprocess.run(
                    [program, "--version"],
                    env={**ENVIRONMENT, "HOME": home},
                    cwd=home,
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    timeout=PATIENCE,
                    check=False,
                )
            except (OSError, subprocess.SubprocessError) as error:
                raise UserError(f"{program} cannot be run: {error}", remedy=AGAIN) from error
        found = VERSION.match(done.stdout.decode(errors="replace"))
        if done.returncode or found is None:
            raise UserError(f"{program} does not tell its version", remedy=AGAIN)
        if found[1] != PROGRAM.version:
            what = f"{program} is version {found[1]}, not {PROGRAM.version}"
            raise UserError(what, remedy=AGAIN)
        return found[1]

    async def run(self, job: Job, sandbox: Sandbox | None) -> Ended:
        """Run it to its end; session, stdout and stderr lie in `job.native` afterwards."""
        if sandbox is None:
            raise UserError(
                "claude-code needs a sandbox", remedy="say `--sandbox none` to do without"
            )
        program = PROGRAM.installed(self._tools)
        check_argument(job.prompt)
        stdout, stderr = job.native / STDOUT, job.native / STDERR
        job.native.mkdir(parents=True, exist_ok=True)
        ended = await sandbox.run(
            Command(
                argv=arguments(job),
                environment=environment(job, sandbox),
                home=job.home,
                corpus=job.corpus,
                socket=job.socket,
                programs=(Program(program.parent, FOLDER),),
                stdout=stdout,
                stderr=stderr,
                seconds=job.seconds,
                held=job.held,
                finished=FinishedWatch(),
                grace=self._grace,
            )
        )
        copy_files(job.home, SESSIONS, job.native / SESSIONS.name)
        if ended.timed_out:
            return Ended(ok=False, seconds=ended.seconds, limit=f"{job.seconds:g} s")
        code = 0 if ended.lingered else ended.code  # that it was killed says nothing of its work
        fault = fault_of(code, last_result(stdout), stderr)
        return Ended(ok=not fault, seconds=ended.seconds, fault=fault)

    def read_session(self, native: Path) -> Trajectory:
        return read_claude_session(native)


AGAIN = f"run: ocb doctor --install {PROGRAM.name}"


def arguments(job: Job) -> tuple[str, ...]:
    """The command line. The prompt comes after `--`, so that none can be taken for an option."""
    return (f"{FOLDER}/{PROGRAM.executable}", *ARGUMENTS, "--model", job.model, "--", job.prompt)


def environment(job: Job, sandbox: Sandbox) -> Mapping[str, str]:
    """The whole environment of the agent."""
    inside: Inside = sandbox.inside
    unconfined_root = sandbox.name == "none" and os.geteuid() == 0
    return {
        **ENVIRONMENT,
        "HOME": inside.home,
        "ANTHROPIC_BASE_URL": inside.gateway,
        "ANTHROPIC_API_KEY": job.token,
        **(AS_ROOT if unconfined_root else {}),
    }


def check_argument(prompt: str) -> None:
    """Raises UserError where a prompt cannot be passed on."""
    if len(prompt.encode()) > ARGUMENT_BYTES:
        raise UserError("the task prompt is longer than 128 KiB", remedy="shorten it")
    if "\0" in prompt:
        raise UserError("the task prompt holds a NUL character", remedy="remove it")


def fault_of(code: int, result: Result | None, stderr: Path) -> str:
    """What went wrong, in words; empty where nothing did."""
    if result is not None and result.failed:
        return one_line(f"the CLI ended with an error as its result: {result.text}")
    if code:
        return exit_fault(code, stderr)
    if result is None:
        return one_line(f"no result event: {tail(stderr)}".removesuffix(": "))
    return ""
