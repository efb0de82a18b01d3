"""How files begin: first rows that are long, and how much is looked at."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation.transcripts.beginnings import (
    ENOUGH_ROWS,
    MOST_READ,
    MOST_ROWS,
    READ,
    beginning_of,
)
from evaluation.transcripts.catalogue import FORMATS, read_session

FOLDER = Path(__file__).parent
ROWS = {
    "claude/agents-2.1.332/stream.jsonl": "claude-code stream-json",
    "codex/0.142.0/rollout.jsonl": "codex",
    "codex/0.144.6/exec.jsonl": "codex exec --json",
    "gemini/0.41.0/stream.jsonl": "gemini-cli stream-json",
    "opencode/1.2.20/run.jsonl": "opencode run --format json",
}


@pytest.mark.parametrize("name", ROWS)
def test_a_session_is_told_by_its_first_rows_however_long_they_are(
    name: str, tmp_path: Path
) -> None:
    rows = [json.loads(row) for row in (FOLDER / name).read_bytes().split(b"\n") if row]
    image = "iVBORw0KGgo=" * (READ // 10)
    long = [{"image": image, **row} for row in rows[:2]] + rows[2:]
    given = tmp_path / "session.jsonl"
    given.write_text("".join(f"{json.dumps(row)}\n" for row in long))
    assert [one.name for one in FORMATS if one.sniff(given)] == [ROWS[name]]


def test_a_session_whose_first_prompt_holds_an_image_is_read(tmp_path: Path) -> None:
    source = {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo=" * (READ // 10)}
    prompt = [{"type": "text", "text": "Review docs/."}, {"type": "image", "source": source}]
    answer = [{"type": "text", "text": "Fine."}]
    rows = [
        {
            "type": kind,
            "uuid": f"00000000-0000-4000-8000-00000000000{number}",
            "parentUuid": None if number == 0 else "00000000-0000-4000-8000-000000000000",
            "sessionId": "5e551011-0000-4000-8000-000000000001",
            "version": "2.1.332",
            "timestamp": f"2026-03-02T09:00:0{number}.000Z",
            "message": {"role": kind, "content": content, "id": f"msg_{number}", "model": "m-1"},
        }
        for number, (kind, content) in enumerate((("user", prompt), ("assistant", answer)))
    ]
    given = tmp_path / "session.jsonl"
    given.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    session = read_session(given)
    assert session.format.name == "claude-code"
    assert [step.source for step in session.trajectory.steps] == ["user", "agent"]


def rows_in(path: Path, data: bytes) -> int:
    path.write_bytes(data)
    return len(beginning_of(path).rows)


def test_no_more_is_looked_at_than_is_needed(tmp_path: Path) -> None:
    path, long = tmp_path / "file", b'{"a":"%s"}\n' % (b"x" * READ)
    assert rows_in(path, b'{"a":1}\n' * 60) == MOST_ROWS
    assert rows_in(path, b'{"a":1}\n' * 20 + long * 3) == 20
    assert rows_in(path, b'{"a":1}\n' * 3 + long * 20) == ENOUGH_ROWS
    assert rows_in(path, long + b'{"a":1}') == 2
    assert rows_in(path, b'{"a":"%s"}\n{"a":1}\n' % (b"x" * MOST_READ)) == 0


def test_a_long_file_of_one_line_is_a_document_and_no_row(tmp_path: Path) -> None:
    path, long = tmp_path / "file", b'{"a":"%s"}' % (b"x" * READ)
    assert rows_in(path, long) == rows_in(path, long + b"\n") == 0
    assert beginning_of(path).is_document


def test_of_a_row_of_too_many_values_none_is_made(tmp_path: Path) -> None:
    row = b'{"a":[%s1]}\n' % (b"1," * (5 << 20))
    assert rows_in(tmp_path / "file", row + b'{"a":1}\n') == 1
