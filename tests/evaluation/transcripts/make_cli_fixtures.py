"""Makes the sessions under `codex/`, `gemini/` and `opencode/` again, by driving real CLIs.

    python -m tests.evaluation.transcripts.make_cli_fixtures CLIS [NAME…]

`CLIS` is a folder that holds each version, unpacked by npm (`cli_fixtures.md` says how). The model
is a script on loopback. What entered is written to `truth.json`: the lines that stand whole in what
the model was sent, found by comparing lines of text alone.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import re
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from evaluation.simulated.conversation import Conversation, Reply, ToolUse
from evaluation.simulated.reviewer import Reviewer
from evaluation.simulated.server import SimulatedServer

FOLDER = Path(__file__).parent
HOME, CORPUS = "/home/dev", "/home/dev/review"
PROMPT = "Review the stock lists in this folder. Put the whole report in your final message."
RUNNING = re.compile(r"running with session ID (\d+)")
REPORT = "I have gone through the lists. Nothing is out of order."
TOKEN = "placeholder"

Step = tuple[tuple[str, Mapping[str, Any]], ...]
"""Calls of one answer: tool and arguments."""


def corpus(*, notes: bool = False) -> dict[str, str]:
    """Small files of odd lines, each line unlike all others; with notes that Codex reads itself."""
    north = [f"crate {n} of the north hall holds {n * 7} pieces" for n in range(1, 25)]
    south = [f"{n}: crate {n * 3} of the south hall" for n in range(1, 13)]
    odd = ["\tindented by a tab", "  indented by two", "", "form\ffeed and \u2028 inside", "no end"]
    wide = ["crates of glass " + "and more glass, " * 200 + "to the end", "below the wide one"]
    long = [f"row {n}, shelf {n * 31 % 101}" for n in range(1, 3001)]
    agents = {"AGENTS.md": "Count every crate twice.\nWrite plainly.\n"} if notes else {}
    return {
        **agents,
        "north.txt": "".join(f"{line}\n" for line in north),
        "south.txt": "".join(f"{line}\n" for line in south),
        "odd.txt": "\n".join(odd),
        "wide.txt": "".join(f"{line}\n" for line in wide),
        "long.txt": "".join(f"{line}\n" for line in long),
    }


@dataclass(frozen=True)
class Version:
    """One CLI at one version, and what the model asks for in it."""

    name: str
    """The fixture's folder: `codex/0.118.0`."""
    program: tuple[str, ...]
    """Below the folder of CLIs."""
    steps: tuple[Step, ...]
    files: Mapping[str, str]
    """Of the home; `{url}` is the model's."""
    arguments: tuple[str, ...]
    environment: Mapping[str, str]
    keep: Mapping[str, str]
    """What is kept: a glob below the home, and the name it gets; a folder's name ends with `/`."""
    stream: str = ""
    """The name that what it printed gets; empty where it is not kept."""
    export: tuple[str, ...] = ()
    """What writes the session out afterwards, but for its id."""
    notes: bool = False


