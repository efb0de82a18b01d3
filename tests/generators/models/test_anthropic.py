"""The real SDK against a server on loopback."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import anthropic
import pytest

from authoring.errors import UserError
from generators.models.anthropic import TOOL, AnthropicClient, connect
from generators.models.asking import ModelError, ModelRequest, Usage

REQUEST = ModelRequest(
    model="claude-of-a-test",
    system="Be plain.",
    prompt="Write.",
    most_tokens=77,
    shape={"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
)
ANSWER: dict[str, Any] = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "claude-of-a-test-20250101",
    "content": [{"type": "tool_use", "id": "toolu_1", "name": TOOL, "input": {"text": "It is."}}],
    "stop_reason": "tool_use",
    "stop_sequence": None,
    "usage": {"input_tokens": 11, "output_tokens": 5, "cache_read_input_tokens": 3},
}


class Server(ThreadingHTTPServer):
    """Gives one prepared answer to every request, and keeps what was asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.status = 200
        self.answer: dict[str, Any] = ANSWER
        self.asked: list[dict[str, Any]] = []


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        length = int(self.headers["content-length"])
        self.server.asked.append(
            {"path": self.path, "key": self.headers["authorization"]}
            | json.loads(self.rfile.read(length))
        )
        data = json.dumps(self.server.answer).encode()
        self.send_response(self.server.status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as inherited
        return


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def client(server: Server) -> Iterator[AnthropicClient]:
    url = f"http://127.0.0.1:{server.server_port}"
    with anthropic.Anthropic(base_url=url, api_key="placeholder", max_retries=0) as sdk:
        yield AnthropicClient(sdk)


def test_the_answer_is_what_the_one_tool_was_called_with(
    client: AnthropicClient, server: Server
) -> None:
    answer = client.ask(REQUEST)
    assert answer.content == {"text": "It is."}
    assert answer.model == "claude-of-a-test-20250101"
    assert answer.usage == Usage(input_tokens=14, output_tokens=5)
    (asked,) = server.asked
    assert asked["path"] == "/v1/messages"
    assert asked["key"] == "Bearer placeholder"
    assert (asked["model"], asked["system"], asked["max_tokens"]) == (
        "claude-of-a-test",
        "Be plain.",
        77,
    )
    assert asked["messages"] == [{"role": "user", "content": "Write."}]
    (tool,) = asked["tools"]
    assert tool["input_schema"] == dict(REQUEST.shape)
    assert asked["tool_choice"] == {"type": "tool", "name": tool["name"]}


TEXT = {"type": "text", "text": "I would rather not."}
WRONG: dict[str, tuple[int, dict[str, Any], str]] = {
    "a refusal": (200, ANSWER | {"content": [TEXT], "stop_reason": "refusal"}, "gave no answer"),
    "cut off": (200, ANSWER | {"stop_reason": "max_tokens"}, "longer than 77 tokens"),
    "another tool": (
        200,
        ANSWER | {"content": [{**ANSWER["content"][0], "name": "other"}]},
        "gave no answer",
    ),
    "two answers": (200, ANSWER | {"content": ANSWER["content"] * 2}, "gave no answer"),
    "not allowed": (
        401,
        {"type": "error", "error": {"type": "authentication_error", "message": "no key"}},
        "status 401",
    ),
    "overloaded": (
        529,
        {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}},
        "status 529",
    ),
}


@pytest.mark.parametrize(("status", "answer", "message"), WRONG.values(), ids=WRONG)
def test_what_is_no_answer_is_an_error_and_never_a_document(
    client: AnthropicClient,
    server: Server,
    status: int,
    answer: dict[str, Any],
    message: str,
) -> None:
    server.status, server.answer = status, answer
    with pytest.raises(ModelError, match=message):
        client.ask(REQUEST)


def test_a_server_that_is_not_there_is_told() -> None:
    with Server() as gone:
        url = f"http://127.0.0.1:{gone.server_port}"
    with (
        anthropic.Anthropic(base_url=url, api_key="placeholder", max_retries=0) as sdk,
        pytest.raises(ModelError, match="claude-of-a-test: Connection error"),
    ):
        AnthropicClient(sdk).ask(REQUEST)


def test_the_environment_says_whom_to_ask(server: Server) -> None:
    url = f"http://127.0.0.1:{server.server_port}"
    client = connect({"ANTHROPIC_API_KEY": "another", "ANTHROPIC_BASE_URL": url})
    assert client.ask(REQUEST).content == {"text": "It is."}
    assert server.asked[0]["key"] == "Bearer another"


def test_without_a_key_the_remedy_is_told() -> None:
    with pytest.raises(UserError, match="there is no key\n  set ANTHROPIC_API_KEY"):
        connect({})
