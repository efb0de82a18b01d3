"""Gemini CLI."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import orjson

from evaluation.agents.cli import Start
from evaluation.agents.gemini_cli.harness import CLI
from evaluation.agents.npm import NpmPackage, NpmProgram
from evaluation.gateway.threads import ThreadRules
from evaluation.reading.context import ToolTable
from evaluation.transcripts.gemini_tools import DELEGATE
from tests.truth.cases import (
    Case,
    Tongue,
    Use,
    agents,
    compacted,
    inside,
    reading,
    resumed,
    searched,
)
from tests.truth.driver import Driver, Going, number

INTEGRITY: Mapping[str, str] = {
    "0.24.0": "sha512-LFIKs6AXsxCtpWsk2oWz55OYgHDMgEbPiOue7j0LxmMVX7ZYSclw1FB/XcckqbJ"
    "wxF4fcQpdZlT+BNzODuPZ7A==",
    "0.38.0": "sha512-tPGKOY9OGkMEzDOpMbxRPmXBDlcGjXLBU38gLSPCLtkke40HZfXtpiH8R50A5Fn"
    "W5mEJutflxwt5JPX6R3/YgA==",
    "0.41.0": "sha512-WPocdkLEXybkmhBPr/MnebsjW7uJ2kmtVIY+zcSh5dlioD8Vyxz/KFn3SpK4NWi"
    "rYIWvdP/xJbxIUvu6jg9ezA==",
}
PACKAGE = "@google/gemini-cli"
BUNDLED = number("0.36.0")
"""From here on it is one package; before, it needs many others."""
SETTINGS = ".gemini/settings.json"


def program(version: str, integrity: str) -> NpmProgram:
    """An old version, with the Node.js of the pinned one."""
    package = NpmPackage(PACKAGE, version, integrity)
    is_bundle = number(version) >= BUNDLED
    executable = CLI.program.executable if is_bundle else f"node_modules/{PACKAGE}/dist/index.js"
    return NpmProgram("gemini-cli", version, {"any": package}, executable, CLI.program.beside)


def start(first: Start, going: Going) -> Start:
    """With the flags and the settings of a case."""
    at = first.argv.index("--model")
    model = "gemini-2.5-pro"  # one that all versions know
    flags = ("--resume", "latest") if going.turn else ()
    argv = (*first.argv[:at], *flags, "--model", model, *first.argv[at + 2 :])
    if not going.case.settings:
        return replace(first, argv=argv)
    settings = orjson.loads(first.files[SETTINGS])
    settings["model"] |= going.case.settings
    files = {**first.files, SETTINGS: orjson.dumps(settings).decode()}
    return replace(first, argv=argv, files=files)


def rules(_version: str) -> ThreadRules:
    """No header names a thread."""
    return CLI.profile.threads


def tools(_version: str) -> ToolTable:
    """The same in all versions."""
    return CLI.profile.tools


def tongue_of(version: str) -> Tongue:
    """The old ones count lines from 0."""

    def part(path: str, first: int, count: int) -> Use:
        if number(version) < BUNDLED:
            return Use("read_file", {"file_path": path, "offset": first - 1, "limit": count})
        last = first + count - 1
        return Use("read_file", {"file_path": path, "start_line": first, "end_line": last})

    return Tongue(
        read=lambda path: Use("read_file", {"file_path": path}),
        part=part,
        command=lambda command: Use("run_shell_command", {"command": command}),
        delegate=_delegate,
    )


def _delegate(name: str, prompt: str) -> Use:
    return Use(DELEGATE, {"agent_name": "generalist", "prompt": prompt})


def cases(version: str, frame: str) -> tuple[Case, ...]:
    """What is driven of a version."""
    newest = version == CLI.program.version
    tongue = tongue_of(version)
    tool = "grep_search" if number(version) >= BUNDLED else "search_file_content"
    search = Use(tool, {"pattern": "crate 6 ", "dir_path": inside("turns")})
    return (
        reading(tongue, frame, searched(search)),
        *((_agents(tongue),) if newest else ()),
        resumed(tongue, (), ()),
        compacted(tongue, settings={"compressionThreshold": 0.01}, prompts=2),
    )


def _agents(tongue: Tongue) -> Case:
    """Here a sub-agent ends by a call."""
    case = agents(tongue)
    threads = {
        mark: turns
        if mark in case.mains
        else (*turns[:-1], replace(turns[-1], text="", uses=(_finish(turns[-1].text),)))
        for mark, turns in case.threads.items()
    }
    return replace(case, threads=threads)


def _finish(report: str) -> Use:
    return Use("complete_task", {"result": {"response": report}})


def keep(home: Path, folder: Path) -> None:
    """One session, or those of sub-agents with it."""
    store = home / ".gemini" / "tmp"
    sessions = sorted(path for path in store.glob("*/chats/**/*") if path.is_file())
    for path in sessions:
        target = folder / ("session" if len(sessions) == 1 else f"tmp/{path.relative_to(store)}")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)


def kept(folder: Path) -> Path:
    """Where it was put."""
    one = folder / "session"
    return one if one.exists() else folder / "tmp"


DRIVER = Driver(
    name="gemini-cli",
    cli=CLI,
    integrity=INTEGRITY,
    program=program,
    start=start,
    rules=rules,
    tools=tools,
    cases=cases,
    session=lambda home, version: home / ".gemini" / "tmp",
    keep=keep,
    kept=kept,
    stream="stream.jsonl",
)