class Script:
    """A model that makes the calls of a script, and keeps what it was sent."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._steps = steps
        self.given: dict[str, str] = {}
        """Results by the call they answer; what the user, or the CLI for him, said by itself."""

    def answer(self, conversation: Conversation) -> Reply:
        if not conversation.tools:
            return Reply("A review of stock lists")
        results = {key: result.text for key, result in conversation.results.items()}
        self.given |= results | {text: text for text in conversation.user_texts}
        done = len({key[:4] for key in conversation.calls})
        if done >= len(self._steps):
            return Reply(REPORT)
        calls = tuple(
            ToolUse(f"S{done:03}{'k' * 18}{n:02}", tool, _filled(arguments, results))
            for n, (tool, arguments) in enumerate(self._steps[done])
        )
        return Reply("Next." if done % 2 else "", calls)


def _filled(arguments: Mapping[str, Any], results: Mapping[str, str]) -> dict[str, Any]:
    """Arguments with the number of the command that still runs in the place of None."""
    running = [found for text in results.values() for found in RUNNING.findall(text)]
    return {
        name: int(running[-1]) if value is None and running else value
        for name, value in arguments.items()
    }


def make(version: Version, clis: Path) -> None:
    """Drive one version, and keep what it wrote."""
    folder = FOLDER / version.name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    script = Script(version.steps)
    files = corpus(notes=version.notes)
    with tempfile.TemporaryDirectory() as scratch:
        home, review = Path(scratch, "home"), Path(scratch, "review")
        for name, text in files.items():
            lay(review / name, text)
        asyncio.run(drive(Place(version, clis, home, review), script, folder))
        keep(version, home, folder)
    truth = {path: entered(text, script.given.values()) for path, text in files.items()}
    (folder / "truth.json").write_text(json.dumps(truth) + "\n")


def lay(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, newline="")


async def drive(place: Place, script: Script, folder: Path) -> None:
    """One session, and what is printed of it."""
    version = place.version
    async with SimulatedServer() as server:
        server.register(TOKEN, cast("Reviewer", script))
        for name, text in version.files.items():
            lay(place.home / name, text.replace("{url}", server.url))
        printed = place.home / "printed"
        await asyncio.to_thread(run, place, server.url, version.arguments, printed)
        stream = printed.read_bytes()
        if version.stream:
            (folder / version.stream).write_bytes(stream)
        if version.export:
            session = json.loads(stream.split(b"\n", 1)[0])["sessionID"]
            arguments = (*version.export, session)
            await asyncio.to_thread(run, place, server.url, arguments, folder / "export.json")
    if len(script.given) < sum(map(len, version.steps)):
        raise SystemExit(f"{version.name} was given {sorted(script.given)}")


@dataclass(frozen=True)
class Place:
    """Where one version runs."""

    version: Version
    clis: Path
    home: Path
    review: Path


def run(place: Place, url: str, arguments: Sequence[str], printed: Path) -> None:
    """One command, in a home and a folder that are called the same everywhere."""
    argv = [
        *("bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"),  # noqa: S108 - theirs
        *("--tmpfs", "/home", "--bind", str(place.home), HOME, "--bind", str(place.review), CORPUS),
        *("--ro-bind", str(place.clis.absolute()), "/opt", "--chdir", CORPUS, "--clearenv"),
    ]
    environment = {
        "HOME": HOME,
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "SHELL": "/bin/bash",
        "USER": "dev",
        "TERM": "dumb",
        **place.version.environment,
    }
    for name, value in environment.items():
        argv += ["--setenv", name, value.replace("{url}", url)]
    program = [part if part == "node" else f"/opt/{part}" for part in place.version.program]
    # Into a file: a pipe that is read slowly gets a part of what OpenCode exports.
    with printed.open("wb") as stdout:
        subprocess.run(
            [*argv, "--", *program, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            timeout=60,
            check=True,
        )


def keep(version: Version, home: Path, folder: Path) -> None:
    for pattern, name in version.keep.items():
        for found in sorted(home.glob(pattern)):
            if name.endswith("/"):
                shutil.copytree(found, folder / name / found.name)
            elif name.endswith(".db"):
                with contextlib.closing(sqlite3.connect(found)) as store:
                    store.execute("PRAGMA journal_mode = DELETE")
                    store.execute("VACUUM INTO ?", (str(folder / name),))
            elif name.startswith("rollout"):
                rows = map(json.loads, found.read_bytes().rstrip().split(b"\n"))
                kept = [json.dumps(shortened(row), ensure_ascii=False) for row in rows]
                (folder / name).write_text("".join(f"{row}\n" for row in kept))
            else:
                shutil.copyfile(found, folder / name)


def shortened(row: dict[str, Any]) -> dict[str, Any]:
    """A row of Codex without what its maker tells the model: instructions, and tools."""
    payload = row["payload"]
    for key in ("base_instructions", "tools", "developer_instructions"):
        payload.pop(key, None)
    if payload.get("role") == "developer":
        payload["content"] = [{"type": "input_text", "text": "…"}]
    return row


def entered(text: str, results: Any) -> list[list[int]]:
    """Ranges of lines that stand whole in some result, as a line or behind what a tool adds."""
    lines = text.removesuffix("\n").split("\n")
    ends = {
        line[at:]
        for result in results
        for line in result.split("\n")
        for at in range(min(len(line), 40) + 1)
    }
    ranges: list[list[int]] = []
    for number, line in enumerate(lines, start=1):
        if line and line in ends:
            if ranges and ranges[-1][1] == number - 1:
                ranges[-1][1] = number
            else:
                ranges.append([number, number])
    return ranges


CODEX_CONFIG = """model_provider = "p"
check_for_update_on_startup = false

