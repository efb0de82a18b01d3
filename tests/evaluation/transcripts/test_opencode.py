from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from authoring.errors import UserError
from evaluation.transcripts.atif import to_atif
from evaluation.transcripts.context import context_log
from evaluation.transcripts.opencode import read_opencode_session
from evaluation.transcripts.trajectory import ResultExtra, Trajectory

SCHEMA = """
CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text, version text);
CREATE TABLE message (id text PRIMARY KEY, session_id text, data text);
CREATE TABLE part (id text PRIMARY KEY, message_id text, data text);
"""
BEGAN = 1_790_000_000_000


class Store:
    """A store in the making: ids grow as rows are added."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.database = sqlite3.connect(path)
        self.database.executescript(SCHEMA)
        self._count = 0

    def _id(self, kind: str) -> str:
        self._count += 1
        return f"{kind}_{self._count:06}"

    def session(self, key: str, parent: str | None = None) -> str:
        row = (key, parent, "/home/dev/review", "1.18.33")
        self.database.execute("INSERT INTO session VALUES (?, ?, ?, ?)", row)
        return key

    def message(self, session: str, *parts: object, **info: object) -> None:
        key = self._id("msg")
        told = {"time": {"created": BEGAN + self._count}, **info}
        self.raw_message(session, key, json.dumps(told))
        for part in parts:
            self.raw_part(key, json.dumps(part))

    def raw_message(self, session: str, key: str, data: object) -> None:
        self.database.execute("INSERT INTO message VALUES (?, ?, ?)", (key, session, data))

    def raw_part(self, message: str, data: object) -> None:
        row = (self._id("prt"), message, data)
        self.database.execute("INSERT INTO part VALUES (?, ?, ?)", row)

    def asks(self, session: str, text: str) -> None:
        self.message(session, {"type": "text", "text": text}, role="user")

    def answers(self, session: str, *parts: object, **info: object) -> None:
        begin = {"type": "step-start"}
        self.message(session, begin, *parts, role="assistant", modelID="m", **info)

    def close(self) -> None:
        self.database.commit()
        self.database.close()


def text(words: str) -> dict[str, object]:
    return {"type": "text", "text": words}


def tool(name: str, call: str, state: dict[str, object]) -> dict[str, object]:
    return {"type": "tool", "tool": name, "callID": call, "state": state}


def done(output: str, **more: object) -> dict[str, object]:
    return {"status": "completed", "input": {"filePath": "a.txt"}, "output": output, **more}


def read(tmp_path: Path, fill: Callable[[Store], None]) -> Trajectory:
    store = Store(tmp_path / "native" / "sessions" / "opencode.db")
    fill(store)
    store.close()
    return read_opencode_session(tmp_path / "native")


def contents(trajectory: Trajectory) -> dict[str, str]:
    return {
        result.source_call_id or "": result.content
        for step in trajectory.steps
        for result in (step.observation.results if step.observation else ())
    }


def test_only_the_output_is_what_the_model_saw(tmp_path: Path) -> None:
    def fill(store: Store) -> None:
        main = store.session("ses_1")
        store.asks(main, "Review.")
        shown = done("1: one", metadata={"preview": "one\ntwo", "display": {"text": "one\ntwo"}})
        store.answers(main, tool("read", "c1", shown), {"type": "step-finish", "reason": "x"})
        store.answers(main, text("All is read."))

    trajectory = read(tmp_path, fill)
    log = context_log(trajectory)
    assert [(t.thread, t.tool, t.text) for t in log.texts] == [("main", "read", "1: one")]
    assert log.texts[0].arguments == {"filePath": "a.txt"}
    assert log.final is not None
    assert log.final.text == "All is read."
    assert (trajectory.agent.version, trajectory.agent.model_name) == ("1.18.33", "m")
    assert b"two" not in to_atif(trajectory)


@pytest.mark.parametrize(
    ("state", "given", "extra"),
    [
        pytest.param(done("x"), "x", None, id="completed"),
        pytest.param(
            done("x", time={"start": 1, "end": 2, "compacted": 3}),
            "x",
            ResultExtra(cleared=True),
            id="cleared later on",
        ),
        pytest.param(
            {"status": "error", "input": {}, "error": "File not found: b"},
            "File not found: b",
            ResultExtra(status="error"),
            id="an error",
        ),
        pytest.param(
            {
                "status": "error",
                "input": {},
                "error": "aborted",
                "metadata": {"interrupted": True, "output": "half of it"},
            },
            "half of it",
            ResultExtra(status="error"),
            id="interrupted with an output",
        ),
        pytest.param(
            {"status": "error", "input": {}, "error": "no", "metadata": {"output": "for show"}},
            "no",
            ResultExtra(status="error"),
            id="an error with something for the display",
        ),
        pytest.param(
            {"status": "running", "input": {}},
            "[Tool execution was interrupted]",
            None,
            id="still running",
        ),
        pytest.param({"status": "completed", "output": ["odd"]}, "", None, id="an odd output"),
    ],
)
def test_the_model_was_given_what_the_state_says(
    state: dict[str, object], given: str, extra: object, tmp_path: Path
) -> None:
    def fill(store: Store) -> None:
        main = store.session("ses_1")
        store.asks(main, "Review.")
        store.answers(main, tool("read", "c1", state))

    trajectory = read(tmp_path, fill)
    (step,) = (step for step in trajectory.steps if step.source == "agent")
    assert step.observation is not None
    (result,) = step.observation.results
    assert (result.content, result.extra) == (given, extra)


def test_subagents_are_threads_with_parents(tmp_path: Path) -> None:
    def fill(store: Store) -> None:
        main, sub, deeper = store.session("ses_1"), "ses_2", "ses_3"
        store.asks(main, "Review.")
        started = done("<task_result>fine</task_result>", metadata={"sessionId": sub})
        store.session(sub, main)
        store.session(deeper, sub)
        store.answers(main, tool("task", "c1", started))
        for one in (sub, deeper):
            store.asks(one, f"Look at {one}.")
            store.answers(one, text("Fine."))

    trajectory = read(tmp_path, fill)
    log = context_log(trajectory)
    assert [(t.id, t.kind, t.parent, t.prompt) for t in log.threads] == [
        ("main", "main", None, "Review."),
        ("ses_2", "subagent", "main", "Look at ses_2."),
        ("ses_3", "subagent", "ses_2", "Look at ses_3."),
    ]
    assert log.reports == {"ses_2": "Fine.", "ses_3": "Fine."}
    assert log.missing == ()


def test_what_is_lost_is_said(tmp_path: Path) -> None:
    def fill(store: Store) -> None:
        main = store.session("ses_1")
        store.asks(main, "Review.")
        started = done("fine", metadata={"sessionId": "ses_9"})
        store.answers(main, tool("task", "c1", started))
        store.answers(main, text("What was done so far."), summary=True)
        store.raw_message(main, "msg_900000", "{torn")
        store.raw_message(main, "msg_900001", b"\x00")

    trajectory = read(tmp_path, fill)
    assert context_log(trajectory).missing == (
        "2 unreadable rows of the session",
        "session of sub-agent ses_9",
        "which results session ses_1 was still given after a compaction",
    )
    assert [step.message for step in trajectory.steps] == ["Review.", ""]


def test_a_message_may_hold_several_answers_and_a_failed_one_is_none(tmp_path: Path) -> None:
    def fill(store: Store) -> None:
        main = store.session("ses_1")
        store.asks(main, "Review.")
        store.answers(main, error={"name": "APIError"})
        tokens = {"input": 5, "output": 2, "cache": {"read": 10, "write": 1}}
        store.answers(
            main,
            tool("read", "c1", done("1: one")),
            {"type": "step-finish", "tokens": tokens},
            {"type": "step-start"},
            text("Read."),
        )

    first, second = (step for step in read(tmp_path, fill).steps if step.source == "agent")
    assert first.metrics is not None
    assert (first.metrics.prompt_tokens, first.metrics.completion_tokens) == (16, 2)
    assert second.message == "Read."


def test_rows_that_only_the_log_beside_the_store_holds_are_read(tmp_path: Path) -> None:
    path = tmp_path / "live" / "opencode.db"
    store = Store(path)
    with contextlib.closing(store.database) as database:
        database.execute("PRAGMA journal_mode = WAL")
        store.asks(store.session("ses_1"), "Review.")
        store.answers("ses_1", text("Read."))
        database.commit()
        shutil.copytree(path.parent, tmp_path / "native")
    before = sorted(p.read_bytes() for p in (tmp_path / "native").iterdir())
    trajectory = read_opencode_session(tmp_path / "native")
    assert [step.message for step in trajectory.steps] == ["Review.", "Read."]
    assert sorted(p.read_bytes() for p in (tmp_path / "native").iterdir()) == before


def test_odd_times_order_nothing_and_break_nothing(tmp_path: Path) -> None:
    def fill(store: Store) -> None:
        main = store.session("ses_1")
        store.asks(main, "Review.")
        for created in (-1, 1 << 70, "soon", None, True):
            store.answers(main, text("Read."), time={"created": created})
        store.answers(main, text("Read."), time={"created": BEGAN + 123})

    steps = read(tmp_path, fill).steps
    assert [step.timestamp for step in steps[1:]] == [*[None] * 5, "2026-09-21T14:13:20.123Z"]


def store_with(script: str) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        with contextlib.closing(sqlite3.connect(path)) as database:
            database.executescript(script)

    return make


NEWER = "CREATE TABLE session_v2 (id text); CREATE TABLE session_message (data text);"
VIEWS = """
CREATE VIEW message AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
    SELECT x AS id, x AS session_id, x AS data FROM n;
