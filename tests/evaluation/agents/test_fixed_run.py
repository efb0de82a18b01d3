from __future__ import annotations

import asyncio
import itertools
import json
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import orjson
import pytest
from aiohttp import web

from evaluation.agents.fixed.harness import Fixed
from evaluation.agents.harness import Ended, Job

Golden = Callable[[str, bytes], None]


def says(text: str | None, *calls: dict[str, object], **more: object) -> bytes:
    """A completion as servers send it."""
    message = {"role": "assistant", "content": text, "tool_calls": list(calls) or None}
    return orjson.dumps(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 0,
            "model": "assistant-1-dated",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
        }
        | more
    )


IN_PARTS = b'[{"type": "text", "text": "in"}, {"type": "x"}, {"type": "text", "text": "parts"}]'


def calls(id_: str, name: str, arguments: object) -> dict[str, object]:
    raw = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"id": id_, "type": "function", "function": {"name": name, "arguments": raw}}


@dataclass
class Server:
    """A model that answers from a list, one body a call, and keeps what it was asked."""

    answers: list[bytes]
    status: int = 200
    headers: list[dict[str, str]] = field(default_factory=list)
    requests: list[dict[str, object]] = field(default_factory=list)
    released: asyncio.Event = field(default_factory=asyncio.Event)

    def release(self, answer: bytes) -> None:
        """Answer the call that has waited for one."""
        self.answers.append(answer)
        self.released.set()

    async def answer(self, request: web.Request) -> web.Response:
        self.headers.append({name.lower(): value for name, value in request.headers.items()})
        self.requests.append(await request.json())
        if not self.answers:
            await self.released.wait()
        return web.Response(
            body=self.answers.pop(0), status=self.status, content_type="application/json"
        )


def run(
    server: Server,
    root: Path,
    *,
    turns: int = 50,
    seconds: float = 60,
    held: Callable[[], float] = lambda: 0.0,
    clock: Callable[[], float] = time.monotonic,
    silence: float = math.inf,
    quiet: Callable[[], float] = lambda: 0.0,
) -> Ended:
    """One run of the loop against the server, on a corpus of two files."""
    corpus, native = root / "corpus", root / "native"
    corpus.mkdir()
    (corpus / "a.md").write_text("# A\nOne line.\n")
    (corpus / "b.md").write_text("# B\nAnother line.\n")

    async def both() -> Ended:
        app = web.Application()
        app.router.add_post("/v1/chat/completions", server.answer)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        try:
            job = Job(
                prompt="Look through the folder and report.",
                model="assistant-1",
                corpus=corpus,
                home=root / "home",
                native=native,
                token="run-token",
                socket=root / "socket",
                url=site.name,
                seconds=seconds,
                turns=turns,
                held=held,
                silence=silence,
                quiet=quiet,
            )
            return await Fixed(clock).run(job, None)
        finally:
            await runner.cleanup()

    return asyncio.run(both())


def rows(root: Path) -> list[dict[str, object]]:
    data = (root / "native" / "session.jsonl").read_bytes()
    return [orjson.loads(line) for line in data.split(b"\n")[:-1]]


def whole_run() -> Server:
    return Server(
        [
            says(
                "I look around.",
                calls("c1", "list_files", {}),
                calls("c2", "read_file", {"path": "a.md"}),
            ),
            says(None, calls("c3", "delegate", {"title": "B", "prompt": "Read b.md."})),
            says(None, calls("s1", "read_file", {"path": "b.md", "offset": 2, "limit": 1})),
            says(None, calls("s2", "delegate", {"prompt": "And you?"})),
            says("b.md is fine."),
            says(None, calls("c4", "read_file", "{"), calls("c5", "search", {"pattern": "line"})),
            says("Both files were read."),
        ]
    )


