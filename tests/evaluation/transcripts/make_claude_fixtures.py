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
from collections.abc import AsyncIterator, Iterable, Mapping
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
from tests.e2e.list_tokens import TOKEN, tokens_by_thread
from tests.evaluation.transcripts.claude_cases import CASES, NEW, OLD, ROOT, Case, corpus

FOLDER = Path(__file__).parent / "claude"
SUMMARY = re.compile(r"detailed summary of (the|this) conversation|summary of the conversation", re.I)
HOME = "/home/dev"


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

    def answer(self, conversation: Conversation) -> Reply:
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
        turns, number = self._case.threads[mark], self._given[mark]
        self._given[mark] += 1
        if number >= len(turns):
            return Reply("Nothing more.")
        turn = turns[number]
        return Reply(
            turn.text,
            tuple(
                ToolUse(f"{mark}{number:02}{place:02}".rjust(24, "A"), use.tool, use.arguments)
                for place, use in enumerate(turn.uses)
            ),
        )


@asynccontextmanager
async def served(script: Script, log: list[bytes]) -> AsyncIterator[str]:
    """The script as a server of the Messages protocol; its address."""

    async def answer(request: web.Request) -> web.Response:
        body = await request.read()
        log.append(body)
        asked: dict[str, Any] = json.loads(body)
        reply = script.answer(anthropic.parse_request(asked))
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


async def run_case(case: Case, cli: Cli, work: Path) -> None:
    """Drive one version through one case. Leaves `home`, `stdout-N.jsonl` and `wire` in `work`."""
    for path, text in corpus().items():
        file = work / "corpus" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, newline="")
    (work / "home" / "review").mkdir(parents=True)
    raw: list[bytes] = []
    async with served(Script(case), raw) as url, Gateway() as gateway:
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
    (work / "raw.json").write_bytes(b"\n".join(raw))


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
