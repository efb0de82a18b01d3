"""Sessions that late versions of OpenCode 1 hold over their newer interface, in the rows of 2."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from pathlib import Path

import pytest

from evaluation.reading.engine import measure
from evaluation.transcripts.catalogue import read_session
from evaluation.transcripts.context import context_log
from evaluation.transcripts.opencode import read_opencode
from generators.lines import CorpusIndex

LATE_1 = """
CREATE TABLE session (id text, parent_id text, version text, directory text);
CREATE TABLE message (id text, session_id text, data text);
CREATE TABLE part (id text, message_id text, data text);
INSERT INTO session VALUES ('ses_1', NULL, '1.18.33', '/home/dev');
CREATE TABLE session_message (
    id text PRIMARY KEY, session_id text, type text, seq integer, data text
);
"""
"""The store of a late version 1, with a session held over its newer interface."""


def bare_tool(name: str, **state: object) -> dict[str, object]:
    """A call that gave no text: the model was given `structured`."""
    whole = {"status": "completed", "input": {"path": "a.txt"}, "content": [], **state}
    return {"type": "tool", "id": "c1", "name": name, "state": whole}


def late_store(folder: Path, tool: dict[str, object]) -> Path:
    path = folder / "opencode.db"
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.executescript(LATE_1)
        for number, (kind, data) in enumerate(
            (
                ("user", {"text": "Review."}),
                ("assistant", {"content": [tool]}),
                ("assistant", {"content": [{"type": "text", "text": "All is read."}]}),
            ),
            start=1,
        ):
            row = (f"m{number}", kind, number, json.dumps(data))
            database.execute("INSERT INTO session_message VALUES (?, 'ses_1', ?, ?, ?)", row)
        database.commit()
    return path


PAGE = {"uri": "file:///home/dev/a.txt", "name": "a.txt", "content": 'one "1"\n\ttwo ü\n'}


def test_a_result_without_content_is_what_its_structure_says(tmp_path: Path) -> None:
    """As JSON: by `content` alone nothing would have been read, in every session of its kind."""
    log = context_log(read_opencode(late_store(tmp_path, bare_tool("read", structured=PAGE))))
    assert [(one.tool, one.arguments, one.text) for one in log.texts] == [
        (
            "read",
            {"filePath": "a.txt"},
            '{"uri":"file:///home/dev/a.txt","name":"a.txt","content":"one \\"1\\"\\n\\ttwo ü\\n"}',
        )
    ]


@pytest.mark.parametrize(
    ("structured", "least"),
    [
        pytest.param(PAGE, {1, 2}, id="a file"),
        pytest.param(
            {"type": "text-page", "content": "\ttwo ü", "truncated": False}, {2}, id="a part"
        ),
        pytest.param({"entries": [{"path": "a.txt", "type": "file"}]}, set(), id="a folder"),
    ],
)
def test_lines_within_a_structure_are_read(
    structured: dict[str, object], least: set[int], tmp_path: Path
) -> None:
    session = read_session(late_store(tmp_path, bare_tool("read", structured=structured)))
    index = CorpusIndex.of({"a.txt": 'one "1"\n\ttwo ü\n', "b.txt": "else\n"})
    reading = measure(context_log(session.trajectory), session.tools, index)
    found = reading.union.files.get("a.txt")
    assert (set(found.sure) if found else set()) == least


def test_a_structure_that_cannot_be_written_is_an_unreadable_row(tmp_path: Path) -> None:
    deep: dict[str, object] = {}
    for _ in range(300):
        deep = {"in": deep}
    trajectory = read_opencode(late_store(tmp_path, bare_tool("read", structured=deep)))
    assert trajectory.extra is not None
    assert trajectory.extra.evidence is not None
    assert trajectory.extra.evidence.unreadable == 1
