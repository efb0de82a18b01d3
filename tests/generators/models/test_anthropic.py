"""The real SDK against a server on loopback."""

from __future__ import annotations

import anthropic
import pytest

from authoring.errors import UserError
from generators.models.anthropic import AnthropicClient, connect
from generators.models.asking import ModelError, ModelRequest, Usage
from tests.generators.models.model_server import (
    MESSAGES,
    Json,
    ModelServer,
    Reply,
    message,
    serving,
)

REQUEST = ModelRequest(
    model="claude-of-a-test",
    system="Be plain.",
    prompt="Write.",
    most_tokens=77,
    shape={"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
)
ANSWER = message({"text": "It is."})


def client(server: ModelServer, seconds: float = 60) -> AnthropicClient:
    return AnthropicClient(
        lambda: anthropic.AsyncAnthropic(base_url=server.url, api_key="placeholder", max_retries=0),
        seconds,
    )


def test_the_answer_is_what_the_one_tool_was_called_with() -> None:
    with serving(lambda _: Reply(ANSWER)) as server:
        answer = client(server).ask(REQUEST)
    assert answer.content == {"text": "It is."}
    assert answer.model == "claude-of-a-test-20250101"
    assert answer.usage == Usage(input_tokens=14, output_tokens=5)
    (asked,) = server.asked
    assert asked.path == MESSAGES
    assert asked.headers["authorization"] == "Bearer placeholder"
    body = asked.body
    assert (body["model"], body["system"], body["max_tokens"]) == (
        "claude-of-a-test",
        "Be plain.",
        77,
    )
    assert body["messages"] == [{"role": "user", "content": "Write."}]
    (tool,) = body["tools"]
    assert tool["input_schema"] == dict(REQUEST.shape)
    assert body["tool_choice"] == {"type": "tool", "name": tool["name"]}


TEXT = {"type": "text", "text": "I would rather not."}
CALL = ANSWER["content"][0]
WRONG: dict[str, tuple[int, Json | str, str]] = {
    "a refusal": (200, ANSWER | {"content": [TEXT], "stop_reason": "refusal"}, "gave no answer"),
    "cut off": (200, ANSWER | {"stop_reason": "max_tokens"}, "longer than 77 tokens"),
    "another tool": (200, ANSWER | {"content": [CALL | {"name": "other"}]}, "gave no answer"),
    "two answers": (200, ANSWER | {"content": [CALL, CALL]}, "gave no answer"),
    "an answer that is a list": (200, message(["It is."]), "gave no answer"),
    "a page": (200, "<html>busy</html>", "no message of the protocol"),
    "a message without usage": (200, ANSWER | {"usage": None}, "no message of the protocol"),
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


@pytest.mark.parametrize(("status", "body", "said"), WRONG.values(), ids=WRONG)
def test_what_is_no_answer_is_an_error_and_never_a_document(
    status: int, body: Json | str, said: str
) -> None:
    with (
        serving(lambda _: Reply(body, status)) as server,
        pytest.raises(ModelError, match=f"claude-of-a-test: .*{said}"),
    ):
        client(server).ask(REQUEST)


@pytest.mark.parametrize("how", ["never", "blanks"])
def test_a_call_ends_at_its_time_limit_even_where_something_still_comes(how: str) -> None:
    reply = Reply(how="never") if how == "never" else Reply(how="blanks")
    with (
        serving(lambda _: reply) as server,
        pytest.raises(ModelError, match=r"claude-of-a-test: no answer within 0\.2 seconds"),
    ):
        client(server, seconds=0.2).ask(REQUEST)


def test_a_server_that_is_not_there_is_told() -> None:
    with serving(lambda _: Reply(ANSWER)) as gone:
        pass
    with pytest.raises(ModelError, match="claude-of-a-test: Connection error"):
        client(gone).ask(REQUEST)


def test_the_environment_says_whom_to_ask() -> None:
    with serving(lambda _: Reply(ANSWER)) as server:
        found = connect({"ANTHROPIC_API_KEY": "another", "ANTHROPIC_BASE_URL": server.url})
        assert found.ask(REQUEST).content == {"text": "It is."}
    assert server.asked[0].headers["authorization"] == "Bearer another"


def test_without_a_key_the_remedy_is_told() -> None:
    with pytest.raises(UserError, match="there is no key\n  set ANTHROPIC_API_KEY"):
        connect({})


def connected(server: ModelServer) -> AnthropicClient:
    return connect({"ANTHROPIC_API_KEY": "placeholder", "ANTHROPIC_BASE_URL": f"{server.url}"})


@pytest.mark.parametrize("status", [200, 400])
def test_a_body_without_end_is_an_error_and_is_not_held(status: int) -> None:
    # It would go on until the client leaves: only a limit ends the call.
    with (
        serving(lambda _: Reply(how="flood", status=status)) as server,
        pytest.raises(ModelError, match="longer than 4,000,000 bytes" if status == 200 else "400"),
    ):
        connected(server).ask(REQUEST)


def test_nothing_packed_is_asked_for_or_unpacked() -> None:
    with (
        serving(lambda _: Reply(ANSWER, how="packed")) as server,
        pytest.raises(ModelError, match="no message of the protocol"),
    ):
        connected(server).ask(REQUEST)
    (asked,) = server.asked
    assert asked.headers["accept-encoding"] == "identity"


@pytest.mark.parametrize("count", [-1, 10**30])
@pytest.mark.parametrize("which", ["input_tokens", "output_tokens"])
def test_a_usage_that_cannot_be_is_an_error(which: str, count: int) -> None:
    usage = {"input_tokens": 1, "output_tokens": 1} | {which: count}
    with (
        serving(lambda _: Reply(ANSWER | {"usage": usage})) as server,
        pytest.raises(ModelError, match="no message of the protocol"),
    ):
        client(server).ask(REQUEST)
