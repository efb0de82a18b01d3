"""OpenAI Chat Completions, read from what clients and servers write."""

from __future__ import annotations

import orjson
import pytest

from evaluation.gateway.messages import Message, RequestBody, ResponseBody, ToolResult, ToolUse
from evaluation.gateway.openai_chat import error_body, is_generation, read_request, read_response
from tests.evaluation.gateway.conftest import Json


def call(id_: str, name: str, arguments: str) -> Json:
    return {"id": id_, "type": "function", "function": {"name": name, "arguments": arguments}}


def piece(arguments: str, **more: object) -> Json:
    return {"tool_calls": [{"function": {"arguments": arguments}, **more}]}


def named(name: str, **more: object) -> Json:
    return {"tool_calls": [{"function": {"name": name, "arguments": ""}, **more}]}


def streamed(*deltas: Json, finish: str = "", done: bool = True) -> str:
    """Deltas of the first choice, one chunk each; the last gives the reason."""
    lines = [
        {"model": "m-1", "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
        for delta in deltas
    ]
    if finish:
        lines.append({"model": "m-1", "choices": [{"delta": {}, "finish_reason": finish}]})
    text = "".join(f"data: {orjson.dumps(line).decode()}\n\n" for line in lines)
    return text + ("data: [DONE]\n\n" if done else "")


def test_a_request_is_read() -> None:
    body = {
        "model": "m-1",
        "tools": [
            {"type": "function", "function": {"name": "read"}},
            {"type": "function", "function": {"name": "list"}},
        ],
        "messages": [
            {"role": "system", "content": "You review."},
            {"role": "developer", "content": "A note."},
            {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "image_url"}]},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    call("c1", "read", '{"path": "a.md"}'),
                    call("c2", "read", '{"pa'),
                ],
            },
            {"role": "tool", "tool_call_id": "c2", "content": "no such file"},
            {"role": "tool", "tool_call_id": "c1", "content": [{"type": "text", "text": "1\tx"}]},
            {"role": "narrator", "content": "dropped"},
        ],
    }
    assert read_request(orjson.dumps(body).decode()) == RequestBody(
        model="m-1",
        messages=(
            Message("system", "You review."),
            Message("system", "A note."),
            Message("user", "a"),
            Message(
                "assistant",
                "",
                uses=(ToolUse("c1", "read", {"path": "a.md"}), ToolUse("c2", "read", {})),
            ),
            Message("user", "", results=(ToolResult("c2", "no such file", is_error=False),)),
            Message("user", "", results=(ToolResult("c1", "1\tx", is_error=False),)),
            Message("system", ""),
        ),
        tools=("read", "list"),
        stream=False,
    )


def test_a_streamed_answer_is_put_together() -> None:
    text = streamed(
        {"role": "assistant", "content": ""},
        {"content": "Rea"},
        {"content": "ding.\u2028"},
        named("read", index=0, id="c1"),
        named("list", index=1, id="c2"),
        piece('{"path": ', index=0),
        piece("{", index=1),
        piece('"a.md"}', index=0),
        piece("}", index=1),
        finish="tool_calls",
        done=False,
    )
    usage = {"choices": [], "usage": {"prompt_tokens": 12, "completion_tokens": 4}}
    text += f"data: {orjson.dumps(usage).decode()}\n\n: keep-alive\n\ndata: [DONE]\n\n"
    assert read_response(text) == ResponseBody(
        model="m-1",
        text="Reading.\u2028",
        uses=(ToolUse("c1", "read", {"path": "a.md"}), ToolUse("c2", "list", {})),
        stop="tool_calls",
        events=11,
        input_tokens=12,
        output_tokens=4,
        error="",
        whole=True,
    )


@pytest.mark.parametrize(
    "deltas",
    [
        (named("read", id="c1"), piece('{"n": 1}'), named("read", id="c2"), piece('{"n": 2}')),
        (
            named("read", index=0, id="c1"),
            named("read", index=1, id="c2"),
            piece('{"n": 2}', index=1),
            piece('{"n": 1}', index=0),
        ),
    ],
    ids=["without index", "interleaved"],
)
def test_pieces_go_to_their_call(deltas: tuple[Json, ...]) -> None:
    read = read_response(streamed(*deltas))
    assert read is not None
    assert read.uses == (ToolUse("c1", "read", {"n": 1}), ToolUse("c2", "read", {"n": 2}))


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        (streamed({"content": "a"}), True),
        (streamed({"content": "a"}, finish="stop", done=False), True),
        (streamed({"content": "a"}, done=False), False),
    ],
    ids=["end mark", "stop reason", "neither"],
)
def test_an_answer_is_whole_by_its_stop_reason_or_end_mark(text: str, whole: bool) -> None:
    read = read_response(text)
    assert read is not None
    assert (read.whole, read.text) == (whole, "a")


