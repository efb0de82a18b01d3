"""The real SDK against a server on loopback."""

from __future__ import annotations

import openai
import pytest

from authoring.errors import UserError
from generators.models.asking import ModelError, ModelRequest, Usage
from generators.models.openai import OpenAIClient, connect
from tests.generators.models.model_server import (
    CHAT,
    Json,
    ModelServer,
    Reply,
    completion,
    serving,
)

REQUEST = ModelRequest(
    model="gpt-of-a-test",
    system="Be plain.",
    prompt="Write.",
    most_tokens=77,
    shape={"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
)
ANSWER = completion({"text": "It is."})


def client(server: ModelServer, seconds: float = 60) -> OpenAIClient:
    return OpenAIClient(
        lambda: openai.AsyncOpenAI(
            base_url=f"{server.url}/v1", api_key="placeholder", max_retries=0
        ),
        seconds,
    )


def test_the_answer_is_the_object_that_the_server_was_held_to() -> None:
    with serving(lambda _: Reply(ANSWER)) as server:
        answer = client(server).ask(REQUEST)
    assert answer.content == {"text": "It is."}
    assert answer.model == "gpt-of-a-test-2025-01-01"
    assert answer.usage == Usage(input_tokens=14, output_tokens=5)
    (asked,) = server.asked
    assert asked.path == CHAT
    assert asked.headers["authorization"] == "Bearer placeholder"
    assert (asked.body["model"], asked.body["max_completion_tokens"]) == ("gpt-of-a-test", 77)
    assert asked.body["messages"] == [
        {"role": "system", "content": "Be plain."},
        {"role": "user", "content": "Write."},
    ]
    assert asked.body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "answer", "strict": True, "schema": dict(REQUEST.shape)},
    }


def test_usage_that_the_server_does_not_tell_is_not_known() -> None:
    with serving(lambda _: Reply(ANSWER | {"usage": None})) as server:
        assert client(server).ask(REQUEST).usage is None


CHOICE = ANSWER["choices"][0]
REFUSAL = {"role": "assistant", "content": None, "refusal": "I would rather not."}
WRONG: dict[str, tuple[int, Json | str, str]] = {
    "a refusal": (200, completion("", choices=[CHOICE | {"message": REFUSAL}]), "gave no answer"),
    "cut off": (
        200,
        completion("", choices=[CHOICE | {"finish_reason": "length"}]),
        "longer than 77 tokens",
    ),
    "filtered": (
        200,
        completion("", choices=[CHOICE | {"finish_reason": "content_filter"}]),
        r"gave no answer \(stop reason content_filter\)",
    ),
    "no answer at all": (200, completion("", choices=[]), "gave 0 answers"),
    "two answers": (200, completion("", choices=[CHOICE, CHOICE]), "gave 2 answers"),
    "prose": (200, completion("It is."), "no JSON object"),
    "an answer that is a list": (200, completion(["It is."]), "no JSON object"),
    "half an object": (200, completion('{"text": "It'), "no JSON object"),
    "a page": (200, "<html>busy</html>", "no completion of the protocol"),
    "not allowed": (401, {"error": {"message": "no key"}}, "status 401"),
    "overloaded": (503, {"error": {"message": "busy"}}, "status 503"),
}


@pytest.mark.parametrize(("status", "body", "said"), WRONG.values(), ids=WRONG)
def test_what_is_no_answer_is_an_error_and_never_a_document(
    status: int, body: Json | str, said: str
) -> None:
    with (
        serving(lambda _: Reply(body, status)) as server,
        pytest.raises(ModelError, match=f"gpt-of-a-test: .*{said}"),
    ):
        client(server).ask(REQUEST)


@pytest.mark.parametrize("how", ["never", "blanks"])
def test_a_call_ends_at_its_time_limit_even_where_something_still_comes(how: str) -> None:
    reply = Reply(how="never") if how == "never" else Reply(how="blanks")
    with (
        serving(lambda _: reply) as server,
        pytest.raises(ModelError, match=r"gpt-of-a-test: no answer within 0\.2 seconds"),
    ):
        client(server, seconds=0.2).ask(REQUEST)


def test_a_server_that_is_not_there_is_told() -> None:
    with serving(lambda _: Reply(ANSWER)) as gone:
        pass
    with pytest.raises(ModelError, match="gpt-of-a-test: Connection error"):
        client(gone).ask(REQUEST)


def test_the_environment_says_whom_to_ask() -> None:
    with serving(lambda _: Reply(ANSWER)) as server:
        found = connect({"OPENAI_API_KEY": "another", "OPENAI_BASE_URL": f"{server.url}/v1"})
        assert found.ask(REQUEST).content == {"text": "It is."}
    assert server.asked[0].headers["authorization"] == "Bearer another"


def test_without_a_key_the_remedy_is_told() -> None:
    with pytest.raises(UserError, match="there is no key\n  set OPENAI_API_KEY"):
        connect({})


def connected(server: ModelServer) -> OpenAIClient:
    return connect({"OPENAI_API_KEY": "placeholder", "OPENAI_BASE_URL": f"{server.url}/v1"})


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
        pytest.raises(ModelError, match="no completion of the protocol"),
    ):
        connected(server).ask(REQUEST)
    (asked,) = server.asked
    assert asked.headers["accept-encoding"] == "identity"


@pytest.mark.parametrize("count", [-1, 10**30])
@pytest.mark.parametrize("which", ["prompt_tokens", "completion_tokens"])
def test_a_usage_that_cannot_be_is_an_error(which: str, count: int) -> None:
    usage = {"prompt_tokens": 1, "completion_tokens": 1} | {which: count}
    with (
        serving(lambda _: Reply(ANSWER | {"usage": usage})) as server,
        pytest.raises(ModelError, match="no completion of the protocol"),
    ):
        client(server).ask(REQUEST)
