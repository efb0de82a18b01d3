"""The real CLI against a scripted server: what its tools add, and what it sends."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import orjson
import pytest
from aiohttp import web

from evaluation.agents.harness import Ended, Job
from evaluation.agents.opencode.harness import OpenCode
from evaluation.agents.opencode.profile import PROFILE
from evaluation.reading.engine import measure
from evaluation.sandboxes.unconfined import Unconfined
from evaluation.transcripts.context import context_log
from evaluation.transcripts.trajectory import Trajectory
from generators.lines import CorpusIndex
from tests.evaluation.agents.desk import job_in

TOOLS = Path(__file__).parents[3] / ".tools"


@dataclass(frozen=True)
class Use:
    """A tool call to make; `{corpus}` is filled in."""

    tool: str
    arguments: Mapping[str, object]


@dataclass
class Scripted:
    """A model's server that makes some calls in its first answer to the main agent, then ends."""

    uses: tuple[Use, ...]
    corpus: str = ""
    requests: list[dict[str, object]] = field(default_factory=list)
    threads: list[tuple[str, str]] = field(default_factory=list)
    """Of each request: the headers that name the thread and its parent."""

    async def answer(self, request: web.Request) -> web.Response:
        asked = orjson.loads(await request.read())
        names = ("x-session-id", "x-parent-session-id")
        self.requests.append(asked)
        self.threads.append((request.headers[names[0]], request.headers.get(names[1], "")))
        begins = asked["messages"][-1]["role"] == "user" and names[1] not in request.headers
        delta: dict[str, object] = {"role": "assistant", "content": "All is read."}
        if begins and self.uses:
            delta = {"role": "assistant", "tool_calls": list(self._calls())}
        reason = "tool_calls" if "tool_calls" in delta else "stop"
        head = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m"}
        choices = [
            {"index": 0, "delta": delta, "finish_reason": None},
            {"index": 0, "delta": {}, "finish_reason": reason},
        ]
        chunks = [orjson.dumps({**head, "choices": [choice]}).decode() for choice in choices]
        body = "".join(f"data: {chunk}\n\n" for chunk in (*chunks, "[DONE]"))
        return web.Response(text=body, content_type="text/event-stream")

    def _calls(self) -> Iterator[dict[str, object]]:
        for index, use in enumerate(self.uses):
            arguments = orjson.dumps(dict(use.arguments)).decode()
            function = {
                "name": use.tool,
                "arguments": arguments.replace("{corpus}", self.corpus),
            }
            yield {"index": index, "id": f"call-{index}", "type": "function", "function": function}

    def results(self) -> dict[str, str]:
        """What came back for each call, in the last request."""
        messages = self.requests[-1]["messages"]
        assert isinstance(messages, list)
        return {one["tool_call_id"]: one["content"] for one in messages if one["role"] == "tool"}


@dataclass(frozen=True)
class Done:
    """A finished run."""

    ended: Ended
    session: Trajectory


def run(model: Scripted, files: Mapping[str, str], **changes: object) -> Done:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, text in files.items():
            path = root / "corpus" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        (root / "home").mkdir()
        asked = {"prompt": 'Review the "folder".', "model": "m", "seconds": 120}
        job = job_in(root, **{**asked, **changes})
        model.corpus = str(job.corpus)
        return asyncio.run(_run(model, job))


