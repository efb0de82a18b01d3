"""Anthropic Messages, read from what CLIs and servers write."""

from __future__ import annotations

from dataclasses import replace

import orjson
import pytest

from evaluation.gateway.anthropic import (
    error_body,
    is_generation,
    read_request,
    read_response,
    without_text,
)
from evaluation.gateway.messages import Message, RequestBody, ResponseBody, ToolResult, ToolUse
from tests.evaluation.gateway.conftest import ANSWER, Json, sse


def streamed(*events: Json) -> str:
    return b"".join(sse(*events)).decode()


def start(index: int, **block: object) -> Json:
    return {"type": "content_block_start", "index": index, "content_block": block}


def delta(index: int, kind: str, **pieces: str) -> Json:
    return {"type": "content_block_delta", "index": index, "delta": {"type": kind, **pieces}}


def test_a_request_is_read() -> None:
    body = {
        "model": "m-1",
        "stream": True,
        "tools": [{"name": "Read"}, {"name": "Bash"}],
        "system": [{"type": "text", "text": "You review."}],
        "messages": [
            {"role": "user", "content": "Review a.md."},
            {"role": "system", "content": [{"type": "text", "text": "A note."}]},
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": "Hm.", "signature": "x"},
                    {"type": "text", "text": "Two"},
                    {"type": "text", "text": "calls."},
                    {"type": "tool_use", "id": "t1", "name": "Read", "input": {"path": "a.md"}},
                    {"type": "tool_use", "id": "t2", "name": "Bash", "input": "odd"},
                ],
            },
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "t2", "content": "no", "is_error": True},
                    {
                        "type": "tool_result",
                        "tool_use_id": "t1",
                        "content": [
                            {"type": "text", "text": "1\tone"},
                            {"type": "image", "source": {}},
                            {"type": "text", "text": "2\ttwo\u2028still two"},
                        ],
                    },
                    {"type": "tool_result", "tool_use_id": "t3"},
                    {"type": "text", "text": "Go on."},
                ],
            },
            {"role": "narrator", "content": "dropped"},
        ],
    }
    assert read_request(orjson.dumps(body).decode()) == RequestBody(
        model="m-1",
        messages=(
            Message("user", "Review a.md."),
            Message("system", "A note."),
            Message(
                "assistant",
                "Two\ncalls.",
                uses=(ToolUse("t1", "Read", {"path": "a.md"}), ToolUse("t2", "Bash", {})),
            ),
            Message(
                "user",
                "Go on.",
                results=(
                    ToolResult("t2", "no", is_error=True),
                    ToolResult("t1", "1\tone\n2\ttwo\u2028still two", is_error=False),
                    ToolResult("t3", "", is_error=False),
                ),
            ),
            Message("system", ""),
        ),
        tools=("Read", "Bash"),
        stream=True,
    )


def test_a_streamed_answer_is_put_together() -> None:
    text = streamed(
        {
            "type": "message_start",
            "message": {
                "model": "m-1",
                "usage": {
                    "input_tokens": 3,
                    "cache_creation_input_tokens": 20,
                    "cache_read_input_tokens": 100,
                    "output_tokens": 1,
                },
            },
        },
        {"type": "ping"},
        start(0, type="thinking", thinking=""),
        delta(0, "thinking_delta", thinking="Hm."),
        start(1, type="text", text=""),
        delta(1, "text_delta", text="Rea"),
        delta(1, "text_delta", text="ding.\u2028"),
        {"type": "content_block_stop", "index": 1},
        start(2, type="tool_use", id="t1", name="Read", input={}),
        delta(2, "input_json_delta", partial_json=""),
        delta(2, "input_json_delta", partial_json='{"path": "a'),
        delta(2, "input_json_delta", partial_json='.md"}'),
        start(3, type="tool_use", id="t2", name="List", input={"all": True}),
        {
            "type": "message_delta",
            "delta": {"stop_reason": "tool_use"},
            "usage": {"output_tokens": 42},
        },
        {"type": "message_stop"},
    )
    expected = ResponseBody(
        model="m-1",
        text="Reading.\u2028",
        uses=(ToolUse("t1", "Read", {"path": "a.md"}), ToolUse("t2", "List", {"all": True})),
        stop="tool_use",
        events=14,
        input_tokens=123,
        output_tokens=42,
        error="",
        whole=True,
        cached_tokens=100,
        cache_written=20,
    )
    assert read_response(text) == expected
    assert read_response(text.replace("\n", "\r\n")) == expected