def test_a_whole_run_leaves_its_session(tmp_path: Path, golden: Golden) -> None:
    ended = run(whole_run(), tmp_path)
    assert (ended.ok, ended.fault, ended.limit) == (True, "", "")
    golden("fixed-session.jsonl", (tmp_path / "native" / "session.jsonl").read_bytes())


def test_the_session_reads_back_as_a_trajectory(tmp_path: Path) -> None:
    run(whole_run(), tmp_path)
    trajectory = Fixed().read_session(tmp_path / "native")
    assert trajectory.steps[-1].message == "Both files were read."
    assert [sub.trajectory_id for sub in trajectory.subagent_trajectories or ()] == ["sub-1"]


def test_each_call_names_its_thread_and_the_tools_of_that_thread(tmp_path: Path) -> None:
    server = whole_run()
    run(server, tmp_path)
    threads = [(h["x-thread-id"], h.get("x-parent-thread-id")) for h in server.headers]
    main, sub = ("main", None), ("sub-1", "main")
    assert threads == [main, main, sub, sub, sub, main, main]
    offered = [[tool["function"]["name"] for tool in body["tools"]] for body in server.requests]  # type: ignore[attr-defined]
    looking = ["list_files", "read_file", "search"]
    assert offered[0] == [*looking, "delegate"]
    assert offered[2] == looking


def test_every_result_stands_in_the_next_request_as_the_session_has_it(tmp_path: Path) -> None:
    server = whole_run()
    run(server, tmp_path)
    last = [m for m in server.requests[-1]["messages"] if m["role"] == "tool"]  # type: ignore[attr-defined]
    written = [r for r in rows(tmp_path) if r.get("role") == "tool" and r["thread"] == "main"]
    assert [(m["tool_call_id"], m["content"]) for m in last] == [
        (r["result_of"], r["text"]) for r in written
    ]
    assert [m["content"] for m in last] == [
        "a.md\nb.md",
        "1\t# A\n2\tOne line.",
        "b.md is fine.",
        "Error: the arguments are not valid JSON",
        "a.md:2:One line.\nb.md:2:Another line.",
    ]


def test_arguments_that_are_no_object_go_back_as_an_empty_one(tmp_path: Path) -> None:
    server = whole_run()
    run(server, tmp_path)
    messages = server.requests[-1]["messages"]
    sent = {
        call["id"]: call["function"]["arguments"]
        for message in messages  # type: ignore[attr-defined]
        for call in message.get("tool_calls", ())
    }
    assert sent["c4"] == "{}"
    raw = [c for r in rows(tmp_path) for c in r.get("calls", ()) if c["id"] == "c4"]  # type: ignore[attr-defined]
    assert raw[0]["arguments"] == "{"


def test_nothing_of_the_operator_goes_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_API_KEY", "OPENAI_ADMIN_KEY"):
        monkeypatch.setenv(name, "of-the-operator")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/of-the-operator")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Own: of-the-operator\nAuthorization: operator")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    server = Server([says("Done.")])
    assert run(server, tmp_path).ok
    assert server.headers[0]["authorization"] == "Bearer run-token"
    assert "operator" not in str(server.headers)
    said = (str(server.requests) + str(server.headers)).lower()
    assert [w for w in ("ocb", "overclaim", "needle", "planted", "ablation") if w in said] == []


