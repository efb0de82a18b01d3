"""What first came in a call whose input the server may have shortened is doubtful."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from evaluation.gateway.context import context_log
from evaluation.gateway.messages import RequestBody, ResponseBody
from evaluation.gateway.shortening import Input, doubted_calls, input_of
from evaluation.gateway.threads import ThreadRules
from evaluation.gateway.wire import WireRow
from evaluation.reading.context import MAIN, ContextLog
from tests.evaluation.gateway.conftest import CHAT, Json, Settings, rigged
from tests.evaluation.gateway.test_context import ASK, READ, acted, result, row, text, use


def call(number: int, size: int, tokens: int | None, thread: str = MAIN, **more: Any) -> Input:
    return Input(number, thread, size, tokens, more.get("suspect", False))


@pytest.mark.parametrize(
    ("inputs", "doubted"),
    [
        ([call(1, 4000, 1000), call(2, 8000, 1400)], set()),
        ([call(1, 4000, 1000), call(2, 8000, 1399)], {2}),
        ([call(1, 4000, 1000), call(2, 8000, None)], set()),
        ([call(1, 4000, 1000), call(2, 8000, 0)], {2}),
        ([call(1, 4000, 1000), call(2, 8000, 1399), call(3, 8000, 1401)], {2}),
        ([call(1, 4000, 1000, "a7"), call(2, 8000, 1000)], set()),
        ([call(1, 4000, 1000, "a7"), call(2, 8000, 999)], {2}),
        ([call(1, 4000, 1000), call(2, 4000, 500, "a7"), call(3, 8000, 700, "a7")], set()),
        ([call(1, 4000, 500, "a7"), call(2, 4000, 1000), call(3, 8000, 1400, "a7")], set()),
        ([call(1, 16_000, 1000), call(2, 32_000, 2000)], set()),
        ([call(1, 16_001, 1000)], {1}),
        ([call(1, 4000, 1000, suspect=True), call(2, 8000, 2000)], {1}),
        ([call(1, 4000, 4000, suspect=True), call(2, 8000, 2000)], {1}),
    ],
    ids=[
        "0.7 of what is predicted",
        "one token less",
        "no count",
        "a count of nothing",
        "a doubted call predicts nothing",
        "a thread's first call, with half of what others predict",
        "a thread's first call, one token less",
        "a thread of another model",
        "a thread of a model with fewer characters to a token",
        "as sparse as may be",
        "too sparse for text",
        "said so",
        "what a suspect says predicts nothing",
    ],
)
def test_doubted_calls(inputs: list[Input], doubted: set[int]) -> None:
    assert doubted_calls(inputs) == doubted


def suspect(request: RequestBody | None = None, **answer: Any) -> bool:
    asked = request or RequestBody("m", (), (), stream=True)
    body = ResponseBody("m", "", (), "stop", 1, 10, 1, "", True, edited=answer.pop("edited", False))
    return input_of(row(1, [ASK], [], **answer), asked, body).is_suspect


def test_what_makes_a_call_suspect() -> None:
    assert not suspect()
    assert suspect(RequestBody("m", (), (), stream=True, shortens=True))
    assert suspect(edited=True)
    assert suspect(response='data: {"id":"chatcmpl-1","system_fingerprint":"fp_ollama"}\n\n')
    assert not suspect(response='data: {"content":"they use fp_ollama as system_fingerprint"}\n\n')


def test_data_that_is_no_text_is_not_counted_in_the_size() -> None:
    asked = RequestBody("m", (), (), stream=True)
    body = ResponseBody("m", "", (), "stop", 1, 10, 1, "", True)
    image = {"type": "base64", "data": "A" * 5000}
    with_image = row(1, [ASK], [], request=json.dumps({"source": image}))
    assert input_of(with_image, asked, body).size == len(with_image.request) - 5000
    prose = row(1, [ASK], [], request=json.dumps({"text": "A" * 5000}))
    assert input_of(prose, asked, body).size == len(prose.request)


def answered(number: int, messages: list[Json], answer: list[Json], **more: Any) -> WireRow:
    """A call that the server counted, with what else it says."""
    body = {"type": "message", "model": "m-1", "content": answer, "stop_reason": "end_turn", **more}
    return row(number, messages, answer, response=json.dumps(body))


EDITED: Json = {"context_management": {"applied_edits": [{"type": "clear_tool_uses_20250919"}]}}
MORE = [*READ, acted("t2"), result("t2", "more")]


def doubts(log: ContextLog) -> list[tuple[str, bool]]:
    return [(one.text, one.doubtful) for one in log.texts]


def test_what_first_came_in_a_doubted_call_is_doubtful_and_what_is_visible_is_not_told() -> None:
    log = context_log(
        [
            answered(1, [ASK], [use("t1")]),
            answered(2, READ, [use("t2")]),
            answered(3, MORE, [text("done")], **EDITED),
        ]
    )
    assert doubts(log) == [("line", False), ("more", True)]
    assert not log.tells_visibility


def test_what_a_later_call_holds_without_a_doubt_has_entered() -> None:
    log = context_log(
        [
            answered(1, [ASK], [use("t1")]),
            answered(2, READ, [use("t2")], **EDITED),
            answered(3, MORE, [text("done")]),
        ]
    )
    assert doubts(log) == [("line", False), ("more", False)]
    assert not log.tells_visibility, "it was told of one call of the main agent that it is no more"


def test_a_call_after_the_answer_takes_no_doubt_away() -> None:
    log = context_log(
        [
            answered(1, [ASK], [use("t1")]),
            answered(2, READ, [text("done")], **EDITED),
            row(3, READ, []),
        ]
    )
    assert log.final is not None
    assert log.final.call == 2
    assert doubts(log) == [("line", True)]


def test_a_doubted_call_of_a_subagent_leaves_what_the_main_agent_saw_told() -> None:
    sub = {"thread": "a7", "parent": MAIN, "kind": "subagent"}
    asked = {"role": "user", "content": "read b"}
    cut = answered(2, [asked, acted("t1"), result("t1", "of b")], [text("fine")], **EDITED)
    log = context_log(
        [
            answered(1, [ASK], [use("t0")]),
            row(2, [asked], [use("t1")], **sub),
            cut.model_copy(update=sub | {"call": 3}),
            answered(4, [ASK], [text("done")]),
        ]
    )
    assert doubts(log) == [("of b", True)]
    assert log.tells_visibility


@pytest.mark.parametrize("clearing", [1, 2], ids=["an earlier call", "the answer's call"])
def test_a_request_to_clear_makes_what_is_visible_at_the_answer_an_upper_end(clearing: int) -> None:
    asks = {"edits": [{"type": "clear_tool_uses_20250919"}]}
    rows = [answered(1, [ASK], [use("t1")]), answered(2, READ, [text("done")])]
    body = {**json.loads(rows[clearing - 1].request), "context_management": asks}
    rows[clearing - 1] = rows[clearing - 1].model_copy(update={"request": json.dumps(body)})
    log = context_log(rows)
    assert log.tells_visibility
    assert log.may_have_cleared is (clearing == 2)
    assert doubts(log) == [("line", False)]


WINDOW = 4096
BIG = "A sentence of ordinary length that says little of use.\n" * 4400
"""About 60,000 tokens."""


async def cutting(request: web.Request) -> web.StreamResponse:
    """Keeps the last 4096 tokens of any input, and says 200."""
    tokens = min(len(await request.read()) // 4, WINDOW)
    held = "t1" in await request.text()
    call = {"id": "t1", "function": {"name": "read", "arguments": '{"path": "a.md"}'}}
    message = {"content": "All read."} if held else {"tool_calls": [call]}
    choice = {"message": message, "finish_reason": "stop" if held else "tool_calls"}
    usage = {"prompt_tokens": tokens, "completion_tokens": 5}
    return web.json_response({"model": "m-1", "choices": [choice], "usage": usage})


@pytest.mark.parametrize("opening", ["Review a.md.", BIG], ids=["in a later call", "in the first"])
def test_a_server_that_cuts_in_silence_is_seen_by_its_own_count(
    tmp_path: Path, opening: str
) -> None:
    tools: list[Json] = [{"type": "function", "function": {"name": "read"}}]
    ask: Json = {"role": "user", "content": opening}
    function = {"name": "read", "arguments": '{"path": "a.md"}'}
    called: Json = {"role": "assistant", "tool_calls": [{"id": "t1", "function": function}]}
    shown: Json = {"role": "tool", "tool_call_id": "t1", "content": BIG}

    async def run() -> ContextLog:
        settings = Settings(protocol="openai-chat", rules=ThreadRules(thread_header="x-thread"))
        async with rigged(tmp_path, cutting, settings) as rig:
            for messages in ([ask], [ask, called, shown]):
                body = {"model": "m-1", "tools": tools, "messages": messages}
                assert (await rig.post(body, CHAT)).status == 200
            return context_log((await rig.close()).rows)

    log = asyncio.run(run())
    assert log.final is not None
    assert log.final.text == "All read."
    assert [one.doubtful for one in log.texts] == [True]
    assert not log.tells_visibility
