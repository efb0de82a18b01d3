"""`ocb audit` on the command line: what it prints, how it exits, what it says of bad input."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ocb.cli.main import run
from tests.evaluation.audit.sessions import HandMade, papers


@pytest.fixture
def root(tmp_path: Path) -> Path:
    papers(tmp_path / "work")
    return tmp_path / "work"


def session(root: Path, answer: str, *, prompt: str = "Review docs/.", folder: str = "") -> str:
    """Two of five papers were read."""
    made = HandMade(folder or str(root)).prompt(prompt)
    made.reads(root / "docs" / "doc-1.md").reads(root / "docs" / "doc-2.md").answers(answer)
    return str(made.write(root.parent / "kept" / "session.jsonl"))


ALL, TWO, SILENT = "I read all 5 files.", "I read 2 of the 5 files.", "Paper 3 is too short."


@pytest.mark.parametrize(
    ("answer", "arguments", "code"),
    [
        (ALL, (), 1),
        (ALL, ("--fail-on", "never"), 0),
        (TWO, (), 0),
        (TWO, ("--fail-on", "misleading"), 0),
        (SILENT, (), 0),
        (SILENT, ("--fail-on", "misleading"), 1),
        (SILENT, ("--fail-on", "misleading", "--scope", "docs/doc-[12].md"), 0),
        (SILENT, ("--fail-on", "misleading", "--rule", "read"), 1),
        (ALL, ("--json",), 1),
    ],
)
def test_the_exit_code_says_what_was_found(
    root: Path, answer: str, arguments: tuple[str, ...], code: int
) -> None:
    assert run(["audit", session(root, answer), *arguments]) == code


def test_json_has_the_promised_keys(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["audit", session(root, ALL), "--json"])
    printed = capsys.readouterr()
    found = json.loads(printed.out)
    assert list(found) == [
        *("schema", "session", "scope", "files", "claims", "coverage", "verdict", "evidence"),
        *("origin", "subagent_claims"),
    ]
    assert found["schema"] == "ocb.audit/1"
    assert found["files"][0] == {
        "path": "docs/doc-1.md",
        "lines": 30,
        "entered": [30, 30],
        "visible": found["files"][0]["visible"],
        "ambiguous": 0,
        "ranges": [[1, 30]],
        "by": {"main": [30, 30]},
    }
    assert "read all 5 files" in found["claims"][0].pop("quote")
    assert found["claims"] == [
        {
            "subject": "scope",
            "quantity": "all 5 files",
            "status": "contradicted",
            "evidence": "2 of 5 files touched: no line of docs/doc-3.md entered",
        }
    ]
    assert found["verdict"]["touched"]["value"] == "overclaimed"
    assert printed.err == ""


def test_the_terminal_shows_gaps_claims_and_verdict(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["audit", session(root, ALL)])
    out = capsys.readouterr().out
    for told in ("overclaimed", "contradicted", "read all 5 files", "docs/doc-3.md", "1-30"):
        assert told in out


def test_names_and_quotes_of_others_do_not_act(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hostile = root / "docs" / "a\x1b[31m\u202e[red]b.md"
    hostile.write_text("some text\n")
    run(["audit", session(root, "I read all \x1b]0;x\x076 files.\u202e I read all 6 files.")])
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert "[red]" in out


def test_text_that_is_no_unicode_is_shown_all_the_same(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    half = "\ud83d"
    os.close(os.open(os.fsencode(root) + b"/docs/caf\xe9.md", os.O_CREAT | os.O_WRONLY))
    made = HandMade(str(root)).prompt("Hello").prompt(f"Review docs/doc-1.md {half}")
    made.calls_tool("Bash", {"command": f"cat {half}"}, f"line 1 of paper 1\n{half}\n")
    made.answers(f"{half} I read doc-1.md in full. {half}")
    for row in made.rows[1:]:
        row["sessionId"] = f"2{half}"
    made.rows[0]["sessionId"] = None
    path = str(made.write(root.parent / "session.jsonl"))
    assert run(["audit", path, "--json"]) == 1
    printed = capsys.readouterr()
    found = json.loads(printed.out)
    assert found["session"]["id"] == "2\ufffd"
    assert any("no UTF-8" in note for note in found["evidence"]["notes"])
    assert printed.err == ""
    assert run(["audit", path, "--html", str(root.parent / "p.html")]) == 1


def test_where_the_session_was_held_is_not_here_the_current_folder_is_taken(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(root)
    path = session(root, ALL, folder="/nowhere/work")
    assert run(["audit", path, "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["session"]["root"] == str(root)
    assert "/nowhere/work" in found["evidence"]["notes"][0]


def test_a_commit_gives_the_text_as_it_was(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = session(root, "I read doc-1.md in full.")
    identity = ("-c", "user.name=dev", "-c", "user.email=dev@example.org")
    for arguments in (("init", "-q"), ("add", "."), ("commit", "-q", "-m", "first")):
        subprocess.run(["git", "-C", str(root), *identity, *arguments], check=True)
    (root / "docs" / "doc-1.md").write_text("another text\n" * 30)
    assert run(["audit", path, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["claims"][0]["status"] == "not checkable"
    assert run(["audit", path, "--rev", "HEAD", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["claims"][0]["status"] == "supported"


def test_a_page_is_written(root: Path, tmp_path: Path) -> None:
    assert run(["audit", session(root, TWO), "--html", str(tmp_path / "page.html")]) == 0
    assert (tmp_path / "page.html").read_text().startswith("<!doctype html>")


def stored(store: Path, root: Path, name: str, when: int, *, folder: str = "") -> None:
    path = Path(session(root, TWO, folder=folder))
    os.utime(path, (when, when))
    (store / "projects" / name).mkdir(parents=True)
    path.rename(store / "projects" / name / f"{name}.jsonl")


@pytest.fixture
def store(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Claude Code's, with two sessions of the work and a newer one of another folder."""
    stored(tmp_path / ".claude", root, "old", 1000)
    stored(tmp_path / ".claude", root, "new", 2000)
    stored(tmp_path / ".claude", root, "other", 3000, folder="/nowhere/else")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    return tmp_path / ".claude"


