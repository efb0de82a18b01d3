"""OpenCode's export and its stream: one session, without its sub-agents'."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from authoring.errors import UserError
from evaluation.transcripts.context import context_log
from evaluation.transcripts.opencode_export import read_opencode_export
from evaluation.transcripts.opencode_stream import read_opencode_stream

Row = dict[str, Any]


def read(call: str, output: str, name: str = "read", **more: Any) -> Row:
    state = {"status": "completed", "input": {}, "output": output, **more}
    return {"type": "tool", "tool": name, "callID": call, "state": state}


def event(kind: str, part: Row, message: str = "msg_1", number: int = 0) -> Row:
    whole = {"id": f"prt_{number:03}", "messageID": message, **part}
    return {"type": kind, "sessionID": "ses_1", "timestamp": 1_790_000_000_000, "part": whole}


def stream(folder: Path, *rows: Row | str) -> Path:
    path = folder / "stdout.jsonl"
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def test_parts_of_a_stream_are_answers(tmp_path: Path) -> None:
    rows = (
        event("step_start", {"type": "step-start"}, number=1),
        event("tool_use", read("c1", "1: one"), number=2),
        event("step_start", {"type": "step-start"}, "msg_2", 3),
        event("text", {"type": "text", "text": "Done."}, "msg_2", 4),
    )
    trajectory = read_opencode_stream(stream(tmp_path, *rows))
    log = context_log(trajectory)
    assert [(one.result_id, one.text) for one in log.texts] == [("c1", "1: one")]
    assert log.final is not None
    assert (log.final.text, log.tells_visibility, log.missing) == ("Done.", False, ())


def test_what_was_given_just_before_a_compaction_is_doubtful(tmp_path: Path) -> None:
    """The stream shows the summary like an answer, and then the words by which the CLI goes on."""
    again = {"type": "text", "text": "Continue if you have next steps.", "synthetic": True}
    rows = (
        event("tool_use", read("c1", "1: one"), "msg_1", 1),
        event("tool_use", read("c2", "1: two"), "msg_2", 2),
        event("text", {"type": "text", "text": "A summary."}, "msg_3", 3),
        event("text", again, "msg_4", 4),
        event("tool_use", read("c3", "1: three"), "msg_5", 5),
        event("text", {"type": "text", "text": "Done."}, "msg_6", 6),
    )
    log = context_log(read_opencode_stream(stream(tmp_path, *rows)))
    assert [(one.result_id, one.doubtful) for one in log.texts] == [
        ("c1", False),
        ("c2", True),
        ("c3", False),
    ]
    assert log.final is not None
    assert log.final.text == "Done."


@pytest.mark.parametrize(
    ("metadata", "name"), [({"sessionId": "ses_2"}, "ses_2"), ({}, "without a name")]
)
def test_a_subagents_session_is_missing(metadata: Row, name: str, tmp_path: Path) -> None:
    rows = (
        event("tool_use", read("c1", "fine", "task", metadata=metadata), number=1),
        event("text", {"type": "text", "text": "Done."}, "msg_2", 2),
    )
    log = context_log(read_opencode_stream(stream(tmp_path, *rows)))
    assert log.missing == (f"session of sub-agent {name}",)


def test_odd_rows_are_counted(tmp_path: Path) -> None:
    done = event("text", {"type": "text", "text": "Done."})
    extra = read_opencode_stream(stream(tmp_path, done, {"type": "dream"}, "{torn")).extra
    assert extra is not None
    assert extra.evidence is not None
    assert (extra.evidence.unreadable, extra.evidence.unknown) == (1, {"dream": 1})


def export(folder: Path, *messages: Row) -> Path:
    path = folder / "export.json"
    info = {"id": "ses_1", "version": "1.18.7", "directory": "/home/dev/review"}
    path.write_text(json.dumps({"info": info, "messages": list(messages)}, indent=2))
    return path


def test_an_export_is_read_and_its_patches_are_not(tmp_path: Path) -> None:
    asked = {"id": "msg_1", "role": "user", "summary": {"diffs": [{"patch": "+whole file"}]}}
    told = {"id": "msg_2", "role": "assistant", "modelID": "m"}
    cleared = read("c1", "1: one", time={"compacted": 1})
    path = export(
        tmp_path,
        {"info": asked, "parts": [{"type": "text", "text": "Review."}]},
        {"info": told, "parts": [{"id": "prt_1", **cleared}]},
        {"info": {**told, "id": "msg_3"}, "parts": [{"type": "text", "text": "Done."}]},
    )
    trajectory = read_opencode_export(path)
    log = context_log(trajectory)
    assert [(one.text, one.visible) for one in log.texts] == [("1: one", False)]
    assert (log.threads[0].prompt, trajectory.agent.version) == ("Review.", "1.18.7")


@pytest.mark.parametrize("content", ["{}", '{"info": {}, "messages": []}', "[]", '{"info"'])
def test_what_is_no_export_is_an_error(content: str, tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    path.write_text(content)
    with pytest.raises(UserError, match="is no export"):
        read_opencode_export(path)
