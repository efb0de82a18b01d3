"""What the wire says entered each thread's context."""

from __future__ import annotations

import json
from typing import Any

import pytest

from evaluation.gateway.context import context_log
from evaluation.gateway.wire import WireRow
from evaluation.reading.context import MAIN, ContextLog

Block = dict[str, Any]


def row(call: int, messages: list[Block], answer: list[Block], **changes: Any) -> WireRow:
    response = {"type": "message", "model": "m-1", "content": answer, "stop_reason": "end_turn"}
    given: dict[str, Any] = {
        "call": call,
        "attempt": 1,
        "protocol": "anthropic",
        "method": "POST",
        "path": "/v1/messages",
        "thread": MAIN,
        "parent": None,
        "kind": "main",
        "by": "header",
        "sent": 0.0,
        "first_byte": 0.0,
        "done": 0.0,
        "status": 200,
        "end": "complete",
        "request_headers": {},
        "request": json.dumps({"model": "m-1", "messages": messages, "tools": [{"name": "Read"}]}),
        "response_headers": {},
        "response": json.dumps(response),
        "base": None,
        "keep": 0,
    }
    return WireRow.model_validate(given | changes)


ASK = {"role": "user", "content": "go"}


def text(words: str) -> Block:
    return {"type": "text", "text": words}


def use(identity: str) -> Block:
    return {"type": "tool_use", "id": identity, "name": "Read", "input": {"file_path": "a.md"}}


def acted(identity: str) -> Block:
    return {"role": "assistant", "content": [use(identity)]}


def result(identity: str, words: str) -> Block:
    return {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": identity, "content": words}],
    }


READ = [ASK, acted("t1"), result("t1", "line")]


def shown(log: ContextLog) -> list[tuple[str, str, int, bool]]:
    return [(one.result_id, one.text, one.call, one.visible) for one in log.texts]


def test_a_result_enters_with_the_first_accepted_call_that_holds_it() -> None:
    log = context_log([row(1, [ASK], [use("t1")]), row(2, READ, [text("done")])])
    assert shown(log) == [("t1", "line", 2, True)]
    (one,) = log.texts
    assert (one.tool, dict(one.arguments)) == ("Read", {"file_path": "a.md"})
    assert log.final is not None
    assert (log.final.text, log.final.call) == ("done", 2)


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"status": 529}, id="the-server-refused-it"),
        pytest.param({"status": 0, "end": "upstream_cut", "response": ""}, id="no-server"),
        pytest.param({"response": ""}, id="no-body"),
        pytest.param({"response": 'event: ping\ndata: {"type": "ping"}\n\n'}, id="not-one-event"),
        pytest.param({"kind": "background"}, id="a-background-call"),
        pytest.param({"request": "{torn"}, id="a-request-that-is-no-json"),
    ],
)
def test_no_credit(changes: dict[str, Any]) -> None:
    log = context_log([row(1, [ASK], [use("t1")]), row(2, READ, [text("done")], **changes)])
    assert log.texts == ()


def test_a_subagents_last_word_may_stand_in_the_arguments_of_a_tool() -> None:
    arguments = {"result": {"response": "All of b."}}
    done = {"type": "tool_use", "id": "t2", "name": "complete_task", "input": arguments}
    sub = row(2, READ, [text("I am done."), done], thread="a1", parent=MAIN, kind="subagent")
    rows = [row(1, [ASK], [text("done")]), sub]
    assert context_log(rows).reports == {"a1": "I am done."}
    reports = frozenset(("complete_task",))
    assert context_log(rows, reports=reports).reports == {"a1": "I am done.\nAll of b."}


def test_an_answer_that_broke_off_still_took_its_input() -> None:
    """The model was given the line; the CLI asks again, and the second answer is the final one."""
    cut = row(2, READ, [text("do")], end="upstream_cut")
    log = context_log([row(1, [ASK], [use("t1")]), cut, row(3, READ, [text("done")])])
    assert shown(log) == [("t1", "line", 2, True)]
    assert log.final is not None
    assert log.final.text == "done"


def test_what_was_cleared_later_entered_but_is_not_visible() -> None:
    cleared = [ASK, acted("t1"), result("t1", "[cleared]"), acted("t2"), result("t2", "more")]
    log = context_log(
        [
            row(1, [ASK], [use("t1")]),
            row(2, READ, [use("t2")]),
            row(3, cleared, [text("done")]),
        ]
    )
    assert shown(log) == [
        ("t1", "line", 2, False),
        ("t1", "[cleared]", 3, True),
        ("t2", "more", 3, True),
    ]