CREATE TABLE session (id text, parent_id text, directory text, version text);
CREATE TABLE part (id text, message_id text, data text);
"""
TWO = (
    SCHEMA
    + """
INSERT INTO session VALUES ('ses_1', NULL, '/', '1'), ('ses_2', NULL, '/', '1');
INSERT INTO message VALUES ('m1', 'ses_1', '{"role": "user"}'), ('m2', 'ses_2', '{}');
"""
)
SILENT = (
    SCHEMA
    + """
INSERT INTO session VALUES ('ses_1', NULL, '/', '1');
INSERT INTO message VALUES ('m1', 'ses_1', '{"role": "user"}');
"""
)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        pytest.param(lambda path: None, "holds 0 OpenCode stores", id="no store"),
        pytest.param(lambda path: path.write_bytes(b""), "table `session`", id="an empty file"),
        pytest.param(
            lambda path: path.write_bytes(b"x" * 5000), "no OpenCode store", id="no SQLite"
        ),
        pytest.param(lambda path: path.mkdir(), "no OpenCode store", id="a folder"),
        pytest.param(store_with(NEWER), "table `session`", id="a newer version"),
        pytest.param(store_with(VIEWS), "table `message`", id="a view that never ends"),
        pytest.param(store_with(SCHEMA), "holds 0 OpenCode sessions", id="no session"),
        pytest.param(store_with(TWO), "holds 2 OpenCode sessions", id="two sessions"),
        pytest.param(store_with(SILENT), "holds no messages", id="a session without words"),
    ],
)
def test_what_is_no_session_is_said_in_one_line(
    make: Callable[[Path], object], message: str, tmp_path: Path
) -> None:
    make(tmp_path / "opencode.db")
    with pytest.raises(UserError, match=message):
        read_opencode_session(tmp_path)


def test_a_torn_store_is_no_session(tmp_path: Path) -> None:
    def fill(store: Store) -> None:
        store.asks(store.session("ses_1"), "Review. " * 5000)

    read(tmp_path, fill)
    path = tmp_path / "native" / "sessions" / "opencode.db"
    path.write_bytes(path.read_bytes()[:9000])
    with pytest.raises(UserError, match="no OpenCode store"):
        read_opencode_session(tmp_path / "native")


def test_two_stores_are_not_guessed_between(tmp_path: Path) -> None:
    for name in ("a", "b"):
        Store(tmp_path / name / "opencode.db").close()
    with pytest.raises(UserError, match="holds 2 OpenCode stores"):
        read_opencode_session(tmp_path)
