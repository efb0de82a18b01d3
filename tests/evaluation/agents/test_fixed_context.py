"""A run ends before its server could drop the start of a request: over servers of three kinds."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import orjson
import pytest
from aiohttp import web
from pydantic import JsonValue

from evaluation.agents.fixed.context_length import ContextLength, ask_length
from evaluation.agents.fixed.context_watch import ContextLimitError, ContextWatch
from evaluation.agents.fixed.harness import Fixed
from evaluation.agents.harness import Ended, Job

MODEL = "open-1"
LISTED: JsonValue = {"data": [{"id": MODEL}]}
OWN: JsonValue = {"model_info": {"llama.context_length": 131072, "llama.block_count": 32}}


@dataclass
class Told:
    """A server that knows some paths."""

    paths: Mapping[str, JsonValue]

    async def get(self, path: str) -> JsonValue:
        return self.paths.get(path)

    async def post(self, path: str, body: JsonValue) -> JsonValue:
        assert body == {"model": MODEL}
        return self.paths.get(path)


def loaded(name: str, length: JsonValue) -> JsonValue:
    return {"models": [{"name": name, "model": name, "context_length": length}]}


@pytest.mark.parametrize(
    ("paths", "tokens", "told_by"),
    [
        pytest.param({}, None, "the server does not say", id="nothing"),
        pytest.param({"/v1/models": {"data": []}}, None, "the server does not say", id="no model"),
        pytest.param({"/v1/models": LISTED}, None, "the server does not say", id="no length"),
        pytest.param(
            {"/v1/models": {"data": [{"id": "a"}, {"id": MODEL, "max_model_len": 8192}]}},
            8192,
            "vLLM: max_model_len",
            id="vLLM",
        ),
        pytest.param(
            {"/v1/models": {"data": [{"id": "a", "max_model_len": 1}, {"id": "b"}]}},
            None,
            "the server does not say",
            id="another model's",
        ),
        pytest.param(
            {"/v1/models": {"data": [{"id": "/models/open.gguf", "max_model_len": 4096}]}},
            4096,
            "vLLM: max_model_len",
            id="the only model, by another name",
        ),
        pytest.param(
            {
                "/v1/models": {"data": [{"id": "x.gguf", "meta": {"n_ctx_train": 131072}}]},
                "/props": {"default_generation_settings": {"n_ctx": 4096}, "total_slots": 4},
            },
            4096,
            "llama.cpp: n_ctx",
            id="llama.cpp",
        ),
        pytest.param(
            {"/v1/models": {"data": [{"id": "x.gguf", "meta": {"n_ctx_train": 32768}}]}},
            32768,
            "llama.cpp: n_ctx_train, at most",
            id="llama.cpp that hides its settings",
        ),
        pytest.param(
            {"/v1/models": LISTED, "/api/show": {"parameters": "stop x\nnum_ctx   16384\n"}},
            16384,
            "Ollama: num_ctx",
            id="Ollama with a length of its own",
        ),
        pytest.param(
            {
                "/v1/models": LISTED,
                "/api/show": OWN,
                "/api/ps": loaded(f"{MODEL}:latest", 4096),
            },
            4096,
            "Ollama: context_length of the loaded model",
            id="Ollama, loaded",
        ),
        pytest.param(
            {"/v1/models": LISTED, "/api/show": OWN, "/api/ps": loaded("other", 4096)},
            131072,
            "Ollama: the model's own length, at most",
            id="Ollama, not loaded",
        ),
        pytest.param(
            {
                "/v1/models": {"data": [{"id": MODEL, "max_model_len": "8192"}]},
                "/props": ["odd"],
                "/api/show": {"parameters": 5, "model_info": {"x.context_length": -1}},
            },
            None,
            "the server does not say",
            id="odd values",
        ),
    ],
)
def test_the_length_is_what_the_server_serves(
    paths: Mapping[str, JsonValue], tokens: int | None, told_by: str
) -> None:
    found = asyncio.run(ask_length(Told(paths), MODEL))
    assert (found.tokens, found.told_by) == (tokens, told_by)
    assert found.at_most is told_by.endswith("at most")


@pytest.mark.parametrize(
    ("then", "limit"),
    [
        pytest.param(ContextLength(300, "now"), r"context: 41\d\d of 300 tokens", id="less"),
        pytest.param(ContextLength(9000, "own", at_most=True), None, id="the same bound again"),
        pytest.param(ContextLength(None, "gone"), None, id="it says no more"),
    ],
)
def test_what_was_an_upper_bound_is_settled_once(then: ContextLength, limit: str | None) -> None:
    watch = ContextWatch(ContextLength(9000, "own", at_most=True), answer=4096)
    is_open = [watch.is_open]
    watch.settle(then)
    is_open.append(watch.is_open)
    assert is_open == [True, False]
    if limit is None:
        watch.check("main", [], [])
        return
    with pytest.raises(ContextLimitError, match=limit):
        watch.check("main", [], [])


def completion(message: JsonValue, prompt_tokens: int | None) -> bytes:
    usage = {"prompt_tokens": prompt_tokens, "completion_tokens": 5} if prompt_tokens else None
    choice: dict[str, JsonValue] = {"index": 0, "message": message, "finish_reason": "stop"}
    return orjson.dumps({"id": "1", "model": MODEL, "choices": [choice], "usage": usage})


@dataclass
class Loopback:
    """A model's server: it reads `big.txt` part by part until it has read all, then reports."""

    paths: Mapping[str, JsonValue]
    counts: Callable[[int], int | None]
    """Tokens of the prompt that it says it read, by the characters of the request."""
    requests: list[dict[str, JsonValue]] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    later: Mapping[str, JsonValue] = field(default_factory=dict)
    """What is different once it has answered."""
    lines: int = 100
    """Of one part."""

    async def answer(self, request: web.Request) -> web.Response:
        body = await request.read()
        self.requests.append(orjson.loads(body))
        self.paths = {**self.paths, **self.later}
        part = len(self.requests)
        message: JsonValue = {"role": "assistant", "content": "All is read."}
        first = self.lines * (part - 1) + 1
        if first <= LINES:
            arguments = {"path": "big.txt", "offset": first, "limit": self.lines}
            function: JsonValue = {
                "name": "read_file",
                "arguments": orjson.dumps(arguments).decode(),
            }
            call: JsonValue = {"id": f"c{part}", "type": "function", "function": function}
            message = {"role": "assistant", "content": None, "tool_calls": [call]}
        answer = completion(message, self.counts(len(body)))
        return web.Response(body=answer, content_type="application/json")

    async def tell(self, request: web.Request) -> web.Response:
        self.asked.append(f"{request.method} {request.path}")
        if request.path not in self.paths:
            return web.json_response({"error": "not found"}, status=404)
        return web.json_response(self.paths[request.path])


