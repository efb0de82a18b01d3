"""Which format a file is, by its content; what is none; and the newest session of a store."""

from __future__ import annotations

import json
import os
import shutil
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from authoring.errors import UserError
from evaluation.transcripts.catalogue import FORMATS, latest, read_session

FOLDER = Path(__file__).parent
SESSIONS = {
    "codex/0.118.0/rollout.jsonl": ("codex", "0.118.0"),
    "codex/0.142.0/rollout.jsonl": ("codex", "0.142.0"),
    "codex/0.142.0/exec.jsonl": ("codex exec --json", "unknown"),
    "codex/0.144.6/rollout.jsonl": ("codex", "0.144.6"),
    "gemini/0.24.0/session": ("gemini-cli", "unknown"),
    "gemini/0.24.0/stream.jsonl": ("gemini-cli stream-json", "unknown"),
    "gemini/0.41.0/session": ("gemini-cli", "unknown"),
    "opencode/1.0.98/storage": ("opencode", "1.0.98"),
    "opencode/1.1.65/storage": ("opencode", "1.1.65"),
    "opencode/1.2.20/opencode.db": ("opencode", "1.2.20"),
    "opencode/1.2.20/export.json": ("opencode export", "1.2.20"),
    "opencode/1.2.20/run.jsonl": ("opencode run --format json", "unknown"),
}


@pytest.mark.parametrize("name", SESSIONS)
def test_a_session_is_told_by_its_content_alone(name: str, tmp_path: Path) -> None:
    source, given = FOLDER / name, tmp_path / "something.txt"
    if source.is_dir():
        given = tmp_path / "something"
        shutil.copytree(source, given)
    else:
        shutil.copyfile(source, given)
    session = read_session(given)
    assert (session.format.name, session.trajectory.agent.version) == SESSIONS[name]


@pytest.mark.parametrize("name", SESSIONS)
def test_no_session_passes_for_one_of_another_format(name: str) -> None:
    assert [one.name for one in FORMATS if one.sniff(FOLDER / name)] == [SESSIONS[name][0]]


def test_a_folder_that_holds_a_session_and_what_was_printed_is_read_by_the_session(
    tmp_path: Path,
) -> None:
    shutil.copyfile(FOLDER / "codex/0.142.0/exec.jsonl", tmp_path / "a.jsonl")
    shutil.copyfile(FOLDER / "codex/0.142.0/rollout.jsonl", tmp_path / "b.jsonl")
    assert read_session(tmp_path).format.name == "codex"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        pytest.param('{"schema_version":"ATIF-v1.9","steps":[]}', "ATIF-v1.9, which is newer"),
        pytest.param('{"schema_version":"ATIF-v2.0","steps":[]}', "ATIF-v2.0, which is newer"),
        pytest.param('{"schema":"fixed.session/2"}\n', "fixed.session/2, which is newer"),
    ],
)
def test_a_newer_version_is_said_to_be_one(text: str, what: str, tmp_path: Path) -> None:
    path = tmp_path / "session.json"
    path.write_text(text)
    with pytest.raises(UserError, match=what):
        read_session(path)


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(path))


HOSTILE: dict[str, Callable[[Path], object]] = {
    "an empty file": lambda path: path.write_bytes(b""),
    "NUL bytes": lambda path: path.write_bytes(b"\0" * 5000),
    "an empty folder": lambda path: path.mkdir(),
    "a pipe": os.mkfifo,
    "a socket": _socket,
    "a link to nowhere": lambda path: path.symlink_to("nowhere"),
    "a link to itself": lambda path: path.symlink_to(path),
    "deep nesting": lambda path: path.write_bytes(b"[" * 200_000),
    "deep objects": lambda path: path.write_bytes(b'{"a":' * 100_000),
    "a long line": lambda path: path.write_bytes(b"x" * (3 << 20)),
    "half a surrogate pair": lambda path: path.write_bytes(b'{"type": "\\ud83d"}\n'),
    "another database": lambda path: path.write_bytes(b"SQLite format 3\0" + b"\0" * 4080),
    "prose": lambda path: path.write_text("Nothing of the kind.\n"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_what_is_no_session_is_one_clear_message(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "given"
    HOSTILE[kind](path)
    with pytest.raises(UserError) as raised:
        read_session(path)
    assert str(raised.value).count("\n") <= 1  # what is wrong, and what to do


def _place(home: Path, name: str, source: str, when: int) -> Path:
    path = home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(FOLDER / source, path)
    os.utime(path, (when, when))
    return path


def test_the_newest_session_of_codex_is_no_subagents(tmp_path: Path) -> None:
    rollout = "codex/0.118.0/rollout.jsonl"
    _place(tmp_path, ".codex/sessions/2026/11/29/rollout-a.jsonl", rollout, 100)
    newest = _place(tmp_path, ".codex/sessions/2026/11/28/rollout-b.jsonl", rollout, 200)
    sub = _place(tmp_path, ".codex/sessions/2026/11/30/rollout-c.jsonl", rollout, 300)
    rows = sub.read_text().split("\n", 1)
    meta = json.loads(rows[0])
    meta["payload"]["source"] = {"subagent": {"thread_spawn": {"parent_thread_id": "x"}}}
    sub.write_text(json.dumps(meta) + "\n" + rows[1])
    _place(tmp_path, ".codex/sessions/2026/11/30/rollout-d.jsonl", "gemini/0.41.0/session", 400)
    assert latest("codex", tmp_path) == newest


def test_the_newest_session_of_gemini_lies_in_any_project(tmp_path: Path) -> None:
    _place(tmp_path, ".gemini/tmp/one/chats/session-a.json", "gemini/0.24.0/session", 100)
    newest = _place(tmp_path, ".gemini/tmp/two/chats/session-b.jsonl", "gemini/0.41.0/session", 200)
    assert latest("gemini", tmp_path) == newest


@pytest.mark.parametrize("source", ["opencode/1.2.20/opencode.db", "opencode/1.1.65/storage"])
def test_the_newest_session_of_opencode_is_in_its_store(source: str, tmp_path: Path) -> None:
    store = tmp_path / ".local/share/opencode"
    store.mkdir(parents=True)
    if source.endswith(".db"):
        shutil.copyfile(FOLDER / source, store / "opencode.db")
    else:
        shutil.copytree(FOLDER / source, store / "storage")
    assert latest("opencode", tmp_path) == store
    assert read_session(store).trajectory.steps[-1].message.startswith("I have gone through")


@pytest.mark.parametrize("name", ["claude", "codex", "gemini", "opencode"])
def test_a_store_without_a_session_is_said_to_hold_none(name: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=f"holds no session of {name}"):
        latest(name, tmp_path)


def test_a_store_that_is_not_known_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no store of 'codx' is known"):
        latest("codx", tmp_path)
