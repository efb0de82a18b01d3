"""Claude Code sessions, row by row: what was shown to the model, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from authoring.errors import UserError
from evaluation.reading.context import MAIN, ContextLog
from evaluation.transcripts.claude_code import read_claude_session
from evaluation.transcripts.context import context_log
from evaluation.transcripts.trajectory import Evidence, TrajectoryExtra

Row = dict[str, Any]


def user(content: Any, **more: Any) -> Row:
    return {"type": "user", "message": {"role": "user", "content": content}, **more}


def answer(identity: str, *blocks: Row, **more: Any) -> Row:
    message = {"id": identity, "role": "assistant", "model": "m-1", "content": list(blocks)}
    return {"type": "assistant", "message": message, **more}


def text(words: str) -> Row:
    return {"type": "text", "text": words}


def use(identity: str, path: str = "a.md") -> Row:
    return {"type": "tool_use", "id": identity, "name": "Read", "input": {"file_path": path}}


def result(identity: str, content: Any, **more: Any) -> Row:
    block = {"type": "tool_result", "tool_use_id": identity, "content": content}
    return user([block], **more)


def session(folder: Path, rows: Sequence[Row | str], name: str = "main.jsonl") -> Path:
    path = folder / "projects" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
    path.write_text("".join(f"{line}\n" for line in lines))
    return folder


def shown(log: ContextLog, thread: str = MAIN) -> list[tuple[str, str]]:
    return [(one.result_id, one.text) for one in log.texts if one.thread == thread]


def read(folder: Path) -> ContextLog:
    return context_log(read_claude_session(folder))


def test_credit_comes_from_the_model_facing_text(tmp_path: Path) -> None:
    """A large output: the model got a preview, the display-side field holds everything."""
    rows = [
        user("go"),
        answer("m1", use("t1")),
        result(
            "t1",
            "<persisted-output>\nPreview:\nfirst line\n...\n</persisted-output>",
            toolUseResult={"stdout": "first line\nsecond line\nthird line"},
        ),
        answer("m2", text("done")),
    ]
    assert shown(read(session(tmp_path, rows))) == [
        ("t1", "<persisted-output>\nPreview:\nfirst line\n...\n</persisted-output>")
    ]


def test_a_result_that_no_answer_follows_was_never_shown(tmp_path: Path) -> None:
    rows = [user("go"), answer("m1", use("t1")), result("t1", "line")]
    assert shown(read(session(tmp_path, rows))) == []


def test_parallel_results_are_tied_by_call_id(tmp_path: Path) -> None:
    """One answer on two rows, results in the other order, and one missing."""
    rows = [
        user("go"),
        answer("m1", use("t1", "a.md")),
        answer("m1", use("t2", "b.md")),
        answer("m1", use("t3", "c.md")),
        result("t2", "of b"),
        result("t1", [{"type": "text", "text": "of"}, {"type": "text", "text": "a"}]),
        answer("m2", text("done")),
    ]
    log = read(session(tmp_path, rows))
    assert shown(log) == [("t1", "of\na"), ("t2", "of b")]
    assert [dict(one.arguments) for one in log.texts] == [
        {"file_path": "a.md"},
        {"file_path": "b.md"},
    ]


def test_a_result_may_stand_before_its_call(tmp_path: Path) -> None:
    rows = [
        user("go"),
        result("t1", "early"),
        answer("m1", use("t1")),
        answer("m2", text("done")),
    ]
    assert shown(read(session(tmp_path, rows))) == [("t1", "early")]


def test_rows_written_again_count_once(tmp_path: Path) -> None:
    first = result("t1", "line", uuid="u1")
    rows = [
        user("go", uuid="u0"),
        answer("m1", use("t1"), uuid="u2"),
        first,
        first,
        result("t1", "another text of the same call", uuid="u9"),
        answer("m2", text("done"), uuid="u3"),
        answer("m2", text("done"), uuid="u3"),
    ]
    log = read(session(tmp_path, rows))
    assert shown(log) == [("t1", "line")]
    assert log.final is not None
    assert log.final.text == "done"


def test_rows_are_split_at_line_feeds_alone(tmp_path: Path) -> None:
    odd = "one\u2028two\u0085three\x0cfour"
    rows = [user("go"), answer("m1", use("t1")), result("t1", odd), answer("m2", text("done"))]
    assert shown(read(session(tmp_path, rows))) == [("t1", odd)]


def test_an_api_error_is_no_answer(tmp_path: Path) -> None:
    rows = [
        user("go"),
        answer("m1", use("t1")),
        result("t1", "line"),
        answer("m2", text("API Error: 529"), isApiErrorMessage=True),
    ]
    log = read(session(tmp_path, rows))
    assert log.final is None
    assert shown(log) == []


def test_a_torn_or_foreign_row_is_counted_and_skipped(tmp_path: Path) -> None:
    rows: list[Row | str] = [user("go"), '{"type": "assist', "[1]", answer("m1", text("done"))]
    trajectory = read_claude_session(session(tmp_path, rows))
    assert trajectory.extra == TrajectoryExtra(evidence=Evidence(rows=4, unreadable=2))
    assert context_log(trajectory).missing == ("2 unreadable rows of the session",)


def test_arguments_nested_beyond_all_reason_are_dropped(tmp_path: Path) -> None:
    deep: Any = "x"
    for _ in range(900):
        deep = [deep]
    block = {"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": deep}}
    rows = [user("go"), answer("m1", block), result("t1", "line"), answer("m2", text("done"))]
    (one,) = read(session(tmp_path, rows)).texts
    assert (one.text, dict(one.arguments)) == ("line", {})


def test_an_id_used_again_in_a_later_turn_is_another_call(tmp_path: Path) -> None:
    rows = [
        user("go"),
        answer("m1", use("t1", "a.md")),
        result("t1", "of a"),
        answer("m2", use("t1", "b.md")),
        result("t1", "of b"),
        answer("m3", text("done")),
    ]
    log = read(session(tmp_path, rows))
    assert [(one.text, one.arguments["file_path"]) for one in log.texts] == [
        ("of a", "a.md"),
        ("of b", "b.md"),
    ]


def test_a_result_enters_with_the_answer_that_follows_it(tmp_path: Path) -> None:
    rows = [user("go"), answer("m1", use("t1")), result("t1", "line"), answer("m2", text("done"))]
    assert [one.call for one in read(session(tmp_path, rows)).texts] == [2]


def test_an_answer_that_no_model_wrote_is_none(tmp_path: Path) -> None:
    made = answer("m2", text("No response requested."))
    made["message"]["model"] = "<synthetic>"
    log = read(session(tmp_path, [user("go"), answer("m1", text("done")), made]))
    assert log.final is not None
    assert (log.final.text, log.models) == ("done", {"m-1": 1})


def sidechain(row: Row, agent: str) -> Row:
    return {**row, "isSidechain": True, "agentId": agent}


def test_a_subagent_reads_for_itself(tmp_path: Path) -> None:
    task = {"type": "tool_use", "id": "t1", "name": "Agent", "input": {"prompt": "read b"}}
    rows = [
        user("go", timestamp="2026-01-01T00:00:00.000Z"),
        answer("m1", task, timestamp="2026-01-01T00:00:01.000Z"),
        result("t1", "it says: line of b", toolUseResult={"agentId": "a7"}),
        answer("m9", text("done"), timestamp="2026-01-01T00:00:09.000Z"),
    ]
    child = [
        user("read b", timestamp="2026-01-01T00:00:02.000Z"),
        answer("m2", use("t2", "b.md"), timestamp="2026-01-01T00:00:03.000Z"),
        result("t2", "line of b"),
        answer("m3", text("it says: line of b"), timestamp="2026-01-01T00:00:05.000Z"),
    ]
    session(tmp_path, rows)
    session(tmp_path, [sidechain(row, "a7") for row in child], "main/subagents/agent-a7.jsonl")
    log = read(tmp_path)
    assert shown(log, "a7") == [("t2", "line of b")]
    assert [(t.id, t.kind, t.parent, t.prompt) for t in log.threads] == [
        (MAIN, "main", None, "go"),
        ("a7", "subagent", MAIN, "read b"),
    ]
    assert log.reports == {"a7": "it says: line of b"}
    assert log.missing == ()


def test_a_missing_subagent_file_is_named(tmp_path: Path) -> None:
    task = {"type": "tool_use", "id": "t1", "name": "Agent", "input": {"prompt": "read b"}}
    rows = [
        user("go"),
        answer("m1", task),
        result("t1", "fine", toolUseResult={"agentId": "a7"}),
        answer("m9", text("done")),
    ]
    assert read(session(tmp_path, rows)).missing == ("session of sub-agent a7",)


def test_a_folder_without_a_session_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "stdout.jsonl").write_text('{"type": "system"}\n')
    with pytest.raises(UserError, match="holds 0 Claude Code sessions"):
        read_claude_session(tmp_path)