async def _run(model: Scripted, job: Job) -> Done:
    app = web.Application(client_max_size=1 << 26)
    app.router.add_post("/v1/chat/completions", model.answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.UnixSite(runner, str(job.socket)).start()
    harness = OpenCode(TOOLS)
    try:
        ended = await harness.run(job, Unconfined.for_run(job.home, job.corpus))
    finally:
        await runner.cleanup()
    return Done(ended, harness.read_session(job.native))


LONG = "a long line " * 500
FILES = {
    "clipped.txt": f"before it\n{LONG}\nafter it\n",
    "many.txt": "".join(f"row number {n}\n" for n in range(1, 2102)),
    "blank.txt": "first line\n\n\nfourth line\n\n",
    "tags.txt": "<content>\n</content>\n(End of file - total 3 lines)\n",
    "crlf.txt": "one fish\r\ntwo fish\r\n",
    "odd.txt": "form\x0cfeed here\nx\u2028y stays whole\n12: looks numbered\n",
    "found.txt": "same words\nsame words\nanother thing\n",
    "sub/AGENTS.md": "a note beside it\nsame words\n",
    "sub/file.txt": "beside a note\nsame words\n",
}


def read(path: str, **more: object) -> Use:
    return Use("read", {"filePath": f"{{corpus}}/{path}", **more})


def shell(command: str, **more: object) -> Use:
    return Use("bash", {"command": command, "description": "Look", **more})


@pytest.fixture(scope="module")
def looked() -> tuple[Scripted, Done]:
    """One run in which each tool shows something of its own."""
    model = Scripted(
        (
            read("clipped.txt"),
            read("many.txt"),
            read("blank.txt", limit=2),
            read("tags.txt", offset=2),
            read("crlf.txt"),
            read("odd.txt"),
            read("sub/file.txt"),
            Use("grep", {"pattern": "same", "include": "found.txt", "path": "{corpus}"}),
            read("missing.txt"),
            shell("tail -f -n 2 {corpus}/blank.txt", timeout=500),
            Use(
                "task",
                {"description": "Look", "prompt": "Do it.", "subagent_type": "general"},
            ),
        )
    )
    return model, run(model, FILES)


def test_the_session_holds_what_the_server_was_sent(looked: tuple[Scripted, Done]) -> None:
    model, done = looked
    assert done.ended.ok, done.ended.fault
    results = {
        result.source_call_id: result.content
        for step in done.session.steps
        for result in (step.observation.results if step.observation else ())
    }
    assert results == model.results()
    assert len(results) == len(model.uses)


def test_what_its_tools_add_is_taken_off_line_for_line(looked: tuple[Scripted, Done]) -> None:
    _, done = looked
    index = CorpusIndex.of(FILES)
    main = measure(context_log(done.session), PROFILE.tools, index).threads["main"].files
    sure = {path: sorted(reading.sure) for path, reading in main.items() if reading.sure}
    assert sure == {
        "clipped.txt": [1, 3],
        "many.txt": list(range(1, 2001)),
        "blank.txt": [1, 2, 4, 5],
        "tags.txt": [2, 3],
        "crlf.txt": [1, 2],
        "odd.txt": [1, 2, 3],
        "sub/file.txt": [1, 2],
        "sub/AGENTS.md": [1, 2],
        "found.txt": [1, 2],
    }
    assert {path: sorted(one.partial) for path, one in main.items() if one.partial} == {
        "clipped.txt": [2]
    }
    assert {path: sorted(one.possible) for path, one in main.items() if one.possible} == {}


def test_a_subagent_is_a_thread_with_a_parent(looked: tuple[Scripted, Done]) -> None:
    model, done = looked
    (sub,) = done.session.subagent_trajectories or ()
    main = done.session.session_id
    assert (sub.trajectory_id, main) in model.threads
    assert sub.extra is not None
    assert sub.extra.parent == "main"
    assert {thread for thread, parent in model.threads if not parent} == {main}


def test_the_model_is_asked_as_the_job_says_and_for_nothing_else() -> None:
    model = Scripted(())
    done = run(
        model,
        {"a.txt": "one line\n"},
        condition="no_delegation",
        settings={"temperature": 0.25, "top_p": 0.5, "seed": 7, "reasoning_effort": "low"},
    )
    assert done.ended.ok, done.ended.fault
    (asked,) = model.requests  # no call for a title
    given = {name: asked.get(name) for name in ("model", "temperature", "top_p", "seed")}
    assert given == {"model": "m", "temperature": 0.25, "top_p": 0.5, "seed": 7}
    assert asked["reasoning_effort"] == "low"
    assert isinstance(asked["tools"], list)
    offered = {tool["function"]["name"] for tool in asked["tools"]}
    assert "task" not in offered
    assert PROFILE.readers <= offered
    assert isinstance(asked["messages"], list)
    # It puts the prompt in quotation marks.
    assert asked["messages"][-1] == {"role": "user", "content": '"Review the \\"folder\\"."'}
