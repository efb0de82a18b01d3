"""Makes the sessions under `claude/` again, by driving real versions of Claude Code.

    python -m tests.evaluation.transcripts.make_claude_fixtures CLIS [CASE…]

`CLIS` is a folder with one unpacked package for each version (claude/README.md says which). The
model is a script on loopback behind the recording gateway. What entered is written to `truth.json`
as a plain search for tokens in the raw requests finds it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aiohttp import web

from evaluation.agents.claude_code.profile import ARGUMENTS, ENVIRONMENT
from evaluation.gateway.budget import Caps
from evaluation.gateway.runs import RunPlan, Ticket, Upstream
from evaluation.gateway.server import Gateway
from evaluation.gateway.threads import Delegation, ThreadRules
from evaluation.gateway.wire import WireWriter
from evaluation.sandboxes.arguments import base_arguments
from evaluation.simulated import anthropic
from evaluation.simulated.conversation import Conversation, Reply, ToolUse
from evaluation.simulated.wire_format import Exchange, estimate_tokens
from generators.lines import split_lines
from tests.e2e.list_tokens import TOKEN
from tests.evaluation.transcripts.claude_cases import CASES, OLD, ROOT, Case, corpus

FOLDER = Path(__file__).parent / "claude"
SUMMARY = re.compile(
    r"detailed summary of (the|this) conversation|summary of the conversation", re.I
)
SAVED = re.compile(r"Full output saved to: ([^\\\s\"]+)")
"""Where the CLI kept an output that it showed a part of."""
HOME = "/home/dev"
TOKEN_LENGTH = len("tk-0123456789")


@dataclass(frozen=True)
class Cli:
    """One version, unpacked."""

    version: str
    folder: Path

    @property
    def argv(self) -> tuple[str, ...]:
        """As it is started inside."""
        if (self.folder / "cli.js").exists():
            return ("/usr/bin/node", "/opt/claude/cli.js")
        return ("/opt/claude/claude",)

    @property
    def rules(self) -> ThreadRules:
        """How its calls name their threads: the old one sends no header that does."""
        if self.version == OLD:
            return ThreadRules(delegations=(Delegation("Task", "prompt"),))
        return ThreadRules(
            thread_header="x-claude-code-agent-id", parent_header="x-claude-code-parent-agent-id"
        )


class Script:
    """The model: each thread's turns in order, the thread told by a mark in its prompt."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._given: dict[str, int] = dict.fromkeys(case.threads, 0)
        self._last = next(iter(case.threads))
        self.entered: dict[str, set[str]] = {}
        self.visible: set[str] = set()

    def answer(self, conversation: Conversation, body: bytes) -> Reply:
        """The next turn of the thread that this request belongs to."""
        texts = "\n".join(conversation.user_texts)
        if SUMMARY.search(texts[-6000:]):
            return Reply("<summary>\nThe lists were looked at in part.\n</summary>")
        if not conversation.tools:
            return Reply("Stock lists")
        marks = [mark for mark in self._case.threads if f": {mark}." in texts]
        # After a compaction no prompt is left to tell the thread by.
        mark = max(marks, key=lambda one: texts.rfind(f": {one}."), default=self._last)
        self._last = mark
        # What entered, by a plain search in the raw request.
        tokens = set(TOKEN.findall(body.decode()))
        self.entered.setdefault(mark, set()).update(tokens)
        if any(f": {mark}." in prompt for prompt in self._case.prompts):
            self.visible = tokens
        turns, number = self._case.threads[mark], self._given[mark]
        self._given[mark] += 1
        if number >= len(turns):
            return Reply("Nothing more.")
        turn = turns[number]
        saved = SAVED.findall(body.decode())
        return Reply(
            turn.text,
            tuple(
                ToolUse(
                    f"{mark}{number:02}{place:02}".rjust(24, "A"),
                    use.tool,
                    {
                        key: saved[-1] if value == "{saved}" and saved else value
                        for key, value in use.arguments.items()
                    },
                )
                for place, use in enumerate(turn.uses)
            ),
        )


@asynccontextmanager
async def served(script: Script) -> AsyncIterator[str]:
    """The script as a server of the Messages protocol; its address."""

    async def answer(request: web.Request) -> web.Response:
        body = await request.read()
        asked: dict[str, Any] = json.loads(body)
        reply = script.answer(anthropic.parse_request(asked), body)
        exchange = Exchange(model=str(asked.get("model")), request=body)
        if asked.get("stream") is not True:
            return web.json_response(body=anthropic.write_json(reply, exchange))
        events = b"".join(anthropic.write_events(reply, exchange))
        return web.Response(body=events, headers={"Content-Type": "text/event-stream"})

    async def count(request: web.Request) -> web.Response:
        return web.json_response({"input_tokens": estimate_tokens(len(await request.read()))})

    app = web.Application(client_max_size=1 << 28)
    app.router.add_post("/v1/messages", answer)
    app.router.add_post("/v1/messages/count_tokens", count)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    await runner.cleanup()


async def run_case(case: Case, cli: Cli, work: Path) -> Script:
    """Drive one version through one case. Leaves `home`, `stdout-N.jsonl` and `wire` in `work`."""
    for path, text in corpus().items():
        file = work / "corpus" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, newline="")
    (work / "home" / "review").mkdir(parents=True)
    script = Script(case)
    async with served(script) as url, Gateway() as gateway:
        with WireWriter(work / "wire.jsonl.zst") as writer:
            ticket = await gateway.open_run(
                RunPlan(
                    upstream=Upstream(url, "key", "anthropic"),
                    rules=cli.rules,
                    writer=writer,
                    socket=work / "s",
                    caps=Caps(turns=300),
                    prompt=case.prompts[0],
                )
            )
            for number, prompt in enumerate(case.prompts):
                await _start(case, cli, work, ticket, number, prompt)
            await gateway.close_run(ticket)
    return script


