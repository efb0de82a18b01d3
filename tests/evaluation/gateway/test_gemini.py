"""Gemini, read from what the CLI and servers write."""

from __future__ import annotations

import orjson
import pytest

from evaluation.gateway.calls import is_needed
from evaluation.gateway.gemini import (
    CALLS,
    error_body,
    is_generation,
    read_messages,
    read_request,
    read_response,
)
from evaluation.gateway.messages import Message, RequestBody, ResponseBody, ToolResult, ToolUse
from tests.evaluation.gateway.conftest import Json

SUBAGENT = "0412ce08-ea22-4ebb-b4cb-79966dbe2b8b"


def content(role: str, *parts: Json) -> Json:
    return {"role": role, "parts": list(parts)}


def call(name: str, id_: str = "", **arguments: object) -> Json:
    return {"functionCall": {"name": name, "args": arguments, **({"id": id_} if id_ else {})}}


def result(name: str, id_: str = "", **response: object) -> Json:
    given = {"id": id_} if id_ else {}
    return {"functionResponse": {"name": name, "response": response, **given}}


def request(*contents: Json, **more: object) -> str:
    return orjson.dumps({"contents": list(contents), **more}).decode()


def messages(*contents: Json, skip: int = 0) -> tuple[Message, ...]:
    read = read_request(request(*contents), skip)
    assert read is not None
    return read.messages


def streamed(*chunks: Json) -> str:
    return "".join(f"data: {orjson.dumps(chunk).decode()}\r\n\r\n" for chunk in chunks)


def chunk(*parts: Json, stop: str = "", **more: object) -> Json:
    candidate = {"content": content("model", *parts), **({"finishReason": stop} if stop else {})}
    return {"candidates": [candidate], "modelVersion": "m-1", **more}


def test_a_request_is_read() -> None:
    body = request(
        content("user", {"text": "<session_context>"}, {"text": "Review a.md."}),
        content(
            "model",
            {"text": "Hm.", "thought": True},
            {"text": "Two calls."},
            {**call("read_file", "c1", file_path="a.md"), "thoughtSignature": "x"},
            {"functionCall": {"id": "c2", "name": "glob", "args": "odd"}},
        ),
        content(
            "user",
            result("glob", "c2", error="no such folder"),
            result("read_file", "c1", output="one\ntwo\u2028still two\n"),
            {"inlineData": {"data": "AA=="}},
            {"text": "Go on."},
        ),
        content("narrator", {"text": "dropped"}),
        {"parts": [{"text": "of the user"}]},
        systemInstruction=content("user", {"text": "You review."}),
        tools=[
            {"functionDeclarations": [{"name": "read_file"}, {"name": "glob"}]},
            {"googleSearch": {}},
        ],
        generationConfig={"maxOutputTokens": 900},
    )
    assert read_request(body) == RequestBody(
        model="",
        messages=(
            Message("user", "<session_context>\nReview a.md."),
            Message(
                "assistant",
                "Two calls.",
                uses=(
                    ToolUse("c1", "read_file", {"file_path": "a.md"}),
                    ToolUse("c2", "glob", {}),
                ),
            ),
            Message(
                "user",
                "Go on.",
                results=(
                    ToolResult("c2", "no such folder", is_error=True),
                    ToolResult("c1", "one\ntwo\u2028still two\n", is_error=False),
                ),
            ),
            Message("system", ""),
            Message("user", "of the user"),
        ),
        tools=("read_file", "glob"),
        stream=False,
        max_tokens=900,
    )


@pytest.mark.parametrize(
    ("calls", "results", "expected"),
    [
        pytest.param(["a", "b"], ["b", "a"], [("a", "b"), ("b", "a")], id="ids of the model"),
        pytest.param(
            ["", ""],
            [f"{SUBAGENT}#0-0", f"{SUBAGENT}#0-1"],
            [(f"{SUBAGENT}#0-0", f"{SUBAGENT}#0-1")] * 2,
            id="ids made up for results alone",
        ),
        pytest.param(["a", "b"], ["", ""], [("a", "b")] * 2, id="ids of calls alone"),
        pytest.param(["a", ""], ["x", "a"], [("a", "x"), ("x", "a")], id="one of each"),
        pytest.param(["a", "b"], ["c", "d"], [("a", "b"), ("c", "d")], id="ids that do not fit"),
        pytest.param(["", ""], ["", ""], [("", "")] * 2, id="no ids at all"),
    ],
)
def test_a_call_has_the_id_of_its_result(
    calls: list[str], results: list[str], expected: list[tuple[str, ...]]
) -> None:
    contents = (
        content("user", {"text": "Review."}),
        content("model", *(call("read_file", id_, n=n) for n, id_ in enumerate(calls))),
        content("user", *(result("read_file", id_, output="x") for id_ in results)),
    )
    _, asked, answered = messages(*contents)
    ids = [tuple(use.id for use in asked.uses), tuple(one.id for one in answered.results)]
    assert ids == expected
    assert messages(*contents, skip=1) == (asked, answered)
    assert messages(*contents, skip=2) == (answered,)


def test_results_go_to_calls_of_their_own_name() -> None:
    _, asked, answered = messages(
        content("user", {"text": "Review."}),
        content("model", call("glob"), call("read_file")),
        content("user", result("read_file", "x", output=""), result("glob", "y", output="")),
    )
    assert [(use.name, use.id) for use in asked.uses] == [("glob", "y"), ("read_file", "x")]
    assert [one.id for one in answered.results] == ["x", "y"]