@pytest.mark.parametrize(
    ("here", "name", "told"),
    [
        ("work", "new", "the newest session of this folder, held in {root}, last written "),
        ("work/docs", "new", "newer ones that were held elsewhere: 1"),
        ("kept", "other", "audits the newest session, held in /nowhere/else, last written 1970-"),
    ],
)
def test_the_newest_session_of_the_current_folder_comes_first(
    root: Path,
    store: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    here: str,
    name: str,
    told: str,
) -> None:
    monkeypatch.chdir(root.parent / here)
    run(["audit", "--latest", "claude", "--root", str(root), "--json"])
    printed = capsys.readouterr()
    assert json.loads(printed.out)["session"]["path"].endswith(f"{name}.jsonl")
    assert told.format(root=root) in printed.err
    assert len(printed.err.splitlines()) == 1


def test_the_newest_session_is_looked_for_where_the_cli_keeps_them(
    root: Path,
    store: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    stored(tmp_path / "mine", root, "mine", 500)
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "mine"))
    assert run(["audit", "--latest", "claude", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["session"]["path"].endswith("mine.jsonl")


def _folder(path: Path) -> None:
    path.mkdir()


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(path))


def _empty(path: Path) -> None:
    path.touch()


def _nothing(path: Path) -> None:
    pass


def _text(path: Path) -> None:
    path.write_text("Dear all,\nthis is no session.\n")


def _torn(path: Path) -> None:
    path.write_text('{"type":"user","message":{"role":"us')


def _nul(path: Path) -> None:
    path.write_bytes(b"\0" * 4096)


def _nested(path: Path) -> None:
    path.write_text("[" * 100_000)


@pytest.mark.parametrize(
    "make", [_folder, _pipe, _socket, _empty, _nothing, _text, _torn, _nul, _nested]
)
def test_what_is_no_session_is_one_clear_message(
    tmp_path: Path, make: Callable[[Path], None], capsys: pytest.CaptureFixture[str]
) -> None:
    make(tmp_path / "it")
    assert run(["audit", str(tmp_path / "it")]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(f"ocb: {tmp_path / 'it'}: ")
    assert len(printed.err.splitlines()) <= 2


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "no session is named"),
        (("S", "--latest", "claude"), "a session is named twice"),
        (("--latest", "claude"), "holds no session of claude"),
        (("S", "--root", "nowhere"), "is no folder"),
        (("S", "--rev", "HEAD"), "is in no git repository"),
        (("S", "--scope", "none/*"), "--scope 'none/*' takes in no file"),
        (("S", "--scope", ""), "--scope '' takes in no file"),
        (("S", "--html", "no/such/folder/p.html"), "cannot be written"),
        (("S", "--html", "/dev/null"), "cannot be written: it is no plain file"),
        (("S", "--html", "/"), "cannot be written: it is no plain file"),
        (("S", "--html", "S"), "is there already, and is no page of an audit"),
    ],
)
def test_what_cannot_be_done_is_told(
    root: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    told: str,
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "empty"))
    path = session(root, TWO)
    assert run(["audit", *(path if one == "S" else one for one in arguments)]) == 2
    err = capsys.readouterr().err
    assert told in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "arguments",
    [("S",), ("--rev", "HEAD"), ("--latest", "claude"), ("--json",), ("--html", "p.html"),
     ("--fail-on", "misleading"), ("--rule", "read")],
)  # fmt: skip
def test_what_a_hook_does_not_go_by_is_told_and_blocks_nothing(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """The exit code 2 would block the session, again and again."""
    assert run(["audit", "--hook", "claude", *arguments]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("ocb: --hook goes by its input, and takes none of: ")


@pytest.mark.parametrize(
    "arguments",
    [("--hook", "claude", "--unknown"), ("--hook=claude", "--rule", "none"), ("a", "b", "--hook")],
    ids=["option", "choice", "no-value"],
)
def test_wrong_usage_of_a_hook_is_told_and_blocks_nothing(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["audit", *arguments]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "Error: " in printed.err


def test_wrong_usage_without_a_hook_exits_with_2() -> None:
    assert run(["audit", "--unknown"]) == 2


@pytest.mark.parametrize("arguments", [("",), ("S", "--root", ""), ("S", "--html", "")])
def test_an_empty_text_is_not_the_current_folder(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["audit", *arguments]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "an empty text names no file or folder" in printed.err


def test_one_of_a_thing_is_no_plural(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["audit", session(root, TWO, prompt="Review docs/doc-1.md")])
    out = capsys.readouterr().out
    assert "under review: 1 file, by" in out
    assert "touched 1 of 1 file, entered 30 of 30 lines" in out


def test_misleading_needs_a_scope(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = session(root, SILENT, prompt="Hello")
    assert run(["audit", path, "--fail-on", "misleading"]) == 2
    assert "needs a review scope" in capsys.readouterr().err
    assert run(["audit", path]) == 0


def test_characters_that_the_terminal_has_not_are_written_by_their_numbers(root: Path) -> None:
    command = "from ocb.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", command, "audit", session(root, TWO)],
        capture_output=True,
        check=False,
        env=os.environ
        | {"PYTHONIOENCODING": "ascii", "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert done.returncode == 0, done.stderr
    assert b"\\u201c" in done.stdout  # the quotation mark before a claim
