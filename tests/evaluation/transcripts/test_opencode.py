from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from authoring.errors import UserError
from evaluation.reading.context import ATTACHED
from evaluation.transcripts.atif import to_atif
from evaluation.transcripts.context import context_log
from evaluation.transcripts.opencode import is_opencode, read_opencode, read_opencode_session
from evaluation.transcripts.opencode_tools import TOOLS, TOOLS_2, tools_of
from evaluation.transcripts.trajectory import ResultExtra, Trajectory

SCHEMA = """
CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text, version text);
CREATE TABLE message (id text PRIMARY KEY, session_id text, data text);
CREATE TABLE part (id text PRIMARY KEY, message_id text, data text);
"""
INSERT = "INSERT INTO session (id, parent_id, directory, version) VALUES (?, ?, ?, ?)"
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
        self.database.execute(INSERT, row)
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
    state: dict[str, object],
    given: str,
    extra: object,
    tmp_path: Path,
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
    )
    assert [step.message for step in trajectory.steps] == ["Review.", ""]


@pytest.mark.parametrize(
    "output",
    [
        "task_id: ses_9 (for resuming it)\n\n<task_result>\nfine\n</task_result>",
        '<subagent sessionID="ses_9" state="completed">\nfine\n</subagent>',
    ],
)
def test_a_subagent_may_be_named_in_what_its_call_gave_alone(output: str, tmp_path: Path) -> None:
    def fill(store: Store) -> None:
        main = store.session("ses_1")
        store.asks(main, "Review.")
        store.answers(main, tool("task", "c1", done(output)))
        store.answers(main, text("All is read."))

    trajectory = read(tmp_path, fill)
    assert context_log(trajectory).missing == ("session of sub-agent ses_9",)


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
            lambda path: path.write_bytes(b"x" * 5000),
            "no OpenCode store",
            id="no SQLite",
        ),
        pytest.param(lambda path: path.mkdir(), "no OpenCode store", id="a folder"),
        pytest.param(store_with(NEWER), "that is known: its table `session_message`", id="newer"),
        pytest.param(store_with(VIEWS), "table `message`", id="a view that never ends"),
        pytest.param(store_with(SCHEMA), "holds 0 OpenCode sessions", id="no session"),
        pytest.param(store_with(TWO), "holds 2 OpenCode sessions", id="two sessions"),
        pytest.param(store_with(SILENT), "holds no messages", id="a session without words"),
    ],
)
def test_what_is_no_session_is_said_in_one_line(
    make: Callable[[Path], object],
    message: str,
    tmp_path: Path,
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


def test_a_store_whose_names_are_no_text_is_no_session(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.executescript(SCHEMA)
        database.execute("PRAGMA writable_schema = ON")
        name = b"message \xe7\xff"
        database.execute(
            "UPDATE sqlite_schema SET name = CAST(? AS TEXT), sql = 'CREATE X'", (name,)
        )
        database.commit()
    assert is_opencode(path) is False
    with pytest.raises(UserError, match="no OpenCode store that can be read"):
        read_opencode_session(tmp_path)


def test_two_stores_are_not_guessed_between(tmp_path: Path) -> None:
    for name in ("a", "b"):
        Store(tmp_path / name / "opencode.db").close()
    with pytest.raises(UserError, match="holds 2 OpenCode stores"):
        read_opencode_session(tmp_path)


def lay_tree(root: Path, *, output: str = "tree", message: str = "msg_000002") -> None:
    """A tree of one session with one read."""
    session = {"id": "ses_1", "version": "1.0.98", "directory": "/home/dev/review"}
    asked = {"id": "msg_000001", "sessionID": "ses_1", "role": "user"}
    told = {"id": message, "sessionID": "ses_1", "role": "assistant", "modelID": "m"}
    end = {"id": "msg_000009", "sessionID": "ses_1", "role": "assistant", "modelID": "m"}
    parts = {
        "msg_000001/prt_1": text("Review."),
        f"{message}/prt_2": {**tool("read", f"c-{message}", done(output)), "id": "prt_2"},
        "msg_000009/prt_3": text("Read."),
    }
    files = {"session/global/ses_1": session} | {f"part/{key}": one for key, one in parts.items()}
    files |= {f"message/ses_1/{one['id']}": one for one in (asked, told, end)}
    for name, value in files.items():
        path = root / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value))


def shown(trajectory: Trajectory) -> list[str]:
    return [one.text for one in context_log(trajectory).texts]


