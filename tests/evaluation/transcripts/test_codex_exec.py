"""What `codex exec --json` prints: answers, and outputs that nobody vouches for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from authoring.errors import UserError
from evaluation.reading.context import MAIN, ContextLog
from evaluation.reading.engine import measure
from evaluation.transcripts.codex_exec import INFERRED, TOOLS, read_codex_exec
from evaluation.transcripts.context import context_log
from evaluation.transcripts.trajectory import Evidence
from generators.lines import CorpusIndex

Row = dict[str, Any]
INDEX = CorpusIndex.of({"a.txt": "first of a\nsecond of a\n"})
BEGIN: Row = {"type": "thread.started", "thread_id": "t-1"}
TURN: Row = {"type": "turn.started"}


def said(text: str) -> Row:
    return {"type": "item.completed", "item": {"id": "m", "type": "agent_message", "text": text}}


def ran(identity: str, output: str | None = None, **more: Any) -> Row:
    item = {"id": identity, "type": "command_execution", "command": "cat a.txt", **more}
    if output is None:
        return {"type": "item.started", "item": {**item, "aggregated_output": ""}}
    return {"type": "item.completed", "item": {**item, "aggregated_output": output}}


def stream(folder: Path, *rows: Row | str) -> Path:
    path = folder / "stdout.jsonl"
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def log_of(path: Path) -> ContextLog:
    return context_log(read_codex_exec(path))


def evidence_of(path: Path) -> Evidence:
    extra = read_codex_exec(path).extra
    assert extra is not None
    assert extra.evidence is not None
    return extra.evidence


def test_an_output_counts_at_the_upper_end_only_and_that_is_said(tmp_path: Path) -> None:
    rows = (BEGIN, TURN, said("I look."), ran("i1"), ran("i1", "first of a\n"), said("All read."))
    path = stream(tmp_path, *rows)
    log = log_of(path)
    read = measure(log, TOOLS, INDEX).threads[MAIN].of("a.txt")
    assert (sorted(read.sure), sorted(read.possible)) == ([], [1])
    assert log.final is not None
    assert log.final.text == "All read."
    assert evidence_of(path).inferred == (INFERRED,)


def test_commands_that_ran_beside_each_other_are_of_one_answer(tmp_path: Path) -> None:
    rows = (ran("i1"), ran("i2"), ran("i2", "two"), ran("i1", "one"), ran("i3"), ran("i3", "three"))
    steps = read_codex_exec(stream(tmp_path, BEGIN, TURN, *rows, said("Done."))).steps
    made = [[call.tool_call_id for call in step.tool_calls or ()] for step in steps]
    assert made == [["i1", "i2"], ["i3"], []]


def test_an_output_that_no_answer_follows_never_entered(tmp_path: Path) -> None:
    assert log_of(stream(tmp_path, BEGIN, ran("i1"), ran("i1", "first of a"))).texts == ()


@pytest.mark.parametrize(
    ("receivers", "tool", "missing"),
    [
        (["t-2"], "spawn_agent", ["t-2"]),
        (["t-2"], "wait", ["t-2"]),
        ([], "spawn_agent", ["without a name"]),
        ([], "wait", []),
    ],
)
def test_a_subagents_session_is_missing(
    receivers: list[str], tool: str, missing: list[str], tmp_path: Path
) -> None:
    item = {"id": "i1", "type": "collab_tool_call", "tool": tool, "receiver_thread_ids": receivers}
    path = stream(tmp_path, BEGIN, {"type": "item.completed", "item": item}, said("Done."))
    assert log_of(path).missing == tuple(
        f"session of sub-agent {one}: no stream holds it" for one in missing
    )


def test_odd_rows_are_counted(tmp_path: Path) -> None:
    odd = ({"type": "dream"}, {"type": "item.completed", "item": {"type": "vision"}}, "{torn")
    found = evidence_of(stream(tmp_path, BEGIN, TURN, *odd, said("Done.")))
    assert (found.rows, found.unreadable) == (6, 1)
    assert found.unknown == {"dream": 1, "item vision": 1}
    assert found.inferred == ()


def test_what_is_no_stream_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is no stream of `codex exec --json`"):
        read_codex_exec(stream(tmp_path, TURN))
