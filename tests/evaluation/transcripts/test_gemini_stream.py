"""Gemini CLI's stream: what it says, and what it cannot say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from authoring.errors import UserError
from evaluation.transcripts.context import context_log
from evaluation.transcripts.gemini_stream import read_gemini_stream

Row = dict[str, Any]
INIT: Row = {"type": "init", "session_id": "s-1", "model": "m-1"}


def said(text: str, role: str = "assistant") -> Row:
    delta = {"delta": True} if role == "assistant" else {}
    return {"type": "message", "role": role, "content": text, **delta}


def used(identity: str, name: str = "read_file") -> list[Row]:
    call = {"tool_name": name, "tool_id": identity, "parameters": {"file_path": "a.md"}}
    came = {"tool_id": identity, "status": "success", "output": ""}
    return [{"type": "tool_use", **call}, {"type": "tool_result", **came}]


def stream(folder: Path, *rows: Row | str) -> Path:
    path = folder / "stdout.jsonl"
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def test_an_answer_comes_in_pieces(tmp_path: Path) -> None:
    rows = (said("Review.", "user"), said("All "), said("is read."), {"type": "result"})
    log = context_log(read_gemini_stream(stream(tmp_path, INIT, *rows)))
    assert log.final is not None
    assert (log.final.text, log.threads[0].prompt) == ("All is read.", "Review.")
    assert (log.models, log.missing) == ({"m-1": 1}, ())


@pytest.mark.parametrize("name", ["read_file", "run_shell_command", "invoke_agent", "another"])
def test_what_a_tool_gave_the_model_is_missing(name: str, tmp_path: Path) -> None:
    rows = (said("Review.", "user"), *used("c1", name), *used("c2", name), said("Done."))
    log = context_log(read_gemini_stream(stream(tmp_path, INIT, *rows)))
    assert log.missing == (f"what 2 calls of {name} gave the model: the stream does not hold it",)


def test_a_list_of_files_shows_no_file(tmp_path: Path) -> None:
    rows = (*used("c1", "glob"), *used("c2", "list_directory"), said("Nothing is there."))
    assert context_log(read_gemini_stream(stream(tmp_path, INIT, *rows))).missing == ()


def test_odd_rows_are_counted(tmp_path: Path) -> None:
    rows = ({"type": "dream"}, "{torn", {"type": "tool_result", "tool_id": "none"}, said("Done."))
    extra = read_gemini_stream(stream(tmp_path, INIT, *rows)).extra
    assert extra is not None
    assert extra.evidence is not None
    assert (extra.evidence.rows, extra.evidence.unreadable) == (5, 1)
    assert extra.evidence.unknown == {"dream": 1}


def test_what_is_no_stream_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is no stream of Gemini CLI"):
        read_gemini_stream(stream(tmp_path, said("Done.")))
