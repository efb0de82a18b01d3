"""OpenAI Responses, read from what clients and servers write."""

from __future__ import annotations

import orjson
import pytest

from evaluation.gateway.context import context_log
from evaluation.gateway.messages import Message, RequestBody, ResponseBody, ToolResult, ToolUse
from evaluation.gateway.openai_responses import (
    CALLS,
    error_body,
    is_generation,
    read_messages,
    read_request,
    read_response,
)
from evaluation.gateway.wire import WireRow
from evaluation.reading.context import ToolOutput
from evaluation.reading.engine import measure
from generators.lines import CorpusIndex
from tests.evaluation.gateway.conftest import Json

TOOL = {"type": "function", "name": "exec_command"}


def message(role: str, *texts: str, **more: object) -> Json:
    kind = "output_text" if role == "assistant" else "input_text"
    content = [{"type": kind, "text": text} for text in texts]
    return {"type": "message", "role": role, "content": content, **more}


def function(call_id: str, command: str) -> Json:
    arguments = orjson.dumps({"cmd": command}).decode()
    return {
        "type": "function_call",
        "call_id": call_id,
        "name": "exec_command",
        "arguments": arguments,
    }


def script(call_id: str, text: str) -> Json:
    return {"type": "custom_tool_call", "call_id": call_id, "name": "exec", "input": text}


def output(call_id: str, shown: object, kind: str = "function_call_output") -> Json:
    return {"type": kind, "call_id": call_id, "output": shown}


def blocks(*texts: str) -> list[Json]:
    return [{"type": "input_text", "text": text} for text in texts]


def response(*items: Json, **more: object) -> Json:
    return {
        "object": "response",
        "model": "m-1",
        "status": "completed",
        "output": list(items),
        **more,
    }


def streamed(*events: Json) -> str:
    return "".join(
        f"event: {event['type']}\ndata: {orjson.dumps(event).decode()}\n\n" for event in events
    )


def done(index: int, item: Json) -> Json:
    return {"type": "response.output_item.done", "output_index": index, "item": item}


def asked(*items: Json, **more: object) -> RequestBody:
    read = read_request(orjson.dumps({"model": "m-1", "input": list(items), **more}).decode())
    assert read is not None
    return read


def test_a_request_is_read() -> None:
    read = asked(
        message("developer", "You review."),
        message("user", "a", "b"),
        {"role": "user", "content": "of no type"},
        {"type": "reasoning", "summary": []},
        message("assistant", "Looking."),
        function("c1", "cat a"),
        script("c2", "text(1)"),
        output("c1", "one\n"),
        output("c2", blocks("Output:\n", "two", "", "three"), "custom_tool_call_output"),
        {"type": "agent_message", "author": "/root/b", "content": blocks("All fine.")},
        {"type": "web_search_call"},
        message("narrator", "dropped"),
        tools=[TOOL, {"type": "web_search"}],
        stream=True,
        max_output_tokens=700,
    )
    assert read == RequestBody(
        model="m-1",
        messages=(
            Message("system", "You review."),
            Message("user", "a\nb"),
            Message("user", "of no type"),
            Message("assistant", ""),
            Message("assistant", "Looking."),
            Message("assistant", "", uses=(ToolUse("c1", "exec_command", {"cmd": "cat a"}),)),
            Message("assistant", "", uses=(ToolUse("c2", "exec", {"input": "text(1)"}),)),
            Message("user", "", results=(ToolResult("c1", "one\n", is_error=False),)),
            Message("user", "", results=(ToolResult("c2", "Output:\ntwo\nthree", is_error=False),)),
            Message("user", "All fine."),
            Message("system", ""),
            Message("system", ""),
        ),
        tools=("exec_command", "web_search"),
        stream=True,
        max_tokens=700,
    )


def test_a_bare_text_is_the_users_message() -> None:
    body = orjson.dumps({"model": "m-1", "input": "go"}).decode()
    read = read_request(body)
    assert read is not None
    assert read.messages == (Message("user", "go"),)
    assert len(read_messages(body)) == 1


def test_tools_that_are_offered_as_an_item_are_offered() -> None:
    inner = [{"type": "custom", "name": "exec"}, {"type": "function", "name": "wait"}]
    added = {
        "type": "additional_tools",
        "role": "developer",
        "tools": [
            {"type": "namespace", "name": "functions", "tools": inner},
            {"type": "namespace", "name": "collaboration", "tools": [{"name": "spawn_agent"}]},
        ],
    }
    body = orjson.dumps({"model": "m-1", "input": [added, message("user", "go")]}).decode()
    later = read_request(body, 2)
    assert later is not None
    # Also where the item itself is one that an earlier call held.
    assert (later.messages, later.tools) == ((), ("exec", "wait", "spawn_agent"))