@pytest.mark.parametrize(
    ("body", "text", "results"),
    [
        pytest.param(
            says("?").replace(b'"?"', IN_PARTS),
            "in\nparts",
            [],
            id="text in parts, joined as on the wire",
        ),
        pytest.param(says(None), "", [], id="no text"),
        pytest.param(
            says(None, calls("x", "read_file", "[" * 20000)),
            "",
            ["Error: the arguments are not valid JSON"],
            id="deep arguments",
        ),
        pytest.param(
            says(None, calls("x", "shell", {})),
            "",
            ["Error: there is no tool 'shell'; there are list_files, read_file, search"],
            id="a tool that is not there",
        ),
        pytest.param(
            says(None, {"function": {"name": "read_file", "arguments": {"path": "a.md"}}}),
            "",
            ["1\t# A\n2\tOne line."],
            id="arguments as an object, no id",
        ),
        pytest.param(
            says(None, calls("x", "delegate", {"title": "nothing"})),
            "",
            ["Error: prompt: Field required"],
            id="an order without a prompt",
        ),
        pytest.param(
            says(None, calls("x", "list_files", ""), calls("x", "list_files", {})),
            "",
            ["a.md\nb.md", "a.md\nb.md"],
            id="one id twice",
        ),
        pytest.param(
            says("Half: ?").replace(b"?", b"\\ud83d"),
            "Half: \ufffd",
            [],
            id="half a surrogate pair",
        ),
        pytest.param(
            says("Much.", usage={"prompt_tokens": -5, "completion_tokens": 1e20}),
            "Much.",
            [],
            id="more tokens than there can be",
        ),
        pytest.param(
            says("Odd.", usage={"prompt_tokens": "5", "completion_tokens": [1]}),
            "Odd.",
            [],
            id="odd token counts",
        ),
        pytest.param(
            b'{"choices": [{"message": {"content": "\\ud83d"}}],'
            b' "usage": {"completion_tokens": 100000000000000000000}}',
            "\ufffd",
            [],
            id="half a pair and a count of 67 bits",
        ),
        pytest.param(
            says(
                None, {"function": {"name": "list_files", "arguments": {"path": "?"}}}, usage=None
            ).replace(b'"?"', b'{"a":' * 900 + b"1" + b"}" * 900),
            "",
            ["Error: path: Input should be a valid string"],
            id="deep arguments as an object",
        ),
        pytest.param(
            says("\x1b[31mred\u2028\0", usage=None, model=None),
            "\x1b[31mred\u2028\0",
            [],
            id="control characters, no usage, no model",
        ),
    ],
)
def test_whatever_a_model_says_the_run_goes_on(
    body: bytes, text: str, results: list[str], tmp_path: Path
) -> None:
    ended = run(Server([body, says("Done.")]), tmp_path)
    assert ended.ok
    found = rows(tmp_path)
    assert found[3]["text"] == text
    assert [r["text"] for r in found if r.get("role") == "tool"] == results


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        pytest.param(b"<html>", "the server's answer is not valid JSON", id="no JSON"),
        pytest.param(b"[" * 100000, "the server's answer is not valid JSON", id="deep"),
        pytest.param(b"[]", "the server's answer is no chat completion", id="a list"),
        pytest.param(b'{"choices": []}', "the server's answer holds no choice", id="no choice"),
        pytest.param(
            b'{"error": {"message": "busy"}}', "is no chat completion: choices", id="an error"
        ),
        pytest.param(
            b'{"choices": [{"message": "text"}]}', "is no chat completion", id="odd message"
        ),
    ],
)
def test_an_answer_that_is_none_is_a_fault(body: bytes, fault: str, tmp_path: Path) -> None:
    ended = run(Server([body]), tmp_path)
    assert not ended.ok
    assert fault in ended.fault


def ids_of(root: Path) -> list[str]:
    """The ids of calls in the session, in the order in which they were made."""
    return [
        str(call["id"])
        for row in rows(root)
        for call in row.get("calls", ())  # type: ignore[attr-defined]
    ]


NAMELESS: dict[str, object] = {"function": {"name": "list_files", "arguments": "{}"}}