LINES = 800
TEXT = "".join(f"{n}: a line of the big file, of ten words or so\n" for n in range(1, LINES + 1))
A_QUARTER: Callable[[int], int | None] = lambda size: size // 4  # noqa: E731 - a value


def run(server: Loopback, root: Path, **changes: object) -> Ended:
    async def both() -> Ended:
        app = web.Application(client_max_size=1 << 26)
        app.router.add_post("/v1/chat/completions", server.answer)
        app.router.add_route("*", "/{path:.*}", server.tell)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        try:
            job = Job(
                prompt="Read the file and report.",
                model=MODEL,
                corpus=root / "corpus",
                home=root / "home",
                native=root / "native",
                token="run-token",
                socket=root / "socket",
                url=site.name,
                seconds=60,
                turns=50,
            )
            return await Fixed().run(Job(**{**vars(job), **changes}), None)
        finally:
            await runner.cleanup()

    (root / "corpus").mkdir()
    (root / "corpus" / "big.txt").write_text(TEXT)
    return asyncio.run(both())


def head(root: Path) -> dict[str, JsonValue]:
    line = (root / "native" / "session.jsonl").read_bytes().split(b"\n")[0]
    context = orjson.loads(line)["context"]
    assert isinstance(context, dict)
    return context


VLLM: JsonValue = {"data": [{"id": MODEL, "max_model_len": 6000}]}
LLAMA: Mapping[str, JsonValue] = {
    "/v1/models": {"data": [{"id": "x.gguf", "meta": {"n_ctx_train": 131072}}]},
    "/props": {"default_generation_settings": {"n_ctx": 6000}},
}
OLLAMA: Mapping[str, JsonValue] = {
    "/v1/models": LISTED,
    "/api/show": OWN,
    "/api/ps": {"models": []},
}