def test_what_a_call_repeats_of_a_refused_one_enters_with_it() -> None:
    """Call 3 repeats call 2 whole, which the server refused: its result enters with call 3."""
    log = context_log(
        [
            row(1, [ASK], [use("t1")]),
            row(2, READ, [], status=529, base=1, keep=1),
            row(3, READ, [text("done")], base=2, keep=3),
        ]
    )
    assert shown(log) == [("t1", "line", 3, True)]


def test_an_id_used_again_in_a_later_turn_is_another_call() -> None:
    other = {"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "b.md"}}
    again = [*READ, {"role": "assistant", "content": [other]}, result("t1", "line")]
    log = context_log(
        [
            row(1, [ASK], [use("t1")]),
            row(2, READ, [other]),
            row(3, again, [text("done")]),
        ]
    )
    assert [(one.text, one.arguments["file_path"]) for one in log.texts] == [
        ("line", "a.md"),
        ("line", "b.md"),
    ]


def test_an_id_used_twice_in_one_turn_names_no_file() -> None:
    other: Block = {
        **use("t1"),
        "input": {"file_path": "b.md"},
    }
    asked: list[Block] = [ASK, {"role": "assistant", "content": [use("t1"), other]}]
    held = [*asked, result("t1", "of a"), result("t1", "of b")]
    log = context_log([row(1, [ASK], [use("t1"), other]), row(2, held, [text("done")])])
    assert [(one.text, one.tool, dict(one.arguments)) for one in log.texts] == [
        ("of a", "Read", {}),
        ("of b", "Read", {}),
    ]


def test_an_id_of_two_tools_in_one_turn_names_no_tool() -> None:
    task: Block = {**use("t1"), "name": "Agent", "input": {"prompt": "read"}}
    asked: list[Block] = [ASK, {"role": "assistant", "content": [use("t1"), task]}]
    log = context_log(
        [row(1, [ASK], [use("t1"), task]), row(2, [*asked, result("t1", "x")], [text("done")])]
    )
    assert [one.tool for one in log.texts] == [""]


def test_what_comes_after_the_answer_is_not_visible_at_it() -> None:
    """A call after the final response, whose answer is empty, holds one more result."""
    log = context_log(
        [
            row(1, [ASK], [use("t1"), text("done")]),
            row(2, READ, []),
        ]
    )
    assert log.final is not None
    assert (log.final.text, log.final.call) == ("done", 1)
    assert shown(log) == [("t1", "line", 2, False)]


def test_a_subagent_sees_nothing_at_the_answer() -> None:
    ask = {"role": "user", "content": "read b"}
    sub = {"thread": "a7", "parent": MAIN, "kind": "subagent"}
    log = context_log(
        [
            row(1, [ASK], [use("t0")]),
            row(2, [ask, acted("t1"), result("t1", "of b")], [text("fine")], **sub),
            row(3, [ASK], [text("done")]),
        ]
    )
    assert [(one.thread, one.visible) for one in log.texts] == [("a7", False)]


def test_an_answer_that_broke_off_is_not_the_final_one() -> None:
    cut = row(2, READ, [text("half of an ans")], end="upstream_cut")
    log = context_log([row(1, [ASK], [use("t1"), text("let me look")]), cut])
    assert log.final is not None
    assert log.final.text == "let me look"


def test_rows_are_taken_in_the_order_of_their_calls() -> None:
    log = context_log([row(2, READ, [text("done")]), row(1, [ASK], [use("t1")])])
    assert log.final is not None
    assert log.final.text == "done"


def test_a_subagent_is_a_thread_of_its_own() -> None:
    ask = {"role": "user", "content": "read b"}
    sub = {"thread": "a7", "parent": MAIN, "kind": "subagent"}
    log = context_log(
        [
            row(1, [ASK], [use("t0")]),
            row(2, [ask, acted("t1"), result("t1", "of b")], [text("of b is fine")], **sub),
            row(3, [ASK], [text("done")]),
        ]
    )
    assert [(t.id, t.kind, t.parent, t.prompt) for t in log.threads] == [
        (MAIN, "main", None, "go"),
        ("a7", "subagent", MAIN, "read b"),
    ]
    assert [(one.thread, one.text) for one in log.texts] == [("a7", "of b")]
    assert log.reports == {"a7": "of b is fine"}


def test_a_wire_without_the_main_agent_is_missing_its_evidence() -> None:
    assert context_log([]).missing == ("no accepted call of the main agent",)
