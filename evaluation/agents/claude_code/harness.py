"""How Claude Code is started, and the truth about how it ended.

Prevents a false result: in headless mode the CLI can end with exit code 0 and an API's error
sentence as its answer. The last event of its stream says so, and then the run is no run.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from evaluation.agents.claude_code.events import FinishedWatch, Result, last_result
from evaluation.agents.claude_code.install import PROGRAM
from evaluation.agents.claude_code.profile import ARGUMENTS, AS_ROOT, ENVIRONMENT, PROFILE
from evaluation.agents.cli import GRACE, Cli, CliHarness, Left, Start, as_unconfined_root
from evaluation.agents.ending import exit_fault, one_line
from evaluation.agents.harness import Job
from evaluation.sandboxes.process import tail
from evaluation.sandboxes.sandbox import Sandbox
from evaluation.transcripts.claude_code import read_claude_session

FOLDER = "/opt/claude-code"


def start(job: Job, sandbox: Sandbox) -> Start:
    """The command line and the whole environment."""
    return Start(
        argv=(f"{FOLDER}/{PROGRAM.executable}", *_arguments(job)),
        environment={
            **ENVIRONMENT,
            "HOME": sandbox.inside.home,
            "ANTHROPIC_BASE_URL": sandbox.inside.gateway,
            "ANTHROPIC_API_KEY": job.token,
            **(AS_ROOT if as_unconfined_root(sandbox) else {}),
        },
    )


def _arguments(job: Job) -> Iterator[str]:
    """The prompt comes after `--`, so that none can be taken for an option."""
    yield from ARGUMENTS
    if job.condition == "no_delegation":
        yield from ("--disallowedTools", ",".join(SUBAGENT_TOOLS))
    if "effort" in job.settings:
        yield from ("--effort", str(job.settings["effort"]))
    yield from ("--model", job.model, "--", job.prompt)


SUBAGENT_TOOLS = ("Agent", "Task", "Workflow")
"""By which work is handed on."""


def fault_of(left: Left) -> str:
    """What went wrong, in words; empty where nothing did."""
    result: Result | None = last_result(left.stdout)
    if result is not None and result.failed:
        return one_line(f"the CLI ended with an error as its result: {result.text}")
    if left.code:
        return exit_fault(left.code, left.stderr)
    if result is None:
        return one_line(f"no result event: {tail(left.stderr)}".removesuffix(": "))
    return ""


CLI = Cli(
    profile=PROFILE,
    program=PROGRAM,
    folder=FOLDER,
    sessions=(Path(".claude", "projects"),),  # the main session and its sub-agents
    start=start,
    finished=FinishedWatch,
    fault=fault_of,
    read=read_claude_session,
)


class ClaudeCode(CliHarness):
    """The harness of Claude Code."""

    def __init__(self, tools: Path, grace: float = GRACE) -> None:
        super().__init__(CLI, tools, grace)
