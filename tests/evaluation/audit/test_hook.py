"""The Stop hook: blocks only on a contradicted claim, once, and never breaks a session."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path

import pytest

from evaluation.audit.hook import reason, run_claude_hook
from evaluation.audit.result import AuditedClaim, LinesOf
from tests.evaluation.audit.sessions import HandMade, age, papers


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
    assert "2 of 5 files were shown to you" in block["reason"]


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


@pytest.mark.parametrize("event", ["SubagentStop", "PreToolUse", "", None, 7])
def test_only_the_end_of_the_main_agent_is_held(root: Path, event: object) -> None:
    assert stop(root, "I read all 5 files.", hook_event_name=event) == ""


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


def of_claim(
    quote: str, *, subject: str = "scope", broken_by: tuple[LinesOf, ...] = ()
) -> AuditedClaim:
    return AuditedClaim(
        quote=quote,
        subject=subject,
        quantity="all 5 files",
        status="contradicted",
        evidence="2 of 5 files touched",
        broken_by=broken_by,
    )


def unread(path: str, *runs: tuple[int, int]) -> LinesOf:
    return LinesOf(path=path, runs=runs, is_all=not runs)


def test_the_reason_names_a_claim_in_whole_words_with_the_figure_that_breaks_it() -> None:
    told = reason([of_claim("I read\nall 5 files"), of_claim("word " * 100, subject="docs/")])
    first, second = told.split("\n")[1:3]
    assert first == (
        '- You say "I read all 5 files": 2 of 5 files were shown to you, in whole or in part.'
    )
    assert second.startswith('- You say "word word')
    assert 'word \u2026": 2 of 5 files were' in second
    assert len(second) < 400


def test_claims_of_the_same_words_are_told_once_and_each_missing_file_once(root: Path) -> None:
    told = json.loads(stop(root, "I read all 5 files in full."))["reason"]
    assert told.split("\n")[1:6] == [
        (
            '- You say "I read all 5 files in full": 2 of 5 files were shown to you, in whole or'
            " in part."
        ),
        "What was not shown to you:",
        "- docs/doc-3.md was never opened",
        "- docs/doc-4.md was never opened",
        "- docs/doc-5.md was never opened",
    ]
    assert "only some of the files, say so" in told


def test_a_file_read_in_part_is_named_with_the_lines_that_were_not_shown(root: Path) -> None:
    made = HandMade(str(root)).prompt("Review docs/.").reads(root / "docs" / "doc-1.md", 5, 20)
    path = made.write(root.parent / "s.jsonl")
    told = json.loads(hooked(asking(path, root, "I read doc-1.md in full."))[0])["reason"]
    assert "- lines 1-4, 21-30 of docs/doc-1.md were never shown to you" in told
    assert "doc-2" not in told
    told = json.loads(hooked(asking(path, root, "I read lines 11-30 of doc-1.md."))[0])["reason"]
    assert "- lines 21-30 of docs/doc-1.md were never shown to you" in told


def test_a_file_read_in_part_is_not_missing_where_nothing_is_said_of_whole_files(
    root: Path,
) -> None:
    made = HandMade(str(root)).prompt("Review docs/.").reads(root / "docs" / "doc-1.md", 5, 20)
    path = made.write(root.parent / "s.jsonl")
    told = json.loads(hooked(asking(path, root, "I read all 5 files."))[0])["reason"]
    assert "docs/doc-2.md was never opened" in told
    assert "doc-1.md" not in told


def test_a_line_that_the_agent_wrote_is_not_told_to_be_missing(root: Path) -> None:
    paper = root / "docs" / "doc-1.md"
    made = HandMade(str(root)).prompt("Review docs/.").reads(paper, 1, 10)
    made.edits(paper, "line 25 of paper 1", "line 25 is another now")
    age(paper)
    path = made.write(root.parent / "s.jsonl")
    told = json.loads(hooked(asking(path, root, "I read doc-1.md in full."))[0])["reason"]
    assert "- lines 11-24, 26-30 of docs/doc-1.md were never shown to you" in told


def test_the_lines_that_break_a_claim_are_no_part_of_the_json() -> None:
    dumped = of_claim("I read a.md", broken_by=(unread("a.md"),)).model_dump()
    assert set(dumped) == {"quote", "subject", "quantity", "status", "evidence"}


def test_what_is_missing_is_named_of_ten_files_and_counted_beyond() -> None:
    missing = tuple(unread(f"{number}.md") for number in range(12))
    told = reason([of_claim("I read all 12 files", broken_by=missing)])
    assert "- 9.md was never opened\n- and 2 more files\n" in told
    assert "10.md" not in told


def test_runs_of_lines_are_named_up_to_five() -> None:
    runs = tuple((number, number) for number in range(1, 15, 2))
    told = reason([of_claim("I read a.md", broken_by=(unread("a.md", *runs),))])
    assert "- lines 1, 3, 5, 7, 9 and 2 more runs of a.md were never shown to you" in told
    told = reason([of_claim("I read a.md", broken_by=(unread("a.md", (7, 7)),))])
    assert "- line 7 of a.md was never shown to you" in told


def test_a_hostile_path_or_word_is_bounded_and_stays_text() -> None:
    told = reason([of_claim("x" * 10_000, broken_by=(unread("\x1b\n" * 5000),) * 20)] * 20)
    assert len(told) < 5000
    assert "\x1b" not in told


def test_a_denial_is_to_be_corrected_and_nothing_to_be_read(root: Path) -> None:
    told = json.loads(stop(root, "I did not open doc-1.md."))["reason"]
    assert ": all of docs/doc-1.md was shown to you." in told
    assert told.split("\n")[-1].startswith("Give the whole answer again without the denial")
    assert "read what is missing" not in told
    assert "never" not in told


def test_of_a_list_the_heading_and_the_item_are_quoted() -> None:
    told = reason([of_claim("**Files reviewed**\n\n- a.md\n- b.md\n- c.md")])
    assert '- You say "**Files reviewed** \u2026 - c.md"' in told


def asking(path: Path, root: Path, answer: str | None = None) -> bytes:
    asked: dict[str, object] = {
        "transcript_path": str(path),
        "cwd": str(root),
        "stop_hook_active": False,
    }
    if answer is not None:
        asked["last_assistant_message"] = answer
    return json.dumps(asked).encode()


def test_without_an_answer_the_one_that_the_session_ends_with_is_taken(root: Path) -> None:
    made = HandMade(str(root)).prompt("Review docs/.").reads(root / "docs" / "doc-1.md")
    path = made.answers("I read all 5 files.").write(root.parent / "s.jsonl")
    out, err = hooked(asking(path, root))
    assert "read all 5 files" in json.loads(out)["reason"]
    assert err == ""


@pytest.mark.parametrize("behind", ["a-prompt", "a-result"])
def test_an_older_text_is_not_taken_for_an_answer_that_is_not_written_yet(
    root: Path, behind: str
) -> None:
    made = HandMade(str(root)).prompt("Review docs/.").answers("I read all 5 files.")
    if behind == "a-prompt":
        made.prompt("Thank you.")
    else:
        made.reads(root / "docs" / "doc-1.md")
    out, err = hooked(asking(made.write(root.parent / "s.jsonl"), root))
    assert out == ""
    assert err.startswith("ocb: not audited: the hook's input has no answer")


def test_an_input_without_a_transcript_is_told_and_blocks_nothing() -> None:
    out, err = hooked(b'{"stop_hook_active": false, "last_assistant_message": "I read it."}')
    assert (out, err) == ("", "ocb: not audited: the hook's input names no transcript\n")


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