@pytest.mark.parametrize(
    ("answers", "ids"),
    [
        pytest.param(
            [says(None, NAMELESS), says(None, NAMELESS, NAMELESS)],
            ["call-1", "call-2", "call-3"],
            id="no ids",
        ),
        pytest.param(
            [says(None, calls("x", "list_files", {}), calls("x", "read_file", {"path": "a.md"}))],
            ["x", "call-1"],
            id="one id twice in a turn",
        ),
        pytest.param(
            [says(None, calls("call_0", "list_files", {}))] * 3,
            ["call_0", "call-1", "call-2"],
            id="the same id in every turn",
        ),
        pytest.param(
            [says(None, calls("call-1", "list_files", {})), says(None, NAMELESS)],
            ["call-1", "call-2"],
            id="an id of our own form",
        ),
        pytest.param(
            [
                says(None, calls("d", "delegate", {"prompt": "Go."})),
                says(None, calls("d", "list_files", {})),
                says("Listed."),
            ],
            ["d", "call-1"],
            id="one id in two threads",
        ),
    ],
)
def test_ids_of_calls_are_unique_in_a_run(
    answers: list[bytes], ids: list[str], tmp_path: Path
) -> None:
    server = Server([*answers, says("Done.")])
    assert run(server, tmp_path).ok
    assert ids_of(tmp_path) == ids
    answered = [str(row["result_of"]) for row in rows(tmp_path) if row.get("role") == "tool"]
    assert sorted(answered) == sorted(ids)
    sent = [
        (message.get("tool_call_id"), [call["id"] for call in message.get("tool_calls", ())])
        for message in server.requests[-1]["messages"]  # type: ignore[attr-defined]
    ]
    asked = [id_ for _, made in sent for id_ in made]
    assert asked == [id_ for id_, _ in sent if id_ is not None]
    assert len(set(asked)) == len(asked)


def test_time_in_which_the_run_was_held_is_taken_off(tmp_path: Path) -> None:
    """Ten seconds pass at each look at the clock, all of them held; the run may last for one."""
    server = Server([])
    times = itertools.count(step=10.0)
    now = 0.0
    looks = itertools.count()

    def clock() -> float:
        nonlocal now
        now = next(times)
        return now

    def held() -> float:
        if next(looks) == 3:
            server.release(says("Done at last."))
        return now

    ended = run(server, tmp_path, seconds=1.0, held=held, clock=clock)
    assert (ended.ok, ended.limit) == (True, "")
    assert rows(tmp_path)[-1]["text"] == "Done at last."


def test_a_refusal_by_the_server_is_a_fault(tmp_path: Path) -> None:
    ended = run(Server([b'{"error": {"message": "no such model"}}'], status=404), tmp_path)
    assert (ended.ok, ended.limit) == (False, "")
    assert "no such model" in ended.fault


def test_turns_of_all_threads_together_are_a_limit(tmp_path: Path) -> None:
    server = whole_run()
    ended = run(server, tmp_path, turns=4)
    assert (ended.ok, ended.fault, ended.limit) == (False, "", "4 turns")
    assert len(server.requests) == 4
    assert [r["thread"] for r in rows(tmp_path) if r.get("role") == "assistant"] == [
        "main",
        "main",
        "sub-1",
        "sub-1",
    ]


def test_time_that_is_up_is_a_limit_and_the_session_so_far_is_there(tmp_path: Path) -> None:
    ended = run(Server([says("Looking.", calls("c", "list_files", {}))]), tmp_path, seconds=0.5)
    assert (ended.ok, ended.fault, ended.limit) == (False, "", "0.5 s")
    assert [r.get("role") for r in rows(tmp_path)] == [None, "system", "user", "assistant", "tool"]


def test_a_server_that_gives_no_byte_stalls_a_run(tmp_path: Path) -> None:
    times = itertools.count(step=20)
    ended = run(Server([]), tmp_path, clock=lambda: float(next(times)), silence=9, quiet=lambda: 9)
    assert (ended.ok, ended.limit, ended.stalled) == (False, "", "9 s of silence")


def test_while_bytes_come_a_run_is_not_silent(tmp_path: Path) -> None:
    times = itertools.count(step=20)
    ended = run(Server([]), tmp_path, clock=lambda: float(next(times)), silence=9, quiet=lambda: 8)
    assert (ended.limit, ended.stalled) == ("60 s", "")
