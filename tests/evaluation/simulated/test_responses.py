"""The OpenAI Responses protocol of the simulated server, in both shapes that clients give it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from typing import Any

import aiohttp
import pytest

from evaluation.simulated.assignment import Assignment
from evaluation.simulated.conversation import Reply, ToolResult, ToolUse
from evaluation.simulated.responses import parse_request, write_events, write_json
from evaluation.simulated.reviewer import Reviewer
from evaluation.simulated.server import SimulatedServer
from evaluation.simulated.wire_format import Exchange

Assign = Callable[..., Assignment]
Json = dict[str, Any]

LISTED = [
    {"type": "function", "name": "read"},
    {"type": "custom", "name": "exec"},
    {"type": "namespace", "name": "agents", "tools": [{"type": "function", "name": "spawn"}]},
    {"type": "web_search"},
]
ADDED = {
    "type": "additional_tools",
    "tools": [{"type": "namespace", "name": "functions", "tools": LISTED[:2]}, LISTED[2]],
}
REPLY = Reply(
    "Looking.",
    (
        ToolUse("k1", "exec", {"input": "text(1)"}),
        ToolUse("k2", "spawn", {"prompt": "go"}),
        ToolUse("k3", "read", {"path": "a"}),
    ),
)
CALLS = [
    {"type": "custom_tool_call", "call_id": "call_k1", "name": "exec", "input": "text(1)"},
    {
        "type": "function_call",
        "call_id": "call_k2",
        "name": "spawn",
        "namespace": "agents",
        "arguments": '{"prompt":"go"}',
    },
    {
        "type": "function_call",
        "call_id": "call_k3",
        "name": "read",
        "arguments": '{"path":"a"}',
    },
]


def user(text: str) -> Json:
    return {
        "type": "message",
        "role": "user",
        "content": [{"type": "input_text", "text": text}],
    }


def request(*items: Json, **more: Any) -> Json:
    return {"model": "m", "input": list(items), **more}


def exchange(asked: Json) -> Exchange:
    return Exchange("m", json.dumps(asked).encode())


def essence(items: list[Json]) -> list[Json]:
    return [
        {key: value for key, value in item.items() if key not in ("id", "status")} for item in items
    ]


def events_of(stream: Iterator[bytes]) -> list[Json]:
    return [json.loads(one.split(b"data: ", 1)[1]) for one in stream]


OFFERS = [
    pytest.param(request(user("go"), tools=LISTED), id="listed"),
    pytest.param(request(ADDED, user("go")), id="added as an item"),
]


@pytest.mark.parametrize("asked", OFFERS)
def test_tools_are_those_that_the_client_runs(asked: Json) -> None:
    assert parse_request(asked).tools == {"read", "exec", "spawn"}


@pytest.mark.parametrize("asked", OFFERS)
def test_a_call_has_the_kind_and_the_namespace_of_its_tool(asked: Json) -> None:
    answer = json.loads(write_json(REPLY, exchange(asked)))
    text, *calls = answer["output"]
    assert (text["content"][0]["text"], text["phase"]) == ("Looking.", "commentary")
    assert essence(calls) == CALLS


@pytest.mark.parametrize("asked", OFFERS)
def test_a_stream_says_the_same_as_one_body(asked: Json) -> None:
    whole = json.loads(write_json(REPLY, exchange(asked)))
    events = events_of(write_events(REPLY, exchange(asked), asked))
    assert [event["sequence_number"] for event in events] == list(range(len(events)))
    assert events[0]["type"] == "response.created"
    assert events[-1] == {
        "type": "response.completed",
        "response": whole,
        "sequence_number": len(events) - 1,
    }
    done = [event["item"] for event in events if event["type"] == "response.output_item.done"]
    assert done == whole["output"]
    deltas = [event["delta"] for event in events if event["type"].endswith(".delta")]
    assert deltas == ["Looking.", "text(1)", '{"prompt":"go"}', '{"path":"a"}']


def test_a_conversation_is_read() -> None:
    asked = request(
        user("Review."),
        *CALLS[:1],
        {"type": "reasoning"},
        {
            "type": "custom_tool_call_output",
            "call_id": "call_k1",
            "output": [
                {"type": "input_text", "text": "Output:\n"},
                {"type": "input_text", "text": "one\n\n"},
            ],
        },
        {
            "type": "agent_message",
            "content": [
                {"type": "input_text", "text": "A task:"},
                {"type": "encrypted_content", "encrypted_content": "read b"},
            ],
        },
        {"type": "function_call_output", "call_id": "call_k2", "output": "two"},
        text={"format": {"type": "json_schema"}},
    )
    read = parse_request(asked)
    assert read.user_texts == ("Review.", "A task:", "read b")
    assert read.calls == ("k1",)
    assert read.results == {"k1": ToolResult("Output:\none\n\n"), "k2": ToolResult("two")}
    assert read.wants_json is True


@pytest.mark.parametrize("asked", [{}, {"input": 3, "tools": "x"}, {"input": [3, None, {}]}])
def test_what_is_no_conversation_is_an_empty_one(asked: Json) -> None:
    read = parse_request(asked)
    assert (read.tools, read.user_texts, read.calls) == (frozenset(), (), ())


def test_the_server_answers_at_both_of_its_paths(assign: Assign) -> None:
    async def go() -> list[Json]:
        asked = request(user("Review the papers."), tools=[{"type": "function", "name": "list"}])
        got = []
        async with SimulatedServer() as server, aiohttp.ClientSession() as session:
            server.register("run-token", Reviewer(assign("sim/oracle")))
            headers = {"Authorization": "Bearer run-token"}
            for path in ("/v1/responses", "/responses"):
                async with session.post(server.url + path, json=asked, headers=headers) as answer:
                    got.append(await answer.json())
        return got

    first, second = asyncio.run(go())
    assert first == second
    assert [item["name"] for item in first["output"] if "name" in item] == ["list"]
