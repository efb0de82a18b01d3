"""Claude Code sessions, row by row: what was shown to the model, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from authoring.errors import UserError
from evaluation.reading.context import MAIN
from evaluation.transcripts.claude_code import read_claude_session
from evaluation.transcripts.context import context_log
from tests.evaluation.transcripts.claude_writing import (
    Row,
    answer,
    evidence,
    of_agent,
    read,
    result,
    session,
    shown,
    task,
    text,
    use,
    user,
)


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
    log = read(session(tmp_path, [rows[0], *rows]))
    assert shown(log) == [("t1", "line")]
    assert log.final is not None
    assert log.final.text == "done"
    assert len(read_claude_session(tmp_path).steps) == 3


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
    found = evidence(trajectory)
    assert (found.rows, found.unreadable, found.missing, found.unknown) == (4, 2, (), {})
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


def test_a_subagent_reads_for_itself(tmp_path: Path) -> None:
    rows = [
        user("go", timestamp="2026-01-01T00:00:00.000Z"),
        answer("m1", task("t1", "read b"), timestamp="2026-01-01T00:00:01.000Z"),
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
    session(tmp_path, of_agent("a7", *child), "main/subagents/agent-a7.jsonl")
    log = read(tmp_path)
    assert shown(log, "a7") == [("t2", "line of b")]
    assert [(t.id, t.kind, t.parent, t.prompt) for t in log.threads] == [
        (MAIN, "main", None, "go"),
        ("a7", "subagent", MAIN, "read b"),
    ]
    assert log.reports == {"a7": "it says: line of b"}
    assert log.missing == ()


def test_a_missing_subagent_file_is_named(tmp_path: Path) -> None:
    rows = [
        user("go"),
        answer("m1", task("t1", "read b")),
        result("t1", "fine", toolUseResult={"agentId": "a7"}),
        answer("m9", text("done")),
    ]
    assert read(session(tmp_path, rows)).missing == ("session of sub-agent a7",)


def test_a_folder_without_a_session_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "stdout.jsonl").write_text('{"type": "system"}\n')
    with pytest.raises(UserError, match="holds 0 Claude Code sessions"):
        read_claude_session(tmp_path)
