"""Streams of `claude -p`: messages as they were printed, and what no stream shows."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from authoring.errors import UserError
from evaluation.reading.context import MAIN, ContextLog
from evaluation.transcripts.claude_stream import is_claude_stream, read_claude_stream
from evaluation.transcripts.context import context_log
from tests.evaluation.transcripts.claude_writing import (
    Row,
    answer,
    evidence,
    result,
    shown,
    task,
    text,
    use,
    user,
)

INIT = {"type": "system", "subtype": "init", "claude_code_version": "2.1.19", "model": "m-1"}
END = {"type": "result", "subtype": "success", "result": "done"}


def stream(folder: Path, rows: Iterable[Row | str]) -> Path:
    path = folder / "out.log"
    common = {"session_id": "s1", "parent_tool_use_id": None}
    path.write_text(
        "".join(
            f"{row if isinstance(row, str) else json.dumps({**common, **row})}\n" for row in rows
        )
    )
    return path


def of(call: str, row: Row, **more: Any) -> Row:
    return {**row, "parent_tool_use_id": call, **more}


def read(path: Path) -> ContextLog:
    return context_log(read_claude_stream(path))


DELEGATED = [
    INIT,
    answer("m1", task("t1", "read b")),
    of("t1", user([text("read b")])),
    of("t1", answer("m2", use("r1"))),
    of("t1", result("r1", "of b")),
    result("t1", "fine", tool_use_result={"agentId": "a7", "content": [text("b is fine")]}),
    answer("m3", text("done")),
    END,
]


def test_messages_are_read_in_their_order(tmp_path: Path) -> None:
    rows = [INIT, answer("m1", use("t1")), result("t1", "of a"), answer("m2", text("done")), END]
    path = stream(tmp_path, rows)
    assert is_claude_stream(path)
    trajectory = read_claude_stream(path)
    log = context_log(trajectory)
    assert [(one.text, one.call) for one in log.texts] == [("of a", 2)]
    assert log.final is not None
    assert log.final.text == "done"
    assert (trajectory.agent.version, trajectory.agent.model_name) == ("2.1.19", "m-1")
    assert (log.tells_visibility, log.may_have_cleared, log.missing) == (True, True, ())


def test_the_last_answer_of_a_subagent_is_what_its_parent_was_given(tmp_path: Path) -> None:
    log = read(stream(tmp_path, DELEGATED))
    assert shown(log, "a7") == [("r1", "of b")]
    assert log.reports == {"a7": "b is fine"}
    assert [(one.id, one.parent, one.prompt) for one in log.threads] == [
        (MAIN, None, ""),
        ("a7", MAIN, "read b"),
    ]
    inferred = evidence(read_claude_stream(tmp_path / "out.log")).inferred
    assert any("last answers" in words for words in inferred)


def test_an_agent_in_the_background_gives_its_own_last_answer(tmp_path: Path) -> None:
    rows = [
        INIT,
        answer("m1", task("t1", "read b")),
        result("t1", "Async agent launched", tool_use_result={"agentId": "a7"}),
        of("t1", answer("m2", use("r1")), agent_id="a7"),
        answer("m3", text("waiting")),
        of("t1", result("r1", "of b")),
        of("t1", answer("m4", text("b is fine"))),
        answer("m5", text("done")),
    ]
    log = read(stream(tmp_path, rows))
    assert shown(log, "a7") == [("r1", "of b")]
    assert log.reports == {"a7": "b is fine"}
    assert log.threads[1].prompt == "read b"


def counted(row: Row, tokens: int) -> Row:
    usage = {"input_tokens": tokens - 100, "cache_read_input_tokens": 100, "output_tokens": 9}
    return {**row, "message": {**row["message"], "usage": usage}}


@pytest.mark.parametrize(
    ("tokens", "doubtful"),
    [
        pytest.param((9000, 9500, 9900), [], id="it only grows"),
        pytest.param((9000, 8000, 8200), [], id="it falls a little"),
        pytest.param((9000, 3000, 3500), ["of a"], id="it falls by far"),
        pytest.param((9000, 9500, 3000), ["of b"], id="before the answer that is not shown"),
        pytest.param((9000, 0, 9900), [], id="one is not counted"),
    ],
)
def test_a_compaction_of_a_subagent_is_told_by_its_tokens(
    tokens: tuple[int, int, int], doubtful: list[str], tmp_path: Path
) -> None:
    """What was given just before it may have been given to the summariser alone."""
    first, second, last = tokens
    report = {"agentId": "a7", "content": [text("fine")], "usage": {"input_tokens": last}}
    rows = [
        INIT,
        counted(answer("m1", task("t1", "read")), 20_000),
        of("t1", user([text("read")])),
        of("t1", counted(answer("m2", use("r1")), first)),
        of("t1", result("r1", "of a")),
        of("t1", counted(answer("m3", use("r2")), second)),
        of("t1", result("r2", "of b")),
        result("t1", "fine", tool_use_result=report),
        counted(answer("m4", text("done")), 10_000),
    ]
    path = stream(tmp_path, rows)
    log = read(path)
    of_it = [one for one in log.texts if one.thread == "a7"]
    assert [one.text for one in of_it] == ["of a", "of b"]
    assert [one.text for one in log.texts if one.doubtful] == doubtful
    said = any("compactions" in words for words in evidence(read_claude_stream(path)).inferred)
    assert said == bool(doubtful)


def test_a_subagents_subagent_is_missing(tmp_path: Path) -> None:
    inner = [of("t1", answer("m4", task("t2", "read c"))), of("t1", result("t2", "fine"))]
    rows = [*DELEGATED[:5], *inner, *DELEGATED[5:]]
    assert read(stream(tmp_path, rows)).missing == (
        "session of the sub-agent that call t2 started",
    )


def test_a_compaction_hides_what_was_put_back(tmp_path: Path) -> None:
    rows = [
        INIT,
        answer("m1", use("t1")),
        result("t1", "of a"),
        {"type": "system", "subtype": "compact_boundary", "compact_metadata": {}},
        answer("m2", text("done")),
    ]
    log = read(stream(tmp_path, rows))
    assert [(one.text, one.doubtful) for one in log.texts] == [("of a", True)]
    assert not log.tells_visibility


def test_rows_that_are_not_known_or_torn_are_counted(tmp_path: Path) -> None:
    rows: list[Row | str] = [
        INIT,
        {"type": "hum"},
        '{"type": "assi',
        answer("m1", text("done")),
        END,
    ]
    found = evidence(read_claude_stream(stream(tmp_path, rows)))
    assert (found.rows, found.unreadable, found.unknown) == (5, 1, {"hum": 1})


def test_two_streams_in_a_folder_are_not_one(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        stream(tmp_path / name, [INIT])
    with pytest.raises(UserError, match="holds 2 streams"):
        read_claude_stream(tmp_path)
