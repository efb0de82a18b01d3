"""The simulated server at its edges: who is let in, and what stands around the steps of a plan."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import aiohttp
import pytest

from evaluation.simulated.assignment import Assignment
from evaluation.simulated.reviewer import Reviewer
from evaluation.simulated.server import SimulatedServer
from evaluation.simulated.truth import Truth

Assign = Callable[..., Assignment]
Json = dict[str, Any]
TOKEN = "run-token"
MESSAGES, CHAT = "/v1/messages", "/v1/chat/completions"
TOOLS = ("list", "read", "delegate")


@dataclass
class Got:
    """One answer of the server."""

    status: int
    text: str

    @property
    def json(self) -> Json:
        body: Json = json.loads(self.text)
        return body

    @property
    def events(self) -> list[Json]:
        data = [line[6:] for line in self.text.split("\n") if line.startswith("data: ")]
        return [json.loads(item) for item in data if item != "[DONE]"]


@dataclass
class Outcome:
    """The answers to a row of requests, and what the reviewer then knew."""

    answers: list[Got]
    truth: Truth


@dataclass
class Ask:
    """One request to make."""

    path: str
    body: Json | bytes | None = None
    """None: a GET."""
    token: str = TOKEN


def ask(run: Assignment, *asks: Ask) -> Outcome:
    async def go() -> Outcome:
        async with SimulatedServer() as server, aiohttp.ClientSession() as session:
            server.register(TOKEN, Reviewer(run))
            answers = []
            for one in asks:
                headers = {"Authorization": f"Bearer {one.token}", "x-api-key": one.token}
                data = one.body if isinstance(one.body, bytes) else json.dumps(one.body).encode()
                method = "GET" if one.body is None else "POST"
                sent = session.request(method, server.url + one.path, data=data, headers=headers)
                async with sent as response:
                    answers.append(Got(response.status, await response.text()))
            return Outcome(answers, server.finish(TOKEN))

    return asyncio.run(go())


def body(path: str, *, tools: tuple[str, ...] = TOOLS, **more: Any) -> Json:
    made: list[Json] = [{"name": name} for name in tools]
    if path == CHAT:
        made = [{"type": "function", "function": tool} for tool in made]
    messages = [{"role": "user", "content": "Review the papers."}]
    return {"model": "m", "messages": messages, "tools": made, **more}


@pytest.mark.parametrize("path", [MESSAGES, CHAT, MESSAGES + "/count_tokens"])
def test_an_unknown_token_is_refused(assign: Assign, path: str) -> None:
    outcome = ask(assign("sim/oracle"), Ask(path, body(path), token="other"))
    assert outcome.answers[0].status == 401
    assert outcome.answers[0].json["error"]["type"] == "authentication_error"
    assert outcome.truth.threads[0].calls == ()


def test_a_finished_token_is_refused(assign: Assign) -> None:
    async def go() -> int:
        async with SimulatedServer() as server, aiohttp.ClientSession() as session:
            server.register(TOKEN, Reviewer(assign("sim/nop")))
            server.finish(TOKEN)
            headers = {"x-api-key": TOKEN}
            url = server.url + MESSAGES
            async with session.post(url, json=body(MESSAGES), headers=headers) as response:
                return response.status

    assert asyncio.run(go()) == 401


def test_two_runs_at_once_are_told_apart_by_token(assign: Assign) -> None:
    async def go() -> tuple[str, str]:
        async with SimulatedServer() as server, aiohttp.ClientSession() as session:
            server.register("one", Reviewer(assign("sim/nop")))
            server.register("two", Reviewer(assign("sim/oracle")))
            for token in ("two", "one"):
                headers = {"x-api-key": token}
                url = server.url + MESSAGES
                async with session.post(url, json=body(MESSAGES), headers=headers) as response:
                    await response.read()
            return server.finish("one").final, server.finish("two").final

    one, two = asyncio.run(go())
    assert one
    assert not two


@pytest.mark.parametrize("path", [MESSAGES, CHAT])
@pytest.mark.parametrize("data", [b"{", b"[]", b"\xff"])
def test_a_body_that_is_no_object_is_the_callers_fault(
    assign: Assign, path: str, data: bytes
) -> None:
    answer = ask(assign("sim/oracle"), Ask(path, data)).answers[0]
    assert answer.status == 400
    assert answer.json["error"]["type"] == "invalid_request_error"


def test_whatever_else_is_fetched_is_empty(assign: Assign) -> None:
    answers = ask(assign("sim/oracle"), Ask("/"), Ask("/v1/models?limit=3")).answers
    assert [(answer.status, answer.json) for answer in answers] == [(200, {"data": []})] * 2


def test_a_count_of_tokens_is_a_number(assign: Assign) -> None:
    path = MESSAGES + "/count_tokens?beta=true"
    answer = ask(assign("sim/oracle"), Ask(path, body(MESSAGES))).answers[0]
    assert answer.json["input_tokens"] > 10


@pytest.mark.parametrize("path", [MESSAGES, CHAT])
def test_a_call_without_tools_gets_a_short_text_and_is_no_step(assign: Assign, path: str) -> None:
    outcome = ask(assign("sim/oracle"), Ask(path, body(path, tools=())), Ask(path, body(path)))
    title, step = (answer.text for answer in outcome.answers)
    assert "Document folder review" in title
    assert '"name":"list"' in step
    assert not outcome.truth.final
    assert [call.turn for call in outcome.truth.threads[0].calls] == [1]


def test_a_call_for_structured_output_gets_json(assign: Assign) -> None:
    form: Json = {"format": {"type": "json_schema"}}
    request = body(MESSAGES, tools=(), output_config=form)
    answer = ask(assign("sim/oracle"), Ask(MESSAGES, request)).answers[0]
    assert json.loads(answer.json["content"][0]["text"]) == {"title": "Document folder review"}


@pytest.mark.parametrize("wanted", [True, False])
def test_chunks_end_with_usage_only_where_it_is_asked_for(assign: Assign, *, wanted: bool) -> None:
    request = body(CHAT, stream=True, stream_options={"include_usage": wanted})
    events = ask(assign("sim/nop"), Ask(CHAT, request)).answers[0].events
    usage = [event["usage"] for event in events if "usage" in event]
    assert len(usage) == wanted
    assert all(u["total_tokens"] == u["prompt_tokens"] + u["completion_tokens"] for u in usage)


def test_a_stream_carries_usage_at_its_start_and_its_end(assign: Assign) -> None:
    request = Ask(MESSAGES, body(MESSAGES, stream=True))
    outcome = ask(assign("sim/nop"), request)
    events = outcome.answers[0].events
    assert events[0]["message"]["usage"]["input_tokens"] > 10
    assert events[-2]["usage"]["output_tokens"] == len(outcome.truth.final) // 4
    assert [event["type"] for event in events[-2:]] == ["message_delta", "message_stop"]


def test_reminders_and_system_turns_do_not_hide_a_thread(assign: Assign) -> None:
    run = assign("sim/delegates")
    reviewer = Reviewer(run)
    messages: list[Json] = [{"role": "user", "content": "Review the papers."}]
    order = None
    while order is None:
        request = body(MESSAGES) | {"messages": messages}
        blocks = ask_direct(reviewer, request)
        messages.append({"role": "assistant", "content": blocks})
        uses = [block for block in blocks if block["type"] == "tool_use"]
        results = [{"type": "tool_result", "tool_use_id": b["id"], "content": ""} for b in uses]
        messages += [{"role": "user", "content": results}, {"role": "system", "content": "Note."}]
        order = next((b["input"]["prompt"] for b in uses if b["name"] == "delegate"), None)
    reminder = {"type": "text", "text": "<system-reminder>\nNote.\n</system-reminder>"}
    content = [reminder, {"type": "text", "text": order}]
    ask_direct(reviewer, body(MESSAGES) | {"messages": [{"role": "user", "content": content}]})
    sub = next(thread for thread in reviewer.truth().threads if thread.thread == "sub-1")
    assert sub.prompt == order
    assert {call.turn for call in sub.calls} == {1}


def ask_direct(reviewer: Reviewer, request: Json) -> list[Json]:
    async def go() -> list[Json]:
        async with SimulatedServer() as server, aiohttp.ClientSession() as session:
            server.register(TOKEN, reviewer)
            headers = {"x-api-key": TOKEN}
            async with session.post(
                server.url + MESSAGES, json=request, headers=headers
            ) as response:
                answer: Json = await response.json()
                blocks: list[Json] = answer["content"]
                return blocks

    return asyncio.run(go())
