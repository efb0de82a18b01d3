"""What is fuzzed: small sessions of every format, kept ones with their texts shortened."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from evaluation.transcripts.atif import to_atif
from evaluation.transcripts.catalogue import read_session

FOLDER = Path(__file__).parent
LONGEST = 160
"""Characters of a text that are kept: what is fuzzed is the form."""
MOST_ROWS = 60
ROWS = ".rows"
"""Ends the name of a file that stands for a database: a JSON row of table and values a line."""

Files = Mapping[str, bytes]
"""By path below the session's folder; a single one is the session itself."""


def shortened(value: Any) -> Any:
    """A value with short texts."""
    if isinstance(value, str):
        return value[:LONGEST]
    if isinstance(value, list):
        return [shortened(item) for item in value]
    if isinstance(value, dict):
        return {key: shortened(item) for key, item in value.items()}
    return value


def short(data: bytes) -> bytes:
    """A file of JSON with short texts, and not too many rows."""
    try:
        return json.dumps(shortened(json.loads(data))).encode()
    except json.JSONDecodeError:
        rows = [shortened(json.loads(line)) for line in data.split(b"\n") if line]
    return lines(rows if len(rows) <= MOST_ROWS else [*rows[: MOST_ROWS - 5], *rows[-5:]])


def lines(rows: Iterable[Any]) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def kept(name: str) -> Files:
    """A session that is kept here: a file, or a folder."""
    path = FOLDER / name
    if path.is_file():
        return {"session": short(path.read_bytes())}
    return {
        str(file.relative_to(path)): short(file.read_bytes())
        for file in sorted(path.rglob("*"))
        if file.is_file()
    }


def database() -> Files:
    """As it lies on disk, for damage to its pages."""
    return {"session": (FOLDER / "opencode/1.2.20/opencode.db").read_bytes()}


def rows_of_database() -> Files:
    """What stands in it, for damage to its rows."""
    rows: list[Any] = []
    with contextlib.closing(sqlite3.connect(FOLDER / "opencode/1.2.20/opencode.db")) as found:
        for table in ("session", "message", "part"):
            cursor = found.execute(f"SELECT * FROM {table}")  # noqa: S608 - of the names above
            names = [column[0] for column in cursor.description]
            rows += [[table, dict(zip(names, row, strict=True))] for row in cursor]
    return {f"session{ROWS}": lines(shortened_row(row) for row in rows)}


def shortened_row(row: Any) -> Any:
    table, values = row
    data = values.get("data")
    if isinstance(data, str):
        values["data"] = json.dumps(shortened(json.loads(data)))
    return [table, values]


def build_database(path: Path, rows: Iterable[Any]) -> None:
    """A database of rows, as far as they can be put into one."""
    made: set[str] = set()
    with contextlib.closing(sqlite3.connect(path)) as found:
        for row in rows:
            if not (isinstance(row, list) and len(row) == 2 and isinstance(row[1], dict)):
                continue
            table, values = f"{row[0]}".encode(errors="replace").decode().replace('"', ""), row[1]
            names = [f'"{name}"' for name in values if name.isidentifier()]
            told = [plain(value) for name, value in values.items() if name.isidentifier()]
            with contextlib.suppress(sqlite3.Error):
                if table not in made:
                    made.add(table)
                    found.execute(f'CREATE TABLE "{table}" ({", ".join(names)})')
                marks = ", ".join("?" * len(names))
                insert = f'INSERT INTO "{table}" ({", ".join(names)}) VALUES ({marks})'  # noqa: S608
                found.execute(insert, told)
        found.commit()


def plain(value: Any) -> Any:
    """What a database can hold."""
    if isinstance(value, str):
        return value.encode(errors="replace").decode()
    if isinstance(value, int) and abs(value) >= 1 << 63:
        return float(value)
    return value if value is None or isinstance(value, int | float) else json.dumps(value)


