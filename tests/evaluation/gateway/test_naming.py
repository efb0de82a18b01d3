"""Whose call it is: by header, by prompt, by chain of tool-call ids, or nobody's."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import pytest
from aiohttp import web

from evaluation.gateway.messages import Message, RequestBody, ResponseBody, ToolResult, ToolUse
from evaluation.gateway.naming import Name, Naming
from evaluation.gateway.threads import BackgroundMark, Delegation, Summary, ThreadRules
from tests.evaluation.gateway.conftest import BOUND, MESSAGES, Rig, Settings, answer, rigged, sse

HEADERS = ThreadRules("x-thread", "x-parent", main_value="root")
NAMED_MAIN = ThreadRules("x-thread", "x-parent", main_without="parent")
BY_PROMPT = ThreadRules(delegations=(Delegation("agent", "prompt"),))
TASK = "Review all the files."


def request(*messages: Message, tools: int = 1) -> RequestBody:
    return RequestBody("m", messages, ("read",) * tools, stream=True)


@pytest.mark.parametrize(
    ("headers", "generation", "tools", "expected"),
    [
        ({}, True, 1, Name("main", None, "main", "header")),
        ({"x-thread": ""}, True, 1, Name("main", None, "main", "header")),
        ({"x-thread": "root"}, True, 1, Name("main", None, "main", "header")),
        ({"x-thread": "a1"}, True, 1, Name("a1", "main", "subagent", "header")),
        ({"x-thread": "a2", "x-parent": "a1"}, True, 3, Name("a2", "a1", "subagent", "header")),
        ({"x-thread": "a2", "x-parent": "root"}, True, 3, Name("a2", "main", "subagent", "header")),
        ({}, True, 0, Name("main", None, "background", "header")),
        ({"x-thread": "a1"}, True, 0, Name("a1", "main", "background", "header")),
        ({}, False, 5, Name("main", None, "background", "header")),
        ({"x-thread": "a1"}, True, None, Name("a1", "main", "unknown", "header")),
    ],
)
def test_a_call_is_named_by_its_headers(
    headers: dict[str, str], generation: bool, tools: int | None, expected: Name
) -> None:
    body = None if tools is None else request(tools=tools)
    assert Naming(HEADERS).name(1, headers, body, generation=generation) == expected


def test_a_main_agent_that_has_a_name_is_the_parent_by_that_name() -> None:
    naming = Naming(NAMED_MAIN)
    calls = [
        {"x-thread": "s1"},
        {"x-thread": "s2", "x-parent": "s1"},
        {"x-thread": "s3", "x-parent": "s2"},
        {"x-parent": "s1"},
    ]
    assert [naming.name(n, one, request(), generation=True) for n, one in enumerate(calls)] == [
        Name("main", None, "main", "header"),
        Name("s2", "main", "subagent", "header"),
        Name("s3", "s2", "subagent", "header"),
        Name("unknown", None, "unknown", "none"),
    ]


@pytest.mark.parametrize("rules", [HEADERS, NAMED_MAIN], ids=["by thread", "by parent"])
@pytest.mark.parametrize("name", ["main", "unknown"])
def test_a_subagent_that_calls_itself_main_is_not_the_main_agent(
    rules: ThreadRules, name: str
) -> None:
    headers = {"x-thread": name, "x-parent": "p"}
    told = Naming(rules).name(1, headers, request(), generation=True)
    assert (told.thread, told.parent, told.kind) == ("unknown", None, "unknown")


def test_a_header_goes_before_what_a_call_holds() -> None:
    rules = ThreadRules("x-thread", delegations=BY_PROMPT.delegations)
    naming = Naming(rules, TASK)
    named = naming.name(1, {"x-thread": "a1"}, request(Message("user", TASK)), generation=True)
    assert named == Name("a1", "main", "subagent", "header")


def test_a_call_that_the_cli_marks_is_background_though_it_offers_tools() -> None:
    mark = BackgroundMark("x-kind", re.compile("title"))
    naming = Naming(ThreadRules("x-thread", background=mark))
    kinds = [
        naming.name(1, headers, request(), generation=True).kind
        for headers in ({"x-kind": "a title"}, {"x-kind": "turn"}, {})
    ]
    assert kinds == ["background", "main", "main"]


ASKED, SUMMARY = "Sum it all up. Be short.", Summary(re.compile("Sum it all up"), offers_tools=True)
GIVEN = (ToolResult("r1", "text", is_error=False),)
SAID = Message("assistant", "", uses=(ToolUse("r1", "read", {}),))


def of_blocks(*texts: str) -> Message:
    return Message("user", "\n".join(texts), results=GIVEN, blocks=texts)


@pytest.mark.parametrize(
    ("messages", "kind"),
    [
        pytest.param((Message("user", ASKED),), "background", id="a message of its own"),
        pytest.param((of_blocks("Go on.", ASKED),), "background", id="behind a prompt"),
        pytest.param((Message("user", ASKED, results=GIVEN),), "background", id="behind a result"),
        pytest.param((Message("user", f"He said: {ASKED}"),), "main", id="quoted"),
        pytest.param((of_blocks(ASKED, "Go on."),), "main", id="not what was said last"),
        pytest.param(
            (Message("user", "", results=(ToolResult("r1", ASKED, is_error=False),)),),
            "main",
            id="what a tool returned",
        ),
        pytest.param((Message("user", ASKED), SAID), "main", id="an answer stands last"),
        pytest.param((Message("system", ASKED),), "main", id="not the user's side"),
    ],
)
@pytest.mark.parametrize("header", ["x-thread", ""], ids=["by header", "by prompt"])
def test_a_call_that_asks_for_a_summary_is_background(
    header: str, messages: tuple[Message, ...], kind: str
) -> None:
    rules = ThreadRules(header, delegations=BY_PROMPT.delegations, summary=SUMMARY)
    held = request(Message("user", TASK), SAID, *messages)
    named = Naming(rules, TASK).name(1, {}, held, generation=True)
    assert (named.thread, named.kind) == ("main", kind)


def test_an_order_that_asks_for_a_summary_is_a_subagents_own_call() -> None:
    """A first message is what another agent wrote, word for word."""
    naming = Naming(ThreadRules("x-thread", summary=SUMMARY))
    named = naming.name(1, {"x-thread": "a1"}, request(Message("user", ASKED)), generation=True)
    assert named == Name("a1", "main", "subagent", "header")


def test_without_headers_and_prompt_no_thread_can_be_told() -> None:
    named = Naming(ThreadRules()).name(1, {"x-thread": "a1"}, request(), generation=True)
    assert named == Name("unknown", None, "unknown", "none")


def order(id_: str, prompt: str) -> ToolUse:
    return ToolUse(id_, "agent", {"prompt": prompt})


def read(id_: str) -> ToolUse:
    return ToolUse(id_, "read", {"path": "a.md"})


@dataclass
class Agents:
    """Drives the naming of one run: each call says what it holds and what it is answered."""

    naming: Naming
    calls: int = 0

    def begin(self, said: str, ids: Iterable[str] = (), tools: int = 1) -> Name:
        """A call whose answer is still to come."""
        self.calls += 1
        held = tuple(ids)
        messages = [Message("user", said)]
        if held:
            messages.append(Message("assistant", "", uses=tuple(map(read, held))))
            results = tuple(ToolResult(id_, "text", is_error=False) for id_ in held)
            messages.append(Message("user", "", results=results))
        return self.naming.name(self.calls, {}, request(*messages, tools=tools), generation=True)

    def end(self, name: Name, *uses: ToolUse, call: int = 0, whole: bool = True) -> None:
        body = ResponseBody("m", "", uses, "stop", 1, None, None, "", whole)
        self.naming.answered(call or self.calls, name, body, is_whole=whole)
        if not whole:
            self.naming.broke_off(call or self.calls)

    def ask(self, said: str, ids: Iterable[str] = (), *uses: ToolUse) -> Name:
        name = self.begin(said, ids)
        self.end(name, *uses)
        return name


def agents(*orders: ToolUse) -> Agents:
    """A run whose main agent has given these orders."""
    run = Agents(Naming(BY_PROMPT, TASK))
    assert run.ask(TASK, (), *orders) == Name("main", None, "main", "prompt")
    return run


def sub(thread: str, by: str = "prompt", parent: str = "main") -> Name:
    assert by in ("prompt", "chain")
    return Name(thread, parent, "subagent", "prompt" if by == "prompt" else "chain")


@pytest.mark.parametrize(
    "said",
    [
        "Review a.md and b.md",
        "<objective>\n  Review a.md and\n  b.md\n</objective>",
        '"Review a.md and b.md"',
        "The machine runs Linux.\nReview a.md and b.md",
    ],
    ids=["alone", "inside tags, indented", "in quotes", "after other text"],
)
def test_a_subagent_is_told_by_the_prompt_that_it_was_given(said: str) -> None:
    run = agents(order("t1", "Review a.md and b.md"))
    assert run.ask(said) == sub("t1")
    assert run.ask(said, ["r1"]) == sub("t1")
    assert run.ask(TASK, ["t1"]) == Name("main", None, "main", "prompt")


@pytest.mark.parametrize(
    "said", ["Review a.md", "Preview a.md and b.mdx", "Review a.md, b.md", ""], ids=repr
)
def test_a_prompt_that_stands_in_a_text_in_part_names_nobody(said: str) -> None:
    run = agents(order("t1", "Review a.md and b.md"))
    assert run.ask(said) == Name("unknown", None, "unknown", "none")


def test_a_prompt_that_quotes_another_is_the_longer_one() -> None:
    run = agents(order("t1", "Review a.md"), order("t2", f"The task: {TASK} Review a.md first."))
    assert run.ask("Review a.md") == sub("t1")
    assert run.ask(f"The task: {TASK} Review a.md first.") == sub("t2")
    assert run.ask(f"{TASK} Be quick.").thread == "main"


def test_two_subagents_of_the_same_prompt_are_told_by_their_chains() -> None:
    run = agents(order("t1", "Review"), order("t2", "Review"))
    first, second = run.begin("Review"), run.begin("Review")
    assert (first, second) == (sub("t1"), sub("t2"))
    run.end(first, read("r1"), call=2)
    run.end(second, read("r2"), call=3)
    assert run.ask("Review", ["r2"], read("r3")) == sub("t2", "chain")
    assert run.ask("Review", ["r1"], read("r4")) == sub("t1", "chain")
    assert run.ask("Review", ["r2", "r3"]) == sub("t2", "chain")


def test_an_order_whose_subagent_never_calls_is_no_thread_and_takes_nobodys_calls() -> None:
    run = agents(order("t1", "Review a.md"), order("t2", "Review b.md"))
    assert run.ask("Review b.md") == sub("t2")
    assert run.ask(TASK, ["t1", "t2"]).thread == "main"


def test_an_order_given_again_later_is_another_subagent() -> None:
    run = agents(order("t1", "Review a.md"))
    run.ask("Review a.md", (), read("r1"))
    run.ask("Review a.md", ["r1"])
    run.ask(TASK, ["t1"], order("t2", "Review a.md"))
    assert run.ask("Review a.md", (), read("r2")) == sub("t2")
    assert run.ask("Review a.md", ["r2"]) == sub("t2", "chain")


def test_a_nested_subagent_has_the_one_that_ordered_it_as_its_parent() -> None:
    run = agents(order("t1", "Review the folder"))
    run.ask("Review the folder", (), order("t2", "Review a.md"))
    assert run.ask("Review a.md") == sub("t2", parent="t1")


def test_a_subagent_with_the_main_agents_prompt_is_not_the_main_agent() -> None:
    run = agents(order("t1", TASK))
    assert run.ask(TASK, (), read("r1")) == sub("t1")
    assert run.ask(TASK, ["r1"]) == sub("t1", "chain")
    assert run.ask(TASK, ["t1"]) == Name("main", None, "main", "chain")


@pytest.mark.parametrize("twins", [1, 2])
def test_a_first_call_that_is_tried_again_is_the_same_subagent(twins: int) -> None:
    run = agents(*(order(f"t{n}", "Review") for n in range(1, twins + 1)))
    run.end(run.begin("Review"), whole=False)
    assert run.ask("Review", (), read("r1")) == sub("t1")
    if twins == 2:
        assert run.ask("Review", (), read("r2")) == sub("t2")


def test_an_order_of_an_answer_that_broke_off_gives_way_to_the_one_given_again() -> None:
    run = Agents(Naming(BY_PROMPT, TASK))
    run.end(run.begin(TASK), order("t1", "Review a.md"), whole=False)
    run.ask(TASK, (), order("t2", "Review a.md"))
    assert run.ask("Review a.md") == sub("t2")


def test_orders_count_from_where_they_stand_in_an_answer_that_is_still_coming() -> None:
    run = Agents(Naming(BY_PROMPT, TASK))
    main = run.begin(TASK)
    coming = ResponseBody("m", "", (order("t1", "Review a.md"),), "", 1, None, None, "", False)
    run.naming.answered(1, main, coming, is_whole=False)
    assert run.begin("Review a.md") == sub("t1")
    run.end(main, order("t1", "Review a.md"), order("t2", "Review b.md"), call=1)
    assert run.ask("Review b.md") == sub("t2")


def test_after_compaction_the_chain_tells() -> None:
    run = agents(read("m1"), order("t1", "Review a.md"))
    run.ask("Review a.md", (), read("r1"))
    assert run.ask("Summary of what went before", ["m1"]) == Name("main", None, "main", "chain")
    assert run.ask("Summary of what went before", ["r1"]) == sub("t1", "chain")
    assert run.ask("Summary of what went before").thread == "unknown"


def test_an_id_that_several_threads_had_is_no_proof() -> None:
    run = agents(read("call-1"), order("t1", "Review a.md"))
    run.ask("Review a.md", (), read("call-1"))
    assert run.ask("Summary", ["call-1"]) == Name("unknown", None, "unknown", "none")
    assert run.ask("Review a.md", ["call-1"]) == sub("t1")


def test_a_prompt_and_a_chain_that_disagree_name_nobody() -> None:
    """The main agent's summary quotes an order: neither proof is worth more."""
    run = agents(read("m1"), order("t1", "Review a.md"))
    assert run.ask("I have asked: Review a.md", ["m1"]).thread == "unknown"