[model_providers.p]
name = "p"
base_url = "{url}/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
"""
COMMANDS: tuple[Step, ...] = (
    (("exec_command", {"cmd": "cat north.txt"}),),
    (
        ("exec_command", {"cmd": "sed -n '3,6p' south.txt"}),
        ("exec_command", {"cmd": "nl -ba odd.txt"}),
    ),
    (("exec_command", {"cmd": "cat wide.txt"}),),
    (("exec_command", {"cmd": "cat long.txt"}),),
    (
        (
            "exec_command",
            {"cmd": "head -n 8 south.txt; sleep 2; tail -n 3 south.txt", "yield_time_ms": 500},
        ),
    ),
    (("write_stdin", {"session_id": None, "chars": "", "yield_time_ms": 5000}),),
)
BOTH = """const [a, b] = await Promise.all([
  tools.exec_command({cmd: "sed -n '3,6p' south.txt"}), tools.exec_command({cmd: "nl -ba odd.txt"})
]);
text(a.output);
text(b.output);"""
SCRIPTS: tuple[Step, ...] = tuple(
    (("exec", {"input": text}),)
    for text in (
        'text((await tools.exec_command({cmd: "cat north.txt"})).output)',
        BOTH,
        'text((await tools.exec_command({cmd: "cat long.txt"})).output)',
    )
)
"""Newer models have no command line but scripts of their own."""


def codex(
    version: str, steps: tuple[Step, ...], *, program: str, model: str = "gpt-5.4", stream: str = ""
) -> Version:
    folder = f"codex-{version}/node_modules/@openai/codex/vendor/x86_64-unknown-linux-musl"
    return Version(
        name=f"codex/{version}",
        program=(f"{folder}/{program}",),
        steps=steps,
        files={".codex/config.toml": CODEX_CONFIG},
        arguments=(
            *("exec", "--json", "--skip-git-repo-check"),
            *("--dangerously-bypass-approvals-and-sandbox", "-m", model, "--", PROMPT),
        ),
        environment={"OPENAI_API_KEY": TOKEN},
        keep={".codex/sessions/*/*/*/rollout-*.jsonl": "rollout.jsonl"},
        stream=stream,
        notes=True,
    )


GEMINI_SETTINGS = {
    "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
    "general": {"disableAutoUpdate": True, "enableAutoUpdate": False},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "tools": {"useRipgrep": False},
}


def gemini(version: str, index: str, search: str, ranged: Mapping[str, Any]) -> Version:
    return Version(
        name=f"gemini/{version}",
        program=("node", f"gemini-{version}/node_modules/@google/gemini-cli/{index}"),
        steps=(
            (("read_file", {"file_path": f"{CORPUS}/north.txt"}),),
            (
                ("read_file", {"file_path": f"{CORPUS}/south.txt", **ranged}),
                ("read_file", {"file_path": f"{CORPUS}/odd.txt"}),
            ),
            (("run_shell_command", {"command": "cat wide.txt odd.txt"}),),
            (("read_file", {"file_path": f"{CORPUS}/wide.txt"}),),
            (("read_file", {"file_path": f"{CORPUS}/long.txt"}),),
            ((search, {"pattern": "crate 1[0-9] ", "dir_path": CORPUS}),),
        ),
        files={".gemini/settings.json": json.dumps(GEMINI_SETTINGS)},
        arguments=(
            *("--output-format", "stream-json", "--approval-mode", "yolo"),
            *("-m", "gemini-2.5-pro", "-p", PROMPT),
        ),
        environment={
            "GEMINI_API_KEY": TOKEN,
            "GOOGLE_GEMINI_BASE_URL": "{url}",
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
            "GEMINI_CLI_NO_RELAUNCH": "1",
        },
        keep={".gemini/tmp/*/chats/session-*": "session"},
        stream="stream.jsonl",
    )


PROVIDER = "file:///opt/opencode-provider/node_modules/@ai-sdk/openai-compatible/dist/index.mjs"
"""Versions from before 1.1 do not work with the newest one, which they would fetch."""


def opencode(
    version: str, keep: Mapping[str, str], *, stream: str = "", export: tuple[str, ...] = ()
) -> Version:
    settings = {
        "provider": {
            "p": {
                "npm": PROVIDER,
                "options": {"baseURL": "{url}/v1", "apiKey": TOKEN},
                "models": {"m1": {}},
            }
        },
        "autoupdate": False,
        "share": "disabled",
    }
    return Version(
        name=f"opencode/{version}",
        program=(f"opencode-{version}/node_modules/opencode-linux-x64/bin/opencode",),
        steps=(
            (("read", {"filePath": f"{CORPUS}/north.txt"}),),
            (
                ("read", {"filePath": f"{CORPUS}/south.txt", "offset": 3, "limit": 4}),
                ("read", {"filePath": f"{CORPUS}/odd.txt"}),
            ),
            (("bash", {"command": "cat south.txt wide.txt", "description": "Show them"}),),
            (("read", {"filePath": f"{CORPUS}/wide.txt"}),),
            (("read", {"filePath": f"{CORPUS}/long.txt"}),),
            (("grep", {"pattern": "crate 1[0-9] ", "path": CORPUS}),),
        ),
        files={"opencode.json": json.dumps(settings)},
        arguments=("run", "--format", "json", "-m", "p/m1", PROMPT),
        environment={
            "OPENCODE_CONFIG": f"{HOME}/opencode.json",
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
        },
        keep=keep,
        stream=stream,
        export=export,
    )


TREE = {
    f".local/share/opencode/storage/{part}": "storage/" for part in ("session", "message", "part")
}
STORE = {".local/share/opencode/opencode.db": "opencode.db"}
VERSIONS = (
    codex("0.118.0", COMMANDS, program="codex/codex"),
    codex("0.142.0", COMMANDS, program="bin/codex", stream="exec.jsonl"),
    codex("0.144.6", SCRIPTS, program="bin/codex", model="gpt-5.6-sol"),
    gemini("0.24.0", "dist/index.js", "search_file_content", {"offset": 2, "limit": 4}),
    gemini("0.41.0", "bundle/gemini.js", "grep_search", {"start_line": 3, "end_line": 6}),
    opencode("1.0.98", TREE),
    opencode("1.1.65", TREE),
    opencode("1.2.20", STORE, stream="run.jsonl", export=("export",)),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clis", type=Path)
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    for version in VERSIONS:
        if not given.names or version.name in given.names:
            make(version, given.clis)


if __name__ == "__main__":
    main()
