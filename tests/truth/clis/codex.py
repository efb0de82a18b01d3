"""Codex."""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from evaluation.agents.cli import Start
from evaluation.agents.codex.harness import CLI
from evaluation.agents.npm import NpmPackage, NpmProgram
from evaluation.gateway.threads import ThreadRules
from evaluation.reading.context import ToolTable
from tests.truth.cases import (
    Case,
    Found,
    Route,
    Tongue,
    Turn,
    Use,
    agents,
    call,
    compacted,
    inside,
    reading,
    resumed,
)
from tests.truth.corpus import NOTES
from tests.truth.driver import Driver, Going, number
from tests.truth.rows import keep_rows

INTEGRITY: Mapping[str, str] = {
    "0.118.0": "sha512-vzU2d/gwAmZbf/DnwVzfQiNN3Ri04XpaZiJkHElIvGoqFbdrxRQFYTtslGDISYI"
    "O3o+POADZcFZIfamFsZj9yQ==",
    "0.142.0": "sha512-nywS+ogFPRhZnQnKL+jzWKzFhmjTQbYPh6n8dtQ/E+sJ3FoZVcb9a6kvHL5yjgt"
    "lCiDkP0jPDYY5AK3tDShYyw==",
    "0.144.6": "sha512-4E7EnzCg0OnBxCyYnwJ+qnZwWHYe0YScr5ucKWbngE9u4+0XrpWELqq2Kn9jl5G"
    "ZK8MDjU7PrJwFIwsHOHjuw==",
}
BELOW_BIN = number("0.120.0")
"""From about here on the program lies in a folder `bin`."""
CONFIG = ".codex/config.toml"
SCRIPTS = number("0.144.0")
"""From here on there are models that have no command line but scripts of their own."""
RUNNING = re.compile(r"running with session ID (\d+)")
LIMIT = "model_auto_compact_token_limit"


def program(version: str, integrity: str) -> NpmProgram:
    """An old version."""
    packages = {
        name: NpmPackage("@openai/codex", f"{version}-{name}", integrity)
        for name in ("linux-x64", "linux-arm64")
    }
    folder = "bin" if number(version) >= BELOW_BIN else "codex"
    executable = f"vendor/{platform.machine()}-unknown-linux-musl/{folder}/codex"
    return NpmProgram("codex", version, packages, executable)


def start(first: Start, going: Going) -> Start:
    """With the model that has the tools wanted, and the settings of a case."""
    argv = list(first.argv)
    at = argv.index("--model")
    argv[at + 1] = _model(going.version)
    if going.turn:
        argv[at:at] = ["resume", _session(going.earlier)]
    files = dict(first.files)
    for name, value in going.case.settings.items():
        text = re.sub(rf"^{name} = .*\n", "", files[CONFIG], flags=re.M)
        files[CONFIG] = f"{name} = {json.dumps(value)}\n{text}"
    return replace(first, argv=tuple(argv), files=files)


def _session(printed: str) -> str:
    return str(json.loads(printed.split("\n", 1)[0])["thread_id"])


def _model(version: str) -> str:
    if number(version) >= number(CLI.program.version):
        return CLI.profile.neutral_model
    return "gpt-5.6-sol" if number(version) >= SCRIPTS else "gpt-5.4"


def rules(_version: str) -> ThreadRules:
    """The same headers in all versions."""
    return CLI.profile.threads


def tools(_version: str) -> ToolTable:
    """The same in all versions."""
    return CLI.profile.tools


def _script(command: str) -> Use:
    text = f"text((await tools.exec_command({{cmd: {json.dumps(command)}}})).output)"
    return Use("exec", {"input": text})


def _command(command: str) -> Use:
    return Use("exec_command", {"cmd": command})


def tongue_of(version: str, *, fork: bool = False) -> Tongue:
    """All reading is by commands."""
    scripts = number(version) >= SCRIPTS
    shell = _script if scripts else _command

    def delegate(name: str, prompt: str) -> Use:
        how = {"task_name": name, "fork_turns": "all" if fork else "none"}
        return Use("spawn_agent", {"message": prompt, **how})

    return Tongue(
        read=lambda path: shell(f"cat {path}"),
        part=lambda path, first, count: shell(f"sed -n {first},{first + count - 1}p {path}"),
        command=shell,
        delegate=delegate,
        collect=(call(Use("wait_agent", {"timeout_ms": 60_000})),),
        nested=True,
    )


def cases(version: str, frame: str) -> tuple[Case, ...]:
    """What is driven of a version."""
    # A sub-agent that is a fork begins with all that its parent has read.
    tongue, forks = tongue_of(version), tongue_of(version, fork=True)
    newest = version == CLI.program.version
    return (
        reading(tongue, frame),
        *((agents(tongue), agents(forks, name="forked")) if newest else ()),
        resumed(tongue, (), ()),
        compacted(tongue, settings={LIMIT: 18_000}),
        noted(tongue),
        *(() if number(version) >= SCRIPTS else (polled(),)),
    )


def noted(tongue: Tongue) -> Case:
    """Notes of the project, which the CLI gives the model by itself."""
    read = call(tongue.read(inside("turns/first.txt")))
    return Case(
        "notes",
        ("Go over one list: notes.",),
        {"notes": (read, Turn("It is fine."))},
        (Route("notes of the project", (NOTES, "turns/first.txt")),),
        settings={"project_doc_max_bytes": 32_768},
        notes=True,
    )


def polled() -> Case:
    """A command that is asked again for what it has printed since."""
    command = "head -n 8 turns/first.txt; sleep 2; tail -n 3 turns/first.txt"
    start = Use("exec_command", {"cmd": command, "yield_time_ms": 500})
    poll: dict[str, JsonValue | Found] = {
        "session_id": Found(RUNNING, number=True),
        "chars": "",
        "yield_time_ms": 5000,
    }
    return Case(
        "polled",
        ("Go over one list: polled.",),
        {"polled": (call(start), call(Use("write_stdin", poll)), Turn("It is fine."))},
        (Route("a command that is polled", ("turns/first.txt",)),),
    )


def keep(home: Path, folder: Path) -> None:
    """One rollout, or those of sub-agents with it."""
    rollouts = sorted((home / ".codex" / "sessions").rglob("*.jsonl"))
    for path in rollouts:
        name = "rollout.jsonl" if len(rollouts) == 1 else f"sessions/{path.name}"
        keep_rows(path, folder / name, shortened)


def shortened(row: dict[str, Any]) -> dict[str, Any]:
    """A row without what its maker tells the model: instructions, and tools."""
    payload = row["payload"]
    for key in ("base_instructions", "tools", "developer_instructions"):
        payload.pop(key, None)
    if payload.get("role") == "developer":
        payload["content"] = [{"type": "input_text", "text": "…"}]
    return row


def kept(folder: Path) -> Path:
    """Where it was put."""
    one = folder / "rollout.jsonl"
    return one if one.exists() else folder / "sessions"


DRIVER = Driver(
    name="codex",
    cli=CLI,
    integrity=INTEGRITY,
    program=program,
    start=start,
    rules=rules,
    tools=tools,
    cases=cases,
    session=lambda home, version: home / ".codex" / "sessions",
    keep=keep,
    kept=kept,
    stream="exec.jsonl",
)
