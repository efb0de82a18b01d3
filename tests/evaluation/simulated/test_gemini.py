"""The simulated server as Gemini's clients see it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import aiohttp
import pytest

from evaluation.simulated.assignment import Assignment
from evaluation.simulated.reviewer import Reviewer
from evaluation.simulated.server import SimulatedServer

Assign = Callable[..., Assignment]
Json = dict[str, Any]
TOKEN = "run-token"
PLAIN = "/v1beta/models/m-1:generateContent"
STREAM = "/v1beta/models/m-1:streamGenerateContent?alt=sse"
TOOLS = ("list", "read", "delegate", "search")


@dataclass(frozen=True)
class Got:
    """One answer of the server."""

    status: int
    text: str

    @property
    def chunks(self) -> list[Json]:
        """Of a stream, or the one body."""
        lines = [line for line in self.text.split("\n") if line.startswith("data: ")]
        return [json.loads(line[6:]) for line in lines] or [json.loads(self.text)]

    @property
    def parts(self) -> list[Json]:
        return [part for one in self.chunks for part in one["candidates"][0]["content"]["parts"]]


def ask(
    reviewer: Reviewer, path: str, body: Json | bytes | None, headers: Json | None = None
) -> Got:
    """One request; a GET where there is no body."""

    async def go() -> Got:
        async with SimulatedServer() as server, aiohttp.ClientSession() as session:
            server.register(TOKEN, reviewer)
            data = json.dumps(body).encode() if isinstance(body, dict) else body
            sent = session.request(
                "GET" if body is None else "POST",
                server.url + path,
                data=data,
                headers={"x-goog-api-key": TOKEN} if headers is None else headers,
            )
            async with sent as response:
                return Got(response.status, await response.text())

    return asyncio.run(go())


def body(*contents: Json, tools: tuple[str, ...] = TOOLS, **more: object) -> Json:
    asked = {"role": "user", "parts": [{"text": "Review the papers."}]}
    declared = [{"functionDeclarations": [{"name": name} for name in tools]}] if tools else []
    return {"contents": [asked, *contents], "tools": declared, **more}


@pytest.mark.parametrize("path", [PLAIN, STREAM])
def test_a_conversation_goes_on_to_its_report(assign: Assign, path: str) -> None:
    """What a reviewer asks for is given; what came back is what it then knows."""
    run = assign("sim/oracle")
    reviewer = Reviewer(run)
    contents: list[Json] = []
    parts = ask(reviewer, path, body()).parts
    while calls := [part["functionCall"] for part in parts if "functionCall" in part]:
        results = [given(run, call) for call in calls]
        contents += ({"role": "model", "parts": parts}, {"role": "user", "parts": results})
        parts = ask(reviewer, path, body(*contents)).parts
    truth = reviewer.truth()
    assert truth.final == "".join(part["text"] for part in parts)
    returned = {found.path for call in truth.threads[0].calls for found in call.returned}
    assert returned == set(run.lines) - {"papers/b.md"}


def given(run: Assignment, call: Json) -> Json:
    """A result, with all the text of the file that was asked for; one file cannot be read."""
    path = next((path for path in run.texts if call["args"]["path"].endswith(path)), "")
    shown = "".join(f"{n}\t{line}\n" for n, line in enumerate(run.lines.get(path, ()), start=1))
    failed = path == "papers/b.md"
    response = {"output": shown, **({"error": "not readable"} if failed else {})}
    return {"functionResponse": {"id": call["id"], "name": call["name"], "response": response}}


def test_a_stream_carries_the_model_and_usage_and_ends_with_a_reason(assign: Assign) -> None:
    reviewer = Reviewer(assign("sim/nop"))
    chunks = ask(reviewer, STREAM, body()).chunks
    assert {one["modelVersion"] for one in chunks} == {"m-1"}
    reasons = [one["candidates"][0].get("finishReason") for one in chunks]
    assert reasons == [None] * (len(chunks) - 1) + ["STOP"]
    usage = chunks[-1]["usageMetadata"]
    assert usage["candidatesTokenCount"] == len(reviewer.truth().final) // 4
    assert usage["totalTokenCount"] == usage["promptTokenCount"] + usage["candidatesTokenCount"]


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        (PLAIN, {"x-goog-api-key": TOKEN}, 200),
        (PLAIN + "?key=" + TOKEN, {}, 200),
        (PLAIN, {"x-goog-api-key": "other"}, 401),
        (PLAIN, {}, 401),
        ("/v1beta/models/m-1:countTokens", {}, 401),
    ],
    ids=["header", "query", "another's", "none", "none, to count"],
)
def test_who_is_let_in(assign: Assign, path: str, headers: Json, status: int) -> None:
    got = ask(Reviewer(assign("sim/nop")), path, body(), headers)
    assert got.status == status
    if status == 401:
        assert got.chunks[0]["error"]["status"] == "UNAUTHENTICATED"


def test_a_call_without_tools_gets_a_short_text(assign: Assign) -> None:
    plain = ask(Reviewer(assign("sim/oracle")), PLAIN, body(tools=()))
    config = {"responseMimeType": "application/json"}
    wanted = ask(Reviewer(assign("sim/oracle")), PLAIN, body(tools=(), generationConfig=config))
    assert [part["text"] for part in plain.parts] == ["Document folder review"]
    assert json.loads(wanted.parts[0]["text"]) == {"title": "Document folder review"}


def test_tokens_are_counted_and_no_models_listed(assign: Assign) -> None:
    reviewer = Reviewer(assign("sim/nop"))
    counted = ask(reviewer, "/v1beta/models/m-1:countTokens", body())
    assert counted.chunks[0]["totalTokens"] > 10
    assert ask(reviewer, "/v1beta/models", None).chunks == [{"models": []}]


@pytest.mark.parametrize(
    ("path", "data", "status"),
    [
        pytest.param(PLAIN, b"[]", 400, id="no object"),
        pytest.param("/v1beta/models/m-1:embedContent", b"{}", 404, id="no such method"),
    ],
)
def test_what_cannot_be_answered_is_an_error(
    assign: Assign, path: str, data: bytes, status: int
) -> None:
    got = ask(Reviewer(assign("sim/nop")), path, data)
    assert (got.status, got.chunks[0]["error"]["status"]) == (status, "INVALID_ARGUMENT")
