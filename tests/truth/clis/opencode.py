"""OpenCode."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import sqlite3
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import orjson

from evaluation.agents.cli import Start
from evaluation.agents.npm import NpmPackage, NpmProgram
from evaluation.agents.opencode.harness import CLI, CONFIG, PROVIDER
from evaluation.gateway.threads import Delegation, Summary, ThreadRules
from evaluation.reading.context import ToolTable
from evaluation.transcripts.opencode import STORE
from evaluation.transcripts.opencode_tools import tools_of
from tests.truth.cases import (
    READING,
    Case,
    Tongue,
    Use,
    agents,
    compacted,
    deep,
    inside,
    reading,
    resumed,
    searched,
)
from tests.truth.driver import EXPORT, Driver, Going, number

INTEGRITY: Mapping[str, str] = {
    "1.0.142": "sha512-VImC4U82MpNyzJCrLMGWMf2mg3SVa2scruX88vgNVw0qQcPImfdHbYDaAw0kjgJ"
    "xWrIJOQa/kqyVrHNoVN/GkA==",
    "1.1.65": "sha512-4YVnpvq2QmU/rYcE5DkvMAUP+StgWEFaNqzJhJjDH8wfKv/5oE7WEMs60RwbszK"
    "kGZUzHCp/V+Ldp0YYwhQhEA==",
    "1.2.20": "sha512-GfjBhIP9OJ2q0nwk3LQcZLUCdfFjvx3Khhzl+zLQ0KjxMnW/I/WNPEH0AIho4Hc"
    "auFR9FUNIKbFSisYUSIFAJA==",
}
INTERFACE = "interface"
SCRIPT = Path(__file__).with_name("opencode_interface.js")
AS_BUN = {"BUN_BE_BUN": "1"}
OPENCODE_JSON = f"{CONFIG}/opencode.json"
EXPORTED = ("1.2.20",)
"""Versions of which a session is exported too."""
OPTIONS = number("1.18.0")
OLDER = number("1.1.0")
"""From here on a prompt may stand behind two dashes, and lines are counted from 1."""

WITHOUT_HEADERS = ThreadRules(
    delegations=(Delegation("task", "prompt"),),
    summary=Summary(
        asked=re.compile(
            r"(?:Summarize|Provide a detailed prompt for continuing) our conversation above\b"
        ),
        place="answer",
    ),
)


def program(version: str, integrity: str) -> NpmProgram:
    """An old version, with the ripgrep of the pinned one."""
    package = NpmPackage("opencode-linux-x64", version, integrity)
    executable, beside = CLI.program.executable, CLI.program.beside
    return NpmProgram("opencode", version, {"linux-x64": package}, executable, beside)


def start(first: Start, going: Going) -> Start:
    """With the flags and settings of a case, and no option that a version does not know."""
    if going.case.name == INTERFACE:
        return _over_the_interface(first, going)
    argv = list(first.argv)
    if number(going.version) < OPTIONS:
        argv.remove("--auto")
    if number(going.version) < OLDER:
        argv.remove("--")
    if going.turn:
        argv[2:2] = ["--session", _session(going.earlier)]
    argv[2:2] = going.flags
    settings = orjson.loads(first.files[OPENCODE_JSON])
    for model in settings["provider"][PROVIDER]["models"].values():
        model |= going.case.settings
    files = {**first.files, OPENCODE_JSON: orjson.dumps(settings).decode()}
    environment = dict(first.environment)
    return replace(first, argv=tuple(argv), files=files, environment=environment)


def _over_the_interface(first: Start, going: Going) -> Start:
    """The program is also the Bun that it was made with, and runs a script."""
    model = first.argv[first.argv.index("--model") + 1]
    home = first.environment["HOME"]
    argv = (first.argv[0], f"{home}/{SCRIPT.name}", model, going.case.prompts[0])
    files = {**first.files, SCRIPT.name: SCRIPT.read_text()}
    return replace(first, argv=argv, files=files, environment={**first.environment, **AS_BUN})


def export(first: Start, going: Going) -> Start | None:
    """By the CLI's own command, into a file: what it writes to a pipe may be cut off."""
    if going.version not in EXPORTED or going.case.name != READING:
        return None
    written = f'exec "$0" export "$1" > "$HOME/{EXPORT}"'
    session = _session(going.earlier)
    return replace(first, argv=("/bin/sh", "-c", written, first.argv[0], session))