def test_twins_that_hold_ids_nobody_knows_are_told_while_one_alone_has_begun() -> None:
    run = agents(order("t1", "Review"), order("t2", "Review"))
    run.ask("Review")
    assert run.ask("Review", ["own#1"]) == sub("t1", "chain")
    run.ask("Review")
    assert run.ask("Review", ["own#1", "own#2"]) == sub("t1", "chain")
    assert run.ask("Review", ["other#1"]).thread == "unknown"


def test_orders_without_an_id_of_their_own_are_counted() -> None:
    run = agents(order("", "One"), order("t", "Two"), order("t", "Three"))
    assert [run.ask(said).thread for said in ("Three", "Two", "One")] == ["sub-3", "t", "sub-1"]


def test_a_call_without_tools_takes_nobodys_place() -> None:
    run = agents(order("t1", "Review"), order("t2", "Review"))
    assert run.begin("Review", tools=0) == Name("t1", "main", "background", "prompt")
    assert run.ask("Review") == sub("t1")


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluation.gateway.orders.MOST", 3)
    run = agents(order("t1", "One"), order("t2", "Two"), order("t3", "Three"), read("m1"))
    assert [run.ask(said).thread for said in ("One", "Two", "Three")] == ["t1", "t2", "unknown"]
    assert run.ask("Summary", ["m1"]).thread == "unknown"