async def _start(
    case: Case, cli: Cli, work: Path, ticket: Ticket, number: int, prompt: str
) -> None:
    environment = {
        **ENVIRONMENT,
        "HOME": HOME,
        "ANTHROPIC_BASE_URL": ticket.url,
        "ANTHROPIC_API_KEY": ticket.token,
        **case.environment,
    }
    flags = list(case.flags[number]) if case.flags else []
    if number:
        flags += ["--resume", _session_id(work)]
    inside = [*base_arguments(), "--share-net"]
    inside += ["--bind", str(work / "home"), HOME, "--bind", str(work / "corpus"), ROOT]
    inside += ["--ro-bind", str(cli.folder), "/opt/claude", "--chdir", ROOT]
    for name, value in environment.items():
        inside += ["--setenv", name, value]
    arguments = [*ARGUMENTS, *flags, "--model", "claude-sonnet-4-5", "--", prompt]
    with (work / f"stdout-{number}.jsonl").open("wb") as out, (work / "stderr").open("ab") as err:
        process = await asyncio.create_subprocess_exec(
            "bwrap",
            *inside,
            *cli.argv,
            *arguments,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=out,
            stderr=err,
        )
        await asyncio.wait_for(process.wait(), 120)


def _session_id(work: Path) -> str:
    first = (work / "stdout-0.jsonl").read_text().split("\n", 1)[0]
    return str(json.loads(first)["session_id"])


def shortened(row: dict[str, Any]) -> dict[str, Any]:
    """A row without the CLI's own instructions, which are long and say nothing of reading."""
    kind = row.get("type")
    for display in DISPLAYS & row.keys():
        row = {**row, display: cut(row[display])}
    if kind == "api-request-shape":
        return {**row, "shape": {}}
    if kind == "system" and row.get("subtype") == "init":
        kept = ("type", "subtype", "session_id", "claude_code_version", "cwd", "model")
        return {key: row[key] for key in kept if key in row}
    if kind == "attachment" and row["attachment"]["type"] in INSTRUCTIONS:
        bare = {"type": row["attachment"]["type"]}
        return {key: value for key, value in row.items() if key != "rendered"} | {
            "attachment": bare
        }
    if kind == "api-request-blob" and row["message"]["role"] != "assistant":
        content = row["message"]["content"]
        if not isinstance(content, list) or "tool_result" not in {one["type"] for one in content}:
            return {**row, "message": {**row["message"], "content": []}}
    return row


def cut(value: Any) -> Any:
    """What is made for the display: much longer texts than the model saw, so not all of them."""
    if isinstance(value, str):
        return value if len(value) <= MOST_SHOWN else f"{value[:MOST_SHOWN]}…"
    if isinstance(value, dict):
        return {key: cut(inner) for key, inner in value.items()}
    return value


DISPLAYS = frozenset(("toolUseResult", "tool_use_result"))
MOST_SHOWN = 4000
INSTRUCTIONS = frozenset(
    (
        "agent_listing_delta",
        "deferred_tools_delta",
        "environment",
        "model",
        "prompt_snapshot",
        "remote_session_change",
        "skill_listing",
        "task_reminder",
    )
)


def write_rows(source: Path, target: Path) -> None:
    """A file of rows, shortened."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with source.open(encoding="utf-8", newline="\n") as rows:
        lines = [json.dumps(shortened(json.loads(row)), ensure_ascii=False) for row in rows]
    target.write_text("".join(f"{line}\n" for line in lines), newline="")


def write_fixture(case: Case, cli: Cli, work: Path, script: Script) -> None:
    """What is kept of one session."""
    folder = FOLDER / f"{case.name}-{cli.version}"
    shutil.rmtree(folder, ignore_errors=True)
    native = work / "home" / ".claude" / "projects"
    for path in sorted(native.rglob("*")):
        target = folder / "projects" / path.relative_to(native)
        if path.suffix == ".jsonl":
            write_rows(path, target)
        elif path.suffix == ".json":
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    if case.streamed:
        write_rows(work / "stdout-0.jsonl", folder / "stream.jsonl")
    truth = {
        "version": cli.version,
        "entered": {mark: by_file(tokens) for mark, tokens in script.entered.items()},
        "visible": by_file(script.visible),
    }
    (folder / "truth.json").write_text(json.dumps(truth) + "\n")


def by_file(tokens: Iterable[str]) -> dict[str, list[int]]:
    """The lines that bear the tokens. A file that was changed has its old ones."""
    places = {
        line[-TOKEN_LENGTH:]: (path, number)
        for path, text in corpus().items()
        for number, line in enumerate(split_lines(text), start=1)
    }
    found: dict[str, list[int]] = {}
    for path, number in sorted(places[token] for token in tokens if token in places):
        found.setdefault(path, []).append(number)
    return found


def main() -> None:
    """Make the fixtures again, all of them or those of some cases."""
    parser = argparse.ArgumentParser()
    parser.add_argument("clis", type=Path, help="a folder with one for each version")
    parser.add_argument("cases", nargs="*")
    arguments = parser.parse_args()
    for case in CASES:
        for version in case.versions if case.name in arguments.cases or not arguments.cases else ():
            with tempfile.TemporaryDirectory() as work:
                cli = Cli(version, (arguments.clis / version).resolve())
                script = asyncio.run(run_case(case, cli, Path(work)))
                write_fixture(case, cli, Path(work), script)


if __name__ == "__main__":
    main()
