"""How OpenCode is started, and the truth about how it ended.

All of its set-up is one file in the fresh home. Files beside it keep it from two things that would
take its time: reading a catalogue of all makers' models, and installing a package for plug-ins.
"""

from __future__ import annotations

from pathlib import Path

import orjson
from pydantic import JsonValue

from evaluation.agents.cli import GRACE, Cli, CliHarness, Left, Start
from evaluation.agents.ending import exit_fault, one_line
from evaluation.agents.harness import Job
from evaluation.agents.opencode.events import FinishedWatch, last_of
from evaluation.agents.opencode.install import PROGRAM
from evaluation.agents.opencode.profile import ARGUMENTS, ENVIRONMENT, PROFILE
from evaluation.sandboxes.process import tail
from evaluation.sandboxes.sandbox import Sandbox
from evaluation.transcripts.opencode import STORE, read_opencode_session

FOLDER = "/opt/opencode"
PROVIDER = "provider"
"""The maker's name that the model is told."""
CONFIG = ".config/opencode"
SESSIONS = Path(".local", "share", "opencode", "sessions")
"""A folder of its own for the store: beside it lie logs, and long results of tools."""
FOREVER = 24 * 3600 * 1000
"""Milliseconds: a run's own limits end it, and a throttled server may keep it waiting."""
ERRED = 1
"""Exit code where anything went wrong at any time."""
PLUGIN_PACKAGE = "@opencode-ai/plugin"


def start(job: Job, sandbox: Sandbox) -> Start:
    """The command line, the whole environment, and the set-up."""
    home = sandbox.inside.home
    environment = {
        **ENVIRONMENT,
        "HOME": home,
        "PATH": f"{FOLDER}/ripgrep/bin:/usr/bin:/bin",
        "OPENCODE_DB": f"{home}/{SESSIONS}/{STORE}",
        "OPENCODE_MODELS_PATH": f"{home}/{CONFIG}/models.json",
    }
    if sandbox.name == "none":
        # An administrator's settings for the whole machine; a sandbox hides them.
        environment["OPENCODE_TEST_MANAGED_CONFIG_DIR"] = f"{home}/{CONFIG}/managed"
    return Start(
        argv=(
            f"{FOLDER}/{PROGRAM.executable}",
            *ARGUMENTS,
            *("--model", f"{PROVIDER}/{job.model}", "--", job.prompt),
        ),
        environment=environment,
        files={
            f"{CONFIG}/opencode.json": _json(config_of(job, sandbox.inside.gateway)),
            f"{CONFIG}/models.json": "{}",
            f"{CONFIG}/package-lock.json": _json(
                {"packages": {"": {"dependencies": {PLUGIN_PACKAGE: PROGRAM.version}}}}
            ),
            f"{CONFIG}/node_modules/.package-lock.json": "{}",
            f"{SESSIONS}/.keep": "",
        },
    )


def config_of(job: Job, gateway: str) -> dict[str, JsonValue]:
    """The settings: one model behind one server, and nothing that asks, shares or downloads."""
    model = _model_of(job)
    provider: JsonValue = {
        "npm": "@ai-sdk/openai-compatible",
        "name": PROVIDER,
        "options": {
            "baseURL": f"{gateway}/v1",
            "apiKey": job.token,
            "timeout": False,
            "headerTimeout": False,
            "chunkTimeout": FOREVER,
        },
        "models": {job.model: model},
    }
    config: dict[str, JsonValue] = {
        "provider": {PROVIDER: provider},
        "enabled_providers": [PROVIDER],
        "small_model": f"{PROVIDER}/{job.model}",
        "autoupdate": False,
        "share": "disabled",
        "snapshot": False,
        "lsp": False,
        "formatter": False,
    }
    if job.condition == "no_delegation":
        config["permission"] = {"task": "deny"}
    return config


def _model_of(job: Job) -> dict[str, JsonValue]:
    """The model's own settings, as this CLI calls them."""
    names = {"reasoning_effort": "reasoningEffort"}
    options = {names.get(k, k): v for k, v in job.settings.items() if k != "max_tokens"}
    model: dict[str, JsonValue] = {"name": job.model, "options": options}
    if "max_tokens" in job.settings:
        # 0: it does not know the context's length, and leaves the end of it to the server.
        model["limit"] = {"context": 0, "output": job.settings["max_tokens"]}
    return model


def _json(value: JsonValue) -> str:
    return orjson.dumps(value).decode()


def fault_of(left: Left) -> str:
    """What went wrong, in words; empty where nothing did."""
    last = last_of(left.stdout)
    if last.error:
        return one_line(f"the CLI ended with an error: {last.error}")
    # Its exit code is 1 also where a call failed long before, and it went on to its answer.
    if left.code and not (left.code == ERRED and last.erred and last.answered):
        return exit_fault(left.code, left.stderr)
    if last.answered:
        return ""
    return one_line(f"no step that ended the work: {tail(left.stderr)}".removesuffix(": "))


CLI = Cli(
    profile=PROFILE,
    program=PROGRAM,
    folder=FOLDER,
    sessions=(SESSIONS,),
    start=start,
    finished=FinishedWatch,
    fault=fault_of,
    read=read_opencode_session,
)


class OpenCode(CliHarness):
    """The harness of OpenCode."""

    def __init__(self, tools: Path, grace: float = GRACE) -> None:
        super().__init__(CLI, tools, grace)
