"""What first came in a call whose input the server may have shortened is doubtful."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from evaluation.gateway.context import context_log
from evaluation.gateway.messages import RequestBody, ResponseBody
from evaluation.gateway.shortening import SMALL, Input, Lineage, doubted_calls, input_of
from evaluation.gateway.threads import ThreadRules
from evaluation.gateway.wire import WireRow
from evaluation.reading.context import MAIN, ContextLog
from generators.tokens import count_tokens
from tests.e2e.truth_corpus import build_truth_corpus
from tests.evaluation.gateway.conftest import CHAT, Json, Settings, rigged
from tests.evaluation.gateway.test_context import ASK, READ, acted, result, row, text, use

ROOT = Path(__file__).parents[3]


def call(number: int, size: int, tokens: int | None, thread: str = MAIN, **more: Any) -> Input:
    return Input(number, thread, size, tokens, more.get("suspect", False))


def going_on(inputs: Iterable[Input]) -> list[Input]:
    """Each continues the one before it in its thread."""
    latest: dict[str, int] = {}
    chained = []
    for one in inputs:
        chained.append(replace(one, continues=latest.get(one.thread)))
        latest[one.thread] = one.call
    return chained


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
        ([call(1, 4 * 60_000, 4096), call(2, 4 * 61_000, 4096)], {1, 2}),
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
        "60,000 tokens cut to 4096 from the first call on",
        "said so",
        "what a suspect says predicts nothing",
    ],
)
def test_doubted_calls(inputs: list[Input], doubted: set[int]) -> None:
    assert doubted_calls(going_on(inputs)) == doubted


SEED = random.Random("sizes and kinds of text")
KINDS = (2.5, 3.0, 3.5, 4.1, 5.0)
"""Characters to a token: logs, tables, code, prose, and what a large vocabulary makes of prose."""
HEAD = Input(1, MAIN, 24_000, 5400, is_suspect=False)
"""The system prompt and the tools."""


def honest(calls: int, kinds: tuple[float, ...]) -> list[Input]:
    """A run that reads texts of these kinds, as a server counts it that gets all of them."""
    inputs, tokens = [HEAD], 5400.0
    for number in range(2, calls + 2):
        size = int(100 * 600 ** SEED.random())
        tokens += size / SEED.choice(kinds)
        inputs.append(call(number, inputs[-1].size + size, int(tokens)))
    return going_on(inputs)


def test_a_server_that_gets_everything_is_never_doubted_whatever_kinds_of_text_follow() -> None:
    for _ in range(200):
        assert not doubted_calls(honest(40, KINDS))


@pytest.mark.parametrize("vocabulary", [0.8, 1.0, 1.3], ids=["larger", "as ours", "smaller"])
def test_a_server_that_gets_everything_is_never_doubted_over_real_texts(
    tmp_path: Path, vocabulary: float
) -> None:
    """A corpus, our pages and our code, in any order, as a request holds them."""
    files = [*build_truth_corpus(tmp_path).texts.values()]
    for pattern in ("docs/*.md", "evaluation/gateway/*.py", "validation/**/*.json", "*.toml"):
        files += [path.read_text(encoding="utf-8") for path in sorted(ROOT.glob(pattern))]
    sizes = [len(json.dumps(text, ensure_ascii=False)) for text in files]
    tokens = [count_tokens(json.dumps(text, ensure_ascii=False)) * vocabulary for text in files]
    for _ in range(20):
        inputs, total = [HEAD], 5400.0
        for one in SEED.sample(range(len(files)), len(files)):
            total += tokens[one]
            inputs.append(call(len(inputs) + 1, inputs[-1].size + sizes[one], int(total)))
        assert not doubted_calls(going_on(inputs))


@pytest.mark.parametrize("first", KINDS)
@pytest.mark.parametrize("then", KINDS)
def test_no_kind_of_text_passes_for_cut_after_much_of_another(first: float, then: float) -> None:
    inputs = honest(10, (first,))
    last = inputs[-1]
    more = call(12, last.size + 400_000, (last.tokens or 0) + int(400_000 / then))
    assert not doubted_calls([*inputs, replace(more, continues=last.call)])


@pytest.mark.parametrize("growth", [1.001, 1.01, 1.1, 1.5, 3.0])
@pytest.mark.parametrize("kind", KINDS)
def test_a_full_window_is_seen_however_slowly_the_history_grows(growth: float, kind: float) -> None:
    """From the call after the first that lost anything, or a little later."""
    window, size, inputs = 4096, 8_000, []
    for number in range(1, 3000):
        real = int(size / kind)
        inputs.append(call(number, size, min(real, window)))
        if real > 3 * window:
            break
        size = int(size * growth) + 1
    doubted = doubted_calls(going_on(inputs))
    over = [one for one in inputs if one.size / kind >= window + 1]
    lost = {one.call for one in over if one.size > over[0].size + 2 * SMALL}
    assert lost
    assert lost <= doubted <= {one.call for one in over}


@pytest.mark.parametrize("kind", KINDS)
def test_a_clients_own_compaction_is_no_cut_and_what_follows_is_measured_by_it(kind: float) -> None:
    """Logs are taken out and a summary comes in: first with nothing of it known, then with what
    is left of the first call."""
    run = honest(20, (2.5,))
    prose = call(22, HEAD.size + 8000, 5400 + int(8000 / kind))
    grown = replace(call(23, prose.size + 40_000, (prose.tokens or 0) + 10_000), continues=22)
    window = replace(call(24, grown.size + 40_000, (grown.tokens or 0) + 500), continues=23)
    for continues in (None, HEAD.call):
        after = replace(prose, continues=continues)
        assert doubted_calls([*run, after, grown, window]) == {24}


def test_a_cut_call_does_not_spoil_what_comes_after_a_compaction() -> None:
    run = honest(5, (4.0,))
    cut = replace(call(7, run[-1].size + 80_000, run[-1].tokens), continues=6)
    fresh = call(8, 30_000, 7500)
    more = replace(call(9, 40_000, 10_000), continues=8)
    assert doubted_calls([*run, cut, fresh, more]) == {7}


def test_the_same_count_for_another_text_is_a_window() -> None:
    assert doubted_calls([call(1, 16_000, 4096), call(2, 20_000, 4096)]) == {2}
    assert not doubted_calls([call(1, 16_000, 4096), call(2, 16_100, 4096)])


def test_thoughts_that_a_server_leaves_out_from_now_on_are_no_cut() -> None:
    """3500 characters of thoughts were counted in the first call, and are not in the second."""
    first = replace(HEAD, tokens=6400, thoughts=3500)
    assert not doubted_calls(going_on([first, call(2, HEAD.size + 1000, 5650)]))
    assert doubted_calls(going_on([replace(first, thoughts=0), call(2, HEAD.size + 1000, 5650)]))


@pytest.mark.parametrize(
    ("request_text", "size", "thoughts"),
    [
        ('{"text":"ab"}', 13, 0),
        (r'{"text":"\u4e2d\u4e2d"}', 13, 0),
        (r'{"thinking":"a\"b","text":"ab"}', 28 - 1, 4),
        (r'{"text":"{\"thinking\":\"ab\"}"}', 32, 0),
    ],
    ids=["text", "escaped characters", "thoughts", "text that looks like thoughts"],
)
def test_what_the_size_of_a_request_is(request_text: str, size: int, thoughts: int) -> None:
    asked = RequestBody("m", (), (), stream=True)
    body = ResponseBody("m", "", (), "stop", 1, 10, 1, "", True)
    told = input_of(row(1, [ASK], [], request=request_text), asked, body)
    assert (told.size, told.thoughts) == (size, thoughts)


def held(number: int, base: int | None, keep: int) -> WireRow:
    return row(number, [ASK], []).model_copy(update={"base": base, "keep": keep})


def test_a_call_continues_the_latest_one_that_it_repeats_whole() -> None:
    lineage = Lineage()
    assert lineage.enter(held(1, None, 0), 1, accepted=True) is None
    assert lineage.enter(held(2, 1, 1), 3, accepted=True) == 1
    assert lineage.enter(held(3, 2, 3), 5, accepted=False) == 2
    assert lineage.enter(held(4, 3, 5), 7, accepted=True) == 2, "the third was not taken"
    assert lineage.enter(held(5, 4, 2), 4, accepted=True) == 1, "some was taken out"
    assert lineage.enter(held(6, 5, 0), 2, accepted=True) is None, "all was"
    assert lineage.enter(held(7, 7, 9), 9, accepted=True) is None, "none continues itself"


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
    assert log.shortened == 1
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
