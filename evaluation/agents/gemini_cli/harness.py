"""How Gemini CLI is started, and the truth about how it ended.

All of its set-up is one file in the fresh home. Prevents a false result: an error of the model's
server stands in the last event of the stream, and the exit code is what is left of its HTTP status.
"""

from __future__ import annotations

import re
from pathlib import Path

import orjson
from pydantic import JsonValue

from authoring.errors import UserError
from evaluation.agents.cli import GRACE, Cli, CliHarness, Left, Start
from evaluation.agents.ending import exit_fault, one_line
from evaluation.agents.gemini_cli.events import FinishedWatch, last_result
from evaluation.agents.gemini_cli.install import NODE, PROGRAM
from evaluation.agents.gemini_cli.profile import (
    ARGUMENTS,
    ENVIRONMENT,
    PROFILE,
    SEARCH,
    SETTINGS,
    WITHOUT_SKILLS,
    WITHOUT_SUBAGENTS,
)
from evaluation.agents.harness import Job
from evaluation.sandboxes.process import tail
from evaluation.sandboxes.sandbox import Sandbox
from evaluation.transcripts.gemini_cli import read_gemini_session

FOLDER = "/opt/gemini-cli"
ATTACHED = re.compile(r"@\S")
"""In a prompt, the CLI takes what follows for a file to attach, and sets the text anew. Escaped, it
reaches the model with the backslash."""


def start(job: Job, sandbox: Sandbox) -> Start:
    """The command line, the whole environment, and the set-up.

    The prompt is one argument with its option, so that none can be taken for another option. Raises
    UserError for a prompt that the CLI would not pass on as it is.
    """
    if ATTACHED.search(job.prompt):
        what = "Gemini CLI takes a word behind an @ in the task prompt for a file to attach"
        raise UserError(what, remedy="write the prompt without @")
    return Start(
        argv=(
            f"{FOLDER}/{PROGRAM.executable}",
            *ARGUMENTS,
            *("--model", job.model, f"--prompt={job.prompt}"),
        ),
        environment={
            **ENVIRONMENT,
            "HOME": sandbox.inside.home,
            "PATH": f"{FOLDER}/{NODE}:/usr/bin:/bin",  # by it the script finds its Node.js
            "GOOGLE_GEMINI_BASE_URL": sandbox.inside.gateway,
            "GEMINI_API_KEY": job.token,
        },
        files={
            ".gemini/settings.json": orjson.dumps(settings_of(job)).decode(),
            # The search for variables goes up from the corpus and ends at the first such file.
            ".gemini/.env": "",
        },
    )


def settings_of(job: Job) -> dict[str, JsonValue]:
    """The CLI's settings for one job."""
    alone = job.condition == "no_delegation"
    left_out: list[JsonValue] = [*(WITHOUT_SUBAGENTS if alone else WITHOUT_SKILLS)]
    return {
        **SETTINGS,
        "experimental": {"enableAgents": not alone, "autoMemory": False},
        "tools": {**SEARCH, "exclude": left_out},
    }


def fault_of(left: Left) -> str:
    """What went wrong, in words; empty where nothing did."""
    result = last_result(left.stdout)
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
    sessions=(Path(".gemini", "tmp"),),  # the main session and its sub-agents
    start=start,
    finished=FinishedWatch,
    fault=fault_of,
    read=read_gemini_session,
    interpreter=(f"{NODE}/node",),
)


class GeminiCli(CliHarness):
    """The harness of Gemini CLI."""

    def __init__(self, tools: Path, grace: float = GRACE) -> None:
        super().__init__(CLI, tools, grace)
