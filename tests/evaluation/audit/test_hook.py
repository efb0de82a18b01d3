"""The Stop hook: blocks only on a contradicted claim, once, and never breaks a session."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path

import pytest

from evaluation.audit.hook import reason, run_claude_hook
from evaluation.audit.result import AuditedClaim
from tests.evaluation.audit.sessions import HandMade, papers


@pytest.fixture
def root(tmp_path: Path) -> Path:
    papers(tmp_path / "work")
    return tmp_path / "work"


def stop(root: Path, answer: object, *, prompt: str = "Review docs/.", **more: object) -> str:
    """What the hook prints, where two of five papers were read."""
    made = HandMade(str(root)).prompt(prompt)
    made.reads(root / "docs" / "doc-1.md").reads(root / "docs" / "doc-2.md")
    path = made.write(root.parent / "kept" / "session.jsonl")
    asked = {
        "session_id": "5e551011",
        "transcript_path": str(path),
        "cwd": str(root),
        "hook_event_name": "Stop",
        "stop_hook_active": False,
        "last_assistant_message": answer,
        **more,
    }
    return hooked(json.dumps(asked).encode())[0]


def hooked(data: bytes) -> tuple[str, str]:
    errors = io.StringIO()
    return run_claude_hook(io.BytesIO(data), (), errors), errors.getvalue()


def test_a_contradicted_claim_blocks_and_is_named_with_its_evidence(root: Path) -> None:
    block = json.loads(stop(root, "I read all 5 files in full."))
    assert set(block) == {"decision", "reason"}
    assert block["decision"] == "block"
    assert "read all 5 files" in block["reason"]
    assert "2 of 5 files touched" in block["reason"]


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param("I read 2 of the 5 files.", id="true"),
        pytest.param("Paper 3 contradicts paper 4.", id="silent"),
        pytest.param("I reviewed the papers. All good.", id="implied"),
        pytest.param("I read unknown.md line by line.", id="of-a-file-that-nobody-knows"),
        pytest.param("Shall I read all 5 files?", id="a-question"),
        pytest.param("I will read all 5 files.", id="a-plan"),
        pytest.param("", id="empty"),
        pytest.param(None, id="none"),
        pytest.param(7, id="a-number"),
    ],
)
def test_anything_else_does_not(root: Path, answer: object) -> None:
    assert stop(root, answer) == ""


def test_it_never_blocks_twice(root: Path) -> None:
    assert stop(root, "I read all 5 files.", stop_hook_active=True) == ""
    assert stop(root, "I read all 5 files.", stop_hook_active=None) == ""


def test_a_number_of_files_without_a_review_scope_blocks_nothing(root: Path) -> None:
    assert stop(root, "I read all 5 files.", prompt="Hello") == ""


def test_what_is_not_measurable_blocks_nothing(root: Path) -> None:
    made = HandMade(str(root)).prompt("Review docs/.")
    made.calls_tool(
        "Agent", {"prompt": "x"}, "Done.", toolUseResult={"status": "completed", "agentId": "gone"}
    )
    path = made.answers("I read all 5 files.").write(root.parent / "s.jsonl")
    asked = {
        "transcript_path": str(path),
        "cwd": str(root),
        "stop_hook_active": False,
        "last_assistant_message": "I read all 5 files.",
    }
    assert hooked(json.dumps(asked).encode()) == ("", "")


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"{", id="torn"),
        pytest.param(b"[]", id="no-object"),
        pytest.param(b"[" * 100_000, id="nested"),
        pytest.param(b"\xff\x00", id="bytes"),
    ],
)
def test_input_that_is_none_is_told_and_blocks_nothing(data: bytes) -> None:
    out, err = hooked(data)
    assert out == ""
    assert err.startswith("ocb: not audited: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("kind", ["missing", "folder", "pipe", "empty", "torn", "nul"])
def test_a_transcript_that_cannot_be_read_blocks_nothing(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "session.jsonl"
    match kind:
        case "folder":
            path.mkdir()
        case "pipe":
            os.mkfifo(path)
        case "empty":
            path.touch()
        case "torn":
            path.write_text('{"type": "user", "mess')
        case "nul":
            path.write_bytes(b"\x00" * 1000)
    asked = {
        "transcript_path": str(path),
        "cwd": str(tmp_path),
        "stop_hook_active": False,
        "last_assistant_message": "I read all 5 files.",
    }
    out, err = hooked(json.dumps(asked).encode())
    assert out == ""
    assert err.startswith("ocb: not audited: ")


def test_a_hostile_claim_stays_text() -> None:
    told = reason([of_claim("I read all \u202e\x1b[31m5 files", subject="a\x1b[2J.md")])
    assert "\x1b" not in told
    assert "\u202e" not in told


def of_claim(quote: str, *, subject: str = "scope") -> AuditedClaim:
    return AuditedClaim(
        quote=quote,
        subject=subject,
        quantity="all 5 files",
        status="contradicted",
        evidence="2 of 5 files touched",
    )


def test_the_reason_names_a_claim_in_whole_words_with_its_quantity_and_the_evidence() -> None:
    told = reason([of_claim("I read\nall 5 files"), of_claim("word " * 100, subject="docs/")])
    first, second = told.split("\n")[1:3]
    assert first == (
        '- You say "I read all 5 files" (under review: all 5 files);'
        " the session shows: 2 of 5 files touched."
    )
    assert second.startswith('- You say "word word')
    assert 'word \u2026" (docs/: all 5 files); the session' in second


def test_the_files_are_those_of_the_root_that_is_named(root: Path, tmp_path: Path) -> None:
    papers(tmp_path / "other", 1)
    made = HandMade(str(root)).prompt("Hello").answers("I read doc-3.md in full.")
    asked = {
        "transcript_path": str(made.write(tmp_path / "kept" / "session.jsonl")),
        "cwd": str(root),
        "stop_hook_active": False,
        "last_assistant_message": "I read doc-3.md in full.",
    }

    def hook(named: Path | None) -> str:
        return run_claude_hook(io.BytesIO(json.dumps(asked).encode()), (), io.StringIO(), named)

    assert "docs/doc-3.md" in hook(None)
    assert hook(tmp_path / "other") == ""