def opencode_2() -> Files:
    """The tables of version 2, as they were described, with a sub-agent as late versions of 1 write
    one."""
    state: dict[str, Any] = {"status": "completed", "input": {"path": "north.txt"}}
    given = "Read file north.txt, lines 1-1\n1: crate 1 of the north hall holds 7 pieces"
    content = [{"type": "text", "text": given}]
    tool: dict[str, Any] = {
        "type": "tool",
        "id": "c1",
        "name": "read",
        "state": {**state, "content": content},
    }
    page = {"type": "text-page", "content": "crate 1 of the north hall holds 7 pieces"}
    bare = {**tool, "id": "c3", "state": {**state, "content": [], "structured": page}}
    agent = {**tool, "id": "c2", "name": "subagent"}
    agent["state"] = {**state, "content": content, "metadata": {"sessionID": "ses_2"}}
    model = {"model": {"id": "m-1"}, "tokens": {"input": 3, "output": 4, "cache": {"read": 1}}}
    messages = [
        ("ses_1", "user", {"text": "Review."}),
        ("ses_1", "shell", {"command": "cat north.txt"}),
        ("ses_1", "synthetic", {"text": given}),
        ("ses_1", "assistant", {"content": [tool, agent], **model, "time": {"created": 1}}),
        ("ses_2", "user", {"text": "Read."}),
        ("ses_2", "assistant", {"content": [bare, {"type": "text", "text": "Read."}], **model}),
        ("ses_1", "compaction", {"summary": "so far"}),
        ("ses_1", "assistant", {"content": [{"type": "text", "text": "All is read."}], **model}),
    ]
    sessions = [
        ["session_v2", {"id": "ses_1", "parent_id": None, "version": "2.0.14", "time_updated": 1}],
        ["session_v2", {"id": "ses_2", "parent_id": "ses_1", "version": "1.18.33"}],
    ]
    rows: list[Any] = [
        ["session_message", {"id": f"m{n}", "session_id": of, "type": kind, "seq": n, "data": data}]
        for n, (of, kind, data) in enumerate(messages, start=1)
    ]
    for row in rows:
        row[1]["data"] = json.dumps(row[1]["data"])
    return {f"session{ROWS}": lines([*sessions, *rows])}


def fixed() -> Files:
    """The built-in loop's, with a sub-agent."""
    call = {"id": "c1", "name": "read_file", "arguments": '{"path": "north.txt"}'}
    order = {"id": "c2", "name": "delegate", "arguments": '{"task": "Read."}'}
    usage = {"prompt_tokens": 3, "completion_tokens": 4}
    answer = {"role": "assistant", "text": "", "model": "m-1", "usage": usage}
    result = {"role": "tool", "result_of": "c1", "name": "read_file"}
    result["text"] = "1\tcrate 1 of the north hall holds 7 pieces"
    main: dict[str, Any] = {"thread": "main"}
    sub: dict[str, Any] = {"thread": "sub-1", "parent": "main"}
    rows: list[dict[str, Any]] = [
        {"schema": "fixed.session/1", "version": "1", "model": "m-1"},
        {**main, "role": "system", "text": "You review."},
        {**main, "role": "user", "text": "Review."},
        {**main, **answer, "calls": [call, order]},
        {**main, **result},
        {**sub, "role": "user", "text": "Read."},
        {**sub, **answer, "calls": [call]},
        {**sub, **result},
        {**sub, **answer, "text": "Read."},
        {**main, "role": "tool", "text": "Read.", "result_of": "c2", "subagent": "sub-1"},
        {**main, **answer, "text": "All is read."},
    ]
    return {"session": lines(rows)}


