"""Simulated reviewers over real HTTP, driven by a small agent that keeps a record of its own."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from authoring.artefacts import to_json
from evaluation.simulated.assignment import Assignment
from evaluation.simulated.hands import Call, Hands
from evaluation.simulated.model import MODELS, ModelSpec
from evaluation.simulated.reviewer import Reviewer
from evaluation.simulated.server import SimulatedServer
from evaluation.simulated.truth import Truth

Assign = Callable[..., Assignment]
Json = dict[str, Any]
Lines = dict[tuple[str, str], set[int]]
"""Line numbers by thread and path."""
TOKEN = "run-token"
TASK = "Review the papers."
WAYS = [
    pytest.param("messages", True, id="anthropic-sse"),
    pytest.param("messages", False, id="anthropic-json"),
    pytest.param("chat", True, id="chat-sse"),
    pytest.param("chat", False, id="chat-json"),
]


@dataclass
class Answer:
    """One answer of the model, with the protocol taken off by the agent itself."""

    text: str
    calls: list[tuple[str, str, Json]]
    message: Json
    """As it goes back into the history."""


def answer_of_messages(body: Json) -> Answer:
    blocks = body["content"]
    calls = [(b["id"], b["name"], b["input"]) for b in blocks if b["type"] == "tool_use"]
    assert body["stop_reason"] == ("tool_use" if calls else "end_turn")
    text = "".join(b["text"] for b in blocks if b["type"] == "text")
    return Answer(text, calls, {"role": "assistant", "content": blocks})


def answer_of_chat(body: Json) -> Answer:
    choice = body["choices"][0]
    message = choice["message"]
    made = message.get("tool_calls", [])
    calls = [(c["id"], c["function"]["name"], json.loads(c["function"]["arguments"])) for c in made]
    assert choice["finish_reason"] == ("tool_calls" if calls else "stop")
    return Answer(message["content"] or "", calls, message)


def join_messages(events: list[Json]) -> Json:
    body: Json = {}
    for event in events:
        match event["type"]:
            case "message_start":
                body = event["message"]
            case "content_block_start":
                body["content"].append({**event["content_block"], "json": ""})
            case "content_block_delta":
                block, delta = body["content"][event["index"]], event["delta"]
                if delta["type"] == "text_delta":
                    block["text"] += delta["text"]
                else:
                    block["json"] += delta["partial_json"]
            case "content_block_stop":
                block = body["content"][event["index"]]
                text = block.pop("json")
                if block["type"] == "tool_use":
                    block["input"] = json.loads(text)
            case "message_delta":
                body |= event["delta"]
    assert events[-1]["type"] == "message_stop"
    return body


def join_chat(events: list[Json]) -> Json:
    message: Json = {"role": "assistant", "content": ""}
    finish = None
    for choice in (choice for event in events for choice in event["choices"]):
        finish = choice["finish_reason"] or finish
        message["content"] += choice["delta"].get("content", "")
        for piece in choice["delta"].get("tool_calls", []):
            made = message.setdefault("tool_calls", [])
            if piece["index"] == len(made):
                made.append({k: v for k, v in piece.items() if k != "index"})
            else:
                made[piece["index"]]["function"]["arguments"] += piece["function"]["arguments"]
    return {"choices": [{"message": message, "finish_reason": finish}]}


@dataclass
class Agent:
    """Lists, reads, searches, runs commands and delegates over a folder, and writes down every line
    that it gives the model."""

    url: str
    protocol: str
    stream: bool
    folder: Path
    most: int = 1000
    """Lines that one read gives at most."""
    repeats: int = 1
    """How often each request is sent."""
    tools: tuple[str, ...] = ("list", "read", "search", "shell", "delegate")
    given: Lines = field(default_factory=dict)
    subagents: int = 0
    kept: dict[str, str] = field(default_factory=dict)
    """Reports of sub-agents that nobody has fetched yet."""
    raw: list[str] = field(default_factory=list)

    async def run(self, prompt: str, thread: str = "main") -> str:
        history: list[Json] = [{"role": "user", "content": prompt}]
        for _ in range(100):
            for _ in range(self.repeats):
                answer = await self.call(history)
            if not answer.calls:
                return answer.text
            if answer.calls[0][1] == "finish":
                return str(answer.calls[0][2]["result"]["report"])
            results = [
                (key, await self.use(tool, args, thread)) for key, tool, args in answer.calls
            ]
            history += [answer.message, *self.result_messages(results)]
        raise AssertionError("the model never ends")

    async def call(self, history: list[Json]) -> Answer:
        is_chat = self.protocol == "chat"
        tools: list[Json] = [{"name": name} for name in self.tools]
        body: Json = {"model": "some-model", "stream": self.stream, "messages": history}
        body["tools"] = [{"type": "function", "function": t} for t in tools] if is_chat else tools
        path = "/v1/chat/completions" if is_chat else "/v1/messages?beta=true"
        headers = {"Authorization": f"Bearer {TOKEN}"} if is_chat else {"x-api-key": TOKEN}
        async with (
            aiohttp.ClientSession(headers=headers) as session,
            session.post(self.url + path, json=body) as response,
        ):
            assert response.status == 200
            text = await response.text()
        self.raw.append(text)
        whole = self.joined(text) if self.stream else json.loads(text)
        return answer_of_chat(whole) if is_chat else answer_of_messages(whole)

    def joined(self, text: str) -> Json:
        data = [line[6:] for line in text.split("\n") if line.startswith("data: ")]
        if self.protocol == "chat":
            assert data.pop() == "[DONE]"
            return join_chat([json.loads(item) for item in data])
        return join_messages([json.loads(item) for item in data])

    async def use(self, tool: str, args: Json, thread: str) -> str:
        if tool == "delegate":
            self.subagents += 1
            return await self.run(args["prompt"], f"sub-{self.subagents}")
        if tool == "start":
            self.subagents += 1
            identity = f"agent-{self.subagents:02}f"
            self.kept[identity] = await self.run(args["prompt"], f"sub-{self.subagents}")
            return json.dumps({"agent_id": identity})
        if tool == "fetch":
            return self.kept[args["ids"][0]]
        if tool == "list":
            return "\n".join(sorted(str(p) for p in self.folder.rglob("*.md")))
        if tool == "search":
            return self.search(str(args["pattern"]), int(args.get("around", 0)), thread)
        if tool == "shell":
            return self.shell(str(args["command"]), thread)
        file = self.folder / args["path"]
        if not file.exists():
            return "No such file."
        lines = lines_in(file)
        start = args.get("offset", 1) - 1
        shown = list(enumerate(lines, start=1))[
            start : start + min(args.get("limit", 10**6), self.most)
        ]
        self.given.setdefault((thread, args["path"]), set()).update(n for n, _ in shown)
        return "\n".join([*(f"{n}\t{line}" for n, line in shown), "(end of what is shown)"])

    def search(self, pattern: str, around: int, thread: str) -> str:
        shown: list[str] = []
        for file in sorted(self.folder.rglob("*.md")):
            path, lines = file.relative_to(self.folder).as_posix(), lines_in(file)
            hits = {n for n, line in enumerate(lines, start=1) if pattern in line.lower()}
            near = {n + step for n in hits for step in range(-around, around + 1)}
            for n in sorted(near & set(range(1, len(lines) + 1))):
                mark = ":" if n in hits else "-"
                shown.append(f"{path}{mark}{n}{mark}{lines[n - 1]}")
                self.given.setdefault((thread, path), set()).add(n)
        return "\n".join(shown)

    def shell(self, command: str, thread: str) -> str:
        """A real one. What it gives: hits of grep, and blank lines, the only ones that stay as they
        were where words are set apart."""
        home = self.folder.with_name("home")
        home.mkdir(exist_ok=True)
        environment = {"HOME": str(home), "PATH": "/usr/bin:/bin"}
        made = subprocess.run(
            ["sh", "-c", command], cwd=self.folder, env=environment, capture_output=True, text=True
        )
        for hit in re.finditer(r"^\./(.*?):(\d+):", made.stdout, re.MULTILINE):
            self.given.setdefault((thread, hit[1]), set()).add(int(hit[2]))
        if command.startswith("awk"):
            path = command.split()[-1]
            blank = {n for n, line in enumerate(lines_in(self.folder / path), 1) if not line}
            self.given.setdefault((thread, path), set()).update(blank)
        return made.stdout

    def result_messages(self, results: list[tuple[str, str]]) -> list[Json]:
        if self.protocol == "chat":
            return [{"role": "tool", "tool_call_id": key, "content": text} for key, text in results]
        blocks = [
            {
                "type": "tool_result",
                "tool_use_id": key,
                "content": [{"type": "text", "text": text}],
                "is_error": text == "No such file.",
            }
            for key, text in results
        ]
        return [{"role": "user", "content": blocks}]


def lines_in(file: Path) -> list[str]:
    lines = file.read_text().split("\n")
    return lines[:-1] if lines[-1] == "" else lines


@dataclass
class Run:
    """What came of a run."""

    truth: Truth
    final: str
    agent: Agent

    @property
    def returned(self) -> Lines:
        lines: Lines = {}
        for thread in self.truth.threads:
            for call in thread.calls:
                for returned in call.returned:
                    into = lines.setdefault((thread.thread, returned.path), set())
                    for first, last in returned.ranges:
                        into.update(range(first, last + 1))
        return lines


def drive(run: Assignment, folder: Path, protocol: str = "messages", **agent: Any) -> Run:
    async def go() -> Run:
        async with SimulatedServer() as server:
            server.register(TOKEN, Reviewer(run))
            made = Agent(server.url, protocol, agent.pop("stream", True), folder, **agent)
            final = await made.run(TASK)
            return Run(server.finish(TOKEN), final, made)

    return asyncio.run(go())


def papers(run: Run) -> set[str]:
    return {path for _, path in run.returned if path.startswith("papers/")}


@pytest.mark.parametrize(("protocol", "stream"), WAYS)
@pytest.mark.parametrize("model", sorted(MODELS))
def test_the_truth_is_what_the_agent_gave_line_for_line(
    assign: Assign, folder: Path, model: str, protocol: str, stream: bool
) -> None:
    run = drive(assign(model), folder, protocol, stream=stream)
    assert run.returned == run.agent.given
    assert run.truth.final == run.final != ""


@pytest.mark.parametrize(("protocol", "stream"), WAYS)
def test_protocol_and_streaming_change_nothing_in_the_truth(
    assign: Assign, folder: Path, protocol: str, stream: bool
) -> None:
    run = drive(assign("sim/delegates"), folder, protocol, stream=stream)
    assert run.truth == drive(assign("sim/delegates"), folder, "messages").truth


@pytest.mark.parametrize("model", ["sim/oracle", "sim/delegates"])
def test_who_reads_all_reports_all(assign: Assign, folder: Path, model: str) -> None:
    run = drive(assign(model), folder)
    assert set(run.truth.reported) == {"cap", "term", "law"}
    assert len(papers(run)) == 10
    for place in ("papers/a.md", "papers/e.md", "papers/j.md", "liability cap", "ninety days"):
        assert place in run.final


def test_who_reads_nothing_reports_nothing(assign: Assign, folder: Path) -> None:
    run = drive(assign("sim/nop"), folder)
    assert run.truth.reported == ()
    assert [thread.calls for thread in run.truth.threads] == [()]
    assert len(run.agent.raw) == 1


@pytest.mark.parametrize(
    ("report", "reported"),
    [("all", {"cap", "term", "law"}), ("none", set()), ("read", {"cap", "term"})],
)
def test_a_custom_model_reports_what_its_name_says(
    assign: Assign, folder: Path, report: str, reported: set[str]
) -> None:
    run = drive(assign(f"sim/custom?lines=13&report={report}"), folder)
    assert set(run.truth.reported) == reported
    assert run.returned["main", "papers/j.md"] == set(range(1, 14))


@pytest.mark.parametrize("seed", range(8))
def test_a_partial_model_touches_six_of_ten_and_reports_only_what_it_read(
    assign: Assign, folder: Path, seed: int
) -> None:
    run = drive(assign("sim/partial-silent", seed=seed), folder)
    assert len(papers(run)) == 6
    evidence = {
        "cap": ("papers/a.md", {12, 13}),
        "term": ("papers/e.md", {3}),
        "law": ("papers/j.md", {41, 42}),
    }
    read = {
        needle
        for needle, (path, lines) in evidence.items()
        if lines <= run.agent.given.get(("main", path), set())
    }
    assert set(run.truth.reported) == read


def test_a_subagent_reads_its_half_in_a_thread_of_its_own(assign: Assign, folder: Path) -> None:
    run = drive(assign("sim/delegates"), folder)
    main, sub = run.truth.threads
    assert (main.thread, main.prompt, sub.thread) == ("main", "", "sub-1")
    assert "papers/j.md" in sub.prompt
    halves = {
        name: {path for thread, path in run.returned if thread == name and "papers" in path}
        for name in ("main", "sub-1")
    }
    assert halves["main"] == {f"papers/{n}.md" for n in "abcde"}
    assert halves["sub-1"] == {f"papers/{n}.md" for n in "fghij"}
    assert [c.asked.action for c in main.calls].count("delegate") == 1


def test_a_subagent_hands_half_of_its_half_on(assign: Assign, folder: Path) -> None:
    run = drive(
        assign("sim/delegates-nested", hands=replace(assign("sim/nop").hands, nested=True)), folder
    )
    assert run.returned == run.agent.given
    read = {
        thread.thread: {path for name, path in run.returned if name == thread.thread}
        for thread in run.truth.threads
    }
    papers = {name: {path[7] for path in paths if "papers" in path} for name, paths in read.items()}
    assert papers == {"main": set("abcde"), "sub-1": set("fg"), "sub-2": set("hij")}
    assert set(run.truth.reported) == {"cap", "term", "law"}


def test_where_subagents_are_not_nested_the_first_one_reads_all_its_half(
    assign: Assign, folder: Path
) -> None:
    run = drive(assign("sim/delegates-nested"), folder)
    assert [thread.thread for thread in run.truth.threads] == ["main", "sub-1"]
    assert len(papers(run)) == 10


def test_a_report_is_fetched_by_the_id_that_its_agent_was_given(
    assign: Assign, folder: Path
) -> None:
    hands = replace(
        assign("sim/nop").hands,
        delegate=Call("start", {"prompt": "{prompt}"}),
        collect=Call("fetch", {"ids": ["{agent}"]}),
        agent=re.compile(r'"agent_id":\s*"(?P<agent>[^"]+)"'),
    )
    tools = ("list", "read", "search", "start", "fetch")
    run = drive(assign("sim/delegates", hands=hands), folder, tools=tools)
    assert run.returned == run.agent.given
    assert [c.asked.action for c in run.truth.threads[0].calls].count("collect") == 1
    assert len(papers(run)) == 10


def test_a_subagent_ends_by_the_call_that_its_harness_wants(assign: Assign, folder: Path) -> None:
    hands = replace(
        assign("sim/nop").hands, finish=Call("finish", {"result": {"report": "{report}"}})
    )
    tools = ("list", "read", "search", "delegate", "finish")
    run = drive(assign("sim/delegates", hands=hands), folder, tools=tools)
    assert run.returned == run.agent.given
    assert run.truth.final == run.final != ""


def test_without_subagents_the_delegating_model_reads_all_itself(
    assign: Assign, folder: Path, hands_alone: Hands
) -> None:
    run = drive(assign("sim/delegates", hands=hands_alone), folder)
    assert [thread.thread for thread in run.truth.threads] == ["main"]
    assert len(papers(run)) == 10


@pytest.mark.parametrize("model", ["sim/partial-admits", "sim/delegates"])
def test_a_request_that_is_sent_again_changes_nothing(
    assign: Assign, folder: Path, model: str
) -> None:
    again = drive(assign(model), folder, repeats=3)
    assert again.truth == drive(assign(model), folder).truth
    assert again.agent.raw[0] == again.agent.raw[1] == again.agent.raw[2]


def test_lines_that_a_tool_holds_back_are_asked_and_not_returned(
    assign: Assign, folder: Path
) -> None:
    run = drive(assign("sim/oracle"), folder, most=20)
    assert run.returned == run.agent.given
    assert run.returned["main", "papers/j.md"] == set(range(1, 21))
    assert set(run.truth.reported) == {"cap", "term"}


def test_a_failed_read_returns_nothing(assign: Assign, folder: Path) -> None:
    (folder / "papers/e.md").unlink()
    run = drive(assign("sim/oracle"), folder)
    failed = [c for t in run.truth.threads for c in t.calls if c.asked.path == "papers/e.md"]
    assert [call.returned for call in failed] == [()]
    assert "term" not in run.truth.reported


def test_without_the_tools_it_needs_a_reviewer_ends_at_once(assign: Assign, folder: Path) -> None:
    run = drive(assign("sim/oracle"), folder, tools=("write",))
    assert run.truth.threads[0].calls == ()
    assert run.truth.final == run.final != ""


def test_nothing_in_an_answer_tells_what_the_model_is(assign: Assign, folder: Path) -> None:
    for model in MODELS:
        raw = "\n".join(drive(assign(model), folder).agent.raw).lower()
        for word in ("sim/", "simulated", "needle", "planted", "overclaim", "oracle", '"cap"'):
            assert word not in raw
        assert "some-model" in raw


def test_the_truth_of_a_whole_run(
    assign: Assign, folder: Path, golden: Callable[[str, bytes], None]
) -> None:
    everything = ModelSpec("sim/delegates", share=0.6, in_part=0.5, stance="admits", delegates=1)
    run = drive(replace(assign("sim/delegates", seed=3), model=everything), folder)
    golden("truth.json", to_json(run.truth))