@pytest.mark.parametrize(
    ("response", "text", "is_error"),
    [
        ({"output": "a\n"}, "a\n", False),
        ({"error": "no"}, "no", True),
        ({"content": [1]}, '{"content":[1]}', False),
        ({}, "{}", False),
    ],
)
def test_what_a_tool_gave_back(response: Json, text: str, is_error: bool) -> None:
    (read,) = messages(content("user", result("read_file", "c1", **response)))
    assert read.results == (ToolResult("c1", text, is_error=is_error),)


def test_a_signature_makes_no_other_message() -> None:
    plain = call("read_file", "c1")
    signed = {**plain, "thoughtSignature": "skip"}
    assert read_messages(request(content("model", signed))) == (content("model", plain),)
    assert read_messages(request("odd", content("user", "odd"))) == ("odd", content("user", "odd"))  # type: ignore[arg-type]


def test_a_streamed_answer_is_put_together() -> None:
    usage = {
        "promptTokenCount": 100,
        "cachedContentTokenCount": 60,
        "candidatesTokenCount": 7,
        "thoughtsTokenCount": 30,
        "toolUsePromptTokenCount": 3,
        "totalTokenCount": 140,
    }
    text = streamed(
        chunk({"text": "Hm.", "thought": True}, usageMetadata={"promptTokenCount": 100}),
        chunk({"text": "Rea"}),
        chunk({"text": "ding.\u2028"}, call("read_file", "c1", file_path="a.md")),
        chunk(call("glob"), stop="STOP", usageMetadata=usage),
    )
    expected = ResponseBody(
        model="m-1",
        text="Reading.\u2028",
        uses=(ToolUse("c1", "read_file", {"file_path": "a.md"}), ToolUse("", "glob", {})),
        stop="STOP",
        events=4,
        input_tokens=103,
        output_tokens=37,
        error="",
        whole=True,
        cached_tokens=60,
    )
    assert read_response(text) == expected
    assert read_response(text.replace("\r\n", "\n").rstrip("\n")) == expected


def test_a_plain_answer_and_a_list_of_chunks_are_read() -> None:
    parts = {"text": "Do"}, {"text": "ne."}
    whole = read_response(orjson.dumps(chunk(*parts, stop="STOP")).decode())
    listed = read_response(orjson.dumps([chunk(parts[0]), chunk(parts[1], stop="STOP")]).decode())
    assert whole is not None
    assert listed is not None
    assert (whole.text, whole.events, whole.whole) == ("Done.", 1, True)
    assert (listed.text, listed.events, listed.whole) == ("Done.", 2, True)


def test_a_torn_answer_gives_what_had_come() -> None:
    read = read_response(streamed(chunk({"text": "Half"})) + 'data: {"candidates": [{"cont')
    assert read is not None
    assert (read.text, read.whole, read.stop, read.events) == ("Half", False, "", 1)
    assert (read.input_tokens, read.output_tokens) == (None, None)


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(chunk(stop="SAFETY"), id="by the stop reason"),
        pytest.param({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}, id="of the prompt"),
    ],
)
def test_a_refusal_is_a_whole_answer(answer: Json) -> None:
    read = read_response(streamed(answer))
    assert read is not None
    assert (read.refused, read.whole, read.text) == (True, True, "")


@pytest.mark.parametrize("stop", ["STOP", "MAX_TOKENS", "MALFORMED_FUNCTION_CALL"])
def test_other_reasons_to_stop_are_no_refusal(stop: str) -> None:
    read = read_response(streamed(chunk(stop=stop)))
    assert read is not None
    assert (read.refused, read.whole) == (False, True)


def test_an_error_in_the_stream_is_no_event_of_the_answer() -> None:
    error = {"error": {"code": 503, "message": "Overloaded", "status": "UNAVAILABLE"}}
    for text in (streamed(error), orjson.dumps([error]).decode()):
        read = read_response(text)
        assert read is not None
        assert (read.error, read.events, read.whole) == ("UNAVAILABLE: Overloaded", 0, False)


def test_the_gateways_own_error_reads_as_an_error() -> None:
    read = read_response(error_body(403, "No more.").decode())
    assert read is not None
    assert (read.error, read.events) == ("PERMISSION_DENIED: No more.", 0)


@pytest.mark.parametrize("text", ["", "{", "<html>", '{"totalTokens": 5}', "[]", "data: [1]\n\n"])
def test_what_is_no_answer_reads_as_none(text: str) -> None:
    assert read_response(text) is None


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '"contents"'])
def test_what_is_no_request_reads_as_none(text: str) -> None:
    assert read_request(text) is None


@pytest.mark.parametrize(
    ("method", "path", "passed_on", "asks"),
    [
        ("POST", "/v1beta/models/gemini-3.1-pro-preview:generateContent", True, True),
        ("POST", "/v1beta/models/m:streamGenerateContent?alt=sse", True, True),
        ("POST", "/v1beta/models/m:countTokens", True, False),
        ("GET", "/v1beta/models?pageSize=5", True, False),
        ("POST", "/v1beta/models/m:embedContent", False, False),
        ("POST", "/v1beta/models/../x:generateContent", False, True),
        ("GET", "/v1beta/models/m:generateContent", False, False),
        ("POST", "/v1beta/files?x=:generateContent", False, False),
    ],
)
def test_which_calls_are_passed_on_and_which_ask_for_an_answer(
    method: str, path: str, passed_on: bool, asks: bool
) -> None:
    assert is_needed(CALLS, method, path) is passed_on
    assert is_generation(method, path) is asks