@pytest.mark.parametrize(
    ("paths", "later", "told", "asked"),
    [
        pytest.param(
            {"/v1/models": VLLM},
            {},
            {"tokens": 6000, "told_by": "vLLM: max_model_len"},
            ["GET /v1/models"],
            id="vLLM",
        ),
        pytest.param(
            LLAMA,
            {},
            {"tokens": 6000, "told_by": "llama.cpp: n_ctx"},
            ["GET /v1/models", "GET /props"],
            id="llama.cpp",
        ),
        pytest.param(
            OLLAMA,
            {"/api/ps": loaded(MODEL, 6000)},
            {"tokens": 131072, "told_by": "Ollama: the model's own length, at most"},
            ["GET /v1/models", "GET /props", "POST /api/show", "GET /api/ps"] * 2,
            id="Ollama, which loads the model when it is first called",
        ),
    ],
)
def test_a_run_ends_as_a_limit_before_the_server_could_cut(
    paths: Mapping[str, JsonValue],
    later: Mapping[str, JsonValue],
    told: dict[str, JsonValue],
    asked: list[str],
    tmp_path: Path,
) -> None:
    server = Loopback(paths, A_QUARTER, later=later)
    ended = run(server, tmp_path)
    assert not ended.ok
    assert ended.fault == ""
    assert ended.limit.startswith("context: ")
    needed = int(ended.limit.split()[1])
    assert ended.limit == f"context: {needed} of 6000 tokens"
    assert needed > 6000
    assert head(tmp_path) == told
    assert server.asked == asked
    assert max(len(orjson.dumps(request)) // 4 for request in server.requests) < 6000
    assert len(server.requests) > 1


def test_a_server_that_says_no_length_gets_all_of_it(tmp_path: Path) -> None:
    server = Loopback({"/v1/models": LISTED}, A_QUARTER)
    ended = run(server, tmp_path)
    assert (ended.ok, ended.limit) == (True, "")
    assert len(server.requests) == LINES // 100 + 1
    assert head(tmp_path) == {"told_by": "the server does not say"}


@pytest.mark.parametrize(
    "lines", [pytest.param(100, id="bit by bit"), pytest.param(400, id="at once")]
)
def test_a_server_that_cut_in_silence_ends_the_run(lines: int, tmp_path: Path) -> None:
    server = Loopback({}, lambda size: min(size // 4, 4096), lines=lines)
    ended = run(server, tmp_path)
    sizes = [len(orjson.dumps(request)) // 4 for request in server.requests]
    read = int(ended.limit.removeprefix("context: the server read ").split()[0])
    assert read == 4096
    assert sizes[-1] > 4096
    assert sizes[-2] < 4096 + 100 * 12  # at most one part went by unseen


def test_a_count_that_leaves_out_what_a_server_had_kept_is_no_cut_where_the_length_is_known(
    tmp_path: Path,
) -> None:
    server = Loopback(
        {"/v1/models": {"data": [{"id": MODEL, "max_model_len": 90000}]}}, lambda _: 50
    )
    assert run(server, tmp_path).ok


def test_our_count_is_corrected_upward_by_the_servers(tmp_path: Path) -> None:
    """One that takes two characters to a token reads half as much."""
    dear, cheap = (
        Loopback({"/v1/models": {"data": [{"id": MODEL, "max_model_len": 9000}]}}, counts)
        for counts in (lambda size: size // 2, lambda size: size // 16)
    )
    for name, server in (("dear", dear), ("cheap", cheap)):
        (tmp_path / name).mkdir()
        assert run(server, tmp_path / name).limit.startswith("context: ")
    assert len(dear.requests) < len(cheap.requests)
    assert max(len(orjson.dumps(request)) // 2 for request in dear.requests) < 9000


def test_an_answer_has_room_as_long_as_it_may_be(tmp_path: Path) -> None:
    short, long = (Loopback({"/v1/models": VLLM}, A_QUARTER) for _ in range(2))
    for name, server, most in (("short", short, 100), ("long", long, 4000)):
        (tmp_path / name).mkdir()
        run(server, tmp_path / name, settings={"max_tokens": most})
        assert server.requests[0]["max_tokens"] == most
    assert len(long.requests) < len(short.requests)


def test_settings_are_sent_by_their_own_names_and_delegation_is_taken_away(tmp_path: Path) -> None:
    settings: dict[str, JsonValue] = {"temperature": 0.2, "seed": 7, "reasoning_effort": "low"}
    server = Loopback({}, A_QUARTER)
    run(server, tmp_path, settings=settings, condition="no_delegation")
    first = server.requests[0]
    assert {name: first[name] for name in settings} == settings
    assert isinstance(first["tools"], list)
    names = [tool["function"]["name"] for tool in first["tools"]]  # type: ignore[call-overload,index]
    assert names == ["list_files", "read_file", "search"]


def test_a_server_that_refuses_the_question_is_still_asked_for_an_answer(tmp_path: Path) -> None:
    class Refusing(Loopback):
        async def tell(self, request: web.Request) -> web.Response:
            return web.Response(status=401)

    ended = run(Refusing({}, A_QUARTER), tmp_path)
    assert ended.ok