@pytest.mark.parametrize("given", ["", "storage", "storage/session/global/ses_1.json"])
def test_the_older_tree_is_read(given: str, tmp_path: Path) -> None:
    lay_tree(tmp_path / "storage")
    trajectory = read_opencode(tmp_path / given)
    assert (shown(trajectory), trajectory.agent.version) == (["tree"], "1.0.98")


def test_store_and_tree_of_the_same_session_are_one(tmp_path: Path) -> None:
    """The store has one message of the tree's, and one of its own."""
    store = Store(tmp_path / "opencode.db")
    store.session("ses_1")
    for key, output in (("msg_000002", "store"), ("msg_000003", "store alone")):
        info = {"role": "assistant", "modelID": "m"}
        store.raw_message("ses_1", key, json.dumps(info))
        store.raw_part(key, json.dumps(tool("read", f"c-{key}", done(output))))
    store.database.execute("UPDATE part SET id = 'prt_2' WHERE message_id = 'msg_000002'")
    store.close()
    lay_tree(tmp_path / "storage")
    trajectory = read_opencode(tmp_path)
    assert shown(trajectory) == ["store", "store alone"]
    assert trajectory.steps[-1].message == "Read."


def test_of_many_sessions_the_newest_is_read_and_that_is_said(tmp_path: Path) -> None:
    store = Store(tmp_path / "opencode.db")
    store.database.execute("ALTER TABLE session ADD COLUMN time_updated integer")
    for number, updated in enumerate((5, 9, 7)):
        store.asks(store.session(f"ses_{number}"), f"Review {number}.")
        store.database.execute(
            "UPDATE session SET time_updated = ? WHERE id = ?",
            (updated, f"ses_{number}"),
        )
    store.asks(store.session("ses_sub", "ses_1"), "Look.")
    store.close()
    trajectory = read_opencode(tmp_path / "opencode.db")
    assert trajectory.steps[0].message == "Review 1."
    assert [one.trajectory_id for one in trajectory.subagent_trajectories or ()] == ["ses_sub"]
    assert trajectory.extra is not None
    assert trajectory.extra.evidence is not None
    assert trajectory.extra.evidence.inferred == (
        "that the newest session is meant: the store holds 2 more",
    )


def test_results_that_a_compaction_may_have_come_before_are_doubtful(tmp_path: Path) -> None:
    def fill(store: Store) -> None:
        main = store.session("ses_1")
        store.asks(main, "Review.")
        store.answers(main, tool("read", "c1", done("1: one")))
        store.answers(main, tool("read", "c2", done("1: two")))
        store.answers(main, text("So far."), summary=True)
        store.answers(main, text("All is read."))

    log = context_log(read(tmp_path, fill))
    assert [(one.text, one.doubtful) for one in log.texts] == [("1: one", False), ("1: two", True)]
    assert (log.tells_visibility, log.may_have_cleared, log.missing) == (True, True, ())


def test_a_file_that_the_user_named_is_attached(tmp_path: Path) -> None:
    said = 'Called the Read tool with the following input: {"filePath":"/home/dev/review/a.txt"}'
    given = "<file>\n00001| one\n\n(End of file - total 1 lines)\n</file>"

    def fill(store: Store) -> None:
        main = store.session("ses_1")
        own = {"type": "text", "synthetic": True}
        parts = (text("Review @a.txt."), {**own, "text": said}, {**own, "text": given})
        store.message(main, *parts, role="user")
        store.answers(main, text("Read."))

    log = context_log(read(tmp_path, fill))
    assert [(one.tool, one.arguments, one.text) for one in log.texts] == [
        (ATTACHED, {"path": "/home/dev/review/a.txt"}, given),
    ]
    assert log.threads[0].prompt == "Review @a.txt."


def test_files_that_were_read_at_once_are_all_attached(tmp_path: Path) -> None:
    """The calls come first, and what they gave in the order in which they ended."""
    called = "Called the Read tool with the following input: "
    given = [f"<file>\n00001| {word}\n</file>" for word in ("one", "two")]
    own = {"type": "text", "synthetic": True}
    texts = [called + '{"filePath":"/x/a.txt"}', called + '{"filePath":"/x/b.txt"}', *given]

    def fill(store: Store) -> None:
        main = store.session("ses_1")
        parts = (text("Review both."), *({**own, "text": said} for said in texts))
        store.message(main, *parts, role="user")
        store.answers(main, text("Read."))

    log = context_log(read(tmp_path, fill))
    assert [(one.tool, one.arguments, one.text) for one in log.texts] == [
        (ATTACHED, {}, given[0]),
        (ATTACHED, {}, given[1]),
    ]
    assert log.threads[0].prompt == "Review both."