def test_text_blocks_of_an_answer_are_lines() -> None:
    text = streamed(
        start(0, type="text", text="One"), start(1, type="text", text=""), start(2, type="tool_use")
    )
    read = read_response(text)
    assert read is not None
    assert read.text == "One\n"
    assert [use.id for use in read.uses] == [""]


def test_a_torn_answer_gives_what_had_come() -> None:
    text = streamed(
        {"type": "message_start", "message": {"model": "m-1"}},
        start(0, type="tool_use", id="t1", name="Read", input={}),
        delta(0, "input_json_delta", partial_json='{"path": "a'),
    )
    read = read_response(text + 'event: content_block_delta\ndata: {"type": "content_bl')
    assert read is not None
    assert read.uses == (ToolUse("t1", "Read", {}),)
    assert (read.whole, read.stop, read.events) == (False, "", 3)
    assert (read.input_tokens, read.output_tokens) == (None, None)


def test_an_error_in_the_stream_is_no_event_of_the_answer() -> None:
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    read = read_response(streamed(error))
    assert read is not None
    assert (read.error, read.events, read.whole) == ("overloaded_error: Overloaded", 0, False)


def test_a_plain_answer_is_read() -> None:
    body = {
        "type": "message",
        "model": "m-1",
        "content": [
            {"type": "text", "text": "Done."},
            {"type": "tool_use", "id": "t1", "name": "Read", "input": {"path": "a.md"}},
        ],
        "stop_reason": "tool_use",
        "usage": {"input_tokens": 5, "cache_read_input_tokens": 2, "output_tokens": 9},
    }
    assert read_response(orjson.dumps(body).decode()) == ResponseBody(
        model="m-1",
        text="Done.",
        uses=(ToolUse("t1", "Read", {"path": "a.md"}),),
        stop="tool_use",
        events=1,
        input_tokens=7,
        output_tokens=9,
        error="",
        whole=True,
        cached_tokens=2,
    )


def test_the_gateways_own_error_reads_as_an_error() -> None:
    read = read_response(error_body(403, "No more.").decode())
    assert read is not None
    assert (read.error, read.events) == ("permission_error: No more.", 0)


@pytest.mark.parametrize(
    "text", ["", "{", "<html>", '{"input_tokens": 5}', "[]", "data: [1]\n\n", "event: ping\n\n"]
)
def test_what_is_no_answer_reads_as_none(text: str) -> None:
    assert read_response(text) is None


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '"messages"'])
def test_what_is_no_request_reads_as_none(text: str) -> None:
    assert read_request(text) is None


def test_half_a_surrogate_pair_does_not_hide_the_request() -> None:
    body = r'{"messages": [{"role": "user", "content": "cut \ud83d"}]}'
    read = read_request(body)
    assert read is not None
    assert read.messages == (Message("user", "cut \ufffd"),)


def test_the_last_event_counts_without_its_blank_line() -> None:
    whole = read_response(b"".join(ANSWER).decode())
    assert whole is not None
    assert read_response(b"".join(ANSWER).decode().rstrip("\n")) == whole


@pytest.mark.parametrize(
    ("method", "path", "expected"),
    [
        ("POST", "/v1/messages", True),
        ("POST", "/v1/messages?beta=true", True),
        ("POST", "/prefix/v1/messages/", True),
        ("POST", "/v1/messages/count_tokens?beta=true", False),
        ("POST", "/v1/messages/batches", False),
        ("GET", "/v1/messages", False),
        ("POST", "/v1/files?for=/v1/messages", False),
        ("POST", "/v1/chat/completions", False),
    ],
)
def test_what_asks_for_an_answer(method: str, path: str, expected: bool) -> None:
    assert is_generation(method, path) is expected