def test_only_the_first_choice_is_the_answer() -> None:
    chunk = {"choices": [{"index": 1, "delta": {"content": "no"}}, {"delta": {"content": "yes"}}]}
    read = read_response(f"data: {orjson.dumps(chunk).decode()}\n\n")
    assert read is not None
    assert read.text == "yes"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ('data: {"error": {"type": "server_error", "message": "down"}}\n\n', "server_error: down"),
        ('data: {"error": "down"}\n\n', "down"),
        ("event: error\ndata: down\n\n", "down"),
        ('{"error": {"message": "down"}}', "error: down"),
    ],
)
def test_an_error_is_no_event_of_the_answer(text: str, error: str) -> None:
    read = read_response(text)
    assert read is not None
    assert (read.error, read.events) == (error, 0)


def test_a_plain_answer_is_read() -> None:
    message = {"role": "assistant", "content": "Done.", "tool_calls": [call("c1", "read", "{}")]}
    body = {
        "model": "m-1",
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}],
        "usage": {"prompt_tokens": 5, "completion_tokens": 9},
    }
    assert read_response(orjson.dumps(body).decode()) == ResponseBody(
        model="m-1",
        text="Done.",
        uses=(ToolUse("c1", "read", {}),),
        stop="tool_calls",
        events=1,
        input_tokens=5,
        output_tokens=9,
        error="",
        whole=True,
    )


def test_the_gateways_own_error_reads_as_an_error() -> None:
    read = read_response(error_body(403, "No more.").decode())
    assert read is not None
    assert (read.error, read.events) == ("insufficient_quota: No more.", 0)


@pytest.mark.parametrize(
    "text", ["", "{", "<html>", '{"object": "list", "data": []}', "data: [DONE]\n\n"]
)
def test_what_is_no_answer_reads_as_none(text: str) -> None:
    assert read_response(text) is None


@pytest.mark.parametrize(
    ("method", "path", "expected"),
    [
        ("POST", "/v1/chat/completions", True),
        ("POST", "/openai/chat/completions?api-version=1", True),
        ("GET", "/v1/chat/completions", False),
        ("POST", "/v1/completions", False),
        ("POST", "/v1/messages", False),
    ],
)
def test_what_asks_for_an_answer(method: str, path: str, expected: bool) -> None:
    assert is_generation(method, path) is expected


@pytest.mark.parametrize(
    ("more", "most"),
    [
        ({}, None),
        ({"max_tokens": 100}, 100),
        ({"max_completion_tokens": 200}, 200),
        ({"max_tokens": 100, "max_completion_tokens": 200}, 200),
    ],
    ids=["nothing", "the old name", "the new name", "both"],
)
def test_a_request_says_its_bound(more: Json, most: int | None) -> None:
    read = read_request(orjson.dumps({"messages": [], **more}).decode())
    assert read is not None
    assert read.max_tokens == most


USAGE = {
    "prompt_tokens": 740,
    "completion_tokens": 5,
    "prompt_tokens_details": {"cached_tokens": 700},
}


@pytest.mark.parametrize(
    "text",
    [
        orjson.dumps({"choices": [{"message": {"content": "x"}}], "usage": USAGE}).decode(),
        f"data: {orjson.dumps({'choices': [], 'usage': USAGE}).decode()}\n\n",
    ],
    ids=["plain", "streamed"],
)
def test_cached_tokens_are_part_of_the_input(text: str) -> None:
    read = read_response(text)
    assert read is not None
    assert (read.input_tokens, read.cached_tokens, read.cache_written) == (740, 700, 0)


@pytest.mark.parametrize(
    ("message", "finish", "refused"),
    [
        ({"content": "fine"}, "stop", False),
        ({"refusal": "I cannot."}, "stop", True),
        ({"content": ""}, "content_filter", True),
        ({"refusal": None}, "stop", False),
    ],
    ids=["an answer", "a refusal", "a filter", "no refusal"],
)
def test_a_refusal_is_told_by_its_field_or_the_stop_reason(
    message: Json, finish: str, refused: bool
) -> None:
    choice = {"index": 0, "finish_reason": finish}
    plain = orjson.dumps({"choices": [{**choice, "message": message}]}).decode()
    events = f"data: {orjson.dumps({'choices': [{**choice, 'delta': message}]}).decode()}\n\n"
    for text in (plain, events):
        read = read_response(text)
        assert read is not None
        assert read.refused is refused