def _session(printed: str) -> str:
    return str(json.loads(printed.split("\n", 1)[0])["sessionID"])


def rules(version: str) -> ThreadRules:
    """The old ones send no header that names a thread."""
    if number(version) >= OPTIONS:
        return CLI.profile.threads
    return WITHOUT_HEADERS


def tongue_of(version: str) -> Tongue:
    """The old ones count lines from 0."""
    first_line = 0 if number(version) < OLDER else 1

    def part(path: str, first: int, count: int) -> Use:
        offset = first - 1 + first_line
        return Use("read", {"filePath": path, "offset": offset, "limit": count})

    return Tongue(
        read=lambda path: Use("read", {"filePath": path}),
        part=part,
        command=lambda command: Use("bash", {"command": command, "description": "Look at lists"}),
        delegate=lambda name, prompt: Use(
            "task", {"description": name, "prompt": prompt, "subagent_type": "general"}
        ),
    )


def newer(tongue: Tongue, frame: str) -> Case:
    """All ways of looking at files, over the interface by which late versions of 1 hold sessions as
    version 2 does."""
    tongue = replace(
        tongue,
        read=lambda path: Use("read", {"path": path}),
        part=lambda path, first, count: Use(
            "read", {"path": path, "offset": first, "limit": count}
        ),
    )
    search = Use("grep", {"pattern": "crate 6 ", "path": inside("turns")})
    case = reading(tongue, frame, searched(search))
    prompt = "Go over the stock lists by the interface: reading."
    return replace(case, name=INTERFACE, prompts=(prompt,), prints=False)


def tools(version: str) -> ToolTable:
    """By version."""
    return tools_of(version)


def cases(version: str, frame: str) -> tuple[Case, ...]:
    """What is driven of a version."""
    tongue = tongue_of(version)
    newest = number(version) >= OPTIONS
    shortens = compacted(tongue, settings={"limit": {"context": 26_000, "output": 1000}})
    search = Use("grep", {"pattern": "crate 6 ", "path": inside("turns")})
    return (
        reading(tongue, frame, searched(search)),
        *((newer(tongue, frame),) if newest else ()),
        agents(tongue),
        resumed(tongue, (), (), ("--fork",)) if newest else resumed(tongue, (), ()),
        shortens,
        *(() if newest else (deep(tongue, shortens),)),
    )


def session(home: Path, version: str) -> Path:
    """The store."""
    store = home / ".local" / "share" / "opencode"
    return store / "sessions" if (store / "sessions" / STORE).exists() else store


def keep(home: Path, folder: Path) -> None:
    """The database, or the older tree of files."""
    store = session(home, "")
    if (store / STORE).exists():
        with contextlib.closing(sqlite3.connect(store / STORE)) as database:
            database.execute("PRAGMA journal_mode = DELETE")
            database.execute("VACUUM INTO ?", (str(folder / STORE),))
        return
    for part in ("session", "message", "part"):
        shutil.copytree(store / "storage" / part, folder / "storage" / part)


def kept(folder: Path) -> Path:
    """Where it was put."""
    one = folder / STORE
    return one if one.exists() else folder / "storage"


DRIVER = Driver(
    name="opencode",
    cli=CLI,
    integrity=INTEGRITY,
    program=program,
    start=start,
    rules=rules,
    tools=tools,
    cases=cases,
    session=session,
    keep=keep,
    kept=kept,
    export=export,
    stream="run.jsonl",
)
