"""Rows say whose call it was, and what of it is new."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from pydantic import JsonValue

from evaluation.gateway.history import History, Place
from evaluation.gateway.naming import Name, name_call
from evaluation.gateway.threads import ThreadRules
from evaluation.gateway.wire import WireRow
from tests.evaluation.gateway.conftest import CHAT, Json, Settings, answer, asks, rigged

MAIN = Name("main", None, "main", "header")
TITLE = Name("main", None, "background", "header")
SUB = Name("a1", "main", "subagent", "header")
USER: JsonValue = {"role": "user", "content": "go"}
OTHER: JsonValue = {"role": "user", "content": "stop"}


@pytest.mark.parametrize(
    ("before", "now", "keep"),
    [
        ([USER], [USER, OTHER], 1),
        ([USER, OTHER], [USER], 1),
        ([USER, OTHER], [OTHER, OTHER], 0),
        ([USER, OTHER, USER], [USER, USER, USER], 1),
        (
            [{"role": "user", "content": "go"}],
            [{"content": [{"type": "text", "text": "go"}], "role": "user"}],
            1,
        ),
        (
            [{"role": "user", "content": [{"type": "text", "text": "go", "cache_control": {}}]}],
            [{"role": "user", "content": "go"}],
            1,
        ),
        (
            [{"role": "user", "content": [{"type": "tool_result", "content": "x"}]}],
            [
                {
                    "role": "user",
                    "content": [
                        {
                            "type": "tool_result",
                            "content": [{"type": "text", "text": "x"}],
                            "cache_control": {"type": "ephemeral"},
                        }
                    ],
                }
            ],
            1,
        ),
        (
            [{"role": "user", "content": [{"type": "tool_use", "input": {"cache_control": 1}}]}],
            [{"role": "user", "content": [{"type": "tool_use", "input": {}}]}],
            0,
        ),
        (
            [{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text"}]}],
            [{"role": "user", "content": "a"}],
            0,
        ),
        ([{"role": "user", "content": 2**70}], [{"role": "user", "content": 2**70}], 0),
    ],
    ids=[
        "one more",
        "shorter",
        "first differs",
        "second differs",
        "string and one block",
        "cache mark",
        "tool result",
        "an argument of that name",
        "two blocks",
        "what cannot be compared",
    ],
)
def test_keep_counts_equal_leading_messages(
    before: list[JsonValue], now: list[JsonValue], keep: int
) -> None:
    history = History()
    history.place(MAIN, b"1", tuple(before))
    assert history.place(MAIN, b"2", tuple(now)) == Place(call=2, attempt=1, base=1, keep=keep)


def test_base_is_the_latest_call_of_the_same_thread() -> None:
    history = History()
    names = [MAIN, SUB, MAIN, TITLE, SUB, MAIN]
    places = [history.place(name, b"%d" % n, (USER,)) for n, name in enumerate(names)]
    assert [place.base for place in places] == [None, None, 1, None, 2, 3]


def test_a_call_without_messages_is_nobodys_base() -> None:
    history = History()
    history.place(MAIN, b"1", (USER,))
    assert history.place(MAIN, b"2", ()).base is None
    assert history.place(MAIN, b"3", (USER,)).base == 1


def test_attempts_count_the_same_request_in_the_same_thread() -> None:
    history = History()
    entered = [(MAIN, b"a"), (MAIN, b"b"), (MAIN, b"a"), (SUB, b"a"), (MAIN, b"a")]
    places = [history.place(name, request, (USER,)) for name, request in entered]
    assert [place.attempt for place in places] == [1, 1, 2, 1, 3]
    assert [place.call for place in places] == [1, 2, 3, 4, 5]


def test_a_message_nested_too_deep_is_equal_to_nothing() -> None:
    deep: JsonValue = "x"
    for _ in range(2000):
        deep = [{"content": deep}]
    message: JsonValue = {"role": "user", "content": deep}
    history = History()
    history.place(MAIN, b"1", (message,))
    assert history.place(MAIN, b"2", (message,)).keep == 0


RULES = ThreadRules("x-thread", "x-parent", main_value="root")


@pytest.mark.parametrize(
    ("headers", "generation", "tools", "expected"),
    [
        ({}, True, 1, Name("main", None, "main", "header")),
        ({"x-thread": ""}, True, 1, Name("main", None, "main", "header")),
        ({"x-thread": "root"}, True, 1, Name("main", None, "main", "header")),
        ({"x-thread": "a1"}, True, 1, Name("a1", "main", "subagent", "header")),
        (
            {"x-thread": "a2", "x-parent": "a1"},
            True,
            3,
            Name("a2", "a1", "subagent", "header"),
        ),
        ({}, True, 0, Name("main", None, "background", "header")),
        ({"x-thread": "a1"}, True, 0, Name("a1", "main", "background", "header")),
        ({}, False, 5, Name("main", None, "background", "header")),
        ({"x-thread": "a1"}, True, None, Name("a1", "main", "unknown", "header")),
    ],
)
def test_a_call_is_named_by_its_headers(
    headers: dict[str, str],
    generation: bool,
    tools: int | None,
    expected: Name,
) -> None:
    assert name_call(RULES, headers, generation=generation, tools=tools) == expected


def test_without_a_rule_no_thread_can_be_told() -> None:
    rules = ThreadRules(thread_header="", parent_header="")
    named = name_call(rules, {"x-thread": "a1"}, generation=True, tools=1)
    assert named == Name("unknown", None, "unknown", "none")


FORMAT = {"format": {"type": "json_schema", "schema": {}}}


@pytest.mark.parametrize(
    ("path", "body", "headers", "kind"),
    [
        ("/v1/messages?beta=true", asks("go"), {}, "main"),
        ("/v1/messages", asks("go", output_config={"effort": "high"}), {}, "main"),
        ("/v1/messages", asks("go"), {"X_Thread": "a1"}, "subagent"),
        ("/v1/messages", asks("go", tools=[]), {}, "background"),
        ("/v1/messages", asks("go", tools=[], output_config=FORMAT), {}, "background"),
        ("/v1/messages/count_tokens?beta=true", asks("go"), {}, "background"),
        ("/api/event_logging/batch", {"events": []}, {}, "background"),
        ("/v1/messages", b"{torn", {}, "unknown"),
    ],
)
def test_background_calls_are_told_from_the_agents(
    tmp_path: Path, path: str, body: Json | bytes, headers: dict[str, str], kind: str
) -> None:
    async def run() -> WireRow:
        async with rigged(tmp_path, answer) as rig:
            await rig.post(body, path, **headers)
            [row] = (await rig.close()).rows
            return row

    row = asyncio.run(run())
    assert (row.kind, row.by) == (kind, "header")
    assert row.thread == headers.get("X_Thread", "main")


def test_a_chat_call_without_tools_is_background(tmp_path: Path) -> None:
    tool = {"type": "function", "function": {"name": "read"}}

    async def run() -> list[str]:
        async with rigged(tmp_path, answer, Settings(protocol="openai-chat")) as rig:
            await rig.post(asks("title", tools=[], response_format={"type": "json_schema"}), CHAT)
            await rig.post(asks("go", tools=[tool]), CHAT)
            return [row.kind for row in (await rig.close()).rows]

    assert asyncio.run(run()) == ["background", "main"]
