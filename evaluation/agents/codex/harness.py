"""How Codex is started, and the truth about how it ended.

All settings lie in the fresh home's own file, so that nothing of a corpus or an operator stands
beside them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import orjson

from evaluation.agents.cli import GRACE, Cli, CliHarness, Left, Start
from evaluation.agents.codex.events import FinishedWatch, told
from evaluation.agents.codex.install import PROGRAM
from evaluation.agents.codex.profile import ARGUMENTS, CONFIG, ENVIRONMENT, NO_SUBAGENTS, PROFILE
from evaluation.agents.ending import exit_fault, one_line
from evaluation.agents.harness import Job
from evaluation.sandboxes.process import tail
from evaluation.sandboxes.sandbox import Sandbox
from evaluation.transcripts.codex import read_codex_session

FOLDER = "/opt/codex"
REFUSED = re.compile(r"Incomplete response returned, reason: content_filter\s*\Z")
"""How the CLI fails where a filter broke off the answer. That is an outcome of the run."""


def start(job: Job, sandbox: Sandbox) -> Start:
    """The command line, the whole environment, and the settings."""
    return Start(
        argv=(
            f"{FOLDER}/{PROGRAM.executable}",
            *ARGUMENTS,
            *("--model", job.model),
            # None can be taken for an option.
            *("--", job.prompt),
        ),
        environment={
            **ENVIRONMENT,
            "HOME": sandbox.inside.home,
            "OPENAI_API_KEY": job.token,
        },
        files={".codex/config.toml": "".join(_config(job, sandbox.inside.gateway))},
    )


def _config(job: Job, gateway: str) -> Iterator[str]:
    """Plain keys stand above the first table."""
    if "effort" in job.settings:
        effort = orjson.dumps(str(job.settings["effort"])).decode()  # a text in TOML is one in JSON
        yield f"model_reasoning_effort = {effort}\n"
    yield CONFIG.format(base_url=f"{gateway}/v1")
    if job.condition == "no_delegation":
        yield NO_SUBAGENTS


def fault_of(left: Left) -> str:
    """What went wrong, in words; empty where nothing did."""
    said = told(left.stdout)
    if said.end is not None and said.end.failed:
        if REFUSED.search(said.end.message):
            return ""
        return one_line(f"the turn failed: {said.end.message or said.error}")
    if left.code:
        return exit_fault(left.code, left.stderr)
    if said.end is None:
        last = said.error or tail(left.stderr)
        return one_line(f"no turn was completed: {last}".removesuffix(": "))
    return ""


CLI = Cli(
    profile=PROFILE,
    program=PROGRAM,
    folder=FOLDER,
    sessions=(Path(".codex", "sessions"),),  # the main session and its sub-agents
    start=start,
    finished=FinishedWatch,
    fault=fault_of,
    read=read_codex_session,
)


class Codex(CliHarness):
    """The harness of Codex."""

    def __init__(self, tools: Path, grace: float = GRACE) -> None:
        super().__init__(CLI, tools, grace)