def codex_agents() -> Files:
    """A main agent with a sub-agent that was forked from it, and a compaction."""
    time = "2026-11-30T10:00:00.000Z"
    late = "2026-11-30T10:00:09.000Z"

    def row(kind: str, when: str = time, **payload: Any) -> Any:
        return {"timestamp": when, "type": kind, "payload": payload}

    def item(kind: str, when: str = time, **payload: Any) -> Any:
        return row("response_item", when, type=kind, **payload)

    def said(role: str, text: str, when: str = time) -> Any:
        content = [{"type": "output_text" if role == "assistant" else "input_text", "text": text}]
        return item("message", when, role=role, content=content)

    def read(call: str, when: str = time) -> list[Any]:
        arguments = json.dumps({"cmd": "cat north.txt"})
        output = "Chunk ID: 1\nWall time: 0.1\nOutput:\ncrate 1 of the north hall holds 7 pieces\n"
        return [
            item("function_call", when, name="exec_command", call_id=call, arguments=arguments),
            item("function_call_output", when, call_id=call, output=output),
        ]

    meta: dict[str, Any] = {
        "id": "thread-main",
        "cli_version": "0.118.0",
        "source": "exec",
        "cwd": "/home/dev",
    }
    spawn = {"parent_thread_id": "thread-main", "depth": 1}
    source = {"subagent": {"thread_spawn": spawn}}
    forked: dict[str, Any] = {
        "forked_from_id": "thread-main",
        "source": source,
        "cli_version": "0.118.0",
    }
    shared = [said("user", "Review."), *read("c1")]
    main = [
        row("session_meta", **meta),
        row("turn_context", model="m-1", cwd="/home/dev"),
        *shared,
        item("function_call", name="spawn_agent", call_id="c2", arguments='{"message": "Read."}'),
        row("event_msg", type="collab_agent_spawn_end", new_thread_id="thread-sub"),
        item("function_call_output", call_id="c2", output='{"agent_id": "thread-sub"}'),
        item("custom_tool_call", name="exec", call_id="c3", input="text(1)"),
        item("custom_tool_call_output", call_id="c3", output=[{"type": "input_text", "text": "1"}]),
        row("token_usage_record", usage={"input_tokens": 3, "output_tokens": 4}),
        row("compacted", message="so far", replacement_history=[said("user", "Go on.")["payload"]]),
        said("assistant", "All is read."),
    ]
    sub = [
        row("session_meta", id="thread-sub", **forked),
        row("session_meta", **meta),
        *shared,
        said("user", "Read.", late),
        *read("s1", late),
        said("assistant", "Read.", late),
    ]
    return {"rollout-main.jsonl": lines(main), "rollout-thread-sub.jsonl": lines(sub)}


def gemini_agents() -> Files:
    """A main agent with a sub-agent, an attached file, and a rewritten history."""
    sub = "0412ce08-ea22-4ebb-b4cb-79966dbe2b8b"
    text = "crate 1 of the north hall holds 7 pieces\n"

    def call(identity: str, name: str, output: str, **more: Any) -> Any:
        response = {"id": identity, "name": name, "response": {"output": output}}
        args = {"file_path": "north.txt", "prompt": "Read."}
        result = [{"functionResponse": response}]
        return {"id": identity, "name": name, "args": args, "result": result, **more}

    def answer(identity: str, words: str, *calls: Any) -> Any:
        time = {"timestamp": f"2026-11-30T10:00:{identity[1:]:0>2}.000Z"}
        row = {"id": identity, "type": "gemini", "content": words, "model": "m-1", **time}
        return {**row, "tokens": {"input": 3, "output": 4, "thoughts": 1}, "toolCalls": list(calls)}

    files = f"Review.\n--- Content from referenced files ---\nContent from @north.txt:\n{text}"
    asked = {"id": "u1", "type": "user", "content": [{"text": f"{files}\n--- End of content ---"}]}
    masked = call("c1", "read_file", "<tool_output_masked>\n</tool_output_masked>")
    main = [
        {"sessionId": "main-1", "projectHash": "x", "kind": "main", "startTime": "x"},
        asked,
        answer("g1", "", call("c1", "read_file", text, status="success")),
        answer("g2", "", call("c2", "invoke_agent", "Read.", agentId=sub)),
        {"$set": {"messages": [asked, answer("g1", "", masked)]}},
        {"$rewindTo": "g2"},
        answer("g3", "All is read."),
    ]
    agents = [
        {"sessionId": sub, "projectHash": "x", "kind": "subagent"},
        {"id": "u1", "type": "user", "content": "Read."},
        answer("g4", "", call("c3", "read_file", text)),
        answer("g5", "", call("c4", "complete_task", "Done.")),
    ]
    return {"chats/session-1.jsonl": lines(main), f"chats/main-1/{sub}.jsonl": lines(agents)}


def atif(name: str) -> Callable[[], Files]:
    """A session of another format, written as one."""

    def make() -> Files:
        with tempfile.TemporaryDirectory() as folder:
            for path, data in kept(name).items():
                file = Path(folder, path)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(data)
            return {"session": to_atif(read_session(Path(folder)).trajectory)}

    return make