def test_tools_that_a_search_found_are_offered() -> None:
    found = {"type": "tool_search_output", "call_id": "c1", "tools": [TOOL]}
    assert asked(message("user", "go"), found, tools=[{"type": "tool_search"}]).tools == (
        "tool_search",
        "exec_command",
    )


@pytest.mark.parametrize(
    "more",
    [
        pytest.param({"truncation": "auto"}, id="truncation"),
        pytest.param(
            {"context_management": [{"type": "compaction", "compact_threshold": 1}]},
            id="compaction on the server",
        ),
    ],
)
def test_a_server_that_may_shorten_the_input_is_told(more: Json) -> None:
    assert asked(message("user", "go"), **more).shortens is True
    assert asked(message("user", "go"), truncation="disabled").shortens is False


def test_a_streamed_answer_is_put_together() -> None:
    usage = {
        "input_tokens": 12,
        "input_tokens_details": {"cached_tokens": 5, "cache_write_tokens": 2},
        "output_tokens": 4,
    }
    text = streamed(
        {"type": "response.created", "response": response(status="in_progress")},
        {"type": "response.output_text.delta", "output_index": 0, "delta": "Read"},
        done(0, message("assistant", "Reading.\u2028")),
        {"type": "response.function_call_arguments.delta", "output_index": 1, "delta": "{"},
        done(1, function("c1", "cat a")),
        done(2, script("c2", "text(1)")),
        {"type": "keepalive"},
        {"type": "response.completed", "response": response(usage=usage)},
    )
    assert read_response(text) == ResponseBody(
        model="m-1",
        text="Reading.\u2028",
        uses=(
            ToolUse("c1", "exec_command", {"cmd": "cat a"}),
            ToolUse("c2", "exec", {"input": "text(1)"}),
        ),
        stop="completed",
        events=7,
        input_tokens=12,
        output_tokens=4,
        error="",
        whole=True,
        cached_tokens=5,
        cache_written=2,
    )


def test_an_answer_in_one_piece_is_read() -> None:
    body = orjson.dumps(response(message("assistant", "Done."), function("c1", "ls"))).decode()
    assert read_response(body) == ResponseBody(
        model="m-1",
        text="Done.",
        uses=(ToolUse("c1", "exec_command", {"cmd": "ls"}),),
        stop="completed",
        events=1,
        input_tokens=None,
        output_tokens=None,
        error="",
        whole=True,
    )


def test_the_final_answer_is_told_from_what_was_said_on_the_way() -> None:
    items = (
        message("assistant", "I am nearly there.", phase="commentary"),
        message("assistant", "All is read.", phase="final_answer"),
    )
    read = read_response(orjson.dumps(response(*items)).decode())
    assert read is not None
    assert read.text == "All is read."


@pytest.mark.parametrize(
    ("text", "error", "events", "whole"),
    [
        pytest.param(
            streamed(
                {"type": "response.created", "response": response(status="in_progress")},
                {"type": "response.output_text.delta", "output_index": 0, "delta": "Re"},
            ),
            "",
            2,
            False,
            id="half a stream",
        ),
        pytest.param(
            streamed(
                {
                    "type": "response.failed",
                    "response": response(
                        status="failed", error={"code": "server_error", "message": "boom"}
                    ),
                }
            ),
            "server_error: boom",
            0,
            True,
            id="an answer that failed",
        ),
        pytest.param(
            streamed({"type": "error", "code": "overloaded", "message": "later"}),
            "error: later",
            0,
            False,
            id="an error in the stream",
        ),
        pytest.param(
            '{"error": {"type": "invalid_request_error", "message": "no"}}',
            "invalid_request_error: no",
            0,
            False,
            id="an error in one piece",
        ),
    ],
)
def test_what_went_wrong_is_told(text: str, error: str, events: int, whole: bool) -> None:
    read = read_response(text)
    assert read is not None
    assert (read.error, read.events, read.whole) == (error, events, whole)


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(
            response(status="incomplete", incomplete_details={"reason": "content_filter"}),
            id="a filter broke it off",
        ),
        pytest.param(
            response({"type": "message", "content": [{"type": "refusal", "refusal": "No."}]}),
            id="the model declined",
        ),
    ],
)
def test_a_refusal_is_told(given: Json) -> None:
    read = read_response(orjson.dumps(given).decode())
    assert read is not None
    assert read.refused is True


def test_a_server_that_put_a_summary_in_the_place_of_history_says_so() -> None:
    read = read_response(orjson.dumps(response({"type": "compaction"})).decode())
    assert read is not None
    assert read.edited is True


@pytest.mark.parametrize("text", ["", "nothing", '{"object": "list"}', "data: {}\n\n"])
def test_what_is_no_answer_is_none(text: str) -> None:
    assert read_response(text) is None