CLEAR_TOOLS = {"type": "clear_tool_uses_20250919", "trigger": {"type": "input_tokens"}}
CLEAR_THINKING = {"type": "clear_thinking_20251015", "keep": "all"}
COMPACT = {"type": "compact_20260112"}


@pytest.mark.parametrize(
    ("more", "most", "clears"),
    [
        ({}, None, False),
        ({"max_tokens": 32000}, 32000, False),
        ({"context_management": {"edits": [CLEAR_THINKING]}}, None, False),
        ({"context_management": {"edits": [CLEAR_THINKING, CLEAR_TOOLS]}}, None, True),
        ({"context_management": {"edits": [COMPACT]}}, None, True),
    ],
    ids=["nothing", "bound", "thinking alone", "tool results", "compaction"],
)
def test_a_request_says_its_bound_and_what_may_be_cleared(
    more: Json, most: int | None, clears: bool
) -> None:
    read = read_request(orjson.dumps({"messages": [], **more}).decode())
    assert read is not None
    assert (read.max_tokens, read.clears, read.shortens) == (most, clears, False)


USAGE = {
    "input_tokens": 10,
    "cache_read_input_tokens": 700,
    "cache_creation_input_tokens": 30,
    "output_tokens": 5,
}


@pytest.mark.parametrize("is_streamed", [True, False], ids=["streamed", "plain"])
def test_cached_tokens_are_part_of_the_input(is_streamed: bool) -> None:
    plain = orjson.dumps({"type": "message", "content": [], "usage": USAGE}).decode()
    events = streamed(
        {"type": "message_start", "message": {"usage": USAGE}},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {}},
    )
    read = read_response(events if is_streamed else plain)
    assert read is not None
    assert (read.input_tokens, read.cached_tokens, read.cache_written) == (740, 700, 30)


@pytest.mark.parametrize(
    ("more", "block", "edited"),
    [
        ({}, "text", False),
        ({"context_management": {"applied_edits": []}}, "text", False),
        ({"context_management": {"applied_edits": [CLEAR_TOOLS]}}, "text", True),
        ({"context_management": {"applied_edits": [CLEAR_THINKING]}}, "text", False),
        ({}, "compaction", True),
    ],
    ids=["nothing", "no edit", "tool results", "thinking alone", "compaction"],
)
@pytest.mark.parametrize("is_streamed", [True, False], ids=["streamed", "plain"])
def test_edits_of_the_input_that_the_server_tells_are_seen(
    is_streamed: bool, more: Json, block: str, edited: bool
) -> None:
    plain = orjson.dumps({"type": "message", "content": [{"type": block}], **more}).decode()
    events = streamed(
        {"type": "message_start", "message": {}},
        start(0, type=block),
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, **more},
    )
    read = read_response(events if is_streamed else plain)
    assert read is not None
    assert read.edited is edited


@pytest.mark.parametrize(("stop", "refused"), [("refusal", True), ("end_turn", False)])
def test_a_refusal_is_told_by_the_stop_reason(stop: str, refused: bool) -> None:
    plain = orjson.dumps({"type": "message", "content": [], "stop_reason": stop}).decode()
    events = streamed(
        {"type": "message_start", "message": {}},
        {"type": "message_delta", "delta": {"stop_reason": stop}},
    )
    for text in (plain, events):
        read = read_response(text)
        assert read is not None
        assert read.refused is refused


@pytest.mark.parametrize("ending", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_without_its_pieces_of_text_an_answer_says_the_same(ending: str) -> None:
    text = streamed(
        {"type": "message_start", "message": {"model": "m-1", "usage": USAGE}},
        start(0, type="text", text=""),
        delta(0, "text_delta", text='a "data: {" and\n\nmore'),
        delta(0, "text_delta", text="\u2028"),
        start(1, type="tool_use", id="t1", name="Read", input={}),
        delta(1, "input_json_delta", partial_json='{"path": "text_delta"}'),
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {}},
        {"type": "message_stop"},
    ).replace("\n", ending)
    whole, short = read_response(text), read_response(without_text(text))
    assert whole is not None
    assert short is not None
    assert replace(short, text=whole.text, events=whole.events) == whole
    assert (short.events < whole.events) == (ending == "\n")
