"""Which format a file is, by its content; what is none; and the newest session of a store."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from authoring.errors import UserError
from evaluation.transcripts.catalogue import FORMATS, read_session, stored_sessions

FOLDER = Path(__file__).parent
SESSIONS = {
    "codex/0.118.0/rollout.jsonl": ("codex", "0.118.0"),
    "codex/0.142.0/rollout.jsonl": ("codex", "0.142.0"),
    "codex/0.142.0/exec.jsonl": ("codex exec --json", "unknown"),
    "codex/0.144.6/rollout.jsonl": ("codex", "0.144.6"),
    "gemini/0.24.0/session": ("gemini-cli", "unknown"),
    "gemini/0.24.0/stream.jsonl": ("gemini-cli stream-json", "unknown"),
    "gemini/0.41.0/session": ("gemini-cli", "unknown"),
    "opencode/1.0.142/storage": ("opencode", "1.0.142"),
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
    assert next(stored_sessions("codex", tmp_path, {})) == newest


def test_the_newest_session_of_gemini_lies_in_any_project(tmp_path: Path) -> None:
    _place(tmp_path, ".gemini/tmp/one/chats/session-a.json", "gemini/0.24.0/session", 100)
    newest = _place(tmp_path, ".gemini/tmp/two/chats/session-b.jsonl", "gemini/0.41.0/session", 200)
    assert next(stored_sessions("gemini", tmp_path, {})) == newest


@pytest.mark.parametrize("source", ["opencode/1.2.20/opencode.db", "opencode/1.1.65/storage"])
def test_the_newest_session_of_opencode_is_in_its_store(source: str, tmp_path: Path) -> None:
    store = tmp_path / ".local/share/opencode"
    store.mkdir(parents=True)
    if source.endswith(".db"):
        shutil.copyfile(FOLDER / source, store / "opencode.db")
    else:
        shutil.copytree(FOLDER / source, store / "storage")
    assert next(stored_sessions("opencode", tmp_path, {})) == store
    assert read_session(store).trajectory.steps[-1].message.startswith("The lists were looked at")


@pytest.mark.parametrize("name", ["claude", "codex", "gemini", "opencode"])
def test_a_store_without_a_session_is_said_to_hold_none(name: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=f"holds no session of {name}"):
        next(stored_sessions(name, tmp_path, {}))


@pytest.mark.parametrize(
    ("name", "variable", "folder"),
    [
        ("claude", "CLAUDE_CONFIG_DIR", "projects"),
        ("codex", "CODEX_HOME", "sessions"),
        ("gemini", "GEMINI_CLI_HOME", ".gemini/tmp"),
        ("opencode", "XDG_DATA_HOME", "opencode"),
    ],
)
def test_a_store_is_where_the_clis_own_variable_says(
    name: str, variable: str, folder: str, tmp_path: Path
) -> None:
    told = re.escape(f"{tmp_path}/other/{folder}: holds no session of {name}")
    with pytest.raises(UserError, match=told) as raised:
        next(stored_sessions(name, tmp_path, {variable: f"{tmp_path}/other"}))
    assert f"{variable} names another place" in str(raised.value)


def test_a_session_is_found_where_the_variable_says(tmp_path: Path) -> None:
    rollout = "codex/0.118.0/rollout.jsonl"
    _place(tmp_path, ".codex/sessions/2026/11/29/rollout-a.jsonl", rollout, 300)
    other = _place(tmp_path, "elsewhere/sessions/2026/11/28/rollout-b.jsonl", rollout, 200)
    environment = {"CODEX_HOME": str(tmp_path / "elsewhere")}
    assert list(stored_sessions("codex", tmp_path, environment)) == [other]


def test_a_store_that_is_not_known_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no store of 'codx' is known"):
        next(stored_sessions("codx", tmp_path, {}))


FOLDERLESS = frozenset(
    # What they print, and Gemini CLI's sessions up to 0.4x, do not say where they were.
    (
        "codex exec --json",
        "gemini-cli",
        "gemini-cli stream-json",
        "opencode run --format json",
    )
)


@pytest.mark.parametrize("name", SESSIONS)
def test_the_folder_that_a_session_was_held_in_is_told(name: str) -> None:
    session = read_session(FOLDER / name)
    told = None if session.format.name in FOLDERLESS else {"cwd": "/home/dev/review"}
    assert session.trajectory.agent.extra == told


@pytest.mark.parametrize("name", ["agents-2.1.332/projects", "agents-2.1.197/stream.jsonl"])
def test_the_folder_of_claude_code_is_told(name: str) -> None:
    agent = read_session(FOLDER / "claude" / name).trajectory.agent
    assert agent.extra == {"cwd": "/home/dev/review"}


class _Waits(io.BytesIO):
    """Files of the kernel that have nothing yet give no bytes, and not even none."""

    def read(self, size: int | None = -1, /) -> bytes:
        return None  # type: ignore[return-value]


def test_a_file_that_has_nothing_yet_is_no_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaluation.transcripts.beginnings.open_session", lambda path: _Waits())
    (tmp_path / "kmsg").touch()
    with pytest.raises(UserError, match="is no session of a known format"):
        read_session(tmp_path / "kmsg")
