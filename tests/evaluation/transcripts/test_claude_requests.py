"""`api-request` rows: what each call held, and so what entered and what was left at the end."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from tests.evaluation.transcripts.claude_writing import (
    Row,
    answer,
    attachment,
    boundary,
    read,
    result,
    session,
    shown,
    text,
    use,
    user,
    visible,
)


def digest(role: str, *blocks: Row) -> str:
    """By the definition: the message as it is sent, with sorted keys and without spaces."""
    message = {"role": role, "content": list(blocks)}
    written = json.dumps(message, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(written.encode()).hexdigest()


def came(call: str, words: str) -> Row:
    return {"type": "tool_result", "tool_use_id": call, "content": words}


GO, LOOK = digest("user", text("go")), digest("assistant", use("t1"))
ONE, TWO = came("t1", "line — one"), came("t2", "line two")


def request(identity: str, tail: list[str], base: str = "", keep: int = 0, **more: Any) -> Row:
    row = {"type": "api-request", "id": identity, "keep": keep, "tail": tail, **more}
    return {**row, "base": base} if base else row


def blob(role: str, *blocks: Row) -> Row:
    message = {"role": role, "content": list(blocks)}
    return {"type": "api-request-blob", "hash": digest(role, *blocks), "message": message}


def begun() -> list[Row]:
    """A prompt, a call, and its result, which the second call held."""
    return [
        user("go"),
        request("q1", [GO]),
        answer("m1", use("t1"), requestRef="q1"),
        result("t1", "line — one"),
        request("q2", [LOOK, digest("user", ONE)], "q1", 1),
        answer("m2", use("t2"), requestRef="q2"),
        result("t2", "line two"),
    ]


SECOND = [digest("assistant", use("t2")), digest("user", TWO)]


def end(identity: str = "q3") -> Row:
    return answer("m9", text("done"), requestRef=identity)


def test_what_the_last_call_held_is_visible(tmp_path: Path) -> None:
    rows = [*begun(), request("q3", SECOND, "q2", 3), end()]
    log = read(session(tmp_path, rows))
    assert (log.tells_visibility, log.may_have_cleared) == (True, False)
    assert shown(log) == [("t1", "line — one"), ("t2", "line two")]
    assert visible(log) == ["line — one", "line two"]


def test_what_the_last_call_did_not_hold_is_not(tmp_path: Path) -> None:
    """No boundary says so: only the call's own record."""
    cleared = blob("user", came("t1", "[Old tool result content cleared]"))
    rows = [*begun(), cleared, request("q3", [LOOK, cleared["hash"], *SECOND], "q2", 1), end()]
    log = read(session(tmp_path, rows))
    assert shown(log)[0] == ("t1", "line — one")
    assert visible(log) == ["[Old tool result content cleared]", "line two"]


def test_a_result_that_no_call_held_never_entered(tmp_path: Path) -> None:
    summary = blob("user", text("Summary: so far."))
    rows = [
        *begun(),
        boundary(trigger="auto"),
        user("Summary: so far.", isCompactSummary=True),
        summary,
        request("q3", [summary["hash"]]),
        end(),
    ]
    log = read(session(tmp_path, rows))
    assert shown(log) == [("t1", "line — one")]
    assert visible(log) == []


def test_the_text_is_what_the_call_held(tmp_path: Path) -> None:
    """The row has the whole output, the call the beginning of it."""
    given = blob("user", came("t2", "line"))
    rows = [*begun(), given, request("q3", [SECOND[0], given["hash"]], "q2", 3), end()]
    log = read(session(tmp_path, rows))
    assert shown(log) == [("t1", "line — one"), ("t2", "line")]
    assert visible(log) == ["line — one", "line"]


def test_parallel_results_are_one_message(tmp_path: Path) -> None:
    both = [use("t1", "a.md"), use("t2", "b.md")]
    rows = [
        user("go"),
        request("q1", [GO]),
        answer("m1", both[0], requestRef="q1"),
        answer("m1", both[1], requestRef="q1"),
        result("t2", "line two"),
        attachment("date", date="2026-11-30"),
        result("t1", "line — one"),
        request("q2", [digest("assistant", *both), digest("user", TWO, ONE)], "q1", 1),
        end("q2"),
    ]
    log = read(session(tmp_path, rows))
    assert not log.may_have_cleared
    assert visible(log) == ["line — one", "line two"]


def test_a_call_may_go_back_to_an_older_one(tmp_path: Path) -> None:
    aside = request("aside", [digest("user", text("a title, please"))], "q2", 1)
    rows = [*begun(), aside, request("q3", SECOND, "q2", 3), end()]
    log = read(session(tmp_path, rows))
    assert not log.may_have_cleared
    assert visible(log) == ["line — one", "line two"]


def test_a_message_that_nothing_explains_makes_nothing_sure(tmp_path: Path) -> None:
    rows = [*begun(), request("q3", [*SECOND, "0" * 64], "q2", 3), end()]
    log = read(session(tmp_path, rows))
    assert (log.tells_visibility, log.may_have_cleared) == (True, True)
    assert shown(log) == [("t1", "line — one"), ("t2", "line two")]


def test_a_server_that_was_asked_to_clear_may_have(tmp_path: Path) -> None:
    asked = {"context_management": {"edits": [{"type": "clear_tool_uses_20250919"}]}}
    rows = [*begun(), request("q3", SECOND, "q2", 3, params=asked), end()]
    assert read(session(tmp_path, rows)).may_have_cleared


@pytest.mark.parametrize(
    "odd",
    [
        pytest.param(request("q3", SECOND, "q3", 3), id="base is itself"),
        pytest.param(request("q3", SECOND, "nowhere", 3), id="base is nowhere"),
        pytest.param(request("q3", SECOND, "q2", -7), id="negative"),
        pytest.param(request("q3", SECOND, "q2", 9**9), id="beyond the end"),
        pytest.param({"type": "api-request", "id": 3, "tail": {}, "keep": "x"}, id="no fields"),
    ],
)
def test_an_odd_record_is_no_fault(tmp_path: Path, odd: Row) -> None:
    assert shown(read(session(tmp_path, [*begun(), odd, end()])))[0] == ("t1", "line — one")
