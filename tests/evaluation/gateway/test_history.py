"""Rows say whose call it was, and what of it is new."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue

from evaluation.gateway.history import Asked, History
from evaluation.gateway.naming import Name
from evaluation.gateway.wire import WireRow
from tests.evaluation.gateway.conftest import CHAT, Json, Settings, answer, asks, rigged

MAIN = Name("main", None, "main", "header")
TITLE = Name("main", None, "background", "header")
SUB = Name("a1", "main", "subagent", "header")
USER: JsonValue = {"role": "user", "content": "go"}
OTHER: JsonValue = {"role": "user", "content": "stop"}


def asked(*messages: JsonValue) -> Asked:
    return Asked("POST", "/", b"", messages)


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
    history.place(1, MAIN, asked(*before))
    place = history.place(2, MAIN, asked(*now))
    assert (place.base, place.keep) == (1, keep)


def test_base_is_the_latest_call_of_the_same_thread() -> None:
    history = History()
    names = [MAIN, SUB, MAIN, TITLE, SUB, MAIN]
    places = [history.place(n, name, asked(USER)) for n, name in enumerate(names, start=1)]
    assert [place.base for place in places] == [None, None, 1, None, 2, 3]


def test_a_call_without_messages_is_nobodys_base() -> None:
    history = History()
    history.place(1, MAIN, asked(USER))
    assert history.place(2, MAIN, asked()).base is None
    assert history.place(3, MAIN, asked(USER)).base == 1


@pytest.mark.parametrize(
    ("again", "attempt"),
    [
        ({}, 2),
        ({"thread": SUB}, 1),
        ({"path": "/b"}, 1),
        ({"method": "GET"}, 1),
        ({"body": b"longer"}, 1),
        ({"messages": (OTHER,)}, 1),
        ({"messages": (), "body": b"one "}, 1),
    ],
    ids=["the same", "thread", "path", "method", "size", "messages", "no messages"],
)
def test_attempts_count_the_same_request_in_the_same_thread(
    again: dict[str, Any], attempt: int
) -> None:
    def request(
        thread: Name = MAIN,
        method: str = "POST",
        path: str = "/a",
        body: bytes = b"body",
        messages: tuple[JsonValue, ...] = (USER,),
    ) -> tuple[Name, Asked]:
        return thread, Asked(method, path, body, messages)

    history = History()
    history.place(1, *request())
    assert history.place(2, *request(**again)).attempt == attempt
    assert history.place(3, *request(**again)).attempt == attempt + 1


def test_a_message_nested_too_deep_is_equal_to_nothing() -> None:
    deep: JsonValue = "x"
    for _ in range(2000):
        deep = [{"content": deep}]
    message: JsonValue = {"role": "user", "content": deep}
    history = History()
    history.place(1, MAIN, asked(message))
    assert history.place(2, MAIN, asked(message)).keep == 0


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


def test_what_is_kept_of_a_run_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A request or a thread that was forgotten begins anew."""
    monkeypatch.setattr("evaluation.gateway.history.MOST_REQUESTS", 2)
    monkeypatch.setattr("evaluation.gateway.history.MOST_THREADS", 1)
    history = History()
    requests = [Asked("POST", "/", body, ()) for body in (b"a", b"b", b"c", b"b", b"a")]
    places = [history.place(n, MAIN, one) for n, one in enumerate(requests, start=1)]
    assert [place.attempt for place in places] == [1, 1, 1, 2, 1]
    threads = [MAIN, SUB, SUB, MAIN]
    places = [history.place(n, one, asked(USER)) for n, one in enumerate(threads, start=6)]
    assert [place.base for place in places] == [None, None, 7, None]