@pytest.mark.parametrize(
    ("method", "path", "passed", "generation"),
    [
        ("POST", "/v1/responses", True, True),
        ("POST", "/responses?x=1", True, True),
        ("GET", "/v1/models", True, False),
        ("POST", "/v1/responses/input_tokens", False, False),
        ("GET", "/v1/responses", False, False),
        ("POST", "/v1/responses/compact", False, False),
    ],
)
def test_which_calls_are_passed_on(method: str, path: str, passed: bool, generation: bool) -> None:
    assert any(call.is_same(method, path) for call in CALLS) is passed
    assert is_generation(method, path) is generation


def test_an_error_has_the_shape_that_clients_expect() -> None:
    error = orjson.loads(error_body(429, "later"))["error"]
    assert (error["message"], error["type"]) == ("later", "server_error")


def row(call: int, items: list[Json], answer: list[Json], **changes: object) -> WireRow:
    given: Json = {
        "call": call,
        "attempt": 1,
        "protocol": "openai-responses",
        "method": "POST",
        "path": "/v1/responses",
        "thread": "main",
        "parent": None,
        "kind": "main",
        "by": "header",
        "sent": 0.0,
        "first_byte": 0.0,
        "done": 0.0,
        "status": 200,
        "end": "complete",
        "request_headers": {},
        "request": orjson.dumps({"model": "m-1", "input": items, "tools": [TOOL]}).decode(),
        "response_headers": {},
        "response": orjson.dumps(response(*answer)).decode(),
        "base": None,
        "keep": 0,
    }
    return WireRow.model_validate(given | changes)


NOTE, ASK = message("user", "The machine has 2 processors."), message("user", "Review it.")
READ = [
    NOTE,
    ASK,
    {"type": "reasoning", "summary": []},
    message("assistant", "Both at once."),
    function("c1", "cat a"),
    {"type": "reasoning", "summary": []},
    function("c2", "cat b"),
    output("c1", "line one\n"),
    output("c2", "line two\n"),
]


def test_calls_of_one_answer_are_one_turn() -> None:
    log = context_log([row(1, [NOTE, ASK], READ[2:7]), row(2, READ, [message("assistant", "x")])])
    assert [(text.tool, dict(text.arguments), text.text) for text in log.texts] == [
        ("exec_command", {"cmd": "cat a"}, "line one\n"),
        ("exec_command", {"cmd": "cat b"}, "line two\n"),
    ]
    assert log.threads[0].prompt == "Review it."


def test_a_result_that_comes_turns_later_has_its_call() -> None:
    items = [ASK, function("c1", "cat a"), output("c1", "half"), function("c2", "ls")]
    items += [output("c2", "b\n"), output("c1", "the rest\n")]
    log = context_log([row(1, [ASK], [items[1]]), row(2, items, [message("assistant", "x")])])
    assert [(text.result_id, text.arguments.get("cmd")) for text in log.texts] == [
        ("c1", "cat a"),
        ("c2", "ls"),
        ("c1", "cat a"),
    ]


def test_what_a_fork_begins_with_is_inherited() -> None:
    forked = {"thread": "f1", "parent": "main", "kind": "subagent"}
    own = [*READ, message("user", "Read c."), function("c3", "cat c")]
    log = context_log(
        [
            row(1, [NOTE, ASK], READ[2:7]),
            row(2, READ, [function("c9", "spawn")]),
            row(3, own[:-1], [own[-1]], **forked),
            row(4, [*own, output("c3", "line three\n")], [message("assistant", "x")], **forked),
        ]
    )
    told = [(text.thread, text.result_id, text.inherited) for text in log.texts]
    assert told == [
        ("main", "c1", False),
        ("main", "c2", False),
        ("f1", "c1", True),
        ("f1", "c2", True),
        ("f1", "c3", False),
    ]
    index = CorpusIndex.of({"a": "line one\n", "b": "line two\n", "c": "line three\n"})
    reading = measure(log, {"exec_command": ToolOutput()}, index)
    assert sorted(reading.threads["main"].files) == ["a", "b"]
    fork = reading.threads["f1"].files
    assert {path: (sorted(one.sure), sorted(one.inherited)) for path, one in fork.items()} == {
        "a": ([], [1]),
        "b": ([], [1]),
        "c": ([1], []),
    }


def test_calls_of_one_answer_that_share_an_id_cannot_be_told_apart() -> None:
    thought = {"type": "reasoning", "summary": []}
    items = [ASK, function("c1", "cat a"), thought, function("c1", "cat b"), output("c1", "x")]
    log = context_log([row(1, [ASK], items[1:4]), row(2, items, [message("assistant", "x")])])
    assert [(text.tool, dict(text.arguments)) for text in log.texts] == [("exec_command", {})]