def atif_of_others() -> Files:
    """As other programs write them: results without a call, parts in other files, copies."""
    call = {"tool_call_id": "c1", "function_name": "execute_bash", "arguments": {"command": "ls"}}
    result = {"source_call_id": "c1", "content": [{"type": "text", "text": "north.txt"}]}
    named = [{"session_id": "s-2", "trajectory_path": "sub.json", "extra": {"x": 1}}]
    metrics = {"prompt_tokens": 3, "completion_tokens": 4, "cost_usd": 0.1}
    answer = {"source": "agent", "message": ""}
    document: dict[str, Any] = {
        "schema_version": "ATIF-v1.5",
        "session_id": "s-1",
        "agent": {"name": "openhands", "version": "1", "model_name": "m-1", "extra": {"cwd": "/"}},
        "continued_trajectory_ref": "next.json",
        "steps": [
            {"step_id": 1, "source": "user", "message": [{"type": "text", "text": "Review."}]},
            {
                **answer,
                "step_id": 2,
                "metrics": metrics,
                "tool_calls": [call],
                "observation": {"results": [result]},
            },
            {
                **answer,
                "step_id": 3,
                "model_name": "m-2",
                "tool_calls": [{**call, "tool_call_id": "c2"}],
                "observation": {"results": [{"content": "x", "subagent_trajectory_ref": named}]},
            },
            {"step_id": 4, "source": "system", "message": "", "observation": {"results": [result]}},
        ],
        "final_metrics": {"total_steps": 4},
    }
    copied = {"step_id": 1, "source": "user", "message": "Review.", "is_copied_context": True}
    last = {"step_id": 2, "source": "agent", "message": "All is read.", "timestamp": "2026-11-30"}
    head = {key: value for key, value in document.items() if key != "continued_trajectory_ref"}
    return {
        "trajectory.json": json.dumps(document).encode(),
        "next.json": json.dumps({**head, "steps": [copied, last]}).encode(),
        "sub.json": json.dumps({**head, "session_id": "s-2", "steps": [last]}).encode(),
    }


def _claude(name: str) -> Callable[[], Files]:
    return lambda: kept(f"claude/{name}/projects")


def _file(name: str) -> Callable[[], Files]:
    return lambda: kept(name)


SEEDS: Mapping[str, Callable[[], Files]] = {
    "fixed": fixed,
    "claude-code:2.0.76 agents": _claude("agents-2.0.76"),
    "claude-code:2.1.332 agents": _claude("agents-2.1.332"),
    "claude-code:2.0.76 compacted": _claude("compacted-2.0.76"),
    "claude-code:2.1.197 compacted": _claude("compacted-2.1.197"),
    "claude-code:2.1.332 compacted": _claude("compacted-2.1.332"),
    "claude-code:2.1.332 mention": _claude("mention-2.1.332"),
    "claude-code:2.1.197 edits": _claude("edits-2.1.197"),
    "codex:0.118.0": _file("codex/0.118.0/rollout.jsonl"),
    "codex:0.144.6": _file("codex/0.144.6/rollout.jsonl"),
    "codex:agents": codex_agents,
    "gemini-cli:0.24.0": _file("gemini/0.24.0/session"),
    "gemini-cli:0.41.0": _file("gemini/0.41.0/session"),
    "gemini-cli:agents": gemini_agents,
    "opencode:tree": _file("opencode/1.1.65/storage"),
    "opencode:database": database,
    "opencode:rows": rows_of_database,
    "opencode:2.0": opencode_2,
    "opencode export": _file("opencode/1.2.20/export.json"),
    "atif:claude": atif("claude/agents-2.1.332/projects"),
    "atif:others": atif_of_others,
    "claude-code stream-json": _file("claude/agents-2.1.332/stream.jsonl"),
    "codex exec --json": _file("codex/0.142.0/exec.jsonl"),
    "gemini-cli stream-json": _file("gemini/0.41.0/stream.jsonl"),
    "opencode run --format json": _file("opencode/1.2.20/run.jsonl"),
}
"""By the format's name, and a name of their own behind a colon."""
