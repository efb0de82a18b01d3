"""Claude Code."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from evaluation.agents.claude_code.harness import CLI
from evaluation.agents.cli import Start
from evaluation.agents.gemini_cli.install import PROGRAM as WITH_NODE
from evaluation.agents.npm import NpmPackage, NpmProgram
from evaluation.gateway.threads import Delegation, ThreadRules
from evaluation.reading.context import ToolTable
from tests.truth.cases import Case, Tongue, Use, agents, compacted, deep, reading, resumed
from tests.truth.clis import claude_more as more
from tests.truth.clis.claude_rows import shortened
from tests.truth.driver import Driver, Going, number
from tests.truth.rows import keep_rows

INTEGRITY: Mapping[str, str] = {
    "2.0.76": "sha512-BVwPez7Pst729gxHZNb7iUdjrn4UAzO49zC+Bxlyf0fMe3SsutxEhKTT16VMs2q"
    "InE9xhEBCxajCCa888mFPBg==",
    "2.1.197": "sha512-rIlKmrY0QMyHgPRX/MYWNj039vbypICvI9jVe3rs9Xy2RnNklySjyPxqh62Qadz"
    "nzoftEO23uYQ1tFePcQ//bg==",
}
OLDEST = "2.0.76"
NATIVE = number("2.1.100")
"""From about here on it is one native program for each platform; before, a script for Node.js."""
FORKS = number("2.1.300")
WITHOUT_HEADERS = ThreadRules(
    delegations=(Delegation("Task", "prompt"),), summary=CLI.profile.threads.summary
)


def _is_script(version: str) -> bool:
    return number(version) < NATIVE


def program(version: str, integrity: str) -> NpmProgram:
    """An old version; a script gets the Node.js that another CLI is pinned to."""
    if _is_script(version):
        package = NpmPackage("@anthropic-ai/claude-code", version, integrity)
        return NpmProgram(
            "claude-code", version, {"any": package}, "cli.js", {"node": WITH_NODE.beside["node"]}
        )
    packages = {
        name: NpmPackage(f"@anthropic-ai/claude-code-{name}", version, integrity)
        for name in ("linux-x64", "linux-arm64")
    }
    return NpmProgram("claude-code", version, packages, "claude")


def start(first: Start, going: Going) -> Start:
    """With the flags of a case; a script is run by its Node.js."""
    at = first.argv.index("--model")
    flags = list(going.flags)
    if going.turn:
        session = json.loads(going.earlier.split("\n", 1)[0])["session_id"]
        flags += ["--resume", session]
    argv = [*first.argv[:at], *flags, *first.argv[at:]]
    if _is_script(going.version):
        argv.insert(0, f"{CLI.folder}/node/bin/node")
    argv[argv.index("--model") + 1] = "claude-sonnet-4-5"  # one that all versions know
    return replace(first, argv=tuple(argv))


def rules(version: str) -> ThreadRules:
    """The old ones send no header that names a thread."""
    return WITHOUT_HEADERS if _is_script(version) else CLI.profile.threads


def tools(_version: str) -> ToolTable:
    """The same in all versions."""
    return CLI.profile.tools


def tongue_of(version: str) -> Tongue:
    """Sub-agents are ordered by another tool in the old ones."""
    tool = "Task" if _is_script(version) else "Agent"

    def delegate(name: str, prompt: str) -> Use:
        more = {} if _is_script(version) else {"run_in_background": False}
        arguments = {"description": name, "prompt": prompt, "subagent_type": "general-purpose"}
        return Use(tool, {**arguments, **more})

    return Tongue(
        read=lambda path: Use("Read", {"file_path": path}),
        part=lambda path, first, count: Use(
            "Read", {"file_path": path, "offset": first, "limit": count}
        ),
        command=lambda command: Use("Bash", {"command": command, "description": "Look at lists"}),
        delegate=delegate,
        nested=not _is_script(version),
    )


WINDOWS = ((number("2.1.300"), 24), (number("2.1.100"), 33), ((0,), 12))
"""Percent of the window at which a session is compacted once, by version."""


def cases(version: str, frame: str) -> tuple[Case, ...]:
    """What is driven of a version."""
    tongue = tongue_of(version)
    percent = next(percent for since, percent in WINDOWS if number(version) >= since)
    shortens = compacted(
        tongue,
        environment={
            "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": str(percent),
            "CLAUDE_CODE_AUTO_COMPACT_WINDOW": "100000",
        },
    )
    return (
        reading(tongue, frame),
        agents(tongue),
        resumed(tongue, (), (), ("--fork-session",)),
        shortens,
        *((deep(tongue, shortens),) if _is_script(version) or number(version) >= FORKS else ()),
        more.mentioned(),
        more.edited(tongue),
        *((more.searched(),) if _is_script(version) else (more.clipped(tongue),)),
        *(() if _is_script(version) else (more.later(tongue),)),
        *((more.forked(tongue),) if number(version) >= FORKS else ()),
    )


def keep(home: Path, folder: Path) -> None:
    """Sessions, sub-agents, and what is told of those."""
    native = home / ".claude" / "projects"
    for path in sorted(native.rglob("*")):
        target = folder / "projects" / path.relative_to(native)
        if path.suffix == ".jsonl":
            keep_rows(path, target, shortened)
        elif path.suffix == ".json":
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)


DRIVER = Driver(
    name="claude-code",
    cli=CLI,
    integrity=INTEGRITY,
    program=program,
    start=start,
    rules=rules,
    tools=tools,
    cases=cases,
    session=lambda home, version: home / ".claude" / "projects",
    keep=keep,
    kept=lambda folder: folder / "projects",
    stream="stream.jsonl",
    shorten=shortened,
)