# --- through the gateway ------------------------------------------------------------------------


def block(index: int, id_: str, prompt: str) -> list[bytes]:
    call = {"type": "tool_use", "id": id_, "name": "agent", "input": {}}
    written = orjson.dumps({"prompt": prompt}).decode()
    return sse(
        {"type": "content_block_start", "index": index, "content_block": call},
        {
            "type": "content_block_delta",
            "index": index,
            "delta": {"type": "input_json_delta", "partial_json": written},
        },
        {"type": "content_block_stop", "index": index},
    )


def said(text: str, *more: dict[str, Any]) -> dict[str, Any]:
    tools = [{"name": "agent"}]
    return {"model": "m", "tools": tools, "messages": [{"role": "user", "content": text}, *more]}


def test_what_asks_for_a_summary_is_seen_where_headers_name_the_threads(tmp_path: Path) -> None:
    used = {"role": "assistant", "content": [{"type": "tool_use", "id": "r1", "name": "read"}]}
    given = {"type": "tool_result", "tool_use_id": "r1", "content": ASKED}
    asked = {"role": "user", "content": [given, {"type": "text", "text": ASKED}]}
    gave = {"role": "user", "content": [given]}

    async def run() -> list[str]:
        rules = ThreadRules("x-thread", summary=SUMMARY)
        async with rigged(tmp_path, answer, Settings(rules=rules)) as rig:
            for more in ((used, gave), (used, asked)):
                await rig.post(said(TASK, *more))
            return [row.kind for row in (await rig.close()).rows]

    assert asyncio.run(run()) == ["main", "background"]