NEW = """
CREATE TABLE session_v2 (id text PRIMARY KEY, parent_id text, version text, time_updated integer);
CREATE TABLE session_message (
    id text PRIMARY KEY, session_id text, type text, seq integer, data text
);
INSERT INTO session_v2 VALUES ('ses_1', NULL, '2.0.14', 1), ('ses_2', 'ses_1', '2.0.14', 1);
"""


def new_store(path: Path, *rows: tuple[str, str, dict[str, object]]) -> None:
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.executescript(NEW)
        for number, (session, kind, data) in enumerate(rows, start=1):
            row = (f"x{99 - number}", session, kind, number, json.dumps(data))
            database.execute("INSERT INTO session_message VALUES (?, ?, ?, ?, ?)", row)
        database.commit()


def new_tool(name: str, call: str, given: str, **more: object) -> dict[str, object]:
    state = {"status": "completed", "input": {"path": "a.txt"}, **more}
    return {
        "type": "tool",
        "id": call,
        "name": name,
        "state": {**state, "content": [{"type": "text", "text": given}]},
    }


def test_the_tables_of_version_2_are_read(tmp_path: Path) -> None:
    reads = new_tool("read", "c1", "Read file a.txt, lines 1-2\n1: one\n2: two")
    starts = new_tool("subagent", "c2", "fine", metadata={"sessionID": "ses_2"})
    new_store(
        tmp_path / "opencode.db",
        ("ses_1", "user", {"text": "Review."}),
        ("ses_1", "assistant", {"content": [reads, starts], "model": {"id": "m"}}),
        ("ses_2", "user", {"text": "Look."}),
        ("ses_2", "assistant", {"content": [{"type": "text", "text": "Fine."}]}),
        ("ses_1", "shell", {"command": "cat a.txt", "output": "one\ntwo"}),
        ("ses_1", "synthetic", {"text": "The user ran cat a.txt:\none\ntwo"}),
        ("ses_1", "dream", {}),
        ("ses_1", "assistant", {"content": [{"type": "text", "text": "All is read."}]}),
    )
    trajectory = read_opencode(tmp_path)
    log = context_log(trajectory)
    assert [(one.tool, one.text) for one in log.texts] == [
        ("read", "Read file a.txt, lines 1-2\n1: one\n2: two"),
        ("subagent", "fine"),
        (ATTACHED, "The user ran cat a.txt:\none\ntwo"),
    ]
    assert [(thread.id, thread.prompt) for thread in log.threads] == [
        ("main", "Review."),
        ("ses_2", "Look."),
    ]
    assert trajectory.extra is not None
    assert trajectory.extra.evidence is not None
    assert trajectory.extra.evidence.unknown == {"dream": 1}
    assert (log.models, trajectory.agent.version) == ({"m": 1}, "2.0.14")


OLD = "<file>\n{}\n\n(End of file - total 3 lines)\n</file>"
CUT = (
    "<path>/a.txt</path>\n<type>file</type>\n<content>{}\n\n"
    "(File has more lines. Use 'offset' parameter to read beyond line 2)\n</content>"
)
LATE = (
    "<path>/a.txt</path>\n<type>file</type>\n<content>\n{}\n\n"
    "(Showing lines 1-2 of 9. Use offset=3 to continue.)\n</content>"
)
FORMS = {
    "1.0": ("1.0.98", OLD, "{n:05}| "),
    "1.1": ("1.1.65", CUT, "{n}: "),
    "1.18": ("1.18.33", LATE, "{n}: "),
    "marked": ("1.18.33", LATE, "{n}:ab|"),
    "2.0": ("2.0.14", "Read file a.txt, lines 1-2\n{}", "{n}: "),
}


@pytest.mark.parametrize("form", FORMS)
def test_what_a_read_puts_around_a_file_is_no_line_of_it(form: str) -> None:
    version, frame, number = FORMS[form]
    lines = ["(End of file - total 7 lines)", "  3: indented"]
    numbered = "\n".join(number.format(n=n) + line for n, line in enumerate(lines, start=1))
    tool = tools_of(version)["read"]
    assert tool.added is not None
    assert tool.number is not None
    plain = tool.added.sub("", frame.format(numbered)).split("\n")
    assert [tool.number.sub("", line, count=1) for line in plain if line] == lines


def test_version_2_calls_the_path_otherwise() -> None:
    assert tools_of("2.0.14") is TOOLS_2
    assert tools_of("1.18.33") is TOOLS
    assert (TOOLS["read"].path_argument, TOOLS_2["read"].path_argument) == ("filePath", "path")