def test_a_subagent_that_calls_before_the_order_has_come_to_its_end_is_told(tmp_path: Path) -> None:
    """CLIs start a tool when its call is there, while the rest of the answer still comes."""

    async def run() -> list[tuple[str, str]]:
        go = asyncio.Event()

        async def reply(request: web.Request) -> web.StreamResponse:
            response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
            await response.prepare(request)
            is_main = TASK in (await request.text())
            await response.write(b"".join(sse({"type": "message_start", "message": {}})))
            if is_main:
                await response.write(b"".join(block(0, "t1", "Review a.md")))
                await asyncio.wait_for(go.wait(), BOUND)
            end = {"type": "message_delta", "delta": {"stop_reason": "tool_use"}}
            await response.write(b"".join(sse(end, {"type": "message_stop"})))
            return response

        async def drive(rig: Rig) -> None:
            url = f"http://workstation{MESSAGES}"
            async with rig.client.post(url, json=said(TASK), headers=rig.headers) as main:
                got = main.content.readuntil(b"Review a.md")
                assert await asyncio.wait_for(got, BOUND)
                await rig.post(said("Review a.md"))
                go.set()
                await main.read()

        async with rigged(tmp_path, reply, Settings(rules=BY_PROMPT, prompt=TASK)) as rig:
            await drive(rig)
            return [(row.thread, row.by) for row in (await rig.close()).rows]

    assert sorted(asyncio.run(run())) == [("main", "prompt"), ("t1", "prompt")]
